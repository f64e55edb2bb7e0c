"""Algorithm 1 of LEGAR BENCH: the group of cases that share the longest run of leading answers.

Cases are grouped by the answers to all sub-factors; where no two cases have them all alike, the
last sub-factor is left out, and so on down to the first, until some group has two cases or more.

Written as the paper prints it, the back-off begins again with all sub-factors and appends every
case a second time to a group that holds it: each case would be a group of two with itself. What is
meant is that each length starts with empty groups. The paper returns "the group"; where several
groups of that length have two cases or more, all are returned here, and *the* group is the largest,
of equally large ones that with the earliest case.

Two cases share a run of r answers exactly if they share one of r - 1 and the r-th: so rows are told
apart column by column, and a row that stands alone never needs to be looked at again. The length at
which the last two part is the one at which the back-off would have stopped.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from construction.stricter.codes import Codes, merged, renumbered, require_codes

Numbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Grouping:
    """What the algorithm returns for one standard group.

    `depth` counts the leading columns that the rows of a group share; None where no two rows share
    even the first. `groups` hold two rows or more each, ascending; *the* group stands first.
    """

    depth: int | None
    groups: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Level:
    """How many groups of two rows or more share `depth` leading columns, and their rows in all."""

    depth: int
    groups: int
    rows: int


NOTHING = Grouping(None, ())


def grouping(codes: Codes) -> Grouping:
    """Return the groups of rows that share the longest run of leading codes.

    Without columns all rows have the same (empty) key. Raises ValueError for codes below zero.
    """
    longest = deque(_shared(codes), maxlen=1)
    if not longest:
        return NOTHING
    depth, rows, labels = longest[0]
    return Grouping(depth, _groups(rows, labels))


def levels(codes: Codes) -> tuple[Level, ...]:
    """Return what is shared at each length of key, the longest first: the steps of the back-off.

    All lengths stand there, from all columns down to one; those that nothing shares with none.
    """
    require_codes(codes)
    at = {
        depth: Level(depth, int(labels.max()) + 1, len(rows))
        for depth, rows, labels in _shared(codes)
    }
    return tuple(at.get(depth, Level(depth, 0, 0)) for depth in range(codes.shape[1], 0, -1))


def _shared(codes: Codes) -> Iterator[tuple[int, Numbers, Numbers]]:
    """Yield each length of key that two rows share, with the rows that do and their groups."""
    require_codes(codes)
    rows = np.arange(len(codes), dtype=np.int64)
    labels = np.zeros(len(codes), dtype=np.int64)
    depth, width = 0, codes.shape[1]
    while len(rows) >= 2:
        if depth or not width:
            yield depth, rows, labels
        if depth == width:
            return
        labels = merged(labels, codes[rows, depth].astype(np.int64))
        together = np.bincount(labels)[labels] > 1
        rows, labels = rows[together], renumbered(labels[together])
        depth += 1


def _groups(rows: Numbers, labels: Numbers) -> tuple[tuple[int, ...], ...]:
    order = np.argsort(labels, kind="stable")  # so that the rows of each label stay ascending
    ends = np.cumsum(np.bincount(labels))[:-1]
    parts = [tuple(part.tolist()) for part in np.split(rows[order], ends)]
    return tuple(sorted(parts, key=lambda part: (-len(part), part[0])))
