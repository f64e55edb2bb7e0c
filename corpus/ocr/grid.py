"""A table's grid from where its cells lie: rows, columns, and what each cell spans.

Edges that are nearly at one place are one edge. What a table draws is not always a clean tiling:
cells that claim a place twice are joined, and places that no cell claims become cells of their own.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from corpus.ocr.blocks import Box

Places = tuple[int, int, int, int]  # row, column, row span, column span


@dataclass(frozen=True, slots=True)
class Grid:
    """The places of a table's cells, in reading order, between these edges in pixels."""

    across: tuple[int, ...]  # x of every vertical edge
    down: tuple[int, ...]  # y of every horizontal edge
    places: tuple[Places, ...]

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return len(self.down) - 1

    @property
    def columns(self) -> int:
        """How many columns there are."""
        return len(self.across) - 1

    @property
    def box(self) -> Box:
        """Where the table lies."""
        return self.across[0], self.down[0], self.across[-1], self.down[-1]

    def box_of(self, place: Places) -> Box:
        """Return where a cell lies."""
        row, column, rows, columns = place
        left, right = self.across[column], self.across[column + columns]
        return left, self.down[row], right, self.down[row + rows]


def grid_of_boxes(boxes: Sequence[Sequence[float]], near: float) -> Grid | None:
    """Return the grid of cells that lie at `boxes`; edges closer than `near` are one.

    None where the boxes do not make at least one cell.
    """
    across = edges((x for box in boxes for x in (box[0], box[2])), near)
    down = edges((y for box in boxes for y in (box[1], box[3])), near)
    if len(across) < 2 or len(down) < 2:
        return None
    spans = [_span(box, across, down) for box in boxes]
    places = tiled([each for each in spans if each], len(down) - 1, len(across) - 1)
    return Grid(tuple(map(round, across)), tuple(map(round, down)), places)


def edges(positions: Iterable[float], near: float) -> list[float]:
    """Return positions in order, those within `near` of the one before replaced by their mean."""
    groups: list[list[float]] = []
    for position in sorted(positions):
        if groups and position - groups[-1][-1] <= near:
            groups[-1].append(position)
        else:
            groups.append([position])
    return [sum(group) / len(group) for group in groups]


def tiled(places: Iterable[Places], rows: int, columns: int) -> tuple[Places, ...]:
    """Return cells that cover every place of the table exactly once, in reading order."""
    cells = _joined(list(places))
    taken = {spot for cell in cells for spot in _spots(cell)}
    empty = [(r, c, 1, 1) for r in range(rows) for c in range(columns) if (r, c) not in taken]
    return tuple(sorted(cells + empty))


def _joined(places: list[Places]) -> list[Places]:
    """Join cells that overlap into the rectangle around them, until none do."""
    owner: dict[tuple[int, int], Places] = {}
    todo = sorted(set(places), reverse=True)
    while todo:
        cell = todo.pop()
        meets = {owner[spot] for spot in _spots(cell) if spot in owner}
        if meets - {cell}:
            for other in meets:
                owner = {spot: each for spot, each in owner.items() if each != other}
            todo.append(_around([cell, *sorted(meets)]))
        else:
            owner |= dict.fromkeys(_spots(cell), cell)
    return sorted(set(owner.values()))


def _around(cells: Sequence[Places]) -> Places:
    row, column = min(cell[0] for cell in cells), min(cell[1] for cell in cells)
    below, right = max(c[0] + c[2] for c in cells), max(c[1] + c[3] for c in cells)
    return row, column, below - row, right - column


def _spots(cell: Places) -> list[tuple[int, int]]:
    row, column, rows, columns = cell
    return [(r, c) for r in range(row, row + rows) for c in range(column, column + columns)]


def _span(box: Sequence[float], across: list[float], down: list[float]) -> Places | None:
    left, right = _nearest(box[0], across), _nearest(box[2], across)
    top, bottom = _nearest(box[1], down), _nearest(box[3], down)
    if right <= left or bottom <= top:
        return None
    return top, left, bottom - top, right - left


def _nearest(position: float, found: list[float]) -> int:
    return min(range(len(found)), key=lambda number: abs(found[number] - position))
