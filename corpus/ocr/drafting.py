"""OCR draft of a page: tables by their ruled lines, then every cell and the rest by an engine.

First the page is prepared: cleaned, its tables found, and cut into pictures. That is work on pixels
and can be done elsewhere (`corpus.ocr.isolated`). Then an engine reads the pictures, and its lines
become blocks. The engine is a function, so this needs no program.

Lines are combined into paragraphs and headings. A paragraph begins at the engine's paragraph
breaks, and at every line that begins with the number of a provision or item. A heading is a short
text in clearly larger letters than the rest of the page.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from statistics import median

from PIL import Image, ImageDraw, ImageOps

from corpus.ocr.blocks import (
    Block,
    BlockKind,
    Box,
    Word,
    WordLine,
    bounding_box,
    joined,
    within_page,
)
from corpus.ocr.cleaning import DPI, PAPER, Cleaned, cleaned, dark
from corpus.ocr.lines import Grid, find_tables
from corpus.ocr.reading_order import reading_order, with_paragraphs

_BEGINS = re.compile(
    r"""(?:
        제\d+(?:조|장|절|편|관)(?:의\d+)?          # 제3조의2
      | \d{1,3}\.(?!\d) | \d{1,3}\) | \(\d{1,3}\)  # 1.  1)  (1)
      | [가-하]\.\s | [가-하]\) | \([가-하]\)      # 가.  가)  (가)
      | [a-z]\.\s | [a-z]\) | \([a-z]\)
      | [①-⑳㉮-㉻] | [■□○●◆◇▶※*-]\s?
      | 비\s?고 | 주\s?: | Note | Article\ \d | Section\ \d
    )""",
    re.VERBOSE,
)
MOST_BLOCKS = 400  # of running text; the rest of a page of specks becomes one block
_LARGER = 1.25  # times the usual height of a line
_HEADING_CHARACTERS = 80


def as_blocks(
    lines: Sequence[WordLine], others: Sequence[Block], size: tuple[int, int]
) -> list[Block]:
    """Combine lines into paragraphs and headings, with tables and pictures (`others`), in order.

    `size` is the page's width and height in the pixels of the boxes.
    """
    usual = median(_height(line) for line in lines) if lines else 0.0
    order = reading_order(lines, [other.box or (0, 0, 0, 0) for other in others], size[1])
    ordered = iter(with_paragraphs([lines[number] for number in order if number < len(lines)]))
    groups: list[list[WordLine] | Block] = []
    for number in order:
        if number >= len(lines):
            groups.append(others[number - len(lines)])
            continue
        line, last = next(ordered), groups[-1] if groups else None
        if isinstance(last, list) and (
            _continues(last, line, size[0]) or len(groups) >= MOST_BLOCKS
        ):
            last.append(line)
        else:
            groups.append([line])
    return [_block(group, usual) if isinstance(group, list) else group for group in groups]


def _continues(group: Sequence[WordLine], line: WordLine, width: int) -> bool:
    """Return whether the line continues the paragraph of the group.

    The line before must have run to the end of its column, as far as the page shows: one that ends
    much earlier than the longest of its paragraph was its last.
    """
    last = group[-1]
    if line.paragraph != last.paragraph or _BEGINS.match(line.text):
        return False
    if abs(_height(line) - _height(last)) > (_LARGER - 1) * _height(last):
        return False
    farthest = max(each.box[2] for each in (*group, line))
    return farthest - last.box[2] <= width * 0.12


def _block(group: Sequence[WordLine], usual: float) -> Block:
    """Return lines as a heading or paragraph."""
    text, doubt = joined(group)
    larger = min(_height(line) for line in group) >= _LARGER * usual
    heading = larger and len(text) <= _HEADING_CHARACTERS and len(group) <= 3
    kind = BlockKind.HEADING if heading else BlockKind.PARAGRAPH
    return Block(kind, text, box=bounding_box([line.box for line in group]), doubt=doubt)


def _height(line: WordLine) -> float:
    """Return the median height of a line's words: one tall bracket does not make a line large."""
    return median(word.box[3] - word.box[1] for word in line.words)


Read = Callable[[Sequence[bytes], bool], list[list[WordLine]]]
"""An OCR engine on PNG pictures: a whole page with columns (True), or uniform pieces (False)."""

_MARGIN = DPI // 40  # pixels along a cell's inside that its border may occupy
_AROUND = 10  # pixels of paper that an engine needs around a text
_MOST_TABLES_CELLS = 2_000  # the most cells on one page; beyond, tables are read as running text


