"""A workspace: the folder of derived files, and the database that they are derived from.

The database is a file in the folder, or on the PostgreSQL server that $DATABASE_URL names. Reading
and writing sessions are separate: writers are serialized (`storage.db.engines`), so a
read-modify-write cannot lose a race, and each commits or rolls back as a whole.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property, partial
from pathlib import Path

from sqlalchemy import Engine
from sqlalchemy.exc import DatabaseError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError
from sqlmodel import Session

from errors import UserError, Where
from storage.db.columns import usable_id
from storage.db.engines import (
    ALONE_WITH,
    WRITE,
    Address,
    file_address,
    is_read_only,
    make_engine,
    named_server,
    stamp,
)
from storage.db.location import DATABASE_FILE as DATABASE_FILE
from storage.db.schema import (
    REVISION,
    has_tables,
    refuse_older,
    refuse_older_revision,
    revision_of,
)

# Error texts of SQLite, and the user errors that they mean.
_FILE = {
    "file is not a database": "database_unreadable",
    "disk image is malformed": "database_unreadable",
    "database is locked": "database_busy",
    "database or disk is full": "disk_full",
    "readonly database": "database_readonly",
    "unable to open database file": "database_unopened",
}
# PostgreSQL's SQLSTATE, by its longest known prefix.
_SERVER = {
    "08": "database_unreachable",
    "22021": "text_unstorable",
    "25006": "database_readonly",
    "25P03": "database_busy",
    "28": "database_refused",
    "3D000": "database_absent",
    "40001": "database_busy",
    "40P01": "database_busy",
    "42501": "database_readonly",
    "53100": "disk_full",
    "53": "database_busy",
    "55P03": "database_busy",
    "57P": "database_unreachable",
}
# Error texts of the driver without SQLSTATE: no connection, or a refused value.
_DRIVER = {
    "authentication failed": "database_refused",
    "no password supplied": "database_refused",
    "no pg_hba.conf entry": "database_refused",
    '" does not exist': "database_absent",
    "too many clients": "database_busy",
    "connection": "database_unreachable",
    "NUL (0x00)": "text_unstorable",
    "server closed": "database_unreachable",
}


def code_of(error: Exception) -> str | None:
    """Return the UserError code of a database error; None for what the user cannot fix."""
    if isinstance(error, PoolTimeoutError):
        return "database_busy"
    cause = getattr(error, "orig", None) or error
    if not type(cause).__module__.startswith("psycopg"):
        return _code_of_message(_FILE, str(cause))
    state = getattr(cause, "sqlstate", None)
    if state is None:
        return _code_of_message(_DRIVER, str(cause))
    return next((_SERVER[state[:n]] for n in (5, 3, 2) if state[:n] in _SERVER), None)


def _code_of_message(known: dict[str, str], heard: str) -> str | None:
    """Return the code of the first known message within the text, None for none."""
    return next((code for said, code in known.items() if said in heard), None)


_File = tuple[int, int, int]
_SERVED = (0, 0, 0)  # stands for the file where the database is on a server


utc_now = partial(datetime.now, UTC)
"""The current time in UTC, with its zone."""


class Workspace:
    """An opened workspace folder. `clock` is injected so that tests control time.

    `address` is the database's; by default it is on the PostgreSQL server that $DATABASE_URL names,
    and in the folder's file where that is unset. Raises UserError for an invalid $DATABASE_URL.
    """

    def __init__(
        self,
        folder: Path,
        clock: Callable[[], datetime] = utc_now,
        address: Address | None = None,
    ) -> None:
        self.folder = folder
        self.clock = clock
        named = named_server() if address is None else address
        self._server = named if named is not None and named.is_postgres else None
        self._current_file: _File | None = None

    @property
    def indexes(self) -> Path:
        """The folder of search indexes; each is rebuilt when missing."""
        return self.folder / "index"

    @property
    def cache(self) -> Path:
        """The folder of intermediate results that are expensive to recompute."""
        return self.folder / "cache"

    @property
    def database(self) -> Path:
        """The SQLite file; it does not exist where the database is on a server."""
        return self.folder / DATABASE_FILE

    @property
    def read_only(self) -> bool:
        """Whether the SQLite file exists and cannot be written; False for a server."""
        return self._server is None and is_read_only(self.database)

    @property
    def address(self) -> Address:
        """The address of the database."""
        return self._server or file_address(self.database)

    @property
    def place(self) -> str:
        """The address of the database for messages and cache keys, without any password."""
        return self.address.shown

    @property
    def exists(self) -> bool:
        """Whether there is a database. Raises UserError where that cannot be found out."""
        if self._server is not None:
            return self._current_file is not None or self._has_tables()
        try:
            return self.database.is_file()
        except OSError as error:
            raise UserError("database_unopened", Where(file=str(self.database))) from error

    @cached_property
    def engine(self) -> Engine:
        """The engine; see `storage.db.engines` for its transactions."""
        return make_engine(self.address)

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """Yield a reading session that sees one consistent state.

        Raises UserError when there is no workspace, or its database cannot be used.
        """
        self._require()
        with self.mendable(), Session(self.engine) as session:
            yield session
            session.rollback()

    @contextmanager
    def writing(self, *, item_id: object = None, person_id: object = None) -> Iterator[Session]:
        """Yield a session inside a writing transaction, committed if the block succeeds.

        No other writes beside it. With both ids, it locks only this item and this person, which is
        all that an act of one person on one item needs; such acts on other items may then happen at
        the same time, where the database can do that. Raises UserError when there is no workspace,
        its database cannot be used, or others have been writing for longer than the busy timeout.
        """
        self._require()
        options: dict[str, object] = {WRITE: True}
        if item_id is not None and person_id is not None:
            options[ALONE_WITH] = usable_id(item_id), usable_id(person_id)
        engine = self.engine.execution_options(**options)
        with self.mendable(), Session(engine) as session, session.begin():
            session.connection()  # now: a transaction that begins at its first statement is late
            yield session

    @contextmanager
    def mendable(self) -> Iterator[None]:
        """Turn database errors that the user can fix into UserError; let others through."""
        try:
            yield
        except (DatabaseError, PoolTimeoutError, sqlite3.DatabaseError) as error:
            code = code_of(error)
            if code is None:
                raise
            raise UserError(code, Where(file=self.place)) from error
        except UnicodeEncodeError as error:  # a command line or a browser can hold half a character
            raise UserError("text_unstorable") from error

    def _require(self) -> None:
        """Raise UserError if the database is missing or of another version."""
        known = self._current_file
        if self._server is None and known is not None and known == _identity(self.database):
            return  # the same file as at the last check
        if not self.exists:
            place = str(self.folder) if self._server is None else self.place
            raise UserError("workspace_missing", Where(file=place))
        if not self._current:
            code = "workspace_outdated_readonly" if self.read_only else "workspace_outdated"
            raise UserError(code, Where(file=self.place))

    def _has_tables(self) -> bool:
        """Return True if the server's database has tables."""
        with self.mendable(), self.engine.connect() as connection:
            return has_tables(connection)

    @property
    def _current(self) -> bool:
        """Whether the database has the present schema; a replaced file is opened again."""
        # Looked up until it is so, then remembered for as long as this very file stands there:
        # only `migrate` changes it, and only forwards.
        there = _identity(self.database) if self._server is None else _SERVED
        if there != self._current_file:
            if self._current_file is not None:  # a copy was restored; the open file is the old one
                self.engine.dispose()
            if self._server is None:
                refuse_older(self.database)
            with self.mendable(), self.engine.connect() as connection:
                revision = revision_of(connection)
            refuse_older_revision(revision, self.place)
            self._current_file = there if revision == REVISION else None
        return self._current_file is not None


