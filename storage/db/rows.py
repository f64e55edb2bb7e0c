"""Rows read by many ids, grouped by keys, and added."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, TypeVar

from sqlmodel import Session, col

from normalization.grouping import grouped as grouped
from normalization.grouping import nested as nested
from storage.db.columns import Row

_MOST = 5_000  # values in one query; SQLite takes 32,766, PostgreSQL 65,535

Value = TypeVar("Value")


def chunks(values: Iterable[Value]) -> Iterator[list[Value]]:
    """Yield the distinct values, ascending, in lists short enough for one query."""
    ordered: list[Any] = sorted(set(values))
    for start in range(0, len(ordered), _MOST):
        yield ordered[start : start + _MOST]


def rows_with(session: Session, query: Any, column: Any, values: Iterable[Any]) -> Iterator[Any]:
    """Yield the rows of a query whose column has one of the values, however many these are."""
    for some in chunks(values):
        yield from session.exec(query.where(col(column).in_(some)))


def add_row(session: Session, row: Row) -> int:
    """Add a row in the transaction of the session; return its id."""
    session.add(row)
    session.flush()
    return row.id or 0
