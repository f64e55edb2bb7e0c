"""How ratings of the same item differ: which categories meet, and which sets contain each other."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from evaluation.agreement.ratings import MISSING, Ratings
from evaluation.figure import Figure

KEY = "together"


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
    """Return the cells of the confusion matrix of raters, who have no order: each pair once."""
    pairs = _pairs(ratings)
    cells: dict[tuple[int, int], list[int]] = {}
    for row, low, high in pairs.tolist():
        cells.setdefault((low, high), []).append(row)
    return [
        Meeting(
            ratings.categories[low],
            ratings.categories[high],
            Figure(KEY, len(rows) / len(pairs), len(pairs)),
            tuple(sorted(set(rows))),
        )
        for (low, high), rows in sorted(cells.items())
    ]


def contained(ratings: Ratings) -> tuple[int, int]:
    """Return the number of pairs of sets that differ, and of those in which one has the other."""
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
