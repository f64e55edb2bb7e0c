from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_array

from evaluation.agreement import tally as module
from evaluation.agreement.tally import Tally
from evaluation.interval import Interval, bootstrap


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
def test_resamples_have_the_spread_of_a_binomial_share(tally: Tally) -> None:
    share = tally.value()
    assert share is not None
    values = tally.resampled(4000, seed=3)
    assert values.mean() == pytest.approx(share, abs=0.002)
    assert values.std() == pytest.approx(np.sqrt(share * (1 - share) / 1000), rel=0.05)


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
