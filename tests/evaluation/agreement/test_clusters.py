from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation.agreement.clusters import measure_in_groups, per_category, per_category_in_groups
from evaluation.agreement.interpretation import STATISTICS
from evaluation.agreement.ratings import Ratings, Reason, Scale, measure
from tests.evaluation.agreement.examples import by_item, of_table, tables
from tests.support.examples import scaled


def test_positive_and_negative_agreement_of_two_raters() -> None:
    # D. Cicchetti & A. Feinstein (1990): 2a ÷ (2a + b + c) and 2d ÷ (2d + b + c)
    positive, negative = per_category(of_table([[118, 5], [2, 0]]))
    assert positive.finding.figure.value == pytest.approx(236 / 243)
    assert positive.finding.figure.n == 125
    assert negative.finding.figure.value == 0.0
    assert negative.finding.figure.n == 7


def slow(rows, chosen) -> float | None:
    """How often a second rater of an item chose it, over all ordered pairs whose first did."""
    pairs = [
        (first, second)
        for row in rows
        for first, second in permutations([value for value in row if value is not None], 2)
    ]
    second = [chosen(b) for a, b in pairs if chosen(a)]
    return sum(second) / len(second) if second else None


@settings(deadline=None)
@given(tables(st.sampled_from("abc")))
def test_it_is_the_share_of_second_raters_who_chose_it_too(rows) -> None:
    ratings = by_item(rows, Scale.NOMINAL, "abc")
    for found in per_category(ratings, resamples=10):
        expected = slow(rows, lambda value, category=found.category: value == category)
        value = found.finding.figure.value
        assert value == (None if expected is None else pytest.approx(expected))
        wanted = Reason.NOT_USED if ratings.pairable else Reason.NO_PAIRS
        assert found.finding.reason == (wanted if expected is None else None)


@settings(deadline=None)
@given(tables(st.frozensets(st.sampled_from("abc"))))
def test_of_sets_it_is_on_each_unit(rows) -> None:
    for found in per_category(by_item(rows, Scale.SETS), resamples=0):
        expected = slow(rows, lambda value, unit=found.category: unit in value)
        value = found.finding.figure.value
        assert value == (None if expected is None else pytest.approx(expected))


KINDS = ("accept", "reject", "unsure")
KEYS = ("raw", "cohen_kappa", "fleiss_kappa", "alpha_nominal", "ac1")


def table(rows: list[tuple[str | None, ...]]) -> Ratings:
    triples = [(at, n, said) for at, row in enumerate(rows) for n, said in enumerate(row)]
    return Ratings.of(triples, Scale.NOMINAL, KINDS)


ROWS: list[tuple[str | None, ...]] = [
    *[("accept", "accept"), ("reject", "reject"), ("accept", "reject"), ("unsure", "accept")],
    *[("reject", "reject"), ("accept", "accept"), ("reject", "accept"), ("reject", "reject")],
]


@pytest.mark.parametrize("key", KEYS)
def test_groups_of_one_row_give_the_interval_of_an_item_bootstrap(key: str) -> None:
    ratings = table(ROWS * 6)
    plain = measure(ratings, STATISTICS[key], resamples=4000)
    found = measure_in_groups(ratings, STATISTICS[key], range(48), resamples=4000)
    assert found.figure.value == plain.figure.value
    assert found.figure.n == plain.figure.n
    assert found.figure.low == pytest.approx(plain.figure.low, abs=0.02)
    assert found.figure.high == pytest.approx(plain.figure.high, abs=0.02)


@pytest.mark.parametrize("key", KEYS)
def test_rows_that_repeat_within_a_group_tell_no_more_than_one(key: str) -> None:
    one = measure_in_groups(table(ROWS), STATISTICS[key], range(8), resamples=4000)
    ratings = table([row for row in ROWS for _ in range(5)])
    groups = [at for at in range(8) for _ in range(5)]
    five = measure_in_groups(ratings, STATISTICS[key], groups, resamples=4000)
    narrow = measure(ratings, STATISTICS[key], resamples=4000).figure
    assert one.figure.low is not None
    assert five.figure.low == pytest.approx(one.figure.low, abs=0.1)
    assert five.figure.low is not None
    assert narrow.low is not None
    assert five.figure.low < narrow.low - 0.1


def test_categories_are_drawn_by_group_too() -> None:
    ratings = table([row for row in ROWS for _ in range(5)])
    groups = [at for at in range(8) for _ in range(5)]
    plain, found = per_category(ratings), per_category_in_groups(ratings, groups)
    for a, b in zip(plain, found, strict=True):
        assert (a.category, a.finding.figure.value) == (b.category, b.finding.figure.value)
        assert a.finding.figure.n == b.finding.figure.n
    assert found[0].finding.figure.low is not None
    assert plain[0].finding.figure.low is not None
    assert found[1].finding.figure.low is not None
    assert found[0].finding.figure.low < plain[0].finding.figure.low
    lone = per_category_in_groups(table([("accept", None)]), [0])[0].finding
    assert (lone.figure.value, lone.figure.n, lone.reason) == (None, 0, Reason.NO_PAIRS)


@settings(max_examples=scaled(40), deadline=None)
@given(
    st.lists(
        st.tuples(st.integers(0, 3), *[st.sampled_from([*KINDS, None])] * 3),
        min_size=1,
        max_size=12,
    )
)
def test_value_and_n_are_always_those_of_the_plain_measure(rows: list[tuple[Any, ...]]) -> None:
    ratings = table([tuple(row[1:]) for row in rows])
    groups = [row[0] for row in rows]
    for key in KEYS:
        plain = measure(ratings, STATISTICS[key], resamples=0)
        found = measure_in_groups(ratings, STATISTICS[key], groups, resamples=20)
        assert found.figure.value == plain.figure.value
        assert (found.figure.n, found.reason) == (plain.figure.n, plain.reason)
