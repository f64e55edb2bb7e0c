"""Figures by group of queries; methods compared on the same queries."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.ranking.compare import (
    NOT_STATED,
    Family,
    Inference,
    Rows,
    best_of,
    columns,
    compare,
    compare_each,
    crossed,
    gold_count,
    in_order,
    strata,
    worst_of,
)
from evaluation.significance import PERMUTATIONS, Tally, patterns_for

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
    assert in_order(["b", "", "10", "a", "-1.5", "2"]) == ["-1.5", "2", "10", "a", "b", ""]


def test_a_list_puts_a_query_into_every_stratum_it_names():
    assert strata(ROWS, "topics") == {
        "fire": ("q1", "q3"),
        "water": ("q3",),
        NOT_STATED: ("q2",),
    }


def test_a_column_that_does_not_split_the_queries_is_not_offered():
    assert columns(ROWS) == ["id", "language", "level", "real", "topics"]
    many: Rows = {f"q{at}": {"id": str(at), "one": "x"} for at in range(51)}
    assert columns(many) == [] and columns(dict(list(many.items())[:50])) == ["id"]


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
    families = [(drawn[0], ["a"]), (drawn[1], ["b"]), (drawn[2], ["c"])]
    together = [{base: compare(scores, base)} for scores, (base,) in families]
    assert compare_each(families) == together
    assert compare_each([(drawn[0], []), *families[1:]]) == [{}, *together[1:]]


def test_tests_against_several_baselines_are_corrected_together_and_a_pair_counts_once():
    names = {"low": LOW, "high": HIGH, "also": dict(HIGH), "mid": dict.fromkeys(QUERIES, 0.5)}
    (found,) = compare_each([(names, ["low", "high"])])
    assert {base: list(each) for base, each in found.items()} == {
        "low": ["high", "also", "mid"],
        "high": ["low", "also", "mid"],
    }
    up, down = found["low"]["high"], found["high"]["low"]
    assert (up.difference.value, down.difference.value) == (1.0, -1.0)
    assert (up.p, up.p_holm) == (down.p, down.p_holm) and (up.verdict, down.verdict) == (1, -1)
    assert (up.tally, down.tally) == (Tally(20, 0, 0), Tally(0, 0, 20))
    assert up.p is not None
    # Five tests, not six: low and high are one pair. All but "also" against "high" have this p.
    assert up.p_holm == pytest.approx(5 * up.p)
    assert str(found["high"]["also"].difference.value) == "0.0"
    assert up.turned() == down


def test_patterns_follow_the_tests_that_are_corrected_together_a_column_or_the_table():
    asked = [f"q{at}" for at in range(40)]  # no random pattern comes near so clear a difference
    names = {f"m{at}": dict.fromkeys(asked, 1.0) for at in range(60)}
    names["low"] = dict.fromkeys(asked, 0.0)
    families = [(names, ["low"])] * 10
    within = compare_each(families)[0]["low"]["m0"]
    table = compare_each(families, inference=Inference(family=Family.TABLE))[0]["low"]["m0"]
    assert within == compare(names, "low")["m0"]  # the other columns change nothing
    assert within.p is not None and table.p is not None
    assert within.p == pytest.approx(1 / (PERMUTATIONS + 1))
    assert table.p == pytest.approx(1 / (patterns_for(600) + 1)) and table.p < within.p
    assert table.p_holm == pytest.approx(600 * table.p) and table.verdict == 1
    assert 600 * within.p > 0.05  # with a column's patterns the table could not


@given(
    st.dictionaries(
        st.sampled_from("abcd"),
        st.dictionaries(st.sampled_from(QUERIES), st.sampled_from([None, 0.0, 0.5, 1.0])),
        min_size=1,
    )
)
def test_the_weakest_is_the_strongest_of_what_is_left_to_lose(scores):
    turned = {
        name: {query: None if value is None else 1.0 - value for query, value in each.items()}
        for name, each in reversed(scores.items())
    }
    assert worst_of(scores) == best_of(turned)
    scored = [name for name, each in scores.items() if set(each.values()) - {None}]
    assert (worst_of(scores) == best_of(scores)) == (len(scored) < 2)


def _shifted(by: int) -> dict[str, float]:
    """Return scores that are 1 on so many of the queries and 0 on the others: p is 2 ÷ 2^by."""
    return {query: float(at < by) for at, query in enumerate(QUERIES)}


def test_holm_over_the_table_reads_all_measures_together():
    """By hand: p = 2/64, 2/128 by one measure, 2/256, 2/512 by the other."""
    families = [
        ({"low": LOW, "a": _shifted(6), "b": _shifted(7)}, ["low"]),
        ({"low": LOW, "a": _shifted(8), "b": _shifted(9)}, ["low"]),
    ]
    within = [each["low"] for each in compare_each(families)]
    assert [within[0][name].p_holm for name in "ab"] == [2 / 64, 4 / 128]
    assert [within[1][name].p_holm for name in "ab"] == [2 / 256, 4 / 512]
    inference = Inference(family=Family.TABLE)
    table = [each["low"] for each in compare_each(families, inference=inference)]
    assert [table[0][name].p_holm for name in "ab"] == [2 * 2 / 128, 2 * 2 / 128]
    assert [table[1][name].p_holm for name in "ab"] == [3 * 2 / 256, 4 * 2 / 512]
    for one, other in zip(within, table, strict=True):
        for name in "ab":
            assert one[name].p == other[name].p
            assert (one[name].p_holm or 0) <= (other[name].p_holm or 0)


def test_holm_over_the_table_reads_every_baseline_of_every_measure_a_pair_once():
    """By hand: each measure tests a, low and a, b and b, low: p = 2/2^6, 2/2^3, 2/2^9, twice."""
    scores = {"low": LOW, "a": _shifted(6), "b": _shifted(9)}
    families = [
        (scores, ["low", "a"]),
        ({name: dict(scores[name]) for name in scores}, ["low", "a"]),
    ]
    for found in compare_each(families, inference=Inference(family=Family.TABLE)):
        assert found["low"]["b"].p_holm == 6 * 2 / 512
        assert found["low"]["a"].p_holm == found["a"]["low"].p_holm == 4 * 2 / 64
        assert found["a"]["b"].p_holm == 2 * 2 / 8
    for found in compare_each(families):
        assert found["low"]["b"].p_holm == 3 * 2 / 512
        assert found["low"]["a"].p_holm == found["a"]["low"].p_holm == 2 * 2 / 64
        assert (found["a"]["b"].p_holm, found["a"]["b"].verdict) == (2 / 8, 0)


def test_more_resamples_move_the_interval_of_every_baseline_and_nothing_else():
    roots = {query: (at / 20) ** 0.5 for at, query in enumerate(QUERIES)}
    squares = {query: (at / 20) ** 2 for at, query in enumerate(QUERIES)}
    families = [({"low": LOW, "a": squares, "b": roots}, ["low", "a"])]
    [few], [many] = (compare_each(families, inference=Inference(n)) for n in (100, 20_000))
    for base, name in (("low", "b"), ("a", "b"), ("a", "low")):
        assert few[base][name].difference.value == many[base][name].difference.value
        assert few[base][name].p == many[base][name].p
        assert few[base][name].difference.high != many[base][name].difference.high


@pytest.mark.parametrize("resamples", [0, 99, 20_001])
def test_resamples_have_bounds(resamples: int):
    with pytest.raises(ValueError, match="too few or too many"):
        Inference(resamples)


def test_joined_columns_split_by_every_combination() -> None:
    rows = {"a": {"level": "L1", "by": "x"}, "b": {"level": "L2"}, "c": {"level": "L1", "by": "x"}}
    assert strata(rows, "level × by") == {"L1 × x": ("a", "c"), "L2 × ": ("b",)}
    assert strata(rows, "level × by", every=True)["L2 × x"] == ()
    assert crossed("level × by", "L2 × ", "–") == {"level": "L2", "by": "–"}
    assert crossed("level × by", "all", "–") == {"level": "all", "by": "all"}
    assert crossed("level", "L1", "–") == {}
