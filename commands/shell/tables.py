"""Tables as terminal lines, and reading and writing of text files."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from errors import UserError, Where
from normalization import text_width

if TYPE_CHECKING:
    from evaluation.tables import Cell, Table

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


def padded(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return rows as indented terminal lines, all columns left-aligned."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ([cell.ljust(w) for cell, w in zip(row, widths, strict=True)] for row in rows)
    return [f"  {'  '.join(cells)}".rstrip() for cells in lines]


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return rows as terminal lines, the first column left-aligned, others right-aligned."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            cell.rjust(width) if at else cell.ljust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def table_lines(table: Table) -> list[str]:
    """Return a table as terminal lines: title, head and rows, notes."""
    from evaluation.tables import Strong, text_of

    def said(cell: Cell) -> str:
        return f"* {cell.text}" if isinstance(cell, Strong) else text_of(cell)

    rows = [[said(cell) for cell in row] for row in table.rows]
    return [table.title, *aligned([table.head, *rows]), *table.notes]


def left_table_lines(table: Table) -> Iterator[str]:
    """Yield a table's title and rows, left-aligned, with wide characters counted as two."""
    if not table.head:
        yield table.title
        return
    rows = [table.head, *(tuple(map(str, row)) for row in table.rows)]
    widths = [max(map(text_width, column)) for column in zip(*rows, strict=True)]
    yield table.title
    for row in rows:
        cells = [cell + " " * (w - text_width(cell)) for cell, w in zip(row, widths, strict=True)]
        yield "  ".join(cells).rstrip()
