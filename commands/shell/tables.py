"""Tables as lines of a terminal, and the files that commands read and write."""

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
    """Read a text file (UTF-8). Raises UserError of the code `error` where that cannot be."""
    try:
        return file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as problem:
        reason = type(problem).__name__
        raise UserError(error, Where(file=str(file)), reason=reason) from problem


def write_text(file: Path, text: str) -> None:
    """Write what somebody asked for to a file. Raises UserError where that cannot be."""
    try:
        file.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise UserError("report_unwritable", Where(file=str(file))) from error


def check_ending(
    output: Path | None, *endings: str, error: str = "report_ending", **params: object
) -> None:
    """Raise UserError for a file with none of these endings, before anything is computed."""
    if output is not None and output.suffix.lower() not in endings:
        raise UserError(error, Where(file=str(output)), **params)


def write_table(
    output: Path | None, value: Value, writers: Mapping[str, Callable[[Value], str]]
) -> None:
    """Write a value by the writer of the file's ending; nothing where no file is asked for."""
    if output is not None:
        write_text(output, writers[output.suffix.lower()](value))


def padded(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return rows as indented lines of a terminal, every column on the left."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ([cell.ljust(w) for cell, w in zip(row, widths, strict=True)] for row in rows)
    return [f"  {'  '.join(cells)}".rstrip() for cells in lines]


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return rows as lines of a terminal: names on the left and figures on the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            cell.rjust(width) if at else cell.ljust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def table_lines(table: Table) -> list[str]:
    """Return a table as lines of a terminal: title, head and rows, notes."""
    from evaluation.tables import Strong, text_of

    def said(cell: Cell) -> str:
        return f"* {cell.text}" if isinstance(cell, Strong) else text_of(cell)

    rows = [[said(cell) for cell in row] for row in table.rows]
    return [table.title, *aligned([table.head, *rows]), *table.notes]


def left_table_lines(table: Table) -> Iterator[str]:
    """Yield a table with every column on the left, in either script; notes are the caller's."""
    if not table.head:
        yield table.title
        return
    rows = [table.head, *(tuple(map(str, row)) for row in table.rows)]
    widths = [max(map(text_width, column)) for column in zip(*rows, strict=True)]
    yield table.title
    for row in rows:
        cells = [cell + " " * (w - text_width(cell)) for cell, w in zip(row, widths, strict=True)]
        yield "  ".join(cells).rstrip()
