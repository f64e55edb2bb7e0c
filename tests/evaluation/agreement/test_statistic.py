"""What holds for every statistic: order, names, bounds, perfect agreement, and resampling."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from evaluation.agreement.alpha import KrippendorffAlpha
from evaluation.agreement.gwet import GwetAC
from evaluation.agreement.kappa import CohenKappa, FleissKappa
from evaluation.agreement.ratings import Ratings, Scale
from evaluation.agreement.raw import MeanJaccard, RawAgreement
from evaluation.agreement.statistic import Statistic, measure, measure_all
from tests.evaluation.agreement.examples import FOUR_OBSERVERS, by_item, by_rater, tables

NOMINAL: list[Statistic] = [
    RawAgreement(),
    CohenKappa(),
    FleissKappa(),
    KrippendorffAlpha(),
    GwetAC(),
]
ORDINAL: list[Statistic] = [
    CohenKappa("linear"),
    CohenKappa("quadratic"),
    KrippendorffAlpha("ordinal"),
    GwetAC("linear"),
    GwetAC("quadratic"),
    GwetAC("ordinal"),
]
SETS: list[Statistic] = [MeanJaccard(), KrippendorffAlpha("masi"), KrippendorffAlpha("jaccard")]
EVERY = [
    *((Scale.NOMINAL, each) for each in NOMINAL),
    *((Scale.ORDINAL, each) for each in (*NOMINAL, *ORDINAL)),
    (Scale.INTERVAL, KrippendorffAlpha("interval")),
    *((Scale.SETS, each) for each in (RawAgreement(), *SETS)),
]
VALUES: dict[Scale, list[Any]] = {
    Scale.NOMINAL: list("abc"),
    Scale.ORDINAL: list("abc"),
    Scale.INTERVAL: [1, 2, 4],
    Scale.SETS: [frozenset(), frozenset("a"), frozenset("ab"), frozenset("b")],
}
few = settings(max_examples=25, deadline=None)
every = pytest.mark.parametrize(
    ("scale", "statistic"), EVERY, ids=[f"{scale}-{each}" for scale, each in EVERY]
)


def draw(data, scale: Scale, statistic: Statistic) -> list[list[Any]]:
    raters = 2 if statistic.two_raters else None
    gaps = not isinstance(statistic, FleissKappa)
    rows: list[list[Any]] = data.draw(tables(st.sampled_from(VALUES[scale]), raters, gaps))
    return rows


def table(rows, scale: Scale) -> Ratings:
    return by_item(rows, scale, VALUES[scale])


def same(a: float | None, b: float | None) -> bool:
    return a == b if a is None or b is None else a == pytest.approx(b, abs=1e-9)


@every
@few
@given(data=st.data())
def test_the_order_of_items_and_raters_does_not_matter(data, scale, statistic) -> None:
    rows = draw(data, scale, statistic)
    found = measure(table(rows, scale), statistic, resamples=0)
    columns = data.draw(st.permutations(range(len(rows[0]))))
    shuffled = [[row[c] for c in columns] for row in data.draw(st.permutations(rows))]
    again = measure(table(shuffled, scale), statistic, resamples=0)
    assert same(found.figure.value, again.figure.value)
    assert (found.figure.n, found.reason) == (again.figure.n, again.reason)


@pytest.mark.parametrize("statistic", NOMINAL, ids=repr)
@few
@given(data=st.data())
def test_nominal_statistics_know_no_names_of_categories(data, statistic) -> None:
    rows = draw(data, Scale.NOMINAL, statistic)
    renamed = dict(zip("abc", data.draw(st.permutations("abc")), strict=True))
    other = [[None if value is None else renamed[value] for value in row] for row in rows]
    assert same(
        measure(table(rows, Scale.NOMINAL), statistic, resamples=0).figure.value,
        measure(table(other, Scale.NOMINAL), statistic, resamples=0).figure.value,
    )


@pytest.mark.parametrize("statistic", ORDINAL, ids=repr)
@few
@given(data=st.data())
def test_ordinal_statistics_do_not_mind_a_scale_read_backwards(data, statistic) -> None:
    rows = draw(data, Scale.ORDINAL, statistic)
    ratings = table(rows, Scale.ORDINAL)
    backwards = by_item(rows, Scale.ORDINAL, VALUES[Scale.ORDINAL][::-1])
    assert same(
        measure(ratings, statistic, resamples=0).figure.value,
        measure(backwards, statistic, resamples=0).figure.value,
    )


@every
@few
@given(data=st.data())
def test_values_and_intervals_keep_their_bounds(data, scale, statistic) -> None:
    found = measure(table(draw(data, scale, statistic), scale), statistic, resamples=20)
    figure = found.figure
    assert (figure.value is None) == (found.reason is not None)
    if figure.value is None:
        assert figure.low is figure.high is None
        return
    assert figure.value <= 1 + 1e-12
    assert found.undefined <= 20
    if isinstance(statistic, RawAgreement | MeanJaccard):
        assert figure.value >= 0
    if figure.low is not None and figure.high is not None:
        assert figure.low < figure.high <= 1 + 1e-12


@every
@few
@given(data=st.data())
def test_full_agreement_is_one_or_undefined(data, scale, statistic) -> None:
    said = data.draw(st.lists(st.sampled_from(VALUES[scale]), min_size=1, max_size=6))
    raters = 2 if statistic.two_raters else data.draw(st.integers(2, 4))
    found = measure(table([[value] * raters for value in said], scale), statistic)
    if found.figure.value is None:
        assert len(set(said)) == 1
    else:
        assert found.figure.value == pytest.approx(1)
    assert found.figure.low is None


@every
def test_a_resample_is_the_statistic_of_the_resampled_items(scale, statistic) -> None:
    rng = np.random.default_rng(5)
    width = 2 if statistic.two_raters else 3
    rows = [[VALUES[scale][i] for i in rng.integers(0, 3, width)] for _ in range(12)]
    ratings = table(rows, scale)
    tally = statistic.tally(ratings)
    drawn = next(tally._draws(30, np.random.default_rng(0)))
    assert drawn.sum(axis=1).tolist() == [12] * 30
    # One item of each kind stands for all of it.
    firsts = [_first_of_kind(tally, statistic, ratings, kind) for kind in range(len(tally.times))]
    for times, value in zip(drawn, tally._of(drawn), strict=True):
        picked = ratings.at(np.repeat(firsts, times))
        expected = measure(picked, statistic, resamples=0).figure.value
        assert same(None if np.isnan(value) else float(value), expected)


def _first_of_kind(tally, statistic, ratings: Ratings, kind: int) -> int:
    if isinstance(statistic, KrippendorffAlpha):  # its kinds are those of the ratings
        wanted = ratings.kinds.codes[kind].tolist()
        return [sorted(row) for row in ratings.codes.tolist()].index(wanted)
    wanted = tally.features[[kind]].toarray()
    for position in range(len(ratings.items)):
        alone = statistic.tally(ratings.at([position])).features.toarray()
        if alone.shape == wanted.shape and np.allclose(alone, wanted):
            return position
    raise AssertionError("no item adds what its kind adds")


@every
def test_equal_arguments_give_an_equal_finding_and_a_seed_another(scale, statistic) -> None:
    rng = np.random.default_rng(7)
    rows = [[VALUES[scale][i] for i in rng.integers(0, 3, 2)] for _ in range(40)]
    first = measure(table(rows, scale), statistic)
    assert first == measure(table(rows, scale), statistic)
    assert measure(table(rows, scale), statistic, seed=1).figure.value == first.figure.value
    tally = statistic.tally(table(rows, scale))
    assert not np.array_equal(tally.resampled(50, seed=0), tally.resampled(50, seed=1))


@few
@given(tables(st.sampled_from("ab"), raters=2))
def test_alpha_is_fleiss_kappa_corrected_for_a_small_sample(rows) -> None:
    kept = [row for row in rows if None not in row]
    assume(len({value for row in kept for value in row}) == 2)
    alpha = measure(table(rows, Scale.NOMINAL), KrippendorffAlpha(), resamples=0).figure.value
    fleiss = measure(table(kept, Scale.NOMINAL), FleissKappa(), resamples=0).figure.value
    assert alpha is not None
    assert fleiss is not None
    count = 2 * len(kept)
    assert 1 - alpha == pytest.approx((1 - fleiss) * (count - 1) / count)


def test_several_are_measured_in_the_order_asked_for() -> None:
    ratings = by_rater(FOUR_OBSERVERS, Scale.NOMINAL)
    found = measure_all(ratings, [GwetAC(), RawAgreement(), CohenKappa()], resamples=10)
    assert [each.statistic for each in found] == ["ac1", "raw", "cohen_kappa"]
    assert [each.figure.value is None for each in found] == [False, False, True]


def test_statistics_are_values() -> None:
    assert KrippendorffAlpha("masi") == KrippendorffAlpha("masi")
    assert len({GwetAC(), GwetAC(), GwetAC("linear")}) == 2
    assert repr(CohenKappa("linear")) == "cohen_kappa_linear"
