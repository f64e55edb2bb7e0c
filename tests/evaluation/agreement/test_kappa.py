"""Against published values, scikit-learn, statsmodels and plain arithmetic."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from evaluation.agreement.kappa import CohenKappa, FleissKappa, kappa_formula
from evaluation.agreement.ratings import Scale
from evaluation.agreement.statistic import Reason, measure
from tests.evaluation.agreement.examples import (
    DIAGNOSES,
    FOUR_OBSERVERS,
    Row,
    by_item,
    by_rater,
    of_counts,
    of_table,
    tables,
)

# J. Cohen, Weighted kappa (1968), table 1: 200 patients, shares of joint diagnoses, and the
# disagreement that each pair of diagnoses stands for.
COHEN_1968 = [[88, 14, 18], [10, 40, 10], [2, 6, 12]]
DISAGREEMENT = np.array([[0, 1, 3], [1, 0, 6], [3, 6, 0]])

# A table with the results that SAS prints for it; statsmodels is tested on the same.
SAS = [[0, 4, 1], [0, 8, 0], [0, 1, 5]]

# The data set "anxiety" of the R package irr: 20 persons, the second and third of three raters.
ANXIETY = ["36462424332333221334", "21443216111233113322"]


def value_of(table, weights: str = "identity") -> float | None:
    return measure(of_table(table, Scale.ORDINAL), CohenKappa(weights), resamples=0).figure.value


def test_cohens_example_of_1968() -> None:
    assert value_of(COHEN_1968) == pytest.approx(0.492, abs=0.0005)
    table = np.array(COHEN_1968, dtype=float)
    agreement = 1 - DISAGREEMENT / 6
    sums = [(table * agreement).sum(), *table.sum(axis=1), *table.sum(axis=0)]
    found = kappa_formula(agreement)(np.array([sums]))
    assert found[0] == pytest.approx(0.348, abs=0.0005)


def test_the_values_that_sas_prints() -> None:
    assert value_of(SAS) == pytest.approx(0.4842, abs=0.00005)
    assert value_of(SAS, "linear") == pytest.approx(0.4701, abs=0.00005)


@pytest.mark.parametrize(
    ("weights", "printed"),
    [("identity", -0.006289308), ("linear", 0.1459075), ("quadratic", 0.2520325)],
)
def test_the_values_that_the_r_package_irr_prints(weights: str, printed: float) -> None:
    ratings = by_rater(ANXIETY, Scale.ORDINAL, "12346")  # irr drops the grade that nobody gave
    found = measure(ratings, CohenKappa(weights), resamples=0).figure
    assert found.value == pytest.approx(printed, abs=5e-8)


def test_the_value_that_irrcac_prints_for_gwets_abstractors() -> None:
    assert value_of([[13, 0, 0], [0, 20, 7], [0, 4, 56]]) == pytest.approx(0.7964094, abs=5e-8)


@settings(deadline=None)
@given(tables(st.sampled_from("abcd"), raters=2, gaps=False))
def test_cohens_kappa_is_that_of_scikit_learn(rows) -> None:
    from sklearn.metrics import cohen_kappa_score  # here: one process loads it

    ratings = by_item(rows, Scale.ORDINAL, "abcd")
    first, second = zip(*rows, strict=True)
    assume(len({*first, *second}) > 1)
    for weights, name in (("identity", None), ("linear", "linear"), ("quadratic", "quadratic")):
        expected = cohen_kappa_score(first, second, labels=list("abcd"), weights=name)
        found = measure(ratings, CohenKappa(weights), resamples=0).figure.value
        assert found == pytest.approx(expected, abs=1e-12)


@settings(deadline=None)
@given(tables(st.sampled_from("abc"), raters=2))
def test_items_that_one_rater_left_out_are_left_out(rows) -> None:
    kept: list[Row] = [row for row in rows if None not in row]
    found = measure(by_item(rows, Scale.NOMINAL, "abc"), CohenKappa(), resamples=0)
    expected = measure(by_item(kept, Scale.NOMINAL, "abc"), CohenKappa(), resamples=0)
    assert found.figure == expected.figure


def test_fleiss_example_of_1971() -> None:
    found = measure(of_counts(map(int, each) for each in DIAGNOSES.split()), FleissKappa())
    assert found.figure.value == pytest.approx(0.4302445, abs=5e-8)  # 0.430 in the paper
    assert found.figure.n == 30
    assert found.figure.low is not None
    assert found.figure.high is not None
    assert found.figure.low < 0.43 < found.figure.high


@settings(deadline=None)
@given(tables(st.sampled_from("abcd"), gaps=False))
def test_fleiss_kappa_is_that_of_statsmodels(rows) -> None:
    from statsmodels.stats.inter_rater import fleiss_kappa  # here: one process loads it

    assume(len({value for row in rows for value in row}) > 1)
    counts = [[row.count(each) for each in "abcd"] for row in rows]
    found = measure(by_item(rows, Scale.NOMINAL, "abcd"), FleissKappa(), resamples=0).figure
    assert found.value == pytest.approx(fleiss_kappa(np.array(counts)), abs=1e-9)


def test_each_kappa_says_why_it_does_not_apply() -> None:
    four = by_rater(FOUR_OBSERVERS, Scale.NOMINAL)
    assert measure(four, CohenKappa()).reason == Reason.RATERS
    assert measure(four, FleissKappa()).reason == Reason.UNEQUAL
    assert measure(four, CohenKappa("linear")).reason == Reason.SCALE
    two = by_item([["a", "a"], ["a", "a"]], Scale.NOMINAL)
    assert measure(two, CohenKappa()).reason == Reason.NO_VARIATION
    assert measure(two, FleissKappa()).reason == Reason.NO_VARIATION
    apart = by_item([["a", None], [None, "b"]], Scale.NOMINAL)
    assert measure(apart, CohenKappa()).reason == Reason.NO_PAIRS
    assert measure(apart, FleissKappa()).reason == Reason.NO_PAIRS


def test_items_that_nobody_rated_do_not_make_numbers_unequal() -> None:
    rows: list[Row] = [["a", "b"], ["a", "a"], [None, None], ["b", "b"]]
    assert measure(by_item(rows, Scale.NOMINAL), FleissKappa()).reason is None
