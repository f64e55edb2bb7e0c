"""What a page holds, in reading order: paragraphs, headings, formulas, and tables with spans.

Boxes are [left, top, right, bottom] in pixels of the upright image. `doubt` lists stretches of the
text, [start, end) in characters, that the engine was unsure of.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

Box = tuple[int, int, int, int]
Stretch = tuple[int, int]


class BlockKind(StrEnum):
    """What a block is."""

    PARAGRAPH = "paragraph"
    HEADING = "heading"
    FORMULA = "formula"
    TABLE = "table"


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a table: its first row and column from 0, how many it spans, and its text."""

    row: int
    column: int
    row_span: int = 1
    column_span: int = 1
    text: str = ""
    doubt: tuple[Stretch, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """Return the cell as it is kept."""
        return {
            "row": self.row,
            "column": self.column,
            "row_span": self.row_span,
            "column_span": self.column_span,
            "text": self.text,
            "doubt": [list(each) for each in self.doubt],
        }


@dataclass(frozen=True, slots=True)
class Block:
    """One piece of a page. `text` is LaTeX in a formula and empty in a table, which has `cells`."""

    kind: BlockKind
    text: str = ""
    rows: int = 0
    columns: int = 0
    cells: tuple[Cell, ...] = ()
    box: Box | None = None
    doubt: tuple[Stretch, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """Return the block as it is kept and as screens work on it."""
        box = None if self.box is None else list(self.box)
        if self.kind is BlockKind.TABLE:
            size = {"rows": self.rows, "columns": self.columns}
            return {"kind": "table", **size, "cells": [c.as_json() for c in self.cells], "box": box}
        doubt = [list(each) for each in self.doubt]
        said = {"latex" if self.kind is BlockKind.FORMULA else "text": self.text}
        return {"kind": str(self.kind), **said, "box": box, "doubt": doubt}


def as_json(blocks: Sequence[Block]) -> list[dict[str, Any]]:
    """Return blocks as they are kept."""
    return [block.as_json() for block in blocks]


def of_json(kept: Sequence[Mapping[str, Any]]) -> tuple[Block, ...]:
    """Return the blocks of what was kept: written by `as_json`, or checked when a person said it.

    Keys that are not needed here are passed over. Raises KeyError for what was never checked.
    """
    return tuple(_block(each) for each in kept)


def _block(kept: Mapping[str, Any]) -> Block:
    kind, box = BlockKind(kept["kind"]), kept.get("box")
    at = None if box is None else (round(box[0]), round(box[1]), round(box[2]), round(box[3]))
    if kind is BlockKind.TABLE:
        cells = tuple(_cell(each) for each in kept["cells"])
        return Block(kind, rows=kept["rows"], columns=kept["columns"], cells=cells, box=at)
    text = kept["latex" if kind is BlockKind.FORMULA else "text"]
    return Block(kind, text, box=at, doubt=_stretches(kept))


def _cell(kept: Mapping[str, Any]) -> Cell:
    spans = kept["row_span"], kept["column_span"]
    return Cell(kept["row"], kept["column"], *spans, kept["text"], _stretches(kept))


def _stretches(kept: Mapping[str, Any]) -> tuple[Stretch, ...]:
    return tuple((start, end) for start, end in kept.get("doubt") or ())
