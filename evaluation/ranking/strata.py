"""Figures by group of queries: every value that a column has makes a stratum.

Rules: a query without the column is in the stratum NOT_STATED; one with a list is in the stratum
of every entry, so strata may overlap; a column is offered only when it splits the queries into 2
to MOST strata. Intervals within a stratum rest on its queries alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from evaluation.figure import Figure
from evaluation.interval import mean_figure

MOST = 50
NOT_STATED = ""
COUNTED_APART = 3  # numbers of gold units from here on are one stratum

Cell = str | int | float | bool | None | Sequence[str]
Rows = Mapping[str, Mapping[str, Cell]]
"""Query id → column → value."""

_NUMBER = re.compile(r"-?\d+(\.\d+)?")


def columns(rows: Rows) -> list[str]:
    """Return the columns that split the queries, ascending."""
    names = sorted({name for row in rows.values() for name in row})
    return [name for name in names if 2 <= len(strata(rows, name)) <= MOST]


def strata(rows: Rows, column: str) -> dict[str, tuple[str, ...]]:
    """Return each value of `column`, in order, with the ids of its queries, ascending."""
    found: dict[str, list[str]] = {}
    for query, row in sorted(rows.items()):
        for value in _values(row.get(column)):
            found.setdefault(value, []).append(query)
    return {value: tuple(found[value]) for value in in_order(found)}


def in_order(values: Iterable[str]) -> list[str]:
    """Return values of a column: numbers in their order, then the others, NOT_STATED last."""
    return sorted(values, key=_place)


def figures_by_stratum(
    table: Mapping[str, Mapping[str, float | None]], rows: Rows, column: str
) -> dict[str, list[Figure]]:
    """Return the means of every stratum of `column` with their intervals and n.

    `table` is query id → measure key → score, as an evaluation has it; queries of `rows` that it
    lacks count nowhere, and one of its own that `rows` lacks is NOT_STATED.
    """
    known: dict[str, Mapping[str, Cell]] = {query: rows.get(query, {}) for query in table}
    names = list(dict.fromkeys(name for row in table.values() for name in row))
    return {
        value: [mean_figure(name, [table[query].get(name) for query in queries]) for name in names]
        for value, queries in strata(known, column).items()
    }


def gold_count(units: Iterable[str]) -> str:
    """Return the stratum of a query with so many gold units: ``0``, ``1``, ``2`` or ``3+``."""
    count = len(set(units))
    return str(count) if count < COUNTED_APART else f"{COUNTED_APART}+"


def _values(cell: Cell) -> list[str]:
    entries = [cell] if cell is None or isinstance(cell, str | int | float) else list(cell)
    return sorted({_written(entry) for entry in entries}) or [NOT_STATED]


def _written(value: str | int | float | bool | None) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return NOT_STATED if value is None else str(value).strip()


def _place(value: str) -> tuple[int, float, str]:
    if value == NOT_STATED:
        return 2, 0.0, ""
    return (0, float(value), "") if _NUMBER.fullmatch(value) else (1, 0.0, value)
