"""What holds for every statistic: order, names, bounds, perfect agreement, and resampling."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array

from evaluation.agreement import ratings as module
from evaluation.agreement.kappa import (
    CohenKappa,
    FleissKappa,
    GwetAC,
    KrippendorffAlpha,
    MeanJaccard,
    RawAgreement,
)
from evaluation.agreement.ratings import (
    MISSING,
    Ratings,
    Scale,
    Statistic,
    Tally,
    measure,
)
from evaluation.figure import Interval, bootstrap
from tests.evaluation.agreement.examples import by_item, tables
from tests.support.examples import scaled

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


def mean_of(values: list[float], times: list[int]) -> Tally:
    features = csr_array(np.column_stack([values, np.ones(len(values))]))
    return Tally(features, np.array(times), lambda sums: sums[:, 0] / sums[:, 1])


FEW_KINDS = mean_of([0.0, 1.0], [400, 600])
MANY_KINDS = mean_of([0.0, 1.0] * 500, [1] * 1000)


@pytest.mark.parametrize("tally", [FEW_KINDS, MANY_KINDS], ids=["few kinds", "many kinds"])
def test_both_ways_of_drawing_give_the_interval_of_a_plain_bootstrap(tally: Tally) -> None:
    share = tally.value()
    assert share is not None
    ones = round(share * 1000)
    low, high = bootstrap([0.0] * (1000 - ones) + [1.0] * ones, n=4000)
    found = tally.interval(4000, seed=0)
    assert [found.low, found.high] == pytest.approx([low, high], abs=0.004)


@pytest.mark.parametrize("tally", [FEW_KINDS, MANY_KINDS], ids=["few kinds", "many kinds"])
def test_drawing_in_parts_draws_as_much(tally: Tally, monkeypatch) -> None:
    monkeypatch.setattr(module, "_CELLS_AT_ONCE", 3000)
    drawn = np.concatenate(list(tally._draws(10, np.random.default_rng(0))))
    assert drawn.shape == (10, len(tally.times))
    assert drawn.sum(axis=1).tolist() == [1000] * 10


def test_one_item_has_no_interval() -> None:
    assert mean_of([0.5], [1]).interval(100, seed=0) == Interval(None, None)


def test_resamples_without_a_value_are_counted_and_left_out() -> None:
    features = csr_array(np.array([[1.0, 0.0], [2.0, 1.0]]))
    ratio = Tally(features, np.array([1, 1]), lambda sums: sums[:, 0] / sums[:, 1])
    found = ratio.interval(1000, seed=0)  # the first item alone has nothing to divide by
    assert 200 < found.undefined < 300
    assert (found.low, found.high) == (2.0, 3.0)
    nothing = Tally(features[[0]], np.array([3]), lambda sums: sums[:, 0] / sums[:, 1])
    assert nothing.value() is None
    assert nothing.interval(10, seed=0) == Interval(None, None, 10)


NOMINAL: list[Statistic] = [
    *(each() for each in (RawAgreement, CohenKappa, FleissKappa, KrippendorffAlpha, GwetAC))
]
ORDINAL: list[Statistic] = [
    *map(CohenKappa, ("linear", "quadratic")),
    KrippendorffAlpha("ordinal"),
    *map(GwetAC, ("linear", "quadratic", "ordinal")),
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
few = settings(max_examples=scaled(25), deadline=None)
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
    found = measure(table([[value] * raters for value in said], scale), statistic, resamples=20)
    if found.figure.value is None:
        assert len(set(said)) == 1
    else:
        assert found.figure.value == pytest.approx(1)
    share = isinstance(statistic, RawAgreement) and len(said) > 1
    assert (found.figure.low is not None) is share


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
