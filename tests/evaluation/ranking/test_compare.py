"""Figures by group of queries; methods compared on the same queries."""

from __future__ import annotations

import numpy as np
import pytest

from evaluation.ranking.compare import (
    NOT_STATED,
    Rows,
    best_of,
    columns,
    compare,
    compare_each,
    gold_count,
    strata,
)
from evaluation.significance import Tally

ROWS: Rows = {
    "q3": {"language": "ko", "level": 10, "id": "a", "topics": ["fire", "water"]},
    "q1": {"language": "en", "level": 2, "id": "b", "topics": ["fire"]},
    "q2": {"language": "ko", "id": "c", "topics": [], "real": True},
}


def test_every_value_of_a_column_is_a_stratum():
    assert strata(ROWS, "language") == {"en": ("q1",), "ko": ("q2", "q3")}


def test_numbers_stand_in_their_order_and_what_is_not_stated_last():
    assert list(strata(ROWS, "level")) == ["2", "10", NOT_STATED]
    assert strata(ROWS, "real") == {"true": ("q2",), NOT_STATED: ("q1", "q3")}


def test_a_list_puts_a_query_into_every_stratum_it_names():
    assert strata(ROWS, "topics") == {
        "fire": ("q1", "q3"),
        "water": ("q3",),
        NOT_STATED: ("q2",),
    }


def test_a_column_that_does_not_split_the_queries_is_not_offered():
    assert columns(ROWS) == ["id", "language", "level", "real", "topics"]
    many: Rows = {f"q{at}": {"id": str(at), "one": "x"} for at in range(51)}
    assert columns(many) == []


def test_many_gold_units_are_one_stratum():
    assert [gold_count("abcd"[:n]) for n in range(5)] == ["0", "1", "2", "3+", "3+"]
    assert gold_count(["a", "a"]) == "1"


QUERIES = [f"q{at:02}" for at in range(20)]
LOW = dict.fromkeys(QUERIES, 0.0)
HIGH = dict.fromkeys(QUERIES, 1.0)


def test_a_method_that_always_wins_is_significantly_better():
    found = compare({"low": LOW, "high": HIGH, "same": dict(LOW)}, "low")
    assert list(found) == ["high", "same"]
    high, same = found["high"], found["same"]
    assert high.tally == Tally(20, 0, 0) and high.n == 20 and not high.exact
    assert (high.difference.value, high.difference.low, high.difference.high) == (1, None, None)
    assert high.p is not None and high.p_holm == pytest.approx(2 * high.p)
    assert high.verdict == 1
    assert same.tally == Tally(0, 20, 0) and same.p == same.p_holm == 1.0 and same.verdict == 0
    assert compare({"low": LOW, "high": HIGH}, "high")["low"].verdict == -1


def test_only_queries_that_both_have_a_score_for_are_pairs():
    found = compare(
        {"a": {"q1": 1.0, "q2": None, "q3": 0.5}, "b": {"q1": 0.0, "q2": 1.0, "q4": 1.0}}, "b"
    )["a"]
    assert found.n == 1 and found.difference.value == 1.0
    assert found.p == 1.0 and found.exact  # one difference has two equally far sign patterns


def test_without_a_pair_nothing_is_said_and_the_others_are_corrected_alone():
    found = compare({"base": LOW, "other": HIGH, "apart": {"x": 1.0}}, "base")
    assert (found["apart"].p, found["apart"].p_holm, found["apart"].verdict) == (None, None, 0)
    assert found["apart"].difference.value is None
    assert found["other"].p_holm == found["other"].p


def test_nan_is_no_score_and_an_unknown_baseline_is_refused():
    with pytest.raises(ValueError, match="finite"):
        compare({"a": {"q": float("nan")}, "b": {"q": 1.0}}, "b")
    with pytest.raises(KeyError):
        compare({"a": LOW}, "b")


def test_the_best_has_the_highest_mean_and_of_equals_is_the_first():
    assert best_of({"low": LOW, "high": HIGH, "also": dict(HIGH)}) == "high"
    assert best_of({"a": {"q": None}, "b": {}}) is None


def test_comparisons_made_together_are_those_made_one_by_one():
    rng = np.random.default_rng(0)
    drawn = [
        {name: dict(zip(QUERIES, rng.random(20).tolist(), strict=True)) for name in "abc"}
        for _ in range(3)
    ]
    drawn[1]["c"].pop("q00")  # another number of pairs, so other patterns
    families = [(drawn[0], "a"), (drawn[1], "b"), (drawn[2], "c")]
    assert compare_each(families) == [compare(*each) for each in families]
    assert compare_each([(drawn[0], None), *families[1:]])[0] == {}
