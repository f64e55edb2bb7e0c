"""Reader of judgments from JSON Lines, a JSON array or a CSV, by columns and patterns."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain, islice
from pathlib import Path
from typing import Any

from corpus.cases.fields import (
    ENTRY_CHARACTERS,
    LISTED,
    Finder,
    iso_date,
)
from corpus.cases.model import SECTIONS, TEXT, CaseRules, Judgment, JudgmentPart, Section, complete
from corpus.cases.patterns import NO_PATTERNS, Patterns, patterns_with
from corpus.cases.safe_pattern import Budget, FileBudget
from corpus.files.rows import RowReader, is_storable, printable
from corpus.importers.table import table_rows
from corpus.limits import COURT_FIELD, JUDGMENT, length
from corpus.model import judgment_language
from errors import UserError, Where

COLUMNS_FROM_ROWS = 1_000
ENDINGS = (".jsonl", ".json", ".csv", ".tsv", ".tab", ".ndjson")
_LANGUAGE = re.compile(r"[a-z]{2,3}")
_BETWEEN = "\n\n"


@dataclass(frozen=True, slots=True)
class Read:
    """A judgment with its place in the file and the origin of each field.

    `found` maps each present field to ``column`` or ``pattern``; `empty` names the mapped section
    columns that were blank.
    """

    judgment: Judgment
    where: Where
    found: Mapping[str, str]
    empty: tuple[str, ...]


def judgment_columns(path: Path) -> list[str]:
    """Return the columns of the first 1,000 rows of the file, in order of first appearance."""
    return _columns(list(islice(table_rows(path), COLUMNS_FROM_ROWS)))


def read_judgments(path: Path, rules: CaseRules | None = None) -> Iterator[Read]:
    """Yield the judgments of a file, in order.

    Title, court, date, charges and provisions without a column value are searched for in the text.
    Raises UserError naming file, line and field for a broken row, a judgment without text, a
    repeated id, an invalid value, and a pattern that takes too long.
    """
    rows = table_rows(path)
    first = list(islice(rows, COLUMNS_FROM_ROWS))
    name = printable(path.name)
    whole = complete(rules or CaseRules(), _columns(first), name)
    reader = _Reader(whole, patterns_with(whole.patterns))
    lines: dict[str, int] = {}
    for row in chain(first, rows):
        read = reader.read(row)
        identity = read.judgment.external_id
        if identity in lines:
            at = row.at(whole.columns["id"])
            raise UserError("court_case_repeated", at, id=identity, first=lines[identity])
        lines[identity] = row.line
        yield read


def _columns(rows: list[RowReader]) -> list[str]:
    """Return the columns of rows in order."""
    return list(dict.fromkeys(name for row in rows for name in row.fields))


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads rows by one set of rules."""

    rules: CaseRules
    patterns: Mapping[str, Patterns]
    budget: FileBudget = field(default_factory=FileBudget)

    def read(self, row: RowReader) -> Read:
        """Read a row as a court case, within a budget of time."""
        column = self.rules.columns["id"]
        row.required(column)
        identity = row.code(column)
        with self.budget.for_text(identity, row.at()) as budget:
            return self._read(row, identity, budget)

    def _read(self, row: RowReader, identity: str, budget: Budget) -> Read:
        """Read a row as a court case: its text, sections and fields."""
        given = self._text(row)
        language = self._language(row, given[0])
        finder = Finder(self.patterns.get(language, NO_PATTERNS), budget)
        text, parts = given[0], given[1] or finder.parts(given[0])
        said, found = self._fields(row, text, parts, finder)
        judgment = Judgment(
            external_id=identity,
            court=said["court"][0],
            date=said["date"][0],
            title=said["title"][0],
            charges=tuple(said["charges"]),
            provisions=tuple(said["provisions"]),
            language=language,
            text=text,
            parts=parts,
            source={"file": row.file, "line": row.line, "number": said["number"][0]}
            | {"found": found},
        )
        return Read(judgment, row.at(), found, self._empty(row))

    def _text(self, row: RowReader) -> tuple[str, tuple[JudgmentPart, ...]]:
        """Return the full text, or text and parts from section columns; UserError if blank."""
        if TEXT in self.rules.columns:
            column = self.rules.columns[TEXT]
            given: tuple[str, tuple[JudgmentPart, ...]] = _long(row, column), ()
        else:
            column = next(self.rules.columns[n] for n in SECTIONS if n in self.rules.columns)
            given = self._text_and_parts(row)
        text = given[0]
        if not text.strip():
            raise UserError("court_case_no_text", row.at(column))
        if (found := length(text)) > JUDGMENT:
            count, limit = f"{found:,}", f"{JUDGMENT:,}"
            raise UserError("court_case_text_long", row.at(column), count=count, limit=limit)
        return given

    def _text_and_parts(self, row: RowReader) -> tuple[str, tuple[JudgmentPart, ...]]:
        """Join the columns of sections that are not blank to one text and its parts."""
        pieces: list[str] = []
        parts: list[JudgmentPart] = []
        at = 0
        for name in Section:
            body = _long(row, self.rules.columns[name]) if name in self.rules.columns else ""
            if not body.strip():
                continue
            if pieces:  # separators belong to the part before them
                pieces.append(_BETWEEN)
                at += len(_BETWEEN)
                parts[-1] = JudgmentPart(parts[-1].section, parts[-1].start, at)
            pieces.append(body)
            parts.append(JudgmentPart(name, at, at + len(body)))
            at += len(body)
        return "".join(pieces), tuple(parts)

    def _empty(self, row: RowReader) -> tuple[str, ...]:
        """Return the names of the mapped sections that are blank in the row."""
        mapped = [name for name in SECTIONS if name in self.rules.columns]
        return tuple(n for n in mapped if not _long(row, self.rules.columns[n]).strip())

    def _language(self, row: RowReader, text: str) -> str:
        """Return the language: stated, else guessed. Raises UserError for an invalid one."""
        column = self.rules.columns.get("language")
        said = (row.text(column) if column else "") or self.rules.language
        language = said.strip().lower().replace("_", "-").partition("-")[0]
        if said and not _LANGUAGE.fullmatch(language):
            at = row.at(column) if column else Where(field="language")
            raise UserError("court_case_language", at, language=said[:40])
        return language or judgment_language(text)

    def _fields(
        self, row: RowReader, text: str, parts: tuple[JudgmentPart, ...], finder: Finder
    ) -> tuple[dict[str, tuple[str, ...]], dict[str, str]]:
        """Return each field's value, and whether its column or a pattern in the text gave it."""
        said: dict[str, tuple[str, ...]] = {}
        found: dict[str, str] = {}
        for name in ("number", "court", "date", "title", "charges", "provisions"):
            column = self.rules.columns.get(name)
            value = _column_values(row, name, column, finder) if column else ()
            how = "column"
            if not value:
                value, how = finder.find(name, text, parts), "pattern"
            if value:
                found[name] = how
            listed = name in ("charges", "provisions")
            said[name] = value if value or listed else ("",)
        return said, found


