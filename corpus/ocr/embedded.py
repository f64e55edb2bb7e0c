"""The text that a PDF holds itself, as a draft: no engine has to read what is written there.

It is not trusted where most of the page is a picture (the text is then some other engine's) or
where letters have no meaning assigned, as in PDFs whose fonts lack a table of characters.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from corpus.ocr.blocks import Block, BlockKind, Box, Cell
from corpus.ocr.drafting import Draft
from corpus.ocr.grid import Grid
from corpus.ocr.paragraphs import as_blocks
from corpus.ocr.words import Word, WordLine, joined

_PICTURE = 0.6  # share of the page that makes it a scan
_FIGURE = 0.004  # share of the page from which on a picture may hold text of its own
_MEANINGLESS = 0.05  # share of letters without a meaning, from which on the text is not trusted

Place = tuple[int, int]  # block and line of a word, as the PDF divides its text


@dataclass(frozen=True, slots=True)
class Layer:
    """A page's own words with their places, its ruled tables and pictures; all in pixels."""

    words: tuple[tuple[Word, Place], ...]
    grids: tuple[Grid, ...]
    pictures: tuple[Box, ...]
    size: tuple[int, int]


def draft_of_layer(layer: Layer) -> Draft | None:
    """Return the draft that a page's own text makes, None where there is none to trust.

    A picture that is large enough to hold text becomes a paragraph without any, at its place in
    the order: somebody has to look at it.
    """
    if not layer.words or not _trusted(layer):
        return None
    inside: list[list[tuple[Word, Place]]] = [[] for _ in layer.grids]
    outside: list[tuple[Word, Place]] = []
    for each in layer.words:
        grid = next((n for n, g in enumerate(layer.grids) if _in(each[0].box, g.box)), None)
        (outside if grid is None else inside[grid]).append(each)
    blocks = as_blocks(_lines(outside), layer.size[0])
    blocks += [_table(grid, words) for grid, words in zip(layer.grids, inside, strict=True)]
    blocks += [Block(BlockKind.PARAGRAPH, box=box) for box in _figures(layer)]
    return Draft(tuple(sorted(blocks, key=_top)), tuple(word for word, _ in layer.words))


def _trusted(layer: Layer) -> bool:
    page = layer.size[0] * layer.size[1]
    if any(_area(box) >= _PICTURE * page for box in layer.pictures):
        return False
    letters = "".join(word.text for word, _ in layer.words)
    unknown = sum(char == "\ufffd" or unicodedata.category(char) in _NO_LETTER for char in letters)
    return unknown < _MEANINGLESS * len(letters)


_NO_LETTER = ("Co", "Cn", "Cs", "Cc")  # private use, unassigned, half characters, control


def _figures(layer: Layer) -> list[Box]:
    least = _FIGURE * layer.size[0] * layer.size[1]
    words = [word.box for word, _ in layer.words]
    large = [box for box in dict.fromkeys(layer.pictures) if _area(box) >= least]
    return [box for box in large if not any(_in(word, box) for word in words)]


def _lines(words: Sequence[tuple[Word, Place]]) -> list[WordLine]:
    """Return the words of the running text line by line; all of a block is one paragraph."""
    return [
        WordLine(tuple(word for word, _ in group), (place[0],))
        for place, group in groupby(words, key=lambda each: each[1])
    ]


def _table(grid: Grid, words: Sequence[tuple[Word, Place]]) -> Block:
    held: list[list[tuple[Word, Place]]] = [[] for _ in grid.places]
    boxes = [grid.box_of(place) for place in grid.places]
    for each in words:
        cell = next((n for n, box in enumerate(boxes) if _in(each[0].box, box)), None)
        if cell is not None:
            held[cell].append(each)
    cells = tuple(
        Cell(*place, text=joined(_lines(own))[0])
        for place, own in zip(grid.places, held, strict=True)
    )
    return Block(BlockKind.TABLE, rows=grid.rows, columns=grid.columns, cells=cells, box=grid.box)


def _in(inner: Box, outer: Box) -> bool:
    """Whether the middle of a box lies in another."""
    x, y = (inner[0] + inner[2]) / 2, (inner[1] + inner[3]) / 2
    return outer[0] <= x < outer[2] and outer[1] <= y < outer[3]


def _area(box: Box) -> int:
    return (box[2] - box[0]) * (box[3] - box[1])


def _top(block: Block) -> tuple[int, int]:
    return (0, 0) if block.box is None else (block.box[1], block.box[0])
