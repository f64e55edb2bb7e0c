"""A workspace: the folder that holds one database and what is derived from it.

Reading and writing sessions are kept apart. A writing session opens with ``BEGIN IMMEDIATE`` so
that a read-modify-write inside it cannot lose a race, and commits or rolls back as a whole.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Engine, create_engine, event
from sqlalchemy.exc import DatabaseError
from sqlmodel import Session

from errors import UserError, Where
from storage.schema import REVISION, revision_of

DATABASE_FILE = "touchstone.db"
BUSY_TIMEOUT_MS = 10_000
# What SQLite says, and the user's error that it means.
_MENDABLE = {
    "file is not a database": "database_unreadable",
    "disk image is malformed": "database_unreadable",
    "database is locked": "database_busy",
    "database or disk is full": "disk_full",
    "readonly database": "database_readonly",
    "unable to open database file": "database_unopened",
}


_File = tuple[int, int]


def utc_now() -> datetime:
    """Return the current time in UTC, with its zone."""
    return datetime.now(UTC)


class Workspace:
    """An opened workspace folder. `clock` is injected so that tests control time."""

    def __init__(self, folder: Path, clock: Callable[[], datetime] = utc_now) -> None:
        self.folder = folder
        self.clock = clock
        self._current_file: _File | None = None

    @property
    def database(self) -> Path:
        """The SQLite file."""
        return self.folder / DATABASE_FILE

    @property
    def exists(self) -> bool:
        """Whether the database file is there. Raises UserError where nobody can tell."""
        try:
            return self.database.is_file()
        except OSError as error:
            raise UserError("database_unopened", Where(file=str(self.database))) from error

    @cached_property
    def engine(self) -> Engine:
        """The engine, with WAL, foreign keys and the busy timeout set on every connection."""
        # Built from its parts: in an address, "?" and what follows would not belong to the path.
        engine = create_engine(URL.create("sqlite", database=str(self.database)))
        event.listen(engine, "connect", _prepare_connection)
        event.listen(engine, "begin", _begin)
        return engine

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """Yield a session that sees one consistent state and writes nothing.

        Raises UserError when there is no workspace, or its database cannot be used.
        """
        self._require()
        with self.mendable(), Session(self.engine) as session:
            yield session
            session.rollback()

    @contextmanager
    def writing(self) -> Iterator[Session]:
        """Yield a session inside one immediate transaction, committed if the block succeeds.

        Raises UserError when there is no workspace, its database cannot be used, or another
        process has been writing for longer than the busy timeout.
        """
        self._require()
        with self.mendable(), Session(self._writing_engine) as session, session.begin():
            session.connection()  # now: a transaction that begins at its first statement is late
            yield session

    @contextmanager
    def mendable(self) -> Iterator[None]:
        """Turn the database errors that a user can mend into UserError; let others through."""
        try:
            yield
        except (DatabaseError, sqlite3.DatabaseError) as error:
            heard = str(getattr(error, "orig", error))
            code = next((c for said, c in _MENDABLE.items() if said in heard), None)
            if code is None:
                raise
            raise UserError(code, Where(file=str(self.database))) from error
        except UnicodeEncodeError as error:  # a command line or a browser can hold half a character
            raise UserError("text_unstorable") from error

    @cached_property
    def _writing_engine(self) -> Engine:
        return self.engine.execution_options(touchstone_write=True)

    def _require(self) -> None:
        if not self.exists:
            raise UserError("workspace_missing", Where(file=str(self.folder)))
        if not self._current:
            raise UserError("workspace_outdated", Where(file=str(self.database)))

    @property
    def _current(self) -> bool:
        # Looked up until it is so, then remembered for as long as this very file stands there:
        # only `migrate` changes it, and only forwards.
        there = _identity(self.database)
        if there != self._current_file:
            if self._current_file is not None:  # a copy was put back; what is open is the old file
                self.engine.dispose()
            with self.mendable(), self.engine.connect() as connection:
                current = revision_of(connection) == REVISION
            self._current_file = there if current else None
        return self._current_file is not None


def workspace_folder(explicit: Path | None = None) -> Path:
    """Return the chosen folder: `explicit`, else $TOUCHSTONE_WORKSPACE, else ``.touchstone``."""
    return explicit or Path(os.environ.get("TOUCHSTONE_WORKSPACE", ".touchstone"))


def _identity(path: Path) -> _File | None:
    """Return what tells the file that stands here from any other; None if there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _prepare_connection(connection: Any, _record: object) -> None:
    # The driver must not open transactions on its own: it would defer the write lock.
    connection.isolation_level = None
    for pragma in (
        f"busy_timeout={BUSY_TIMEOUT_MS}",  # first: the others may have to wait
        "journal_mode=WAL",
        "foreign_keys=ON",
        "synchronous=FULL",
    ):
        connection.execute(f"PRAGMA {pragma}")


def _begin(connection: Any) -> None:
    write = connection.get_execution_options().get("touchstone_write")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if write else "BEGIN")