def _identity(path: Path) -> _File | None:
    """Return the database file's identity, None if absent."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino, stamp(path) if is_read_only(path) else 0


@dataclass(frozen=True)
class ByDatabase:
    """A cache key: equal for workspaces with the same database and folder."""

    ws: Workspace = field(compare=False)
    place: str
    folder: str

    @classmethod
    def of(cls, ws: Workspace) -> ByDatabase:
        """Return the key of a workspace."""
        folder = ws.folder.resolve()
        return cls(ws, ws.place if ws._server else str(folder / DATABASE_FILE), str(folder))


@contextmanager
def together(ws: Workspace) -> Iterator[Workspace]:
    """Yield a view of the workspace whose reads and writes share one writing transaction.

    Later reads see earlier writes; all is kept when the block succeeds, else nothing. No other
    writes meanwhile. Raises UserError as `Workspace.writing` does.
    """
    with ws.writing() as session:
        yield _Inside(ws, session)


@contextmanager
def at_one_moment(ws: Workspace) -> Iterator[Workspace]:
    """Yield the workspace at one moment: all reads in the block see the same state.

    Others go on writing meanwhile. Raises UserError as `Workspace.reading` does.
    """
    with ws.reading() as session:
        yield _Seen(ws, session)


class _Seen(Workspace):
    """A workspace whose reads share one open session."""

    def __init__(self, ws: Workspace, session: Session) -> None:
        vars(self).update(vars(ws))  # the same workspace, its engine included
        self._session = session

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """Yield the shared session, which sees what was written so far."""
        yield self._session


class _Inside(_Seen):
    """A workspace whose reads and writes share one open session."""

    @contextmanager
    def writing(self, *, item_id: object = None, person_id: object = None) -> Iterator[Session]:
        """Yield the shared session; the caller that began the transaction commits it."""
        yield self._session
        self._session.flush()
