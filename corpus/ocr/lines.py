"""Detection of tables by their ruled lines: position, grid and merged cells.

A table is a set of crossing lines. Many tables of Korean statutes are open at the sides; if
horizontal lines extend beyond the outermost vertical one, their ends count as the edge.

The grid has rows, columns, and the span of each cell. Edges at nearly the same position are one
edge. Drawn tables are not always a clean tiling: cells that overlap are joined, and places without
a cell become cells of their own.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from corpus.ocr.blocks import Block, BlockKind, Box, Cell, Stretch

Places = tuple[int, int, int, int]  # row, column, row span, column span


@dataclass(frozen=True, slots=True)
class Grid:
    """A table's cells, in reading order, with the positions of their edges in pixels."""

    across: tuple[int, ...]  # x of every vertical edge
    down: tuple[int, ...]  # y of every horizontal edge
    places: tuple[Places, ...]

    @property
    def rows(self) -> int:
        """The number of rows."""
        return len(self.down) - 1

    @property
    def columns(self) -> int:
        """The number of columns."""
        return len(self.across) - 1

    @property
    def box(self) -> Box:
        """The bounding box of the table."""
        return self.across[0], self.down[0], self.across[-1], self.down[-1]

    def box_of(self, place: Places) -> Box:
        """Return the box of a cell."""
        row, column, rows, columns = place
        left, right = self.across[column], self.across[column + columns]
        return left, self.down[row], right, self.down[row + rows]

    def table(self, texts: Iterable[tuple[str, tuple[Stretch, ...]]]) -> Block:
        """Return the table with a text, and its doubtful stretches, in each cell."""
        cells = tuple(
            Cell(*place, text, doubt)
            for place, (text, doubt) in zip(self.places, texts, strict=True)
        )
        return Block(BlockKind.TABLE, "", self.rows, self.columns, cells, self.box)


def grid_of_boxes(boxes: Sequence[Sequence[float]], near: float) -> Grid | None:
    """Return the grid of cells with these `boxes`; edges closer than `near` are one.

    None if the boxes do not make at least one cell.
    """
    across = edges((x for box in boxes for x in (box[0], box[2])), near)
    down = edges((y for box in boxes for y in (box[1], box[3])), near)
    if len(across) < 2 or len(down) < 2:
        return None
    spans = [_span(box, across, down) for box in boxes]
    places = tiled([span for span in spans if span], len(down) - 1, len(across) - 1)
    return Grid(tuple(map(round, across)), tuple(map(round, down)), places)


def edges(positions: Iterable[float], near: float) -> list[float]:
    """Return positions in order, with those within `near` of the previous one averaged."""
    groups: list[list[float]] = []
    for position in sorted(positions):
        if groups and position - groups[-1][-1] <= near:
            groups[-1].append(position)
        else:
            groups.append([position])
    return [sum(group) / len(group) for group in groups]


def tiled(places: Iterable[Places], rows: int, columns: int) -> tuple[Places, ...]:
    """Merge overlapping cells and add empty ones, so that each square is covered exactly once."""
    cells = _merged_cells(list(places))
    taken = {square for cell in cells for square in _squares(cell)}
    empty = [(r, c, 1, 1) for r in range(rows) for c in range(columns) if (r, c) not in taken]
    return tuple(sorted(cells + empty))


def _merged_cells(places: list[Places]) -> list[Places]:
    """Join overlapping cells into their bounding rectangle, until none overlap."""
    owner: dict[tuple[int, int], Places] = {}
    todo = sorted(set(places), reverse=True)
    while todo:
        cell = todo.pop()
        meets = {owner[square] for square in _squares(cell) if square in owner}
        if meets - {cell}:
            for other in meets:
                owner = {square: each for square, each in owner.items() if each != other}
            todo.append(_around([cell, *sorted(meets)]))
        else:
            owner |= dict.fromkeys(_squares(cell), cell)
    return sorted(set(owner.values()))


