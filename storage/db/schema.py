"""Which shape of the database this code reads and writes, and which shape a database has."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from storage.db.read_only import open_to_read

if TYPE_CHECKING:
    from sqlalchemy import ColumnClause, Connection

REVISION = "0030"  # the newest migration; a test holds it to storage/migrations/versions
VERSION_TABLE = "alembic_version"


def revision_of(connection: Connection) -> str | None:
    """Return the newest migration that the connection's database has had; None if it had none."""
    from sqlalchemy import column, inspect, select, table

    if not inspect(connection).has_table(VERSION_TABLE):
        return None
    version: ColumnClause[str] = column("version_num")
    return connection.scalar(select(version).select_from(table(VERSION_TABLE, version)))


def has_tables(connection: Connection) -> bool:
    """Tell whether a migration has ever made tables in the connection's database."""
    from sqlalchemy import inspect

    return inspect(connection).has_table(VERSION_TABLE)


def is_current(file: Path) -> bool:
    """Tell whether a SQLite file needs no migration, without loading what migrating one takes.

    False also for what cannot be read: to migrate it says why.
    """
    try:
        with closing(open_to_read(file)) as database:
            found = database.execute(f"SELECT version_num FROM {VERSION_TABLE}").fetchall()  # noqa: S608
    except sqlite3.Error:
        return False
    return found == [(REVISION,)]
