"""Copying the rows of one database to another of the same revision, whichever kind each is."""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
    JSON,
    Column,
    Connection,
    Insert,
    LargeBinary,
    MetaData,
    Select,
    Table,
    Text,
    bindparam,
    cast,
    insert,
    select,
)

from storage.db.schema import VERSION_TABLE

_BATCH = 5_000
_IMAGES = 20  # of up to some megabytes each


def copy_rows(source: Connection, target: Connection) -> dict[str, int]:
    """Copy every row, ids included, to tables that are there and empty; return how many of each.

    The tables are those that the source has, so that an older revision can be copied too. JSON is
    copied as its text, letter by letter.
    """
    tables, there = MetaData(), MetaData()
    tables.reflect(source)
    there.reflect(target)
    counts = {}
    for table in tables.sorted_tables:  # what others refer to comes first
        if table.name != VERSION_TABLE:
            counts[table.name] = _copy(source, table, target, there.tables[table.name])
    return dict(sorted(counts.items()))


def _copy(source: Connection, table: Table, target: Connection, there: Table) -> int:
    copied = 0
    at_once = _IMAGES if _has_images(table) else _BATCH
    rows = source.execution_options(yield_per=at_once).execute(_reading(table))
    into = _writing(there, target.dialect.name == "postgresql")
    for part in rows.mappings().partitions():
        target.execute(into, [dict(row) for row in part])
        copied += len(part)
    if copied and target.dialect.name == "postgresql":
        _count_on(target, there)
    return copied


def _reading(table: Table) -> Select[Any]:
    columns = [cast(c, Text).label(c.name) if _is_json(c) else c for c in table.columns]
    # Rows that refer to others of their own table refer to earlier ones.
    return select(*columns).order_by(*table.primary_key)


def _writing(table: Table, on_server: bool) -> Insert:
    # SQLite keeps JSON as text; a cast there would read it as a number.
    values: dict[str, Any] = {}
    for column in table.columns:
        if _is_json(column):
            text = bindparam(column.name, type_=Text())
            values[column.name] = cast(text, column.type) if on_server else text
        else:
            values[column.name] = bindparam(column.name, type_=column.type)
    return insert(table).values(values)


def _has_images(table: Table) -> bool:
    return any(isinstance(column.type, LargeBinary) for column in table.columns)


def _is_json(column: Column[Any]) -> bool:
    return isinstance(column.type, JSON)


def _count_on(target: Connection, table: Table) -> None:
    """Let the server give out ids behind those that were copied."""
    quoted = target.dialect.identifier_preparer.format_table(table)
    target.exec_driver_sql(
        f"SELECT setval(pg_get_serial_sequence('{quoted}', 'id'), max(id)) FROM {quoted}"  # noqa: S608
    )
