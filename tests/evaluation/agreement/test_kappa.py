"""Against published values, scikit-learn, statsmodels and plain arithmetic."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from evaluation.agreement.kappa import (
    CohenKappa,
    FleissKappa,
    GwetAC,
    KrippendorffAlpha,
    MeanJaccard,
    RawAgreement,
    kappa_formula,
)
from evaluation.agreement.likeness import graded, mean_jaccard
from evaluation.agreement.ratings import Reason, Scale, measure
from evaluation.figure import share_figure, wilson
from tests.evaluation.agreement.examples import (
    BINARY,
    DIAGNOSES,
    FOUR_OBSERVERS,
    TWO_OBSERVERS,
    Row,
    by_item,
    by_rater,
    of_counts,
    of_table,
    slow_raw,
    tables,
)


@settings(deadline=None)
@given(tables(st.sampled_from("abc")))
def test_it_is_the_mean_share_of_agreeing_pairs(rows) -> None:
    found = measure(by_item(rows, Scale.NOMINAL, "abc"), RawAgreement(), resamples=0)
    expected = slow_raw(rows)
    assert found.figure.value == (None if expected is None else pytest.approx(expected))
    assert found.reason == (Reason.NO_PAIRS if expected is None else None)


@settings(deadline=None)
@given(tables(st.frozensets(st.sampled_from("abc"))))
def test_mean_jaccard_is_the_mean_over_items_of_the_mean_over_pairs(rows) -> None:
    each = [value for value in map(mean_jaccard, rows) if value is not None]
    found = measure(by_item(rows, Scale.SETS), MeanJaccard(), resamples=0)
    assert found.figure.n == len(each)
    assert found.figure.value == (pytest.approx(sum(each) / len(each)) if each else None)


def test_raw_agreement_is_a_share_and_has_the_interval_of_one() -> None:
    rows = by_item([["a", "a"], ["b", "b"], ["a", "b"], ["a", None]], Scale.NOMINAL)
    figure = measure(rows, RawAgreement()).figure
    assert figure == share_figure("raw", 2, 3)
    figure = measure(by_item([["a", "a"], ["b", "b"]], Scale.NOMINAL), RawAgreement()).figure
    assert (figure.value, figure.low, figure.high) == (1.0, *wilson(2, 2))
    assert measure(rows, CohenKappa(), resamples=0).figure.low is None


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
    lone = by_item([["a", "b"], ["a", None]], Scale.NOMINAL)
    assert measure(lone, FleissKappa()).reason == Reason.UNEQUAL
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


def test_ac1_of_two_raters_as_the_package_of_its_author_prints_it() -> None:
    abstractors = of_table([[13, 0, 0], [0, 20, 7], [0, 4, 56]])  # irrCAC, cont3x3abstractors
    assert measure(abstractors, GwetAC()).figure.value == pytest.approx(0.8493305, abs=5e-8)


@pytest.mark.parametrize(("weights", "published"), [("identity", 0.77544), ("quadratic", 0.914)])
def test_four_raters_with_gaps_as_the_package_prints_them(weights: str, published: float) -> None:
    ratings = by_rater(FOUR_OBSERVERS, Scale.ORDINAL, "12345")  # irrCAC, cac.raw4raters
    found = measure(ratings, GwetAC(weights)).figure
    assert found.value == pytest.approx(published, abs=0.000005)
    assert found.n == 11


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


@pytest.mark.parametrize(
    ("rows", "scale", "distance", "published"),
    [  # Krippendorff 2011, sections A to E
        (BINARY, Scale.NOMINAL, "nominal", 0.095),
        (TWO_OBSERVERS, Scale.NOMINAL, "nominal", 0.692),
        (FOUR_OBSERVERS, Scale.NOMINAL, "nominal", 0.743),
        (FOUR_OBSERVERS, Scale.ORDINAL, "ordinal", 0.815),
        (FOUR_OBSERVERS, Scale.INTERVAL, "interval", 0.849),
    ],
)
def test_the_published_values(rows: list[str], scale: Scale, distance: str, published) -> None:
    ratings = by_rater(rows, scale, "12345" if scale is Scale.ORDINAL else None)
    found = measure(ratings, KrippendorffAlpha(distance))
    assert found.figure.value == pytest.approx(published, abs=0.0005)
    assert found.figure.n == {BINARY[0]: 10, TWO_OBSERVERS[0]: 12}.get(rows[0], 11)


def test_a_distance_is_only_for_its_scale() -> None:
    ratings = by_item([["a", "b"], ["a", "a"]], Scale.NOMINAL)
    for distance in ("ordinal", "interval", "masi", "jaccard"):
        assert measure(ratings, KrippendorffAlpha(distance)).reason == Reason.SCALE
    with pytest.raises(KeyError):
        measure(ratings, KrippendorffAlpha("unheard of"))
    alike = by_item([["a", "a"], ["a", "a"]], Scale.NOMINAL)
    assert measure(alike, KrippendorffAlpha()).reason == Reason.NO_VARIATION
    apart = by_item([["a", None], [None, "b"]], Scale.NOMINAL)
    assert measure(apart, KrippendorffAlpha()).reason == Reason.NO_PAIRS
