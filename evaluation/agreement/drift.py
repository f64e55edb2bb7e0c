"""Whether agreement changes while the work goes on: a statistic in one window after another."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from evaluation.agreement.alpha import KrippendorffAlpha
from evaluation.agreement.ratings import Ratings, Scale
from evaluation.agreement.statistic import Finding, Statistic, measure
from evaluation.interval import RESAMPLES

# What windows are compared by: alpha, which any number of raters and any gaps leave the same.
OVER_TIME: dict[Scale, Statistic] = {
    Scale.NOMINAL: KrippendorffAlpha("nominal"),
    Scale.ORDINAL: KrippendorffAlpha("ordinal"),
    Scale.INTERVAL: KrippendorffAlpha("interval"),
    Scale.SETS: KrippendorffAlpha("masi"),
}


@dataclass(frozen=True, slots=True)
class Window:
    """Some items that follow each other, and what a statistic finds in them.

    `start` and `end` (not included) bound a window of dates; None for a window of items.
    """

    items: tuple[Hashable, ...]
    finding: Finding
    start: date | None = None
    end: date | None = None


def windows_of(count: int, size: int) -> list[range]:
    """Return `count` places in runs of `size`, what is left over as `by_items` has it."""
    starts = list(range(0, count, size))
    if len(starts) > 1 and count - starts[-1] < size / 2:
        starts.pop()
    return [range(a, b) for a, b in zip(starts, [*starts[1:], count], strict=False) if b > a]


def by_items(
    ratings: Ratings,
    statistic: Statistic,
    size: int,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> list[Window]:
    """Return windows of `size` items with at least two ratings, in the order of `ratings`.

    What is left at the end is a window too, or joins the last one when it is less than half as
    large. Raises ValueError for a size below 2, which has nothing to resample.
    """
    if size < 2:
        raise ValueError("a window needs at least two items")
    paired = [at for at, count in enumerate(ratings.per_item) if count >= 2]
    windows = [ratings.at([paired[at] for at in run]) for run in windows_of(len(paired), size)]
    return [Window(each.items, measure(each, statistic, resamples, seed)) for each in windows]


def by_dates(
    ratings: Ratings,
    statistic: Statistic,
    dates: Mapping[Any, date],
    days: int,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> list[Window]:
    """Return windows of `days` days from the first date on, those without items included.

    An item belongs to the day on which it was complete; one that has no date is left out.
    Raises ValueError for less than one day.
    """
    if days < 1:
        raise ValueError("a window needs at least one day")
    dated = [(dates[item], at) for at, item in enumerate(ratings.items) if item in dates]
    if not dated:
        return []
    first = min(day for day, _ in dated)
    members: dict[int, list[int]] = {}
    for day, at in dated:
        members.setdefault((day - first).days // days, []).append(at)
    found = []
    for number in range(max(members) + 1):
        window = ratings.at(members.get(number, []))
        start = first + timedelta(days=number * days)
        finding = measure(window, statistic, resamples, seed)
        found.append(Window(window.items, finding, start, start + timedelta(days=days)))
    return found
