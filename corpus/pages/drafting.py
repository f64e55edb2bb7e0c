"""A draft of a page: tables by their ruled lines, then every cell and the rest read by an engine.

The engine is a function, so this needs no program: it gets pictures and gives lines of words.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from PIL import Image, ImageDraw, ImageOps

from corpus.pages.blocks import Block, Box, Cell, Kind
from corpus.pages.cleaning import DPI, Cleaned, cleaned
from corpus.pages.grid import Grid, Places
from corpus.pages.lines import find_tables
from corpus.pages.paragraphs import as_blocks
from corpus.pages.straighten import dark
from corpus.pages.words import Line, Word, joined

Read = Callable[[Sequence[Image.Image], bool], list[list[Line]]]
"""Reads pictures: a whole page with columns (True), or pieces of even text (False)."""

_MARGIN = DPI // 40  # pixels around a cell's inside that its border may take
_AROUND = 10  # pixels of paper that an engine wants around a text
_MOST_TABLES_CELLS = 2_000  # read as cells on one page; beyond, tables are read as running text


@dataclass(frozen=True, slots=True)
class Draft:
    """What an engine made of a page: its blocks in reading order, and every word with its box."""

    blocks: tuple[Block, ...]
    words: tuple[Word, ...]


def draft_page(image: Image.Image, read: Read) -> Draft:
    """Return the draft of a whole upright page."""
    return _draft(image, read)


def draft_region(image: Image.Image, box: Box, read: Read) -> Draft:
    """Return the draft of what lies in `box`, its own boxes being those of the page."""
    part = _draft(image.crop(box), read, image.size)
    x, y = box[0], box[1]
    blocks = tuple(replace(each, box=each.box and _moved(each.box, x, y)) for each in part.blocks)
    words = tuple(replace(each, box=_moved(each.box, x, y)) for each in part.words)
    return Draft(blocks, words)


def _draft(image: Image.Image, read: Read, part_of: tuple[int, int] | None = None) -> Draft:
    page, size = cleaned(image), part_of or image.size
    grids = find_tables(dark(page.image), (size[0] * page.scale, size[1] * page.scale))
    if sum(len(grid.places) for grid in grids) > _MOST_TABLES_CELLS:
        grids = []
    rest = _without(page, grids)
    (lines,) = read([rest], part_of is None)
    blocks = as_blocks(lines, page.image.width)
    words = [word for line in lines for word in line.words]
    for grid in grids:
        cells = _read_cells(page, grid, read)
        blocks.append(_table(grid, cells))
        words += [word for lines in cells for line in lines for word in line.words]
    return _scaled(blocks, words, page.scale, image.size)


def _without(page: Cleaned, grids: Sequence[Grid]) -> Image.Image:
    """Return the page with its tables painted over."""
    if not grids:
        return page.image
    rest = page.image.copy()
    for grid in grids:
        left, top, right, bottom = grid.box
        edge = (left - _MARGIN, top - _MARGIN, right + _MARGIN, bottom + _MARGIN)
        ImageDraw.Draw(rest).rectangle(edge, fill=page.paper)
    return rest


def _read_cells(page: Cleaned, grid: Grid, read: Read) -> list[list[Line]]:
    """Return the lines of every cell, with boxes of the page."""
    insides = [_inside(grid.box_of(place)) for place in grid.places]
    pieces = [ImageOps.expand(page.image.crop(box), _AROUND, page.paper) for box in insides]
    found = read(pieces, False)
    return [
        [_of_page(line, box[0] - _AROUND, box[1] - _AROUND) for line in lines]
        for lines, box in zip(found, insides, strict=True)
    ]


def _inside(box: Box) -> Box:
    left, top, right, bottom = box
    x, y = min(_MARGIN, (right - left - 1) // 2), min(_MARGIN, (bottom - top - 1) // 2)
    return left + x, top + y, max(left + x + 1, right - x), max(top + y + 1, bottom - y)


def _of_page(line: Line, x: int, y: int) -> Line:
    return replace(line, words=tuple(replace(w, box=_moved(w.box, x, y)) for w in line.words))


def _table(grid: Grid, cells: Sequence[Sequence[Line]]) -> Block:
    filled = [_cell(place, lines) for place, lines in zip(grid.places, cells, strict=True)]
    return Block(
        Kind.TABLE, rows=grid.rows, columns=grid.columns, cells=tuple(filled), box=grid.box
    )


def _cell(place: Places, lines: Sequence[Line]) -> Cell:
    text, doubt = joined(lines)
    return Cell(*place, text=text, doubt=doubt)


def _scaled(
    blocks: Sequence[Block], words: Sequence[Word], scale: float, size: tuple[int, int]
) -> Draft:
    """Return the draft in pixels of the image as it is kept, in reading order."""
    placed = [replace(b, box=b.box and _unscaled(b.box, scale, size)) for b in blocks]
    return Draft(
        tuple(sorted(placed, key=_top)),
        tuple(replace(word, box=_unscaled(word.box, scale, size)) for word in words),
    )


def _top(block: Block) -> tuple[int, int]:
    return (0, 0) if block.box is None else (block.box[1], block.box[0])


def _unscaled(box: Box, scale: float, size: tuple[int, int]) -> Box:
    left, right = (min(max(round(x / scale), 0), size[0]) for x in (box[0], box[2]))
    top, bottom = (min(max(round(y / scale), 0), size[1]) for y in (box[1], box[3]))
    left, top = min(left, size[0] - 1), min(top, size[1] - 1)
    return left, top, max(right, left + 1), max(bottom, top + 1)


def _moved(box: Box, x: int, y: int) -> Box:
    return box[0] + x, box[1] + y, box[2] + x, box[3] + y