def _around(cells: Sequence[Places]) -> Places:
    """Return the smallest cell around cells."""
    row, column = min(cell[0] for cell in cells), min(cell[1] for cell in cells)
    below, right = max(c[0] + c[2] for c in cells), max(c[1] + c[3] for c in cells)
    return row, column, below - row, right - column


def _squares(cell: Places) -> list[tuple[int, int]]:
    """Return the (row, column) squares of a table that a cell spans."""
    row, column, rows, columns = cell
    return [(r, c) for r in range(row, row + rows) for c in range(column, column + columns)]


def _span(box: Sequence[float], across: list[float], down: list[float]) -> Places | None:
    """Return the cell that a box covers, None if it covers none."""
    left, right = _nearest(box[0], across), _nearest(box[2], across)
    top, bottom = _nearest(box[1], down), _nearest(box[3], down)
    if right <= left or bottom <= top:
        return None
    return top, left, bottom - top, right - left


def _nearest(position: float, positions: list[float]) -> int:
    """Return the index of the position nearest to `position`."""
    return min(range(len(positions)), key=lambda number: abs(positions[number] - position))


Ink = NDArray[np.bool_]
_LEAST_WIDTH = 24  # divisor of the page's width that gives the shortest line of a table
_THICKEST = 120  # divisor that gives the thickest line; thicker ones are filled shapes
_DRAWN = 0.6  # inked share of a border that divides two cells
_MOST_ROWS, _MOST_COLUMNS = 500, 60  # beyond, it is a pattern and no table


@dataclass(frozen=True, slots=True)
class Ruled:
    """The ruled lines of an image, by direction, and the smallest distance of two grid edges."""

    across: Ink
    down: Ink
    near: int


