"""Blocks from a vision model's output; table spans from the lines of the image.

A model writes a merged cell once and leaves the covered places empty, so merged cannot be
distinguished from blank. If the image has a ruled table of as many rows and columns whose merged
cells only cover blank places, its spans are used.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from PIL import Image

from corpus.limits import PAGE_BLOCK
from corpus.ocr.blocks import Block, BlockKind, Cell
from corpus.ocr.cleaning import cleaned, dark
from corpus.ocr.lines import Grid, find_tables

MOST_ROWS, MOST_COLUMNS = 500, 60
MOST_CHARACTERS = PAGE_BLOCK  # of one text: more means a model that repeats itself


@dataclass(frozen=True, slots=True)
class Written:
    """One block as written by a model."""

    kind: str
    text: str
    rows: Sequence[Sequence[str]]


def grids_of(image: Image.Image) -> list[tuple[Grid, float]]:
    """Return the ruled tables of an image, each with its enlargement over the image."""
    page = cleaned(image)
    return [(grid, page.scale) for grid in find_tables(dark(page.image))]


def as_blocks(written: Sequence[Written], grids: Sequence[tuple[Grid, float]]) -> list[Block]:
    """Convert a model's output to blocks; empty ones are left out."""
    left, found = list(grids), list[Block]()
    for each in written:
        if each.kind != BlockKind.TABLE:
            text = _clean(each.text)
            found += [Block(BlockKind(each.kind), text)] if text.strip() else []
            continue
        rows = [[_clean(cell) for cell in row[:MOST_COLUMNS]] for row in each.rows[:MOST_ROWS]]
        if any(rows):
            found.append(_spanned(_single(rows), left))
    return found


def _single(rows: Sequence[Sequence[str]]) -> Block:
    """Return a table of these texts without merged cells, short rows padded."""
    columns = max(len(row) for row in rows)
    cells = tuple(
        Cell(number, column, text=row[column] if column < len(row) else "")
        for number, row in enumerate(rows)
        for column in range(columns)
    )
    return Block(BlockKind.TABLE, rows=len(rows), columns=columns, cells=cells)


def _clean(text: str) -> str:
    """Clean a text for storage: printable characters, line ends as ``\\n``, bounded length."""
    plain = text.replace("\r\n", "\n").replace("\r", "\n").replace("\t", " ")
    return "".join(c for c in plain[:MOST_CHARACTERS] if c == "\n" or c.isprintable())


def _spanned(block: Block, grids: list[tuple[Grid, float]]) -> Block:
    """Return the table with the spans and the box of the first grid that fits it."""
    texts = {(cell.row, cell.column): cell.text for cell in block.cells}
    for number, (grid, scale) in enumerate(grids):
        if (grid.rows, grid.columns) == (block.rows, block.columns) and _fits(grid, texts):
            del grids[number]
            cells = tuple(Cell(*place, text=texts[place[0], place[1]]) for place in grid.places)
            left_, top, right, bottom = (round(edge / scale) for edge in grid.box)
            return replace(block, cells=cells, box=(left_, top, right, bottom))
    return block


def _fits(grid: Grid, texts: dict[tuple[int, int], str]) -> bool:
    """Return True if texts stand only at the first squares of cells."""
    firsts = {(row, column) for row, column, _, _ in grid.places}
    return not any(text.strip() for place, text in texts.items() if place not in firsts)
