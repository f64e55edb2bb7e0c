"""Rows read by many ids, and added, very many of one table in bulk.

Law comes as millions of rows of one shape: for these the statement is built once, and each row goes
to the driver as plain values. What SQLAlchemy does anew for every row (names to positions, a check
of each column) took longer than SQLite's own part.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, TypeVar

from sqlalchemy import Table
from sqlalchemy.engine import Dialect
from sqlmodel import Session, SQLModel, col

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


BATCH = 20_000  # rows in memory at a time

Values = Sequence[object]
Changed = Callable[[Any], Any]


def insert_rows(
    session: Session,
    row: type[SQLModel],
    columns: Sequence[str],
    rows: Iterable[Values],
    on_progress: Callable[[int], None] = lambda done: None,
) -> None:
    """Insert rows, each the values of `columns` in that order, in the transaction of `session`.

    Values are converted to their stored form as usual. `on_progress` is called after each batch
    with the number of rows inserted. Other columns get no value: defaults of the model do not
    apply.
    """
    table: Table = row.__table__  # type: ignore[attr-defined]
    connection = session.connection()
    statement = _statement(table, columns, connection.dialect)
    changed = _converters(table, columns, connection.dialect)
    remaining, done = iter(rows), 0
    while batch := [_converted_row(values, changed) for values in islice(remaining, BATCH)]:
        connection.exec_driver_sql(statement, batch)
        done += len(batch)
        on_progress(done)


def _statement(table: Table, columns: Sequence[str], dialect: Dialect) -> str:
    """Return the INSERT statement for the driver, whose placeholders are ``?`` or ``%s``."""
    quote = dialect.identifier_preparer.quote
    mark = "?" if dialect.paramstyle == "qmark" else "%s"
    names = ", ".join(quote(table.c[name].name) for name in columns)
    marks = ", ".join(mark for _ in columns)
    return f"INSERT INTO {quote(table.name)} ({names}) VALUES ({marks})"  # noqa: S608  (own names)


def _converters(
    table: Table, columns: Sequence[str], dialect: Dialect
) -> list[tuple[int, Changed]]:
    """Return the converters of the columns whose values need one, by position."""
    kinds = [table.c[name].type.dialect_impl(dialect) for name in columns]
    found = [(at, kind.bind_processor(dialect)) for at, kind in enumerate(kinds)]
    return [(at, change) for at, change in found if change is not None]


def _converted_row(values: Values, changed: Sequence[tuple[int, Changed]]) -> tuple[object, ...]:
    kept = list(values)
    for at, change in changed:
        kept[at] = change(kept[at])
    return tuple(kept)
