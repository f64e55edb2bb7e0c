"""Integrity checks by the database itself: damage, orphaned rows, missing triggers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from sqlalchemy import ForeignKeyConstraint, MetaData, func, select, text
from sqlmodel import Session

_GUARDS_OF_FILE = "SELECT name FROM sqlite_master WHERE type = 'trigger'"
_GUARDS_OF_SERVER = """
SELECT tgname FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
WHERE NOT tgisinternal AND tgenabled IN ('O', 'A')
AND relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema())
"""


def on_server(session: Session) -> bool:
    """Whether the session's database is on a PostgreSQL server."""
    return session.get_bind().dialect.name == "postgresql"


def damage(session: Session) -> Iterator[str]:
    """Yield the damage that SQLite finds in its file; nothing on a server."""
    if on_server(session):
        return
    for (said,) in session.execute(text("PRAGMA integrity_check")):
        if said != "ok":
            yield str(said)


def orphans(session: Session, tables: Callable[[], MetaData]) -> Iterator[str]:
    """Yield each row (on a server: each foreign key, with its count) that refers to no row.

    `tables` returns the metadata of all tables; it is not called for a file.
    """
    if on_server(session):
        yield from _orphans_on_server(session, tables())
        return
    for table, row, parent, _ in session.execute(text("PRAGMA foreign_key_check")):
        yield f"{table} {row} → {parent}"


def missing_guards(session: Session, tables: Iterable[str]) -> Iterator[str]:
    """Yield the name of each missing trigger that should protect rows of the tables."""
    query = _GUARDS_OF_SERVER if on_server(session) else _GUARDS_OF_FILE
    acts = ("update", "delete", *(("truncate",) if on_server(session) else ()))
    names = set(session.execute(text(query)).scalars())
    for table in tables:
        for act in acts:
            if f"{table}_no_{act}" not in names:
                yield f"{table}_no_{act}"


def _orphans_on_server(session: Session, tables: MetaData) -> Iterator[str]:
    """Yield the foreign keys that some row breaks."""
    # The server refuses such rows, unless somebody with the right to has told it not to.
    keys = (
        each
        for table in tables.sorted_tables
        for each in sorted(table.foreign_key_constraints, key=lambda key: str(key.name))
    )
    for key in keys:
        if count := _without_parent(session, key):
            yield f"{key.table.name} ({count}) → {key.referred_table.name}"


def _without_parent(session: Session, key: ForeignKeyConstraint) -> int:
    """Count the rows whose foreign key refers to no row."""
    (element,) = key.elements
    child, parent = element.parent, element.column.table.alias()
    found = select(parent.c.id).where(parent.c[element.column.name] == child).exists()
    query = select(func.count()).select_from(key.table).where(child.is_not(None), ~found)
    return int(session.execute(query).scalar_one())
