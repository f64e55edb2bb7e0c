"""Bounds of recall where gold is inherited."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.ranking.bounds import measures_of, recall_bounds
from evaluation.ranking.scoring import evaluate

PARENTS = {"a-o1": "a", "a-o2": "a", "b-o1": "b"}
QRELS = {"a-o1": {"u": 1, "v": 1}, "a-o2": {"u": 1, "v": 1}, "b-o1": {"w": 1}, "c": {"w": 1}}
RUN = {"a-o1": ["u", "x", "v"], "a-o2": ["x", "y"], "b-o1": ["w"], "c": ["x"]}
SIZES = {query: len(units) for query, units in QRELS.items()}


def bounds(run, k, resamples=1000):
    table = evaluate(run, QRELS, measures_of(k)).table
    return recall_bounds(table, PARENTS, SIZES, k, resamples)


def test_any_gold_is_the_upper_and_all_gold_the_lower_bound() -> None:
    found = bounds(RUN, 2)
    assert (found.lower.name, found.upper.name) == ("FullCov@2", "AnyGold@2")
    assert found.lower.value == pytest.approx(1 / 3)  # b-o1 alone
    assert found.upper.value == pytest.approx(2 / 3)  # a-o1 as well
    assert (found.lower.n, found.parents, found.several) == (3, 2, 2)
    deeper = bounds(RUN, 3)
    assert deeper.lower.value == deeper.upper.value == pytest.approx(2 / 3)


def test_intervals_draw_parents_and_not_questions() -> None:
    found = bounds(RUN, 2)
    # Both of a, both of b, or one of each: shares 1/2, 1 and 2/3 are all there are.
    assert (found.upper.low, found.upper.high) == (0.5, 1.0)
    alone = {"a-o1": ["u"], "a-o2": []}
    table = evaluate(alone, {each: QRELS[each] for each in alone}, measures_of(1)).table
    one = recall_bounds(table, PARENTS, SIZES, 1)
    assert (one.upper.value, one.upper.low, one.parents) == (0.5, None, 1)


def test_questions_without_gold_and_of_no_parent_are_left_out() -> None:
    table: dict[str, dict[str, float | None]] = {
        "a-o1": {"FullCov@1": None, "AnyGold@1": None},
        "c": {"FullCov@1": 1, "AnyGold@1": 1},
    }
    found = recall_bounds(table, PARENTS, {}, 1)
    assert (found.lower.value, found.lower.n, found.parents) == (None, 0, 0)


@given(
    st.dictionaries(
        st.sampled_from(sorted(QRELS)),
        st.lists(st.sampled_from("uvwxyz"), unique=True),
    ),
    st.integers(1, 6),
)
def test_recall_lies_between_the_bounds(run, k) -> None:
    found = bounds(run, k, 100)
    assert found.lower.value is not None and found.upper.value is not None
    hits = [len({*run.get(query, ())[:k]} & {*QRELS[query]}) for query in PARENTS]
    recall = sum(hit / SIZES[query] for hit, query in zip(hits, PARENTS, strict=True)) / 3
    assert found.lower.value - 1e-9 <= recall <= found.upper.value + 1e-9
