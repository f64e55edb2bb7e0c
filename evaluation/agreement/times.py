"""Decisions, raters and items that took unusually little or much time.

Times are compared as logarithms, since twice as long and half as long are equally unusual, by
medians and median absolute deviations (MAD), which the outliers themselves do not move. The score
is the modified z of Iglewicz & Hoaglin (1993): 0.6745 · (x − median) ÷ MAD; they call 3.5 and more
an outlier.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from math import exp, isfinite, log
from statistics import median

OUTLIER = 3.5
LEAST = 10  # times of one rater below which nothing is said about any of them
_ITEM_LEAST = 3  # times of one item below which its own difficulty is not known
_MAD_TO_SIGMA = 0.6745
_SHORTEST = 0.1  # seconds; what is measured as less counts as this

Duration = tuple[Hashable, Hashable, float]  # item, rater, active seconds


@dataclass(frozen=True, slots=True)
class OddTime:
    """A decision that took unusually long (z > 0) or short (z < 0).

    `expected` seconds are the rater's median, times what the item takes others where that is known.
    """

    item: Hashable
    rater: Hashable
    seconds: float
    expected: float
    z: float


@dataclass(frozen=True, slots=True)
class Pace:
    """The median time of a rater; or of an item, as a multiple of what its raters usually take.

    `z` compares it with the other raters' or items'; None where there are too few, or all alike.
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
    """Odd decisions, oddest first; and the pace of every rater and item, in order of coming."""

    decisions: tuple[OddTime, ...]
    raters: tuple[Pace, ...]
    items: tuple[Pace, ...]


def times(durations: Iterable[Duration]) -> Times:
    """Return what is unusual about how long decisions took.

    A decision is compared with the other decisions of its rater, after taking off what its item
    takes (known with three times or more); raters with fewer than LEAST decisions have none.
    Raises ValueError for a time that is negative or no number.
    """
    known = [(item, rater, _log(seconds)) for item, rater, seconds in durations]
    usual = {rater: median(logs) for rater, logs in _groups(known, _rater).items()}
    relative = [(item, rater, x - usual[rater]) for item, rater, x in known]
    effects = _groups(relative, _item)
    usual_item = {
        item: median(logs) if len(logs) >= _ITEM_LEAST else 0.0 for item, logs in effects.items()
    }
    left = [(item, rater, x - usual_item[item]) for item, rater, x in relative]
    return Times(
        decisions=_odd(left, usual, usual_item),
        raters=_paces(_groups(known, _rater)),
        items=_paces(effects),
    )


def modified_z(values: list[float]) -> list[float | None]:
    """Return 0.6745 · (x − median) ÷ MAD of each; None where the MAD is 0 or there are none."""
    if not values:
        return []
    middle = median(values)
    spread = median(abs(value - middle) for value in values)
    if spread <= 1e-12:
        return [None] * len(values)
    return [_MAD_TO_SIGMA * (value - middle) / spread for value in values]


def _odd(
    left: list[Duration],
    usual: Mapping[Hashable, float],
    usual_item: Mapping[Hashable, float],
) -> tuple[OddTime, ...]:
    by_rater: dict[Hashable, list[Duration]] = {}
    for each in left:
        by_rater.setdefault(each[1], []).append(each)
    found = []
    for rater, own in by_rater.items():
        scores = modified_z([x for _, _, x in own]) if len(own) >= LEAST else [None] * len(own)
        for (item, _, x), z in zip(own, scores, strict=True):
            if z is not None and abs(z) >= OUTLIER:
                expected = usual[rater] + usual_item[item]
                found.append(OddTime(item, rater, exp(x + expected), exp(expected), z))
    return tuple(sorted(found, key=lambda odd: -abs(odd.z)))


def _paces(groups: Mapping[Hashable, list[float]]) -> tuple[Pace, ...]:
    middles = [median(logs) for logs in groups.values()]
    scores = modified_z(middles) if len(middles) >= _ITEM_LEAST else [None] * len(middles)
    return tuple(
        Pace(name, len(logs), exp(middle), z)
        for (name, logs), middle, z in zip(groups.items(), middles, scores, strict=True)
    )


def _groups(
    durations: list[Duration], by: Callable[[Duration], Hashable]
) -> dict[Hashable, list[float]]:
    found: dict[Hashable, list[float]] = {}
    for duration in durations:
        found.setdefault(by(duration), []).append(duration[2])
    return found


def _item(duration: Duration) -> Hashable:
    return duration[0]


def _rater(duration: Duration) -> Hashable:
    return duration[1]


def _log(seconds: float) -> float:
    if not isfinite(seconds) or seconds < 0:
        raise ValueError(f"{seconds!r} is no number of seconds")
    return log(max(seconds, _SHORTEST))