def find_tables(ink: Ink, page: tuple[float, float] | None = None) -> list[Grid]:
    """Return the tables of an image whose dark pixels are `ink`, from top to bottom.

    The lines must be straight (`cleaning.skew`): within about half a degree. For a part of a page,
    `page` is the width and height of the whole in the part's pixels: in a small part the strokes of
    letters would be as long as lines.
    """
    ruled = _find_rules(ink, page or (ink.shape[1], ink.shape[0]))
    joined = ndimage.binary_dilation(ruled.across | ruled.down, iterations=ruled.near // 2)
    labels, _ = ndimage.label(joined, structure=np.ones((3, 3)))
    grids = []
    for number, at in enumerate(ndimage.find_objects(labels), 1):
        own = labels[at] == number  # letters inside a cell may look like lines
        here = Ruled(ruled.across[at] & own, ruled.down[at] & own, ruled.near)
        grid = _grid(here, at[1].start, at[0].start)
        if grid is not None:
            grids.append(grid)
    return sorted(
        [grid for grid in grids if not any(_within(grid.box, other.box) for other in grids)],
        key=lambda grid: (grid.box[1], grid.box[0]),
    )


def _find_rules(ink: Ink, page: tuple[float, float]) -> Ruled:
    """Return the masks of horizontal and vertical ruled lines in a page's ink."""
    width, height = (int(side) for side in page)
    shortest = max(24, width // _LEAST_WIDTH)
    thickest = max(4, width // _THICKEST)
    across = _runs(ndimage.binary_dilation(ink, np.ones((3, 1))), shortest)
    down = _runs(ndimage.binary_dilation(ink, np.ones((1, 3))).T, max(24, shortest // 2)).T
    near = max(4, min(height, width) // 150)
    return Ruled(_thin(across, thickest, 0), _thin(down, thickest, 1), near)


def _runs(ink: Ink, shortest: int) -> Ink:
    """Keep the runs of dark pixels in each row that are long enough; small gaps are bridged."""
    closed = ndimage.binary_closing(ink, np.ones((1, 5)))
    padded = np.pad(closed, ((0, 0), (1, 1))).astype(np.int8)
    change = np.diff(padded, axis=1).ravel()
    starts, ends = np.flatnonzero(change == 1), np.flatnonzero(change == -1)
    long = ends - starts >= shortest
    marks = np.zeros(change.size + 1, dtype=np.int32)
    np.add.at(marks, starts[long], 1)
    np.add.at(marks, ends[long], -1)
    kept: Ink = np.cumsum(marks[:-1]).reshape(ink.shape[0], -1)[:, :-1] > 0
    return kept


def _thin(lines: Ink, thickest: int, axis: int) -> Ink:
    """Remove thick shapes: pictures, stamps and black bars are no lines."""
    size = [1, 1]
    size[axis] = thickest + 1
    thick = ndimage.binary_opening(lines, np.ones(size))
    rest: Ink = lines & ~ndimage.binary_dilation(thick, iterations=2)
    return rest


def _grid(ruled: Ruled, left: int, top: int) -> Grid | None:
    """Return the grid of ruled lines, None if there is no table."""
    across, down = _edges(ruled)
    rows, columns = len(down) - 1, len(across) - 1
    if not (1 <= rows <= _MOST_ROWS and 1 <= columns <= _MOST_COLUMNS) or rows * columns < 2:
        return None
    places = _cells(ruled, across, down)
    return Grid(tuple(x + left for x in across), tuple(y + top for y in down), places)


def _edges(ruled: Ruled) -> tuple[list[int], list[int]]:
    """Return a table's column and row edges; its open sides are the ends of its lines."""
    down = _positions(ruled.across, ruled.near)
    across = _positions(ruled.down.T, ruled.near)
    if not down or not across:
        return [], []
    least = 4 * ruled.near
    return _closed(across, ruled.across, 0, least), _closed(down, ruled.down, 1, least)


def _positions(lines: Ink, near: int) -> list[int]:
    """Return the pixel rows in which lines lie; those within `near` are averaged."""
    labels, _ = ndimage.label(lines, structure=np.ones((3, 3)))
    middles = [(at[0].start + at[0].stop - 1) / 2 for at in ndimage.find_objects(labels)]
    return [round(edge) for edge in edges(middles, near)]


def _closed(lines: list[int], others: Ink, axis: int, least: int) -> list[int]:
    """Add the ends of the lines of the other direction if they are well outside."""
    where = np.flatnonzero(np.any(others, axis=axis))
    if where.size == 0:
        return lines
    first, last = int(where[0]), int(where[-1])
    head = [first] if lines[0] - first >= least else []
    return [*head, *lines, *([last] if last - lines[-1] >= least else [])]


def _cells(ruled: Ruled, across: list[int], down: list[int]) -> tuple[Places, ...]:
    """Join the squares without a line between them to cells."""
    rows, columns = len(down) - 1, len(across) - 1
    # Squares have even indices; between two of them is whether they are one cell.
    map_of_cells = np.zeros((2 * rows - 1, 2 * columns - 1), dtype=np.bool_)
    map_of_cells[::2, ::2] = True
    for row, column in np.ndindex(rows, columns):
        between = down[row : row + 2], across[column : column + 2]
        if column + 1 < columns:
            divided = _divided(ruled.down.T, across[column + 1], between[0], ruled.near)
            map_of_cells[2 * row, 2 * column + 1] = not divided
        if row + 1 < rows:
            divided = _divided(ruled.across, down[row + 1], between[1], ruled.near)
            map_of_cells[2 * row + 1, 2 * column] = not divided
    labels, _ = ndimage.label(map_of_cells)
    cells = [
        (r.start, c.start, r.stop - r.start, c.stop - c.start)
        for r, c in ndimage.find_objects(labels[::2, ::2])
    ]
    return tiled(cells, rows, columns)


def _divided(lines: Ink, at: int, between: Sequence[int], near: int) -> bool:
    """Return whether a line at row `at` covers most of the columns `between`."""
    band = lines[max(0, at - near) : at + near + 1, between[0] + 1 : between[1]]
    return band.size > 0 and float(band.any(axis=0).mean()) >= _DRAWN


def _within(inner: Box, outer: Box) -> bool:
    """Return True if a box lies in another."""
    holds = outer[0] <= inner[0] and outer[1] <= inner[1]
    return inner != outer and holds and inner[2] <= outer[2] and inner[3] <= outer[3]
