"""A codebook as a text: what is refused with its place, and what comes back as it went out."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from construction.tagging.codebook import CLAIM_ANSWERS, Codebook, applies
from construction.tagging.reading import parse, shared, write
from errors import UserError
from tests.construction.tagging.codebooks import SMALL, codebooks
from tests.support.refusals import fault_of

ORDER = "order: [weapon, kind, drink, plea]"
WHEN = "when: {weapon: ['yes']}"


@pytest.mark.parametrize(
    ("order", "code", "place"),
    [
        ("order: [weapon, drink, plea]", "factors_order_omits", "order"),
        ("order: [weapon, kind, weapon, drink, plea]", "factors_order_twice", "order[3]"),
        ("order: [weapon, kind, drink, plea, age]", "factors_order_unknown", "order[5]"),
    ],
)
def test_an_order_names_every_sub_factor_once(order: str, code: str, place: str) -> None:
    assert refused(SMALL.replace(ORDER, order)) == (code, 1, place)


@pytest.mark.parametrize(
    ("when", "code", "key"),
    [
        ("when: {wepon: ['yes']}", "factors_when_unknown", "wepon"),
        ("when: {weapon: []}", "factors_when_empty", "weapon"),
        ("when: {weapon: [perhaps]}", "factors_when_option", "weapon"),
        ("when: {plea: [not_stated]}", "factors_when_option", "plea"),
        ("when: {kind: [knife]}", "factors_cycle", "kind"),
    ],
)
def test_a_condition_that_cannot_hold_is_named(when: str, code: str, key: str) -> None:
    text = SMALL.replace(WHEN, when)
    place = f"factors[1].sub_factors[2].when.{key}"
    assert refused(text) == (code, line_of(text, when), place)


def test_not_stated_is_an_answer_that_a_condition_may_wait_for() -> None:
    book = parse(SMALL.replace(WHEN, "when: {weapon: [not_stated]}"))
    assert book.factors[0].sub_factors[1].when == {"weapon": ("not_stated",)}


def test_a_circle_is_told_in_full() -> None:
    text = SMALL.replace("ordered: true", "ordered: true\n        when: {kind: [knife]}")
    text = text.replace(WHEN, "when: {drink: [low]}")
    with pytest.raises(Exception, match="kind → drink → kind"):
        parse(text)


def test_a_condition_on_what_no_group_shares_is_refused() -> None:
    text = SMALL.replace("scope: [injury, traffic.hit_and_run]", "scope: [injury]")
    text = text.replace("ordered: true", "ordered: true\n        when: {weapon: ['yes']}")
    assert refused(text)[::2] == ("factors_when_scope", "factors[2].sub_factors[1].when.weapon")
    parse(text.replace("scope: [injury]", "scope: [injury, traffic.hit_and_run]"))


def test_scopes_have_to_meet_along_the_whole_chain() -> None:
    """Each link shares a group with the next, and no group is asked all three."""
    text = SMALL.replace("scope: '*'", "scope: [traffic.drunk]")
    text = text.replace("claim: true", "claim: true\n        when: {drink: [low]}")
    parse(text)
    chained = text.replace("ordered: true", "ordered: true\n        when: {weapon: ['yes']}")
    assert refused(chained)[0] == "factors_when_scope"


def test_conditions_that_want_two_answers_to_one_question_are_refused() -> None:
    text = SMALL.replace("scope: '*'", "scope: [injury]")
    text = text.replace("claim: true", "claim: true\n        when: {kind: [knife], weapon: ['no']}")
    assert refused(text)[0] == "factors_when_against"
    parse(text.replace("weapon: ['no']", "weapon: ['no', 'yes']"))


SCOPES = st.lists(st.sampled_from(["*", "a", "a.b", "a.b.c", "a.bb", "d"]), min_size=1, max_size=3)


@given(SCOPES, SCOPES, st.sampled_from(["a", "a.b", "a.b.c", "a.bb", "a.x", "d.e", "z"]))
def test_two_scopes_share_the_groups_that_both_take_in(one, two, group) -> None:
    both = applies(one, [group]) and applies(two, [group])
    assert applies(shared(one, two), [group]) is both


def refused(text: str) -> tuple[str, int | None, str | None]:
    return fault_of(parse, text)


def line_of(text: str, words: str) -> int:
    return text[: text.index(words)].count("\n") + 1


def test_a_claim_has_the_papers_options_and_other_options_are_written_here() -> None:
    (weapon, _), _, (plea,) = (factor.sub_factors for factor in parse(SMALL).factors)
    assert plea.options == CLAIM_ANSWERS
    assert (weapon.options_source, plea.options_source) == ("written", "paper")


def test_without_an_order_they_count_as_they_stand() -> None:
    book = parse(SMALL.partition("\n")[2])
    assert book.order == ("weapon", "kind", "drink", "plea")


@given(codebooks(("*", "a", "a.b.c")))
def test_what_is_written_reads_back_as_the_same(book: Codebook) -> None:
    try:
        again = parse(write(book))
    except UserError as error:  # conditions across scopes that never meet
        assert error.code == "factors_when_scope"
        return
    assert again == book


@pytest.mark.parametrize(
    ("old", "new", "code", "field"),
    [
        ("key: knife", "key: Knife", "factors_key", "options[1].key"),
        ("key: knife", "key: not_stated", "factors_key", "options[1].key"),
        ("scope: [traffic]", "scope: [a.b.c.d]", "factors_key", "factors[2].scope[1]"),
        ("scope: [traffic]", "scope: []", "factors_empty", "factors[2].scope"),
        ("exclusive: false", "exclusive: perhaps", "factors_word", "sub_factors[2].exclusive"),
        ("claim: true", "claim: true\n        ordered: true", "factors_claim", "].ordered"),
        ("ordered: true", "exclusive: false\n        ordered: true", "factors_scale", "].ordered"),
        ("key: blunt", "key: knife", "factors_twice", "sub_factors[2].options[2].key"),
        ("key: drink", "key: weapon", "factors_twice", "factors[2].sub_factors[1].key"),
        ("key: road", "key: violence", "factors_twice", "factors[2].key"),
        ("when: {weapon: ['yes']}", "when: {}", "factors_when_empty", "sub_factors[2].when"),
    ],
)
def test_a_field_that_cannot_be_read_is_named_with_its_line(
    old: str, new: str, code: str, field: str
) -> None:
    found, line, place = refused(SMALL.replace(old, new))
    assert (found, place is not None and place.endswith(field)) == (code, True)
    assert line == line_of(SMALL, old) + new.count("\n")


@pytest.mark.parametrize("text", ["factors: []", "order: []\nfactors: []\n"])
def test_an_empty_codebook_is_refused(text: str) -> None:
    assert refused(text)[0] == "factors_empty"


@pytest.mark.parametrize("text", ["", "a: [", "- x", "factors: x", "order: []", "factors: \0"])
def test_what_is_no_codebook_is_refused(text: str) -> None:
    assert refused(text)[0] in {
        "field_not_mapping", "factors_list", "yaml_broken", "factors_empty", "text_unstorable",
    }  # fmt: skip
