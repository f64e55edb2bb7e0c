"""The content of a page in reading order, and the words that an OCR engine read.

Boxes are [left, top, right, bottom] in pixels of the upright image. `doubt` lists stretches of the
text, [start, end) in characters, of which the engine was unsure.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

Box = tuple[int, int, int, int]
Stretch = tuple[int, int]


class BlockKind(StrEnum):
    """The kind of a block."""

    PARAGRAPH = "paragraph"
    HEADING = "heading"
    FORMULA = "formula"
    TABLE = "table"


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a table: its first row and column from 0, its spans, and its text."""

    row: int
    column: int
    row_span: int = 1
    column_span: int = 1
    text: str = ""
    doubt: tuple[Stretch, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """Return the cell's stored form."""
        return asdict(self) | {"doubt": [list(each) for each in self.doubt]}


@dataclass(frozen=True, slots=True)
class Block:
    """One block of a page. `text` is LaTeX in a formula and empty in a table, which has `cells`."""

    kind: BlockKind
    text: str = ""
    rows: int = 0
    columns: int = 0
    cells: tuple[Cell, ...] = ()
    box: Box | None = None
    doubt: tuple[Stretch, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """Return the block's form for storage and screens."""
        box = None if self.box is None else list(self.box)
        if self.kind is BlockKind.TABLE:
            size = {"rows": self.rows, "columns": self.columns}
            return {"kind": "table", **size, "cells": [c.as_json() for c in self.cells], "box": box}
        doubt = [list(each) for each in self.doubt]
        said = {"latex" if self.kind is BlockKind.FORMULA else "text": self.text}
        return {"kind": str(self.kind), **said, "box": box, "doubt": doubt}


def as_json(blocks: Sequence[Block]) -> list[dict[str, Any]]:
    """Return the stored form of blocks."""
    return [block.as_json() for block in blocks]


def of_json(values: Sequence[Mapping[str, Any]]) -> tuple[Block, ...]:
    """Read stored blocks, written by `as_json` or validated from a person's input.

    Unneeded keys are ignored. Raises KeyError for unvalidated data.
    """
    return tuple(_block(each) for each in values)


def _block(values: Mapping[str, Any]) -> Block:
    """Return a block from JSON."""
    kind, box = BlockKind(values["kind"]), values.get("box")
    at = None if box is None else (round(box[0]), round(box[1]), round(box[2]), round(box[3]))
    if kind is BlockKind.TABLE:
        cells = tuple(_cell(each) for each in values["cells"])
        return Block(kind, rows=values["rows"], columns=values["columns"], cells=cells, box=at)
    text = values["latex" if kind is BlockKind.FORMULA else "text"]
    return Block(kind, text, box=at, doubt=_stretches(values))


def _cell(values: Mapping[str, Any]) -> Cell:
    """Return a cell from JSON."""
    spans = values["row_span"], values["column_span"]
    return Cell(values["row"], values["column"], *spans, values["text"], _stretches(values))


def _stretches(values: Mapping[str, Any]) -> tuple[Stretch, ...]:
    """Return the doubtful stretches from JSON."""
    return tuple((start, end) for start, end in values.get("doubt") or ())


DOUBTFUL = 80.0  # percent of confidence below which a word is marked; see docs/ocr.md


@dataclass(frozen=True, slots=True)
class Word:
    """A word with its box; `confidence` is in percent, None if the engine has none."""

    text: str
    box: Box
    confidence: float | None = None


@dataclass(frozen=True, slots=True)
class WordLine:
    """Words in a line. Lines of equal `paragraph` belong together."""

    words: tuple[Word, ...]
    paragraph: tuple[int, ...] = ()

    @property
    def text(self) -> str:
        """The words, separated by spaces."""
        return " ".join(word.text for word in self.words)

    @property
    def box(self) -> Box:
        """The box around all the words."""
        return bounding_box([word.box for word in self.words])


def bounding_box(boxes: Sequence[Box]) -> Box:
    """Return the bounding box of the boxes. Raises ValueError for none."""
    left, top = min(box[0] for box in boxes), min(box[1] for box in boxes)
    return left, top, max(box[2] for box in boxes), max(box[3] for box in boxes)


def within_page(box: Sequence[float], size: tuple[int, int]) -> Box:
    """Return a box clipped to a page of that size, in whole pixels, at least one wide and high."""
    left, right = (min(max(round(x), 0), size[0]) for x in (box[0], box[2]))
    top, bottom = (min(max(round(y), 0), size[1]) for y in (box[1], box[3]))
    left, top = min(left, size[0] - 1), min(top, size[1] - 1)
    return left, top, max(right, left + 1), max(bottom, top + 1)


def joined(lines: Sequence[WordLine], between: str = " ") -> tuple[str, tuple[Stretch, ...]]:
    """Return the text of lines, joined by `between`, and its doubtful stretches.

    Neighbouring doubtful words of a line are one stretch each, as people check words.
    """
    text, doubt = "", []
    for line in lines:
        text += between if text else ""
        for number, word in enumerate(line.words):
            text += " " if number else ""
            if word.confidence is not None and word.confidence < DOUBTFUL:
                doubt.append((len(text), len(text) + len(word.text)))
            text += word.text
    return text, tuple(doubt)


def words_as_json(words: Sequence[Word]) -> list[list[Any]]:
    """Return the stored form of words: [text, left, top, right, bottom, confidence or None]."""
    return [
        [word.text, *word.box, None if word.confidence is None else round(word.confidence, 1)]
        for word in words
    ]


BETWEEN_CELLS = " | "


def text_of(blocks: Sequence[Block]) -> str:
    """Return the text of blocks, one per line; blocks without text are left out.

    A row of a table is a line with its cells separated by bars. A cell that spans several places is
    in the first and leaves the others empty, so every line has as many bars. Formulas are LaTeX
    between dollar signs.
    """
    return "\n".join(text for block in blocks if (text := block_text(block)))


def block_text(block: Block) -> str:
    """Return the text of one block; see `text_of`."""
    if block.kind is BlockKind.TABLE:
        return "\n".join(_lines(block))
    text = block.text.strip()
    return f"${text}$" if block.kind is BlockKind.FORMULA and text else text


def _lines(block: Block) -> list[str]:
    """Return the rows of a table as lines."""
    grid = [[""] * block.columns for _ in range(block.rows)]
    for cell in block.cells:
        grid[cell.row][cell.column] = " ".join(cell.text.split())
    return [BETWEEN_CELLS.join(row).rstrip() for row in grid]
