"""Bulk insertion of very many rows into one table.

Law comes as millions of rows of one shape. The statement is built once, and each row goes to the
driver as plain values: what SQLAlchemy does anew for every row (names to positions, a check of each
column) took longer than SQLite's own part.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from typing import Any

from sqlalchemy import Table
from sqlalchemy.engine import Dialect
from sqlmodel import Session, SQLModel

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
