from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation.agreement.categories import per_category
from evaluation.agreement.ratings import Scale
from evaluation.agreement.statistic import Reason
from tests.evaluation.agreement.examples import by_item, of_table, tables


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


def test_each_has_an_interval_around_its_value() -> None:
    for found in per_category(of_table([[40, 10], [12, 38]])):
        figure = found.finding.figure
        assert figure.value is not None
        assert figure.low is not None
        assert figure.high is not None
        assert figure.low < figure.value < figure.high


def test_some_categories_can_be_asked_for_in_any_order() -> None:
    ratings = of_table([[4, 1, 0], [1, 3, 0], [0, 0, 0]])
    assert [each.category for each in per_category(ratings, [2, 0])] == [2, 0]
    assert per_category(ratings, [2])[0].finding.reason == Reason.NOT_USED
    assert (
        per_category(ratings, [0])[0].finding.figure.value
        == per_category(ratings)[0].finding.figure.value
    )
    with pytest.raises(ValueError, match="not among"):
        per_category(ratings, [7])