def _column_values(row: RowReader, name: str, column: str, finder: Finder) -> tuple[str, ...]:
    """Return a column's value of a field; () if blank."""
    if name in ("charges", "provisions"):
        return _list(row, name, column, finder)
    text = row.line_text(column)
    if length(text) > COURT_FIELD:
        raise UserError("court_case_field_long", row.at(column), limit=COURT_FIELD)
    if name == "date" and text:
        day = iso_date(text)
        if not day:
            raise UserError("field_not_date", row.at(column), value=text[:40])
        return (day,)
    return (text,) if text else ()


def _list(row: RowReader, name: str, column: str, finder: Finder) -> tuple[str, ...]:
    """Return a list as written, or a text split at ; | and lines, then by the language."""
    if isinstance(row.fields.get(column), list):
        listed = tuple(" ".join(each.split()) for each in row.texts(column) if each.strip())
    else:
        text = row.text(column)
        cut = finder.charges if name == "charges" else finder.provisions
        pieces = tuple(each.strip() for each in re.split(r"[;；|\n]", text) if each.strip())
        found = (one for piece in pieces for one in cut(piece) or (piece,))
        listed = tuple(dict.fromkeys(found))
    if len(listed) > LISTED or any(len(each) > ENTRY_CHARACTERS for each in listed):
        raise UserError("court_case_list_long", row.at(column), many=LISTED, limit=ENTRY_CHARACTERS)
    return listed


def _long(row: RowReader, column: str) -> str:
    """Return a text stripped and with normalized line ends, "" if it is null."""
    value: Any = row.fields.get(column)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise UserError("field_not_text", row.at(column))
    if not is_storable(value):
        raise UserError("text_unstorable", row.at(column))
    return value.replace("\r\n", "\n").replace("\r", "\n").strip()


FOUND_FIELDS = ("number", "court", "date", "title", "charges", "provisions")


@dataclass(frozen=True, slots=True)
class FieldCount:
    """The number of judgments with a field: from its column, or found in the text by a pattern."""

    name: str
    column: int
    pattern: int


@dataclass(frozen=True, slots=True)
class SectionCount:
    """Per section: judgments that have it, its characters in all, and blank column values."""

    name: str
    judgments: int
    characters: int
    empty: int


@dataclass(frozen=True, slots=True)
class Survey:
    """The counts over `judgments`; `uncut` of them are a single part without a section."""

    judgments: int
    characters: int
    longest: int
    languages: dict[str, int]
    fields: tuple[FieldCount, ...]
    sections: tuple[SectionCount, ...]
    uncut: int


def survey(reads: Iterable[Read]) -> Survey:
    """Count fields and sections of the judgments read."""
    count, longest, uncut = 0, 0, 0
    languages: Counter[str] = Counter()
    how: Counter[tuple[str, str]] = Counter()
    held: Counter[Section] = Counter()
    size: Counter[Section] = Counter()
    empty: Counter[str] = Counter()
    for read in reads:
        each = read.judgment
        count, longest = count + 1, max(longest, len(each.text))
        languages[each.language] += 1
        how.update(read.found.items())
        held.update({part.section for part in each.parts})
        for part in each.parts:
            size[part.section] += part.end - part.start
        empty.update(read.empty)
        uncut += [part.section for part in each.parts] == [Section.REST]
    return Survey(
        count,
        size.total(),
        longest,
        dict(sorted(languages.items())),
        tuple(FieldCount(n, how[n, "column"], how[n, "pattern"]) for n in FOUND_FIELDS),
        tuple(SectionCount(str(s), held[s], size[s], empty[s]) for s in Section),
        uncut,
    )
