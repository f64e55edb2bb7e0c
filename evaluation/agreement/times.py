"""Outlier detection in the times of decisions and raters.

Times are compared as logarithms, since twice as long and half as long are equally unusual, by
medians and median absolute deviations (MAD), which are robust to outliers. The score
is the modified z of Iglewicz & Hoaglin (1993): 0.6745 · (x − median) ÷ MAD; 3.5 and more is
an outlier.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from math import exp, isfinite, log
from statistics import median

from normalization.grouping import grouped

OUTLIER = 3.5
LEAST = 10  # minimum times of a rater to judge any of them
_ITEM_LEAST = 3  # minimum times of an item to estimate its difficulty
_MAD_TO_SIGMA = 0.6745
_SHORTEST = 0.1  # seconds; shorter measurements count as this

Duration = tuple[Hashable, Hashable, float]  # item, rater, active seconds


@dataclass(frozen=True, slots=True)
class OddTime:
    """A decision that took unusually long (z > 0) or short (z < 0).

    `expected` seconds are the rater's median, times the item's factor if known.
    """

    item: Hashable
    rater: Hashable
    seconds: float
    expected: float
    z: float


@dataclass(frozen=True, slots=True)
class Pace:
    """The median time of a rater.

    `z` compares it with the other raters'; None where there are too few, or all equal.
    """

    name: Hashable
    n: int
    median: float
    z: float | None

    @property
    def odd(self) -> bool:
        """Whether it is an outlier."""
        return self.z is not None and abs(self.z) >= OUTLIER


@dataclass(frozen=True, slots=True)
class Times:
    """Outlier decisions, by descending score; pace of every rater, in input order."""

    decisions: tuple[OddTime, ...]
    raters: tuple[Pace, ...]


def times(durations: Iterable[Duration]) -> Times:
    """Return outliers among the times of decisions, and the pace of raters.

    A decision is compared with the other decisions of its rater, after dividing by its item's
    factor (known with three times or more); raters with fewer than LEAST decisions are skipped.
    Raises ValueError for a time that is negative or not finite.
    """
    known = [(item, rater, _log_seconds(seconds)) for item, rater, seconds in durations]
    of_raters = grouped((rater, x) for _, rater, x in known)
    usual = {rater: median(logs) for rater, logs in of_raters.items()}
    relative = [(item, rater, x - usual[rater]) for item, rater, x in known]
    effects = grouped((item, x) for item, _, x in relative)
    usual_item = {
        item: median(logs) if len(logs) >= _ITEM_LEAST else 0.0 for item, logs in effects.items()
    }
    left = [(item, rater, x - usual_item[item]) for item, rater, x in relative]
    return Times(_outlier_decisions(left, usual, usual_item), _paces(of_raters))


def modified_z(values: list[float]) -> list[float | None]:
    """Return the modified z of each value, or Nones if the MAD is 0."""
    if not values:
        return []
    middle = median(values)
    spread = median(abs(value - middle) for value in values)
    if spread <= 1e-12:
        return [None] * len(values)
    return [_MAD_TO_SIGMA * (value - middle) / spread for value in values]


def _outlier_decisions(
    durations: list[Duration], usual: Mapping[Hashable, float], usual_item: Mapping[Hashable, float]
) -> tuple[OddTime, ...]:
    """Return decisions far slower or faster than usual for rater and item, the oddest first."""
    found = []
    for rater, own in grouped((each[1], each) for each in durations).items():
        scores = modified_z([x for _, _, x in own]) if len(own) >= LEAST else [None] * len(own)
        for (item, _, x), z in zip(own, scores, strict=True):
            if z is not None and abs(z) >= OUTLIER:
                expected = usual[rater] + usual_item[item]
                found.append(OddTime(item, rater, exp(x + expected), exp(expected), z))
    return tuple(sorted(found, key=lambda odd: -abs(odd.z)))


def _paces(groups: Mapping[Hashable, list[float]]) -> tuple[Pace, ...]:
    """Return each group's median time; the z-score is of logarithms, None for few groups."""
    middles = [median(logs) for logs in groups.values()]
    scores = modified_z(middles) if len(middles) >= _ITEM_LEAST else [None] * len(middles)
    return tuple(
        Pace(name, len(logs), exp(middle), z)
        for (name, logs), middle, z in zip(groups.items(), middles, scores, strict=True)
    )


def _log_seconds(seconds: float) -> float:
    """Return the logarithm of a time, very short ones raised; ValueError for an invalid one."""
    if not isfinite(seconds) or seconds < 0:
        raise ValueError(f"{seconds!r} is no number of seconds")
    return log(max(seconds, _SHORTEST))
