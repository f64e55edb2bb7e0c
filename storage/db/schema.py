"""Which shape of the database this code reads and writes, and which shape a database has."""

from __future__ import annotations

from sqlalchemy import ColumnClause, Connection, column, inspect, select, table

REVISION = "0014"  # the newest migration; a test holds it to storage/migrations/versions
VERSION_TABLE = "alembic_version"


def revision_of(connection: Connection) -> str | None:
    """Return the newest migration that the connection's database has had; None if it had none."""
    if not inspect(connection).has_table(VERSION_TABLE):
        return None
    version: ColumnClause[str] = column("version_num")
    return connection.scalar(select(version).select_from(table(VERSION_TABLE, version)))


def has_tables(connection: Connection) -> bool:
    """Tell whether a migration has ever made tables in the connection's database."""
    return inspect(connection).has_table(VERSION_TABLE)
