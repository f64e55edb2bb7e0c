"""The tables of a paper as a report: our values in its layout, with those that it published."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from evaluation.figure import Figure, n_range
from evaluation.reports.report import (
    Chart,
    Kind,
    Marked,
    Report,
    Section,
    Shape,
    Sheet,
    Value,
    Word,
    Words,
)
from services.papers.needs import Needs, need_in_words
from services.papers.recipes import Line, PaperTable, Part, PublishedTable, Recipe
from services.papers.running import PaperRun, Reported

_NONE = PublishedTable("", (), {})


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell: the published value, and ours or the reason why there is none.

    `stand_in` marks a value that something else than the paper's model made.
    """

    row: str
    column: str
    published: float | None
    ours: Figure | float | None
    reason: str = ""
    stand_in: bool = False


def as_report(recipe: Recipe, run: PaperRun, needs: Needs, language: str) -> Report:
    """Return the paper's tables: how many cells are filled, then each table."""
    words = Words("papers", language)
    filled = [(table, _cells(recipe, table, run, needs, language)) for table in recipe.tables]
    sections = [_summary(filled, words)]
    for table, cells in filled:
        sections.append(_section(table, recipe.published.get(table.table), cells, words))
    cells = [cell for _, found in filled for cell in found]
    counts = {
        "tables": len(filled),
        "cells": len(cells),
        "filled": sum(cell.ours is not None for cell in cells),
        "stand_in": sum(cell.stand_in for cell in cells),
        "with_reason": sum(cell.ours is None and bool(cell.reason) for cell in cells),
    }
    lead = words("cells_lead", **counts)
    if failed := ", ".join(run.failed):
        lead = f"{lead} {words('failed_steps', steps=failed)}"
    return Report(f"paper_{recipe.name}", recipe.title, tuple(sections), lead, facts=counts)


def _summary(filled: list[tuple[PaperTable, list[Cell]]], words: Words) -> Section:
    """Count the cells of each table: ours, by stand-ins, missing."""
    rows = (
        {
            "table": table.table,
            "about": table.title[words.language],
            "ours": sum(c.ours is not None and not c.stand_in for c in cells),
            "stand_in": sum(c.stand_in for c in cells),
            "missing": sum(c.ours is None for c in cells),
            "why": next((c.reason for c in cells if c.reason), None),
        }
        for table, cells in filled
    )
    chart = Chart(Shape.STACK, ("table",), ("ours", "stand_in", "missing"), legend=words("cells"))
    return Section("tables", words("tables"), Sheet.of(rows, words), chart=chart)


def _section(
    table: PaperTable, published: PublishedTable | None, cells: list[Cell], words: Words
) -> Section:
    """Return a table beside the published one."""
    printed = published or _NONE
    told = [*printed.columns, *(name for part in table.parts for name in part.columns)]
    columns = [name for name in dict.fromkeys(told) if any(c.column == name for c in cells)]
    blank = {name: None for each in columns for name in (each, f"{each}{_PAPER}")}
    rows: dict[str, dict[str, Value]] = {}
    played = {cell.row for cell in cells if cell.stand_in}
    played -= {cell.row for cell in cells if cell.ours is not None and not cell.stand_in}
    for cell in cells:
        name = words("played", row=cell.row) if cell.row in played else cell.row
        row = rows.setdefault(cell.row, {"row": Word(cell.row, name), **blank})
        kind = Kind.SHARE if printed.is_percent(cell.row, cell.column) else None
        mark = words("played_mark") if cell.stand_in and cell.row not in played else ""
        own = Marked(None, cell.reason) if cell.ours is None else Marked(cell.ours, mark, kind=kind)
        row[cell.column] = own
        if cell.published is not None:
            row[f"{cell.column}{_PAPER}"] = Marked(cell.published, kind=kind)
    percent = [each for each in columns if printed.is_percent(each)]
    share = {name for each in percent for name in (each, f"{each}{_PAPER}")}
    filled = [(cell.column, cell.stand_in) for cell in cells if cell.ours is not None]
    acted = {name for name, _ in filled if (name, False) not in filled}  # by stand-ins alone
    heads = {name: words("played", row=name) if name in acted else name for name in columns}
    heads |= {f"{each}{_PAPER}": words("in_paper", column=each) for each in columns}
    sheet = Sheet.of(rows.values(), words, dict.fromkeys(share, Kind.SHARE), heads)
    numbers = [name for name in columns if name in dict(filled)]
    numbers.sort(key=lambda name: name in acted)  # drawn is what no stand-in made, if there is any
    drawn = tuple(name for each in numbers[:1] for name in (each, f"{each}{_PAPER}"))
    notes = [words("page", page=printed.page)] if printed.page else []
    notes += [each[words.language] for each in (table.without, *table.differs) if each]
    title = words("title_of", table=table.table, title=table.title[words.language])
    chart = Chart(Shape.FOREST, ("row",), drawn) if drawn else None
    name = table.table.casefold().replace(" ", "_")
    return Section(name, title, sheet, _lead(cells, words), chart, tuple(notes))


