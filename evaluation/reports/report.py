"""A report: sections, each a typed table with the chart that shows it, and the files made of it.

A feature writes one function that returns a `Report`; screen, terminal and files are made from that
value, so that picture, table and file cannot differ. Texts are those of the reader's language;
names of sections and columns are the same in every language, for JSON and CSV.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import compress
from types import MappingProxyType
from typing import Any

from errors import UserError
from evaluation.reports.values import (
    Kind,
    Marked,
    Value,
    Word,
    csv_values,
    finite,
    is_label,
    json_value,
    measured,
    plain,
    shown,
)
from evaluation.tables import Cell as TextCell
from evaluation.tables import Strong, Table, csv_text, table_lines, written
from messages import catalogue, say

__all__ = [
    "ENDINGS",
    "PICTURES",
    "Chart",
    "Kind",
    "Marked",
    "Report",
    "Section",
    "Shape",
    "Sheet",
    "Value",
    "Word",
    "Words",
    "check_ending",
    "measured",
    "plain",
    "row_label",
    "shown",
]


@dataclass(frozen=True, slots=True)
class Sheet:
    """A typed table: rows of values under columns.

    `names` are those of files, `heads` those that readers see; with `kinds` they are as long as
    every row. Numbers that are none (NaN, infinity) are missing.
    """

    names: tuple[str, ...]
    heads: tuple[str, ...]
    kinds: tuple[Kind, ...]
    rows: tuple[tuple[Value, ...], ...]

    def __post_init__(self) -> None:
        """Replace NaN and infinity in the rows by missing values."""
        object.__setattr__(self, "rows", tuple(tuple(map(finite, row)) for row in self.rows))

    @classmethod
    def of(
        cls,
        rows: Iterable[Mapping[str, Any]],
        words: Words,
        kinds: Mapping[str, Kind] = MappingProxyType({}),
        heads: Mapping[str, str] = MappingProxyType({}),
    ) -> Sheet:
        """Return the table of rows by column name; headings not given are looked up in `words`.

        Columns are in the order in which the rows name them; a value that a row lacks is missing.
        """
        rows = list(rows)
        names = tuple(dict.fromkeys(name for row in rows for name in row))
        return cls(
            names,
            tuple(heads.get(name) or words.head(name) for name in names),
            tuple(kinds.get(name) or _USUAL_KINDS.get(name, Kind.TEXT) for name in names),
            tuple(tuple(row.get(name) for name in names) for row in rows),
        )

    def at(self, name: str) -> int:
        """Return the position of a column. Raises ValueError for an unknown name."""
        return self.names.index(name)

    def head(self, name: str) -> str:
        """Return the heading of a column."""
        return self.heads[self.at(name)]

    def readable(self) -> Sheet:
        """Return the table without the columns that have a value in no row."""
        known = [any(row[at] is not None for row in self.rows) for at in range(len(self.names))]
        return Sheet(
            tuple(compress(self.names, known)),
            tuple(compress(self.heads, known)),
            tuple(compress(self.kinds, known)),
            tuple(tuple(compress(row, known)) for row in self.rows),
        )


class Shape(StrEnum):
    """How a chart shows its rows."""

    FOREST = "forest"  # a point with its interval in each row
    BARS = "bars"  # upright bars with intervals, by group and series
    STACK = "stack"  # counts of one row behind one another
    HEAT = "heat"  # counts or figures of two labels as a coloured grid
    FUNNEL = "funnel"  # counts of stages below one another
    LINE = "line"  # a figure over a number, with the band of its intervals
    SCATTER = "scatter"  # two figures of each row against one another
    HISTOGRAM = "histogram"  # counts by bin, a panel for each series


@dataclass(frozen=True, slots=True)
class Chart:
    """A picture of a table, by names of its columns.

    `labels` name the rows (of a heat map: across, then down; of a line: its number), `values` are
    what is drawn, several in one chart; `series` is the column that has a colour of its own.
    `legend` is the title of the axis or colours, by default the head of the first value. `only`
    names a column and its value in files: other rows are not drawn; with `first`, only so many
    rows are. `fit` names the column of a line's fitted value, drawn through points instead of the
    line through them; `zero` draws a forest's line at 0, as differences need it; `rest` names the
    value that a stack's row still lacks: it is grey, and all rows are equally long; `mark` then
    names the share of a row at which a line is drawn across it. Figures of fewer observations than
    `least` are pale.
    """

    shape: Shape
    labels: tuple[str, ...]
    values: tuple[str, ...]
    series: str = ""
    legend: str = ""
    rest: str = ""
    mark: str = ""
    only: tuple[str, str] | None = None
    first: int | None = None
    fit: str = ""
    zero: bool = False
    least: int = 10

    def draws(self, sheet: Sheet, row: Sequence[Value]) -> bool:
        """Return whether `only`, if set, lets this row be drawn."""
        return self.only is None or json_value(row[sheet.at(self.only[0])]) == self.only[1]

    def has_mark(self, value: Value) -> bool:
        """Return True for a value with a mark: a number, in a stack a part that can be seen."""
        number = measured(value)
        return number is not None and (number > 0 or self.shape is not Shape.STACK)


@dataclass(frozen=True, slots=True)
class Section:
    """A question that the report answers: a sentence, a picture, the table of both, footnotes.

    `opens` names the column whose value a reader follows to what a row is made of. `picture` is a
    Vega-Lite specification where no chart of the table can show it.
    """

    name: str
    title: str
    sheet: Sheet
    lead: str = ""
    chart: Chart | None = None
    notes: tuple[str, ...] = ()
    opens: str = ""
    picture: Mapping[str, Any] | None = None

    @property
    def drawn(self) -> bool:
        """Whether the section has a picture: a value at least that its chart draws."""
        if self.picture is not None:
            return True
        return any(True for _ in self.drawn_rows())

    def drawn_rows(self) -> Iterator[int]:
        """Yield the numbers of the rows in which the chart has a value to draw."""
        chart, sheet = self.chart, self.sheet
        if chart is None or not sheet.rows:
            return
        places = [sheet.at(name) for name in chart.values]
        wanted = all if chart.shape is Shape.SCATTER else any  # a point has every value
        for number, row in enumerate(sheet.rows[: chart.first]):
            if chart.draws(sheet, row) and wanted(chart.has_mark(row[at]) for at in places):
                yield number

    def table(self) -> Table:
        """Return the table as text cells, as terminal, Markdown and LaTeX show it."""
        sheet = self.sheet.readable()
        if not sheet.rows:
            return Table((), (), self.title, tuple(filter(None, (self.lead, *self.notes))))
        rows = (tuple(map(_shown_cell, row, sheet.kinds)) for row in sheet.rows)
        return Table(sheet.heads, tuple(rows), self.title, self.notes)


@dataclass(frozen=True, slots=True)
class Report:
    """A report in one language: title, one sentence that answers its question, sections, notes.

    Readers are shown the sections that have rows or a sentence; JSON has all, and the `facts`:
    values that belong to no table.
    """

    name: str
    title: str
    sections: tuple[Section, ...]
    lead: str = ""
    notes: tuple[str, ...] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)

    @property
    def filled(self) -> tuple[Section, ...]:
        """The sections that have rows or a sentence, which readers are shown."""
        return tuple(each for each in self.sections if each.sheet.rows or each.lead)

    @property
    def drawn(self) -> tuple[Section, ...]:
        """The sections with a picture."""
        return tuple(each for each in self.filled if each.drawn)

    def as_json(self) -> dict[str, Any]:
        """Return the report as JSON values, rows as objects by column name."""
        return {
            "report": self.name,
            **self.facts,
            "lead": self.lead,
            "notes": list(self.notes),
            **{
                each.name: [
                    dict(zip(each.sheet.names, map(json_value, row), strict=True))
                    for row in each.sheet.rows
                ]
                for each in self.sections
            },
        }

    def written(self, format_name: str) -> str:
        """Write the report as csv (one figure a line), json, markdown or latex.

        Raises UserError for another format.
        """
        if format_name == "csv":
            return csv_text([_CSV_HEAD, *self._csv_rows()])
        if format_name == "json":
            return json.dumps(self.as_json(), ensure_ascii=False, indent=2) + "\n"
        lead = [Table((), (), self.lead, self.notes)] if self.lead or self.notes else []
        return "\n".join(written(t, format_name) for t in [*lead, *self.tables()])

    def tables(self) -> tuple[Table, ...]:
        """Return the tables of the filled sections."""
        return tuple(each.table() for each in self.filled)

    def lines(self) -> Iterator[str]:
        """Yield the report as a terminal shows it: its sentence, then each section's table."""
        yield self.lead or self.title
        yield from self.notes
        for section in self.filled:
            yield ""
            title, *rows = table_lines(section.table(), left=True)
            yield from filter(None, (title, section.lead, *rows, *section.notes))

    def _csv_rows(self) -> Iterator[tuple[TextCell, ...]]:
        for section in self.filled:
            sheet = section.sheet
            for row in sheet.rows:
                label = row_label(sheet, row)
                cells = list(zip(sheet.names, row, sheet.kinds, strict=True))
                notes = [shown(value) for _, value, kind in cells if kind is Kind.NOTE and value]
                for name, value, kind in cells:
                    if kind is not Kind.NOTE and not is_label(value):
                        *numbers, note = csv_values(value)
                        why = " ".join(str(each) for each in (note, *notes) if each)
                        yield section.name, label, name, *numbers, why or None


