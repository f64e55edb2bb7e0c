"""Reader of tables with one row per unit: CSV, tab-separated text, JSON Lines or a JSON array.

The first line of a CSV names the columns. The user's :class:`~corpus.importers.table.ReadingRules`
map columns to fields; without them the names of the columns decide. The settings for a source are
made once and saved as a small JSON file: the mapping of columns to a unit's fields, values for
every unit without a column, and a pattern of headings in plain text.
"""

from __future__ import annotations

import codecs
import csv
import io
import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import Any

from corpus.files.rows import (
    LINE_BYTES,
    RowReader,
    as_text,
    check_file,
    every_line,
    parse_object,
    printable,
    read_bytes,
    read_rows,
    read_text,
    unreadable,
)
from corpus.importers.statutes.records import Notes, Reading, Record, assemble
from corpus.long_work import Progress
from corpus.model import split_id
from errors import UserError, Where

_MAPPING_BYTES = 64 * 1024
_SYNONYMS = {
    "statute": "statute, law, law_name, document, act, 법령, 법령명, 문서",
    "place": "place, article, article_no, section, number, 조, 조문번호, 조문, 번호",
    "heading": "heading, title, article_title, caption, 제목, 조문제목",
    "text": "text, content, body, 내용, 조문내용, 본문",
    "id": "semantic_id, unit_id, id, _id",
    "level": "level, 단위",
    "kind": "kind, tier, type, law_level, 법령구분, 종류",
    "path": "path, chapter, 장",
    "effective": "effective, effective_date, date, 시행일, 시행일자",
    "jurisdiction": "jurisdiction, 관할",
}
FIELDS = tuple(_SYNONYMS)
"""The possible fields of a column. Only `text` is required; `statute` may be a fixed title."""


@dataclass(frozen=True, slots=True)
class ReadingRules:
    """A user's settings for reading a source.

    `columns` maps a field of :data:`FIELDS` to the name of a column. `title` and `kind` apply to
    every unit without one. `pattern` is an example heading of plain text:
    ``제{number}조({heading})``.
    """

    columns: Mapping[str, str] = field(default_factory=dict)
    title: str = ""
    kind: str = ""
    pattern: str = ""

    def as_json(self) -> str:
        """Return the rules as the text of a mapping file."""
        content = asdict(self) | {"columns": dict(sorted(self.columns.items()))}
        return json.dumps(content, ensure_ascii=False, indent=2) + "\n"


def read_rules(path: Path) -> ReadingRules:
    """Read the rules of a mapping file. Raises UserError naming the invalid field."""
    name = printable(path.name)
    values = parse_object(read_text(path, name, _MAPPING_BYTES), name, 1)
    texts = ("title", "kind", "pattern")
    return ReadingRules(**mapping_of(values, name, texts, FIELDS, "mapping_columns"))


def mapping_of(
    values: Mapping[str, Any], file: str, texts: Collection[str], fields: Collection[str], code: str
) -> dict[str, Any]:
    """Return the values of a mapping file: its columns by `fields`, and `texts`.

    Raises UserError naming the key: of that code for a column of no field.
    """
    keys = ("columns", *texts)
    for key, value in values.items():
        if key not in keys:
            raise UserError("mapping_key", Where(file or None, field=key), known=", ".join(keys))
        if key != "columns" and not isinstance(value, str):
            raise UserError("field_not_text", Where(file or None, field=key))
    columns = values.get("columns", {})
    if not isinstance(columns, dict):
        raise UserError(code, Where(file or None, field="columns"), known=", ".join(fields))
    for key, value in columns.items():
        if key not in fields or not isinstance(value, str):
            raise UserError(code, Where(file or None, field=key), known=", ".join(fields))
    return dict(values)


def suggested(columns: Sequence[str], synonyms: Mapping[str, str] = _SYNONYMS) -> dict[str, str]:
    """Guess the mapping by the names of columns, field → column.

    `synonyms` are the names of each field in small letters, the most usual first; blanks in a
    column's name count as low lines too.
    """
    plain = {"_".join(name.lower().split()): name for name in reversed(columns)}
    by_name = plain | {name.strip().lower(): name for name in reversed(columns)}
    words = {
        each: [word for word in named.split(", ") if word in by_name]
        for each, named in synonyms.items()
    }
    return {each: by_name[known[0]] for each, known in words.items() if known}


UTF16_BYTES = 128 * 1024 * 1024
"""The largest CSV in UTF-16 accepted: it is held whole, while UTF-8 is read line by line."""

CELL_CHARACTERS = 4 * 1024 * 1024
COLUMNS = 1000
_CSV = {".csv", ".tsv", ".tab"}
_SEPARATOR = re.compile(r"\"?sep=(\\t|[^\n\"])\"?[,;\t ]*\n", re.IGNORECASE)  # Excel's first line


def read_table(
    path: Path, rules: ReadingRules | None = None, progress: Progress | None = None
) -> Reading:
    """Read the statutes in the rows of the table.

    Raises UserError for a table without a text column, for a missing column, and for a row without
    a statute if no title is set.
    """
    rules = _complete(rules or ReadingRules(), table_columns(path), printable(path.name))
    return assemble((_record(row, rules) for row in table_rows(path)), Notes(), progress)


