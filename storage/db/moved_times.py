"""Moves every time in a database file by whole days, so that what was done once looks recent."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

_TRIGGERS = "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'"
_TABLES = "SELECT name FROM sqlite_master WHERE type = 'table'"
# The only time that a table of events keeps in its JSON
_DEADLINE = "json_extract(payload, '$.deadline')"


def move_times(file: Path, days: int) -> None:
    """Move every time in a SQLite file that nobody else uses by so many days.

    Rows that are never changed are changed here: their triggers are put back afterwards.
    """
    with closing(sqlite3.connect(file)) as database, database:
        triggers = database.execute(_TRIGGERS).fetchall()
        for name, _ in triggers:
            database.execute(f'DROP TRIGGER "{name}"')
        for table, column in _times(database):
            moved = _moved(f'"{column}"', days)
            database.execute(f'UPDATE "{table}" SET "{column}" = {moved}')  # noqa: S608
        moved = f"json_set(payload, '$.deadline', {_moved(_DEADLINE, days)})"
        database.execute(f"UPDATE batch_event SET payload = {moved} WHERE {_DEADLINE} IS NOT NULL")  # noqa: S608
        for _, sql in triggers:
            database.execute(sql)


def _times(database: sqlite3.Connection) -> Iterator[tuple[str, str]]:
    """Yield every column of times with its table."""
    for (table,) in database.execute(_TABLES).fetchall():
        for column in database.execute(f'PRAGMA table_info("{table}")').fetchall():
            if column[2] == "DATETIME":
                yield table, column[1]


def _moved(time: str, days: int) -> str:
    """Return the SQL of a time moved by days; its day is the first ten characters."""
    return f"date(substr({time}, 1, 10), '{days:+d} days') || substr({time}, 11)"
