"""What one changed answer would move: how much a group hangs on a single tag.

A change is worth telling where it brings a case into a group: into one as long as the present ones,
or into a longer one, which then takes their place. It takes a case that has, but for that one
answer, all the leading answers of another. What takes a case out of its group needs no search:
every answer of the key does; :func:`changed` says what is then left, which for a group of two may
be shorter runs of others.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from construction.stricter.codes import Codes, merged, require_codes
from construction.stricter.grouping import Grouping, Numbers, grouping


@dataclass(frozen=True, slots=True)
class CodeMove:
    """If `row` had the code `then` in `column`, where it has `now`, `beside` would be its group.

    They would share `depth` leading columns, which is then the longest run of all.
    """

    row: int
    column: int
    now: int
    then: int
    depth: int
    beside: tuple[int, ...]


def changed(codes: Codes, row: int, column: int, then: int) -> Grouping:
    """Return the groups, had `row` the code `then` in `column`. Raises IndexError for no cell."""
    other = codes.copy()
    other[row, column] = then
    return grouping(other)


def left_out(codes: Codes, row: int) -> Grouping:
    """Return the groups of the other rows, by their numbers in `codes`."""
    found = grouping(np.delete(codes, row, axis=0))
    groups = tuple(tuple(at + (at >= row) for at in group) for group in found.groups)
    return Grouping(found.depth, groups)


def moves(codes: Codes, depth: int | None) -> Iterator[CodeMove]:
    """Yield every change of one code that would bring a row into a group it is not in.

    `depth` is that of the present grouping; the group is at least as long. By column, then row,
    then the new code.
    """
    require_codes(codes)
    key = depth or 0
    last = min(key + 1, codes.shape[1])
    for column, alike in enumerate(_alike_but_one(codes[:, :last], key)):
        yield from _moves_of(codes, column, alike)


def _alike_but_one(codes: Codes, key: int) -> Iterator[Numbers]:
    """Yield for each column labels of the rows that have all columns of the key alike but it."""
    before = [np.zeros(len(codes), dtype=np.int64)]
    after = [np.zeros(len(codes), dtype=np.int64)]
    for column in range(key):
        before.append(merged(before[-1], codes[:, column].astype(np.int64)))
        after.append(merged(after[-1], codes[:, key - 1 - column].astype(np.int64)))
    for column in range(codes.shape[1]):
        yield merged(before[column], after[max(key - 1 - column, 0)])


def _moves_of(codes: Codes, column: int, alike: Numbers) -> Iterator[CodeMove]:
    order = np.argsort(alike, kind="stable")
    ends = np.cumsum(np.bincount(alike))[:-1]
    found: list[CodeMove] = []
    for rows in np.split(order, ends):
        values = codes[rows, column]
        if len(rows) > 1 and values.min() != values.max():
            found.extend(_between(codes, column, rows.tolist()))
    yield from sorted(found, key=lambda move: (move.row, move.then))


def _between(codes: Codes, column: int, rows: Sequence[int]) -> Iterator[CodeMove]:
    """Yield the moves between rows that have all columns of the key alike but `column`."""
    by_code: dict[int, list[int]] = {}
    for row in rows:
        by_code.setdefault(int(codes[row, column]), []).append(row)
    for row in rows:
        now = int(codes[row, column])
        for then, others in sorted(by_code.items()):
            if then != now:
                yield _move(codes, column, row, now, then, others)


def _move(
    codes: Codes, column: int, row: int, now: int, then: int, others: Sequence[int]
) -> CodeMove:
    differs = codes[others] != codes[row]
    differs[:, column] = False
    shared = np.where(differs.any(axis=1), differs.argmax(axis=1), codes.shape[1])
    depth = int(shared.max())
    beside = tuple(other for other, run in zip(others, shared, strict=True) if run == depth)
    return CodeMove(row, column, now, then, depth, beside)
