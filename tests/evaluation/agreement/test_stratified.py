"""Ratios of stratified samples: by hand, and over many seeds."""

from __future__ import annotations

import numpy as np
import pytest

from evaluation.agreement.stratified import Stratum, ratio


def test_a_ratio_is_that_of_weighted_totals() -> None:
    """By hand: (100 · 1.5 + 10 · 1) ÷ (100 · 2 + 10 · 1) = 160 ÷ 210."""
    small, large = Stratum(10, [(1, 1), (1, 1)]), Stratum(100, [(2, 2), (1, 2)])
    found = ratio("precision", [small, large])
    assert found.value == pytest.approx(160 / 210)
    assert found.n == 6


def test_the_interval_is_the_design_s() -> None:
    """By hand, one stratum: R = .7, residuals ±, s² = 19 · .21 ÷ 18 …, n' and t of 19 degrees."""
    pairs = [(1.0, 1.0)] * 14 + [(0.0, 1.0)] * 6
    found = ratio("precision", [Stratum(10**9, pairs)])
    trials = 0.7 * 0.3 / (20 * 0.21 / 19 / 20) * (1.959964 / 2.093024) ** 2
    middle = (0.7 + 1.959964**2 / (2 * trials)) / (1 + 1.959964**2 / trials)
    assert found.low is not None
    assert found.high is not None
    assert (found.low + found.high) / 2 == pytest.approx(middle, abs=1e-6)
    mean = ratio("missing", [Stratum(10**9, pairs)], share=False)
    assert mean.high == pytest.approx(0.7 + 2.093024 * (0.21 / 19) ** 0.5, abs=1e-6)


def test_what_says_nothing_has_no_interval() -> None:
    assert ratio("r", []).value is None
    assert ratio("r", [Stratum(5, [])]).value is None
    assert ratio("r", [Stratum(9, [(1, 2)])]).low is None
    assert ratio("r", [Stratum(2, [(1, 1), (0, 1)])]).low is None  # all are known
    everything = ratio("r", [Stratum(50, [(1, 1)] * 9), Stratum(9, [(2, 2)])])
    assert (everything.value, everything.high) == (1.0, 1.0)
    assert everything.low is not None
    assert 0.5 < everything.low < 0.9


@pytest.mark.parametrize(("chance", "drawn"), [(0.9, (25, 15)), (0.75, (40, 20)), (0.6, (12, 12))])
def test_intervals_hold_the_truth_as_often_as_they_say(chance: float, drawn: tuple[int, int]):
    """Over 400 samples of one population whose labels depend on their question."""
    rng = np.random.default_rng(7)
    population = []
    for size, labels in ((300, 1), (120, 4)):
        own = rng.beta(4 * chance, 4 * (1 - chance), size)
        population.append(np.column_stack([rng.binomial(labels, own), np.full(size, labels)]))
    whole = np.vstack(population).sum(axis=0)
    truth, missing = whole[0] / whole[1], (whole[1] - whole[0]) / 420
    held = np.zeros(2)
    for _ in range(400):
        strata = []
        for those, count in zip(population, drawn, strict=True):
            some = those[rng.choice(len(those), count, replace=False)]
            strata.append(Stratum(len(those), [(y, x) for y, x in some]))
        lacking = [Stratum(s.size, [(x - y, 1.0) for y, x in s.pairs]) for s in strata]
        for at, (found, right) in enumerate(
            ((ratio("p", strata), truth), (ratio("m", lacking, share=False), missing))
        ):
            assert found.low is not None
            assert found.high is not None
            held[at] += found.low <= right <= found.high
    assert held[0] / 400 >= 0.93
    assert held[1] / 400 >= 0.90
