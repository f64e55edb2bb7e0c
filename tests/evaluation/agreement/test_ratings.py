from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation.agreement.ratings import MISSING, Ratings, Scale
from tests.evaluation.agreement.examples import by_item, tables

TRIPLES = [("q1", "Kim", "b"), ("q2", "Lee", "a"), ("q1", "Lee", "a"), ("q3", "Kim", None)]


def test_the_table_has_items_and_raters_in_order_of_coming_and_categories_sorted() -> None:
    found = Ratings.of(TRIPLES, Scale.NOMINAL)
    assert found.items == ("q1", "q2", "q3")
    assert found.raters == ("Kim", "Lee")
    assert found.categories == ("a", "b")
    assert found.codes.tolist() == [[1, 0], [MISSING, 0], [MISSING, MISSING]]
    assert found.codes.dtype == np.int32
    assert found.per_item.tolist() == [2, 1, 0]
    assert found.pairable == 1
    assert found.missing


def test_categories_keep_a_given_order_used_or_not() -> None:
    found = Ratings.of([("q", "Kim", "high")], Scale.ORDINAL, ("low", "middle", "high"))
    assert found.categories == ("low", "middle", "high")
    assert found.codes.tolist() == [[2]]


def test_sets_and_numbers_have_their_own_order() -> None:
    sets = by_item([[frozenset("ab"), frozenset()], [frozenset("c"), None]], Scale.SETS)
    assert sets.categories == (frozenset(), frozenset("c"), frozenset("ab"))
    assert by_item([[10, 9.5], [2, None]], Scale.INTERVAL).categories == (2, 9.5, 10)


@pytest.mark.parametrize(
    ("triples", "scale", "categories", "words"),
    [
        ([("q", "Kim", "a"), ("q", "Kim", "b")], Scale.NOMINAL, None, "twice"),
        ([("q", "Kim", "a"), ("q", "Kim", None)], Scale.NOMINAL, None, "twice"),
        ([("q", "Kim", "a")], Scale.NOMINAL, ("b",), "not among"),
        ([("q", "Kim", "a")], Scale.NOMINAL, ("a", "a"), "listed twice"),
        ([("q", "Kim", "a")], Scale.ORDINAL, None, "in order"),
        ([("q", "Kim", "a")], Scale.SETS, None, "no frozen set"),
        ([("q", "Kim", "a")], Scale.SETS, ("a",), "no frozen set"),
        ([("q", "Kim", float("nan"))], Scale.INTERVAL, None, "no finite number"),
        ([("q", "Kim", "7")], Scale.INTERVAL, None, "no finite number"),
    ],
)
def test_what_makes_no_sense_is_refused(triples, scale, categories, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        Ratings.of(triples, scale, categories)


def test_nothing_at_all_is_an_empty_table() -> None:
    found = Ratings.of([], Scale.NOMINAL)
    assert found.codes.shape == (0, 0)
    assert found.pairable == 0
    assert not found.missing
    assert len(found.kinds.times) == 0


@settings(deadline=None)
@given(tables(st.sampled_from("abc")))
def test_kinds_count_every_rated_item_once_whoever_rated_it(rows) -> None:
    found = by_item(rows, Scale.NOMINAL, "abc")
    expected: dict[tuple[str, ...], int] = {}
    for row in rows:
        said = tuple(sorted(value for value in row if value is not None))
        if said:
            expected[said] = expected.get(said, 0) + 1
    kinds = found.kinds
    named = {
        tuple("abc"[code] for code in codes if code != MISSING): int(times)
        for codes, times in zip(kinds.codes, kinds.times, strict=True)
    }
    assert named == expected
    assert kinds.counts(3).sum(axis=1).tolist() == kinds.ratings.tolist()
    assert kinds.with_at_least(2).times.sum() == found.pairable


def test_columns_and_rows_can_be_taken_out() -> None:
    found = Ratings.of(TRIPLES, Scale.NOMINAL)
    assert found.of_raters("Lee").codes.tolist() == [[0], [0], [MISSING]]
    again = found.at([2, 0, 0])
    assert again.items == ("q3", "q1", "q1")
    assert again.codes.tolist() == [[MISSING, MISSING], [1, 0], [1, 0]]
    with pytest.raises(ValueError, match="not in"):
        found.of_raters("Park")