_PAPER = " (paper)"


def _lead(cells: list[Cell], words: Words) -> str:
    """Describe how many cells are filled, and which agree with the paper."""
    ours = [c for c in cells if c.ours is not None and not c.stand_in]
    figures = [c.ours for c in cells if isinstance(c.ours, Figure) and c.ours.n]
    said = [words("cells_ours", ours=len(ours), cells=len(cells))]
    if figures:
        said.append(words("observations", n=n_range(figures)))
    both = [held for c in ours if (held := _holds(c)) is not None]
    if both:
        said.append(words("within", both=len(both), within=sum(both)))
    return " ".join(said)


def _holds(cell: Cell) -> bool | None:
    """Return whether the interval holds the published value; None if one is missing."""
    ours, printed = cell.ours, cell.published
    if printed is None or not isinstance(ours, Figure) or ours.low is None or ours.high is None:
        return None
    return ours.low <= printed <= ours.high


def _cells(
    recipe: Recipe, table: PaperTable, run: PaperRun, needs: Needs, language: str
) -> list[Cell]:
    """Return the cells of a table, rows and columns in the order of the paper."""
    printed = recipe.published.get(table.table, _NONE)
    rows = dict.fromkeys([*printed.rows, *(row for part in table.parts for row in part.rows)])
    columns = [*printed.columns, *(name for part in table.parts for name in part.columns)]
    found = {}
    for part in table.parts:
        for row, spec in part.rows.items():
            for column, of in part.columns.items():
                found[row, column] = _lookup(table, part, spec, of, run, needs, language)
    without = table.without[language] if table.without else Words("papers", language)("no_part")
    nothing = None, without, False
    return [
        Cell(row, column, printed.value(row, column), *found.get((row, column), nothing))
        for row in rows
        for column in dict.fromkeys(columns)
        if (row, column) in found or printed.value(row, column) is not None
    ]


_Found = tuple["Figure | float | None", str, bool]
"""Our value, the reason why there is none, and whether a stand-in made it."""


def _lookup(
    table: PaperTable,
    part: Part,
    row: Line,
    column: Line,
    run: PaperRun,
    needs: Needs,
    language: str,
) -> _Found:
    """Return a cell's value from its report, or why there is none."""
    words = Words("papers", language)
    made = run.reports.get(part.command, Reported("not_run"))
    lacking = needs.lacking((*table.needs, *row.needs))
    stands_in = bool(lacking and run.stand_in and (row.stand_in or column.stand_in))
    if own := needs.lacking(column.needs):  # what a row's stand-in does not take the place of
        stands_in = bool(run.stand_in and column.stand_in)
        lacking = own if not stands_in else lacking or own
    if stands_in:
        lacking = ""
    if made.state == "done" and not lacking:
        value = _value_at(made.result, part, row, column, stands_in)
        nothing = table.absent[language] if table.absent else words("nothing")
        return (value, "", stands_in) if value is not None else (None, nothing, False)
    if made.state == "failed" and not lacking:
        return None, words("step_state.failed", reason=made.reason), False
    lacking = lacking or made.reason
    why = need_in_words(lacking, language) if lacking else words("never_run")
    return None, words("step_state.not_run", reason=why), False


def _value_at(
    result: Mapping[str, Any], part: Part, row: Line, column: Line, stands_in: bool
) -> Figure | float | None:
    """Return a cell's value from the first matching row of a report's JSON; None without one."""
    where = {**part.where, **column.where, **row.where}
    for name, line in ((part.row, row), (part.column, column)):
        same = line.stand_in if stands_in and line.stand_in else line.same
        if name and same and part.section:
            where[name] = same
    path = row.value or column.value or ("" if part.column else column.same or "")
    for each in (_at(result, part.section) or ()) if part.section else (result,):
        if all(str(_at(each, name)) == value for name, value in where.items()):
            return _number(_at(each, path))
    return None


def _at(value: Any, path: str) -> Any:
    """Return the value at a path of names and list places, separated by slashes, or None."""
    for name in filter(None, path.split("/")):
        if isinstance(value, list):
            value = {str(at): each for at, each in enumerate(value)}
        value = value.get(name) if isinstance(value, Mapping) else None
    return value


def _number(value: Any) -> Figure | float | None:
    """Parse a figure or number of a report; None for anything else."""
    if isinstance(value, Mapping) and "value" in value:
        low, high = value.get("ci") or (value.get("low"), value.get("high"))
        number = value["value"]
        return None if number is None else Figure("paper", number, value.get("n") or 0, low, high)
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return value if is_number else None