def read_rows_of(
    path: Path, rows: Sequence[Mapping[str, object]], rules: ReadingRules, progress: Progress | None
) -> Reading:
    """Read statutes from the rows that a package's importer made of a file."""
    name = printable(path.name)
    columns = list(dict.fromkeys(str(key) for row in rows for key in row))
    complete = _complete(rules, columns, name)
    read = (RowReader(name, number, dict(row)) for number, row in enumerate(rows, 1))
    return assemble((_record(row, complete) for row in read), Notes(), progress)


def table_columns(path: Path) -> list[str]:
    """Return the names of the columns, in order of first appearance."""
    return list(dict.fromkeys(name for row in table_rows(path) for name in row.fields))


def table_rows(path: Path) -> Iterator[RowReader]:
    """Yield the rows of a table of any kind."""
    if path.suffix.lower() in _CSV:
        return _csv_rows(path, printable(path.name))
    return read_rows(path)


def _complete(rules: ReadingRules, present: list[str], name: str) -> ReadingRules:
    """Fill in suggested columns if the user set none; UserError for missing ones."""
    columns = dict(rules.columns) or suggested(present)
    known = ", ".join(present[:20])
    for each, column in columns.items():
        if column not in present:
            raise UserError("column_missing", Where(name, field=column), what=each, known=known)
    if "text" not in columns:
        raise UserError("column_unmapped", Where(name), what="text", known=known)
    if "statute" not in columns and not (rules.title or "id" in columns):
        raise UserError("column_unmapped", Where(name), what="statute", known=known)
    return replace(rules, columns=columns)


def _record(row: RowReader, rules: ReadingRules) -> Record:
    """Return a row as a record, by the mapped columns."""

    def cell(field: str) -> str:
        """Return the cell of a mapped field, "" if unmapped."""
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
        jurisdiction=cell("jurisdiction"),
    )


def _csv_rows(path: Path, name: str) -> Iterator[RowReader]:
    csv.field_size_limit(CELL_CHARACTERS)
    lines = _csv_lines(path, name)
    first = next(lines, "")
    stated = _SEPARATOR.match(first)
    above = 0 if stated is None else 1  # lines before the header
    separator = stated[1].replace("\\t", "\t") if stated else _delimiter(first, path)
    reader = csv.reader(
        lines if stated else chain([first], lines), delimiter=separator, strict=True
    )
    names: list[str] = []
    line = 1 + above
    try:
        for cells in reader:
            if not names:
                names = _header(cells, name, line)
            elif any(cell.strip() for cell in cells):
                yield _row(cells, names, name, line)
            line = reader.line_num + above + 1
    except csv.Error as problem:
        raise UserError("csv_broken", Where(name, line), reason=str(problem)) from problem


def _csv_lines(path: Path, name: str) -> Iterator[str]:
    """Yield the lines of a CSV file; Excel's "Unicode text" is UTF-16 with a byte order mark.

    Raises UserError for a file without any text.
    """
    check_file(path, name, None)
    whole = _utf16(path, name)
    written = every_line(path, name, LINE_BYTES) if whole is None else iter([whole])
    empty = True
    for each in written:
        for line in io.StringIO(each.replace("\r\n", "\n").replace("\r", "\n"), newline=""):
            empty = empty and not line.strip()
            yield line
    if empty:
        raise UserError("file_empty", Where(name))


def _utf16(path: Path, name: str) -> str | None:
    """Return the text of a file in UTF-16, None for any other."""
    try:
        with path.open("rb") as file:
            head = file.read(2)
    except OSError as problem:
        raise unreadable(name, problem) from problem
    if head not in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
        return None
    with suppress(UnicodeDecodeError):  # then it is refused like other text that is not UTF-8
        return as_text(read_bytes(path, name, UTF16_BYTES).decode("utf-16").encode(), name)
    return None


def _delimiter(text: str, path: Path) -> str:
    """Return the delimiter of a table: for .csv the most frequent in the header, else a tab."""
    if path.suffix.lower() != ".csv":
        return "\t"
    header = text.partition("\n")[0]
    return max((",", ";", "\t"), key=header.count)


def _header(cells: list[str], name: str, line: int) -> list[str]:
    """Return the names of columns. Raises UserError for repeated or too many."""
    names = [cell.strip() for cell in cells]
    if len(names) > COLUMNS:
        raise UserError("csv_columns", Where(name, line), limit=COLUMNS)
    repeated = sorted({each for each in names if names.count(each) > 1})
    if repeated or not any(names):
        raise UserError("csv_header", Where(name, line, repeated[0] if repeated else None))
    return names


def _row(cells: list[str], names: list[str], name: str, line: int) -> RowReader:
    """Return cells as a row. Raises UserError for another number than in the head."""
    if len(cells) != len(names):
        raise UserError("csv_row", Where(name, line), cells=len(cells), columns=len(names))
    filled = {key: cell for key, cell in zip(names, cells, strict=True) if key}
    return RowReader(name, line, filled)
