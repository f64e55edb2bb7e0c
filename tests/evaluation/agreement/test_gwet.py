from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation.agreement.gwet import GwetAC
from evaluation.agreement.kappa import CohenKappa
from evaluation.agreement.likeness import graded
from evaluation.agreement.ratings import Scale
from evaluation.agreement.statistic import Reason, measure
from tests.evaluation.agreement.examples import (
    FOUR_OBSERVERS,
    by_item,
    by_rater,
    of_table,
    tables,
)


def test_ac1_of_two_raters_as_the_package_of_its_author_prints_it() -> None:
    abstractors = of_table([[13, 0, 0], [0, 20, 7], [0, 4, 56]])  # irrCAC, cont3x3abstractors
    assert measure(abstractors, GwetAC()).figure.value == pytest.approx(0.8493305, abs=5e-8)


@pytest.mark.parametrize(("weights", "published"), [("identity", 0.77544), ("quadratic", 0.914)])
def test_four_raters_with_gaps_as_the_package_prints_them(weights: str, published: float) -> None:
    ratings = by_rater(FOUR_OBSERVERS, Scale.ORDINAL, "12345")  # irrCAC, cac.raw4raters
    found = measure(ratings, GwetAC(weights)).figure
    assert found.value == pytest.approx(published, abs=0.000005)
    assert found.n == 11


def test_the_paradox_of_kappa_in_gwets_own_example() -> None:
    # K. Gwet, Kappa Statistic is not Satisfactory for Assessing the Extent of Agreement (2002),
    # and the paper of 2008: 125 persons, 118 found positive by both, none negative by both.
    ratings = of_table([[118, 5], [2, 0]])
    assert measure(ratings, CohenKappa()).figure.value == pytest.approx(-0.0234, abs=0.00005)
    assert measure(ratings, GwetAC()).figure.value == pytest.approx(0.941, abs=0.0005)


def slow(rows, weights: str, categories: str) -> float | None:
    """AC1 or AC2 as the handbook defines them for raters with gaps, sum by sum."""
    weight = graded(weights, len(categories))
    given = [[categories.index(v) for v in row if v is not None] for row in rows]
    rated = [row for row in given if row]
    paired = [row for row in rated if len(row) > 1]
    if not paired:
        return None
    observed = sum(
        sum(weight[a, b] for a, b in permutations(row, 2)) / (len(row) * (len(row) - 1))
        for row in paired
    ) / len(paired)
    share = dict.fromkeys(range(len(categories)), 0.0)
    for row in rated:
        for code in row:
            share[code] += 1 / len(row) / len(rated)
    q = len(categories)
    expected = weight.sum() * sum(share[k] * (1 - share[k]) for k in range(q)) / (q * (q - 1))
    return float((observed - expected) / (1 - expected))


@settings(deadline=None)
@given(tables(st.sampled_from("abc")), st.sampled_from(["identity", "linear", "quadratic"]))
def test_it_is_its_definition(rows, weights: str) -> None:
    ratings = by_item(rows, Scale.ORDINAL, "abcd")
    found = measure(ratings, GwetAC(weights), resamples=0).figure.value
    expected = slow(rows, weights, "abcd")
    assert found == (None if expected is None else pytest.approx(expected))


def test_it_needs_two_categories_to_choose_from_but_not_two_chosen() -> None:
    alike = [["a", "a"], ["a", "a"]]
    one = by_item(alike, Scale.NOMINAL)
    assert measure(one, GwetAC()).reason == Reason.NO_VARIATION
    two = by_item(alike, Scale.NOMINAL, "ab")
    assert measure(two, GwetAC()).figure.value == 1.0
    assert measure(two, GwetAC("linear")).reason == Reason.SCALE
