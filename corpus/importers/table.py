"""Read a table, one row per unit: CSV, tab-separated text, JSON Lines or a JSON array.

The first line of a CSV names the columns. Which column holds what is said by the user's
:class:`~corpus.importers.column_mapping.ReadingRules`; without them the names of the columns
decide.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path

from corpus.files.rows import RowReader, read_rows
from corpus.files.textfile import printable, read_text
from corpus.importers.column_mapping import ReadingRules, suggested
from corpus.importers.statutes.reading_result import Notes, Progress, Reading
from corpus.importers.statutes.records import Record, assemble
from corpus.place import split_id
from errors import UserError, Where

CSV_BYTES = 128 * 1024 * 1024
"""Largest CSV accepted: its quoted fields may run over lines, so it is held whole."""

CELL_CHARACTERS = 4 * 1024 * 1024
COLUMNS = 1000
_CSV = {".csv", ".tsv", ".tab"}


def read_table(
    path: Path, rules: ReadingRules | None = None, progress: Progress | None = None
) -> Reading:
    """Return the statutes that the rows of the table make up.

    Raises UserError for a table without a column of text, for a column that is not there, and
    for a row without a statute when no title is set.
    """
    rows = list(table_rows(path))
    rules = _complete(rules or ReadingRules(), rows, printable(path.name))
    notes = Notes()
    reading = assemble((_record(row, rules) for row in rows), notes)
    if progress is not None:
        progress(len(rows), len(rows))
    return reading


def table_columns(path: Path) -> list[str]:
    """Return the names of the columns, in the order in which they first stand."""
    return _columns(list(table_rows(path)))


def table_rows(path: Path) -> Iterator[RowReader]:
    """Yield the rows of a table of any kind."""
    if path.suffix.lower() in _CSV:
        return _csv_rows(path, printable(path.name))
    return read_rows(path)


def _columns(rows: list[RowReader]) -> list[str]:
    return list(dict.fromkeys(name for row in rows for name in row.fields))


def _complete(rules: ReadingRules, rows: list[RowReader], name: str) -> ReadingRules:
    """Return the rules with columns suggested where the user set none, and check them."""
    present = _columns(rows)
    columns = dict(rules.columns) or suggested(present)
    known = ", ".join(present[:20])
    for each, column in columns.items():
        if column not in present:
            raise UserError("column_missing", Where(name, field=column), what=each, known=known)
    if "text" not in columns:
        raise UserError("column_unmapped", Where(name), what="text", known=known)
    if "statute" not in columns and not (rules.title or "id" in columns):
        raise UserError("column_unmapped", Where(name), what="statute", known=known)
    return ReadingRules(columns, rules.title, rules.kind, rules.pattern)


def _record(row: RowReader, rules: ReadingRules) -> Record:
    def cell(field: str) -> str:
        column = rules.columns.get(field)
        return row.line_text(column) if column else ""

    given = cell("id")
    statute_id, place = split_id(given)
    ours = bool(statute_id and place) and " " not in given
    title = cell("statute") or rules.title
    if not (title or ours):
        raise UserError("field_missing", row.at(rules.columns.get("statute", "statute")))
    day = rules.columns.get("effective")
    return Record(
        where=row.at(),
        statute=title,
        text=row.text(rules.columns["text"]),
        statute_id=statute_id if ours else "",
        unit_id=given if ours else "",
        place=cell("place") or ("" if ours else given),
        level=cell("level"),
        heading=cell("heading"),
        standing=cell("kind") or rules.kind,
        path=tuple(part.strip() for part in cell("path").split(" > ") if part.strip()),
        effective=row.day(day) if day else None,
    )


def _csv_rows(path: Path, name: str) -> Iterator[RowReader]:
    text = read_text(path, name, CSV_BYTES)
    csv.field_size_limit(CELL_CHARACTERS)
    lines = io.StringIO(text, newline="")
    reader = csv.reader(lines, delimiter=_delimiter(text, path), strict=True)
    names: list[str] = []
    line = 1
    try:
        for cells in reader:
            if not names:
                names = _header(cells, name, line)
            elif any(cell.strip() for cell in cells):
                yield _row(cells, names, name, line)
            line = reader.line_num + 1
    except csv.Error as problem:
        raise UserError("csv_broken", Where(name, line), reason=str(problem)) from problem


def _delimiter(text: str, path: Path) -> str:
    if path.suffix.lower() != ".csv":
        return "\t"
    header = text.partition("\n")[0]
    return max((",", ";", "\t"), key=header.count)


def _header(cells: list[str], name: str, line: int) -> list[str]:
    names = [cell.strip() for cell in cells]
    if len(names) > COLUMNS:
        raise UserError("csv_columns", Where(name, line), limit=COLUMNS)
    repeated = sorted({each for each in names if names.count(each) > 1})
    if repeated or not any(names):
        raise UserError("csv_header", Where(name, line, repeated[0] if repeated else None))
    return names


def _row(cells: list[str], names: list[str], name: str, line: int) -> RowReader:
    if len(cells) != len(names):
        raise UserError("csv_row", Where(name, line), cells=len(cells), columns=len(names))
    filled = {key: cell for key, cell in zip(names, cells, strict=True) if key}
    return RowReader(name, line, filled)
