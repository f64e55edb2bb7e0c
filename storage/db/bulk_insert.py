"""Writing very many rows of one table.

Law comes as millions of rows of one shape. The statement is made once, and each row goes to the
driver as plain values: what SQLAlchemy does for every row anew (names to positions, a check of each
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
    told: Callable[[int], None] = lambda done: None,
) -> None:
    """Insert rows, each the values of `columns` in that order, in the transaction of `session`.

    Values are turned into what the database keeps as they are everywhere else. `told` hears after
    each batch how many rows are in. Columns that are not named get no value: defaults of the model
    do not count.
    """
    table: Table = row.__table__  # type: ignore[attr-defined]
    connection = session.connection()
    statement = _statement(table, columns, connection.dialect)
    changed = _changed(table, columns, connection.dialect)
    remaining, done = iter(rows), 0
    while batch := [_values(values, changed) for values in islice(remaining, BATCH)]:
        connection.exec_driver_sql(statement, batch)
        done += len(batch)
        told(done)


def _statement(table: Table, columns: Sequence[str], dialect: Dialect) -> str:
    """Return the statement for the driver, whose placeholders are ``?`` or ``%s``."""
    quote = dialect.identifier_preparer.quote
    mark = "?" if dialect.paramstyle == "qmark" else "%s"
    names = ", ".join(quote(table.c[name].name) for name in columns)
    marks = ", ".join(mark for _ in columns)
    return f"INSERT INTO {quote(table.name)} ({names}) VALUES ({marks})"  # noqa: S608  (own names)


def _changed(table: Table, columns: Sequence[str], dialect: Dialect) -> list[tuple[int, Changed]]:
    """Return the places of the columns whose values the driver does not take as they are."""
    kinds = [table.c[name].type.dialect_impl(dialect) for name in columns]
    found = [(at, kind.bind_processor(dialect)) for at, kind in enumerate(kinds)]
    return [(at, change) for at, change in found if change is not None]


def _values(values: Values, changed: Sequence[tuple[int, Changed]]) -> tuple[object, ...]:
    kept = list(values)
    for at, change in changed:
        kept[at] = change(kept[at])
    return tuple(kept)
