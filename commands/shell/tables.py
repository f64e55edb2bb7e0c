"""Tables as terminal lines, and reading and writing of text files."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from errors import UserError, Where
from normalization import text_width

if TYPE_CHECKING:
    from evaluation.tables import Table

Value = TypeVar("Value")


def read_text(file: Path, error: str = "guideline_file") -> str:
    """Read a UTF-8 text file. Raises UserError with code `error` if it is unreadable."""
    try:
        return file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as problem:
        reason = type(problem).__name__
        raise UserError(error, Where(file=str(file)), reason=reason) from problem


def write_text(file: Path, text: str) -> None:
    """Write a text file. Raises UserError if that fails."""
    try:
        file.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise UserError("report_unwritable", Where(file=str(file))) from error


def check_ending(
    output: Path | None, *endings: str, error: str = "report_ending", **params: object
) -> None:
    """Raise UserError for a file name with none of these extensions, before any computation."""
    if output is not None and output.suffix.lower() not in endings:
        raise UserError(error, Where(file=str(output)), **params)


def write_table(
    output: Path | None, value: Value, writers: Mapping[str, Callable[[Value], str]]
) -> None:
    """Write a value with the writer for the file's extension; do nothing without a file."""
    if output is not None:
        write_text(output, writers[output.suffix.lower()](value))


def columns(rows: Sequence[Sequence[str]], left: bool = False) -> list[str]:
    """Return rows as terminal lines; columns behind the first are right-aligned, unless `left`.

    Wide characters such as Hangul take two columns.
    """
    widths = [max(map(text_width, column)) for column in zip(*rows, strict=True)]

    def line(row: Sequence[str]) -> str:
        gaps = [" " * (width - text_width(cell)) for cell, width in zip(row, widths, strict=True)]
        cells = (
            f"{gap}{cell}" if at and not left else f"{cell}{gap}"
            for at, (cell, gap) in enumerate(zip(row, gaps, strict=True))
        )
        return "  ".join(cells).rstrip()

    return list(map(line, rows))


def table_lines(table: Table, left: bool = False) -> list[str]:
    """Return a table as terminal lines: title, head and rows; the best of a column has a star."""
    from evaluation.tables import Strong, text_of

    if not table.head:
        return [table.title]
    rows = [
        [f"* {cell.text}" if isinstance(cell, Strong) else text_of(cell) for cell in row]
        for row in table.rows
    ]
    return [table.title, *columns([table.head, *rows], left)]
