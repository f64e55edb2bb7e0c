"""Schema revisions: the one this code needs, and the one a database has."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from errors import UserError, Where
from storage.db.engines import open_untouched

if TYPE_CHECKING:
    from sqlalchemy import ColumnClause, Connection

BASELINE = "v1_0001"  # the first migration; older revisions sort before it
REVISION = "v1_0003"  # the newest migration; a test compares it with storage/migrations/versions
VERSION_TABLE = "alembic_version"


def revision_of(connection: Connection) -> str | None:
    """Return the schema revision of the connection's database; None if it has none."""
    from sqlalchemy import column, inspect, select, table

    if not inspect(connection).has_table(VERSION_TABLE):
        return None
    version: ColumnClause[str] = column("version_num")
    return connection.scalar(select(version).select_from(table(VERSION_TABLE, version)))


def has_tables(connection: Connection) -> bool:
    """Return whether the connection's database has ever been migrated."""
    from sqlalchemy import inspect

    return inspect(connection).has_table(VERSION_TABLE)


def is_current(file: Path) -> bool:
    """Return whether a SQLite file needs no migration, without importing the migrations.

    False also for what cannot be read: migrating it gives the reason.
    """
    return _revision_in(file) == REVISION


def refuse_older(file: Path) -> None:
    """Raise UserError for a SQLite file older than version 1; the file is not touched."""
    refuse_older_revision(_revision_in(file), str(file))


def refuse_older_revision(revision: str | None, place: str) -> None:
    """Raise UserError for a revision older than version 1."""
    if revision is not None and revision < BASELINE:
        raise UserError("database_older", Where(file=place))


def _revision_in(file: Path) -> str | None:
    """Return the revision of a SQLite file; None where it has none or cannot be read."""
    try:
        with closing(open_untouched(file)) as database:
            found = database.execute(f"SELECT version_num FROM {VERSION_TABLE}").fetchone()  # noqa: S608
    except (sqlite3.Error, OSError):
        return None
    return None if found is None else str(found[0])
