"""Agreement between every two raters, over the items that both rated."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from itertools import combinations

from evaluation.agreement.alpha import KrippendorffAlpha
from evaluation.agreement.kappa import CohenKappa
from evaluation.agreement.ratings import Ratings, Scale
from evaluation.agreement.statistic import Finding, Statistic, measure
from evaluation.interval import RESAMPLES

# What two raters are compared by where nothing else is asked for.
OF_TWO: dict[Scale, Statistic] = {
    Scale.NOMINAL: CohenKappa(),
    Scale.ORDINAL: CohenKappa("quadratic"),
    Scale.INTERVAL: KrippendorffAlpha("interval"),
    Scale.SETS: KrippendorffAlpha("masi"),
}


@dataclass(frozen=True, slots=True)
class Pair:
    """What a statistic finds between two raters; its n counts the items that both rated."""

    first: Hashable
    second: Hashable
    finding: Finding


def between_pairs(
    ratings: Ratings,
    statistic: Statistic | None = None,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> list[Pair]:
    """Return every pair of raters, in the raters' order, with what `statistic` finds."""
    used = statistic or OF_TWO[ratings.scale]
    return [
        Pair(a, b, measure(ratings.of_raters(a, b), used, resamples, seed))
        for a, b in combinations(ratings.raters, 2)
    ]