_USUAL_KINDS = {"p": Kind.P, "p_holm": Kind.P}
_CSV_HEAD = ("section", "row", "column", "value", "low", "high", "n", "note")
ENDINGS = {".csv": "csv", ".md": "markdown", ".tex": "latex", ".json": "json", ".html": "html"}
"""Formats of a report's text by file ending; its pictures are .svg and .png."""
PICTURES = (".svg", ".png")


def check_ending(ending: str) -> None:
    """Raise UserError unless a report can be written to files of this ending."""
    if ending.lower() not in (*ENDINGS, *PICTURES):
        known = ", ".join((*ENDINGS, *PICTURES))
        raise UserError("figure_ending", ending=ending, known=known)


class Words:
    """The catalogue below `root_key`, in one language: ``words("title")`` for its ``title``.

    Headings of columns are looked up in the `tables` below the key first; `kinds` are those of
    the columns of its sections.
    """

    def __init__(
        self,
        root_key: str,
        language: str,
        *tables: str,
        kinds: Mapping[str, Kind] = MappingProxyType({}),
    ) -> None:
        self._below, self.language, self._tables, self.kinds = root_key, language, tables, kinds

    def __call__(self, name: str, /, **params: object) -> str:
        """Return the message of a name."""
        return say(f"{self._below}.{name}", self.language, **params)

    def head(self, name: str) -> str:
        """Return the heading of a column from the first table with one, else from the catalogue."""
        found = (f"{table}.{name}" for table in self._tables)
        return self(next((n for n in found if f"{self._below}.{n}" in catalogue()), name))

    def with_heads(self, *tables: str) -> Words:
        """Return the same words with the headings of other tables of the catalogue."""
        return Words(self._below, self.language, *tables, kinds=self.kinds)

    def word(self, value: str, prefix: str = "") -> Word:
        """Return a vocabulary value with its text, found under `prefix` and the value."""
        return Word(value, self(f"{prefix}{value}"))

    def section(
        self,
        name: str,
        title_key: str,
        rows: Iterable[Mapping[str, Any]],
        lead: str = "",
        chart: Chart | None = None,
        notes: tuple[str, ...] = (),
        *,
        heads: Mapping[str, str] = MappingProxyType({}),
        opens: str = "",
        **params: object,
    ) -> Section:
        """Return a section with the table of these rows; `title_key` is its title's message key."""
        sheet = Sheet.of(rows, self, self.kinds, heads)
        return Section(name, self(title_key, **params), sheet, lead, chart, notes, opens)


def row_label(sheet: Sheet, row: Sequence[Value], names: Sequence[str] = ()) -> str:
    """Return the text of a row's label cells, or of the columns named."""
    places = [sheet.at(name) for name in names] or [
        at for at, kind in enumerate(sheet.kinds) if kind is not Kind.NOTE and is_label(row[at])
    ]
    return " · ".join(filter(None, (shown(row[at]) for at in places if row[at] is not None)))


def _shown_cell(value: Value, kind: Kind) -> TextCell:
    """Return a value as text, the best emphasised."""
    text = shown(value, kind)
    return Strong(text) if isinstance(value, Marked) and value.strong else text
