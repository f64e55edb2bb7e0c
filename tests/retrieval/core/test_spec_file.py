"""Specs read from YAML: typed by their parameters, and what is wrong in them with its line."""

from __future__ import annotations

import json

import pytest

from corpus.files.yaml_fields import read_value
from errors import SeveralProblemsError, UserError
from retrieval.core.preset_specs import PRESETS
from retrieval.core.registry import complete
from retrieval.core.spec_file import TEXT_LIMIT, parse_spec, read_spec
from tests.support.refusals import code_of

FUSION = """\
method: rrf
k: 5
of:
- bm25
- method: bm25
  tokeniser: whitespace
  k1: 1.2
"""


def test_a_spec_is_read_with_its_parts_and_defaults():
    spec = {
        "method": "rrf",
        "k": 5,
        "of": [{"method": "bm25"}, {"method": "bm25", "tokeniser": "whitespace", "k1": 1.2}],
    }
    assert parse_spec(FUSION) == complete(spec)


def test_json_is_read_as_well():
    spec = complete({"method": "bm25", "b": 0.25})
    assert parse_spec(json.dumps(spec, indent=2)) == spec
    assert parse_spec("{method: sar, outside: FALSE}")["outside"] is False


def test_a_name_stands_for_a_method_at_its_defaults_or_for_a_spec_that_has_it():
    assert parse_spec("bm25") == complete({"method": "bm25"})
    value = read_value("method: rrf\nname: Mine\nof: [short, bm25]", None)
    short = complete({"method": "bm25", "b": 0.1})
    read = read_spec(value, None, {"short": short}, other_fields=("name",))
    assert read["of"] == [short, complete({"method": "bm25"})]


@pytest.mark.parametrize(
    ("old", "new", "code", "line"),
    [
        ("method: rrf", "method: rff", "unknown_method", 1),
        ("method: rrf", "a: rrf", "method_unnamed", 1),
        ("k: 5", "k: five", "method_parameter", 2),
        ("k: 5", "k: nan", "method_parameter", 2),
        ("k: 5", "kk: 5", "method_parameter_unknown", 2),
        ("k: 5", "k: 5\nk: 6", "field_repeated", 3),
        ("- bm25", "- bm52", "unknown_method", 4),
        ("- method: bm25", "- k: bm25", "method_unnamed", 5),
        ("tokeniser: whitespace", "tokeniser: spaces", "method_parameter", 6),
        ("k1: 1.2", "k1: {method: bm25}", "method_parameter", 7),
        ("k1: 1.2", "k1: '", "yaml_broken", 8),
        (FUSION, "", "method_unnamed", 1),
        (FUSION, "method: rrf\nof: []", "method_parameter", 2),
        (FUSION, "method: rrf\nof: bm25", "method_parameter", 2),
        (FUSION, "\nmethod: weighted", "method_parameter_missing", 2),
        (FUSION, "\n\nmethod: [rrf]", "field_not_text", 3),
    ],
)
def test_what_is_wrong_is_told_with_its_line(old, new, code, line):
    assert old in FUSION
    with pytest.raises(UserError) as refused:
        parse_spec(FUSION.replace(old, new, 1), "spec.yaml")
    assert (refused.value.code, refused.value.where.line) == (code, line)
    assert refused.value.where.file == "spec.yaml"
    assert refused.value.render("ko") != refused.value.render("en")


def test_a_text_too_long_is_refused():
    assert code_of(parse_spec, "#" * (TEXT_LIMIT + 1)) == "text_too_long"
    assert code_of(parse_spec, "#" * TEXT_LIMIT) == "method_unnamed"


@pytest.mark.parametrize(("k", "shown"), [("{a: [1]}", "{'a': ['1']}"), ("[[2]]", "[['2']]")])
def test_a_value_of_another_kind_is_shown_as_it_stands_in_the_file(k, shown):
    with pytest.raises(UserError) as refused:
        parse_spec(f"method: bm25\nk1: {k}")
    assert refused.value.params["value"] == shown


def test_all_that_is_wrong_is_told_at_once_with_the_name_that_was_meant():
    text = "method: rrf\nkk: 5\nof:\n- bm52\n- {method: bm25, tokenizer: bigram}"
    with pytest.raises(SeveralProblemsError) as refused:
        parse_spec(text)
    told = [
        (each.code, each.where.line, each.where.field, each.remedy().split("?")[0])
        for each in refused.value.errors
    ]
    assert told == [
        ("method_parameter_unknown", 2, "kk", 'Did you mean "k"'),
        ("unknown_method", 4, "of", 'Did you mean "bm25"'),
        ("method_parameter_unknown", 5, "tokenizer", 'Did you mean "tokeniser"'),
    ]
    assert '혹시 "bm25"인가요?' in refused.value.errors[1].remedy("ko")


def test_a_preset_is_a_name_and_what_is_said_beside_it_is_changed():
    assert parse_spec("recommended") == complete(PRESETS["recommended"])
    assert parse_spec("{method: bm25_jamo, b: 0.5}") == complete(
        {"method": "bm25", "tokeniser": "jamo3", "b": 0.5}
    )
    assert parse_spec("{method: sar, base: recommended}")["base"] == complete("recommended")
    nested = {"method": "sar", "base": "bm25_jamo"}
    assert complete(nested) == complete({"method": "sar", "base": PRESETS["bm25_jamo"]})
    assert complete({"method": "recommended"}) == complete("recommended")


def test_a_name_near_to_none_suggests_none():
    with pytest.raises(UserError) as refused:
        parse_spec("method: zzzzzzzz")
    assert "Did you mean" not in refused.value.render()
