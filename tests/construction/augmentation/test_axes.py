"""The axes of augmentation, read from YAML."""

from __future__ import annotations

import pytest

from construction.augmentation.axes import Demand, parse, starter
from construction.augmentation.rubric import LEVELS, PAPER, contains_term
from tests.support.refusals import code_of, refusal

SMALL = """\
facets:
- key: place
  label: {en: Place, ko: 장소}
  values:
  - {key: abroad, label: {en: Abroad, ko: 국외}}
  - {key: home, label: {en: At home, ko: 국내}}
- key: stage
  label: {en: Stage, ko: 단계}
  values:
  - {key: before, label: {en: Before, ko: 전}}
types:
- key: plain
  label: {en: Plain, ko: 단순}
  about: {en: Ask one thing, ko: 하나를 묻기}
- key: paired
  label: {en: Paired, ko: 예외}
  about: {en: Ask for the exception, ko: 예외를 묻기}
  conditional: yes
  demands: [exception, sanction]
  facets: 2
levels:
- {key: L1, label: {en: One, ko: 하나}, about: {en: one, ko: 하나}}
- {key: L2, label: {en: Two, ko: 둘}, about: {en: two, ko: 둘}}
- {key: L3, label: {en: Three, ko: 셋}, about: {en: three, ko: 셋}}
- {key: L4, label: {en: Four, ko: 넷}, about: {en: four, ko: 넷}}
rubric:
  references: 5
  conditional_terms: ["다만", unless]
domains:
- key: tax
  label: {en: Tax, ko: 세무}
  anchors: ["세법_10조"]
groups: [costs]
"""


def test_axes_are_read_in_the_order_of_the_text() -> None:
    axes = parse(SMALL)
    assert [facet.key for facet in axes.facets] == ["place", "stage"]
    assert [value.label["ko"] for value in axes.facet("place").values] == ["국외", "국내"]
    paired = axes.type("paired")
    assert (paired.conditional, paired.facets) == (True, 2)
    assert paired.demands == (Demand.EXCEPTION, Demand.SANCTION)
    assert (axes.type("plain").conditional, axes.type("plain").facets) == (False, 1)
    assert [level.key for level in axes.levels] == list(LEVELS)
    assert (axes.rubric.references, axes.rubric.parallel) == (5, PAPER.parallel)
    assert axes.rubric.conditional_terms == ("다만", "unless")
    assert axes.groups == ("costs",)


def test_a_domain_draws_from_the_statutes_of_its_anchors() -> None:
    axes = parse(SMALL)
    assert axes.domain_of("세법") == "tax"
    assert axes.domain_of("건축법") == ""
    wider = parse(SMALL.replace('["세법_10조"]', '["세법_10조"]\n  statutes: [건축법]'))
    assert (wider.domain_of("세법"), wider.domain_of("건축법")) == ("", "tax")


def test_the_starter_has_the_axes_of_the_paper() -> None:
    axes = parse(starter())
    assert [facet.key for facet in axes.facets] == [
        "transaction", "actor_role", "recipient_role", "geography", "lifecycle", "domain",
    ]  # fmt: skip
    assert [each.key for each in axes.types] == [
        "single_clause", "exception_paired", "institution_specific", "general_principle",
        "multi_facet",
    ]  # fmt: skip
    rubric = axes.rubric
    assert (rubric.references, rubric.parallel, rubric.arity) == (4, 4, 3)
    assert axes.type("multi_facet").facets == rubric.arity
    assert axes.type("exception_paired").conditional
    for text in ("다만, 경미한 경우에는 그러하지 아니하다.", "Unless exempt, file."):
        assert contains_term(text, rubric.conditional_terms)
    for text in ("500만원 이하의 과태료를 부과한다.", "liable to a fine"):
        assert contains_term(text, rubric.sanction_terms)


@pytest.mark.parametrize(
    ("before", "after", "code", "field"),
    [
        ("- key: stage", "- key: place", "parallel_key_twice", "facets[2].key"),
        ("- key: stage", "- key: Stage", "parallel_key", "facets[2].key"),
        ("key: home", "key: abroad", "parallel_key_twice", "facets[1].values[2].key"),
        ("  values:\n  - {key: before, label: {en: Before, ko: 전}}\n", "", "field_missing",
         "facets[2].values"),
        ("[exception, sanction]", "[exceptions]", "axes_demand", "types[2].demands"),
        ("conditional: yes", "conditional: maybe", "field_not_yes", "types[2].conditional"),
        ("facets: 2", "facets: 3", "axes_number", "types[2].facets"),
        ("references: 5", "references: 1", "axes_number", "rubric.references"),
        ("references: 5", "refs: 5", "field_unknown", "rubric.refs"),
        ("key: L4", "key: L5", "axes_level", "levels[4].key"),
        ("key: L4", "key: L3", "parallel_key_twice", "levels[4].key"),
        ("- {key: L4, label: {en: Four, ko: 넷}, about: {en: four, ko: 넷}}\n", "", "axes_levels",
         "levels"),
        ('["세법_10조"]', '["세법"]', "parallel_unit", "domains[1].anchors"),
        ('["세법_10조"]', '["세법_10조", "세법_10조"]', "axes_twice", "domains[1].anchors"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_refused_with_file_line_and_field(
    before: str, after: str, code: str, field: str
) -> None:
    assert before in SMALL
    error = refusal(parse, SMALL.replace(before, after), "mine.yaml")
    assert (error.code, error.where.file, error.where.field) == (code, "mine.yaml", field)
    assert error.where.line


@pytest.mark.parametrize("what", ["facet", "type", "level"])
def test_an_unknown_key_names_those_there_are(what: str) -> None:
    assert code_of(getattr(parse(SMALL), what), "nothing") == "axes_unknown"
