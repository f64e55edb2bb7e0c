"""Agreement broken down by item, pair of raters and time.

How ratings of the same item differ: which categories meet, and which sets contain each other.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from evaluation.agreement.kappa import CohenKappa, KrippendorffAlpha, pair_share
from evaluation.agreement.likeness import Likeness, OfSets, Same
from evaluation.agreement.ratings import MISSING, Kinds, Ratings, Scale, Statistic
from evaluation.figure import Figure
from normalization.grouping import grouped


@dataclass(frozen=True, slots=True)
class ItemAgreement:
    """One item: number of ratings, and their mean pairwise likeness, 0 to 1."""

    item: Hashable
    ratings: int
    agreement: float


def per_item(ratings: Ratings) -> list[ItemAgreement]:
    """Return the items with at least two ratings, by ascending agreement, ties in item order.

    Two ratings have likeness 1 if equal, else 0; sets are compared by MASI.
    """
    paired = np.flatnonzero(ratings.per_item >= 2)
    if not len(paired):
        return []
    most = int(ratings.per_item.max())
    codes = np.sort(ratings.codes[paired], axis=1)[:, len(ratings.raters) - most :]
    likeness: Likeness = Same(len(ratings.categories))
    if ratings.scale is Scale.SETS:
        likeness = OfSets(ratings.categories, masi=True)
    shares = pair_share(Kinds(codes, np.ones(len(codes), dtype=np.int64)), likeness)
    return [
        ItemAgreement(
            ratings.items[paired[at]], int(ratings.per_item[paired[at]]), float(shares[at])
        )
        for at in np.argsort(shares, kind="stable")
    ]


# The default statistic between two raters.
OF_TWO: dict[Scale, Statistic] = {
    Scale.NOMINAL: CohenKappa(),
    Scale.ORDINAL: CohenKappa("quadratic"),
    Scale.INTERVAL: KrippendorffAlpha("interval"),
    Scale.SETS: KrippendorffAlpha("masi"),
}


# The default statistic of windows: alpha, which does not depend on raters and gaps.
OVER_TIME: dict[Scale, Statistic] = {
    Scale.NOMINAL: KrippendorffAlpha("nominal"),
    Scale.ORDINAL: KrippendorffAlpha("ordinal"),
    Scale.INTERVAL: KrippendorffAlpha("interval"),
    Scale.SETS: KrippendorffAlpha("masi"),
}


def windows_of(count: int, size: int) -> list[range]:
    """Split `count` positions into runs of `size`; a rest below half of it joins the last."""
    starts = list(range(0, count, size))
    if len(starts) > 1 and count - starts[-1] < size / 2:
        starts.pop()
    return [range(a, b) for a, b in zip(starts, [*starts[1:], count], strict=False) if b > a]


DIFFERENCE_KEY = "together"


@dataclass(frozen=True, slots=True)
class Meeting:
    """Two categories that two raters gave the same item, in the order of the categories.

    `share` is their share of all pairs of ratings, whose number is its n; `rows` are the places of
    the items in the ratings.
    """

    first: Hashable
    second: Hashable
    share: Figure
    rows: tuple[int, ...]


def meetings(ratings: Ratings) -> list[Meeting]:
    """Return how often raters of one item chose each two categories, in either order, or one."""
    pairs = _pairs(ratings)
    cells = grouped(((low, high), row) for row, low, high in pairs.tolist())
    return [
        Meeting(
            ratings.categories[low],
            ratings.categories[high],
            Figure(DIFFERENCE_KEY, len(rows) / len(pairs), len(pairs)),
            tuple(sorted(set(rows))),
        )
        for (low, high), rows in sorted(cells.items())
    ]


def contained(ratings: Ratings) -> tuple[int, int]:
    """Count the pairs of ratings whose sets differ, and those where one set contains the other."""
    pairs = _pairs(ratings)
    sets = [frozenset(each) for each in ratings.categories]  # type: ignore[call-overload]
    unlike = [(sets[a], sets[b]) for _, a, b in pairs.tolist() if a != b]
    return len(unlike), sum(a < b or b < a for a, b in unlike)


def _pairs(ratings: Ratings) -> NDArray[np.int64]:
    """Return a row for each pair of ratings of an item: its place, lower and higher category."""
    found = [np.empty((0, 3), dtype=np.int64)]
    for raters in combinations(range(len(ratings.raters)), 2):
        both = ratings.codes[:, list(raters)]
        rows = np.flatnonzero((both != MISSING).all(axis=1))
        found.append(np.column_stack([rows, np.sort(both[rows], axis=1)]))
    return np.concatenate(found)
