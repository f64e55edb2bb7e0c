"""A table before it is written in any format."""

from __future__ import annotations

import re
from dataclasses import dataclass

_NUMBER = re.compile(r"[-−+]?\d[\d.,]*(?:e[-+]?\d+)?(?:\s\[[^]]*\])?(?:\s\S)?")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")


@dataclass(frozen=True, slots=True)
class Strong:
    """A cell that stands out, such as the best of its column: bold where a format has bold."""

    text: str


Cell = str | int | float | Strong | None
"""None is what is not there: an empty cell, never a zero."""


@dataclass(frozen=True, slots=True)
class Table:
    """A head and rows of as many cells; a title above and notes below, where a format has them.

    Raises ValueError for a row of another length.
    """

    head: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    title: str = ""
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if any(len(row) != len(self.head) for row in self.rows):
            raise ValueError("every row has a cell for each column of the head")

    def numeric(self, column: int) -> bool:
        """Whether a column holds numbers, each maybe followed by its interval or a mark."""
        cells = [text_of(row[column]) for row in self.rows]
        said = [cell for cell in cells if cell not in ("", "–")]
        return bool(said) and all(_NUMBER.fullmatch(cell) for cell in said)


def text_of(cell: Cell) -> str:
    """Return what a cell says; a number with all its digits."""
    if isinstance(cell, Strong):
        return cell.text
    if isinstance(cell, float):
        return repr(cell)
    return "" if cell is None else str(cell)


def one_line(text: str) -> str:
    """Return the text with every run of white space and control characters as one space.

    LaTeX stops at a control character, and no reader shows one.
    """
    return " ".join(_CONTROL.sub(" ", text).split())