@dataclass(frozen=True, slots=True)
class Draft:
    """An engine's draft of a page: its blocks in reading order, and every word with its box."""

    blocks: tuple[Block, ...]
    words: tuple[Word, ...]


@dataclass(frozen=True, slots=True)
class Prepared:
    """A page, or its part in `box`, cut into pictures for an engine.

    `size` is that of the part in pixels of the page, `scale` the enlargement of the pictures and
    `width` the width of the part in them. `rest` is the area outside of the tables, `cells` a
    picture of each cell of the `grids`, in order.
    """

    size: tuple[int, int]
    scale: float
    width: int
    grids: tuple[Grid, ...]
    rest: bytes
    cells: tuple[bytes, ...]
    box: Box | None


def draft_page(image: Image.Image, read: Read) -> Draft:
    """Draft a whole upright page; `read` has an engine read its pictures."""
    return drafted(prepared(image), read)


def prepared(image: Image.Image, box: Box | None = None) -> Prepared:
    """Prepare an upright page, or its part in `box`, for reading."""
    part = image if box is None else image.crop(box)
    page = cleaned(part)
    grids = find_tables(dark(page.image), (image.width * page.scale, image.height * page.scale))
    if sum(len(grid.places) for grid in grids) > _MOST_TABLES_CELLS:
        grids = []
    rest, cells = _png(_without(page, grids)), tuple(_cells(page, grids))
    return Prepared(part.size, page.scale, page.image.width, tuple(grids), rest, cells, box)


def drafted(page: Prepared, read: Read) -> Draft:
    """Draft a prepared page, which `read` has an engine read; boxes are in pixels of the page."""
    (lines,) = read([page.rest], page.box is None)
    words = [word for line in lines for word in line.words]
    found = iter(read(page.cells, False) if page.cells else ())
    tables = []
    for grid in page.grids:
        cells = [
            [_shifted_line(line, inside[0] - _AROUND, inside[1] - _AROUND) for line in next(found)]
            for inside in _insides(grid)
        ]
        tables.append(grid.table(map(joined, cells)))
        words += [word for lines in cells for line in lines for word in line.words]
    blocks = as_blocks(lines, tables, (page.width, round(page.size[1] * page.scale)))
    draft = Draft(tuple(blocks), tuple(words))
    draft = _moved(draft, lambda box: within_page([x / page.scale for x in box], page.size))
    if page.box is None:
        return draft
    x, y = page.box[:2]
    return _moved(draft, lambda box: _shifted_box(box, x, y))


def _moved(draft: Draft, move: Callable[[Box], Box]) -> Draft:
    """Return the draft with every box moved."""
    return Draft(
        tuple(replace(each, box=each.box and move(each.box)) for each in draft.blocks),
        tuple(replace(each, box=move(each.box)) for each in draft.words),
    )


def _png(picture: Image.Image) -> bytes:
    """Return a picture as PNG."""
    out = io.BytesIO()
    picture.save(out, "PNG", compress_level=1)
    return out.getvalue()


def _without(page: Cleaned, grids: Sequence[Grid]) -> Image.Image:
    """Return the page with its tables painted over."""
    if not grids:
        return page.image
    rest = page.image.copy()
    for grid in grids:
        left, top, right, bottom = grid.box
        edge = (left - _MARGIN, top - _MARGIN, right + _MARGIN, bottom + _MARGIN)
        ImageDraw.Draw(rest).rectangle(edge, fill=PAPER)
    return rest


def _cells(page: Cleaned, grids: Sequence[Grid]) -> Iterator[bytes]:
    """Yield a picture of the inside of every cell, with a margin of paper."""
    for grid in grids:
        for box in _insides(grid):
            yield _png(ImageOps.expand(page.image.crop(box), _AROUND, PAPER))


def _insides(grid: Grid) -> list[Box]:
    """Return the box of each cell without its ruled edges."""
    return [_without_margin(grid.box_of(place)) for place in grid.places]


def _without_margin(box: Box) -> Box:
    """Return a box without its edges, at least one pixel wide and high."""
    left, top, right, bottom = box
    x, y = min(_MARGIN, (right - left - 1) // 2), min(_MARGIN, (bottom - top - 1) // 2)
    return left + x, top + y, max(left + x + 1, right - x), max(top + y + 1, bottom - y)


def _shifted_line(line: WordLine, x: int, y: int) -> WordLine:
    """Return a line with boxes in the whole page."""
    return replace(line, words=tuple(replace(w, box=_shifted_box(w.box, x, y)) for w in line.words))


def _shifted_box(box: Box, x: int, y: int) -> Box:
    return box[0] + x, box[1] + y, box[2] + x, box[3] + y
