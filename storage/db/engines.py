"""Database addresses and engines, and how their transactions begin.

A reading transaction sees one consistent state. Writing transactions are serialized on either
database, so that what one reads cannot change before it writes: overlap counts, ends of chains and
settled cases rest on this. SQLite has one writer anyway, once ``BEGIN IMMEDIATE`` asks for the lock
before the first read; a queue decides who is next. Without it, a writer who finds the file locked
would sleep and try again: the file would be idle while twenty sleep, and an unlucky one would wait
long. So the operating system keeps the queue (``flock`` on the folder) and wakes the next writer
when one is done; the kernel ends the turn of a process that dies, and SQLite's own lock still
decides who writes.

On PostgreSQL every writer takes an advisory lock first and only then its snapshot, which is why it
runs READ COMMITTED: a stricter level would fix the snapshot before the wait. An act of one person
on one item may happen beside acts of others on other items there: it shares the writers' lock with
its like, and locks the item and the person exclusively. Items are locked before people, so no two
acts can wait for each other.

The address of the database: a SQLite file in the workspace folder, or a PostgreSQL server.

$DATABASE_URL names the server. Messages never show the password.

Read-only workspaces: detected by file permissions, opened without writing.

SQLite's write-ahead log wants to make files beside the database. Where none can be made, a database
that nobody has open is read as it lies (``immutable``); what a log beside it still holds is read
from a copy. A stamp changes when somebody who may write has changed the files.
"""

from __future__ import annotations

import atexit
import fcntl
import os
import shutil
import sqlite3
import tempfile
import time
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from threading import Lock, Thread
from typing import Any
from weakref import WeakSet

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError
from sqlalchemy.pool import ConnectionPoolEntry

from errors import UserError, Where

VARIABLE = "DATABASE_URL"
_DRIVER = "postgresql+psycopg"
# The first two schemes are what many hosts hand out.
_NAMES = ("postgres", "postgresql", _DRIVER)


@dataclass(frozen=True, slots=True)
class Address:
    """The address of a database; `url` holds the password and is for the engine alone."""

    url: URL

    @property
    def is_postgres(self) -> bool:
        """Whether the database is on a PostgreSQL server."""
        return self.url.drivername == _DRIVER

    @property
    def shown(self) -> str:
        """The address for messages: without password and options."""
        if not self.is_postgres:
            return str(self.url.database)
        user = f"{self.url.username}@" if self.url.username else ""
        port = f":{self.url.port}" if self.url.port else ""
        return f"postgresql://{user}{self.url.host or ''}{port}/{self.url.database or ''}"

    def __repr__(self) -> str:
        return f"Address({self.shown!r})"


def file_address(path: Path) -> Address:
    """Return the address of a SQLite file.

    Built from its parts: in a URL, "?" and what follows would not belong to the path.
    """
    return Address(URL.create("sqlite", database=str(path)))


def server_address(text: str) -> Address:
    """Read the address of a PostgreSQL server. Raises UserError, without repeating the text."""
    where = Where(field=VARIABLE)
    try:
        url = make_url(text)
    except (ArgumentError, ValueError) as error:
        raise UserError("database_address", where) from error
    if url.drivername not in _NAMES or not url.database:
        raise UserError("database_address", where)
    return Address(url.set(drivername=_DRIVER))


def named_server() -> Address | None:
    """Return the server that $DATABASE_URL names, None where it is unset or empty."""
    text = os.environ.get(VARIABLE, "").strip()
    return server_address(text) if text else None


_LOG, _SHARED = "-wal", "-shm"


class ReadConnection(sqlite3.Connection):
    """A connection that cannot write."""


def stamp(file: Path) -> int:
    """Return a stamp, not 0, that changes with the files of a read-only database."""
    beside = [file, file.with_name(file.name + _LOG)]
    return hash(tuple(each.stat().st_mtime_ns for each in beside if each.exists())) or 1


def open_to_read(file: Path) -> sqlite3.Connection:
    """Open the database for reading only.

    Raises sqlite3.Error for a file that cannot be read.
    """
    log = file.with_name(file.name + _LOG)
    try:
        return _connected(file, "mode=ro")
    except sqlite3.OperationalError:
        if log.is_file() and log.stat().st_size:
            return _from_copy(file)
        return _connected(file, "mode=ro&immutable=1")


def open_untouched(file: Path) -> sqlite3.Connection:
    """Open the database for reading only, without making any file beside it.

    Concurrent writes may be missed. Raises sqlite3.Error for a file that cannot be read.
    """
    if file.with_name(file.name + _LOG).exists():
        return open_to_read(file)
    return _connected(file, "mode=ro&immutable=1")


def _connected(file: Path, how: str) -> ReadConnection:
    """Open a SQLite file for reading."""
    uri = f"{file.absolute().as_uri()}?{how}"
    made = sqlite3.connect(uri, uri=True, check_same_thread=False, factory=ReadConnection)
    try:
        made.execute("PRAGMA query_only=ON")
        made.execute("SELECT count(*) FROM sqlite_master").fetchone()  # SQLite opens it only now
    except BaseException:
        made.close()
        raise
    return made


def _from_copy(file: Path) -> sqlite3.Connection:
    """Open a copy of a file that cannot be opened in place."""
    with tempfile.TemporaryDirectory(prefix="touchstone-read-") as folder:
        copy = Path(folder) / file.name
        for ending in ("", _LOG):
            shutil.copyfile(file.with_name(file.name + ending), copy.with_name(copy.name + ending))
        with closing(sqlite3.connect(copy)) as whole:
            whole.execute("PRAGMA journal_mode=DELETE")  # the log's content goes into the file
        # Open files stay readable when they are removed.
        return _connected(copy, "mode=ro&immutable=1")


@dataclass
class WriteTurn:
    """A turn to write, until :meth:`end`; `number` is the descriptor of the open folder."""

    number: int | None

    def end(self) -> None:
        """Release the lock for the next writer; a second call does nothing."""
        number, self.number = self.number, None
        if number is not None:
            # Unlocked by name: a process that was forked meanwhile holds the open folder too.
            fcntl.flock(number, fcntl.LOCK_UN)
            os.close(number)


def take_turn(folder: Path, seconds: float) -> WriteTurn | None:
    """Wait at most `seconds` for a turn to write to the folder's database; None on timeout."""
    number = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return _Wait(number).turn(seconds)
    except OSError:
        os.close(number)
        raise
    return WriteTurn(number)


class _Wait:
    """A wait with a timeout, which a blocked ``flock`` lacks: a thread of its own blocks."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._deciding = Lock()
        self._ours = self._given_up = False

    def turn(self, seconds: float) -> WriteTurn | None:
        """Return the turn to write, None if it does not come in time."""
        thread = Thread(target=self._block, daemon=True)
        thread.start()
        thread.join(seconds)
        with self._deciding:
            self._given_up = not self._ours
            return WriteTurn(self._descriptor) if self._ours else None

    def _block(self) -> None:
        """Wait for the lock; release it if nobody waits any more."""
        fcntl.flock(self._descriptor, fcntl.LOCK_EX)
        with self._deciding:
            self._ours = not self._given_up
        if not self._ours:
            WriteTurn(self._descriptor).end()


BUSY_TIMEOUT_MS = 10_000
_ASK_AGAIN_S = 0.01
CONNECT_SECONDS = 10
WRITE = "touchstone_write"
MIGRATE = "touchstone_migrate"
ALONE_WITH = "touchstone_alone_with"  # (item id, person id) to lock, for an act on one item
_WRITERS_LOCK = 0x746F756368  # any number that no other program on the database uses
# A process whose machine vanished must not hold up the others for ever.
_IDLE_MINUTES = 10
_KEYS = "touchstone_keys"  # whether a connection enforces foreign keys
_TURN = "touchstone_turn"  # the turn that a connection holds while it writes
BESIDE = "beside"  # the schema name of an attached database file
_MADE: WeakSet[Engine] = WeakSet()


@atexit.register
def close_all() -> None:
    """Dispose of idle connections, so that no log files are left when the process ends."""
    for engine in list(_MADE):
        engine.dispose()


def make_engine(address: Address, attached: Path | None = None, **options: Any) -> Engine:
    """Return the engine of a database, not yet connected. `options` go to SQLAlchemy.

    Connections to a file have the tables of the `attached` file too, in the schema `BESIDE`.
    """
    if address.is_postgres:
        return _postgres(address, options)
    engine = create_engine(address.url, **options)
    _MADE.add(engine)
    event.listen(engine, "do_connect", _connect_to_read)
    event.listen(engine, "connect", _prepare_file)
    if attached is not None:
        event.listen(engine, "connect", partial(_attach, attached))
    event.listen(engine, "begin", _begin_on_file)
    for ending in ("checkin", "invalidate", "close"):
        event.listen(engine, ending, _end_turn)
    return engine


def _postgres(address: Address, options: dict[str, Any]) -> Engine:
    """Return the engine of a PostgreSQL server."""
    arguments = {"connect_timeout": CONNECT_SECONDS, "application_name": "touchstone"}
    engine = create_engine(
        address.url,
        pool_pre_ping=True,  # reconnects after a restart of the server
        pool_size=10,
        max_overflow=20,
        pool_timeout=BUSY_TIMEOUT_MS / 1000,
        connect_args={k: v for k, v in arguments.items() if k not in address.url.query},
        **options,
    )
    event.listen(engine, "begin", _begin_on_server)
    return engine


def is_read_only(file: Path) -> bool:
    """Whether the database file exists and this process may not write it or its folder."""
    return file.is_file() and not (os.access(file, os.W_OK) and os.access(file.parent, os.W_OK))


def _connect_to_read(_dialect: object, _record: object, arguments: Any, _named: object) -> Any:
    """Open a read-only file for reading; None lets SQLAlchemy connect."""
    file = Path(arguments[0]) if arguments and arguments[0] else None
    return open_to_read(file) if file is not None and is_read_only(file) else None


def _prepare_file(connection: Any, _record: object) -> None:
    """Set SQLite's options of a new connection."""
    # The driver must not open transactions on its own: it would defer the write lock.
    connection.isolation_level = None
    connection.execute(f"PRAGMA busy_timeout={BUSY_TIMEOUT_MS}")  # first: the rest may have to wait
    if isinstance(connection, ReadConnection):
        return  # no file beside the database can be made
    _write_ahead(connection)
    connection.execute("PRAGMA synchronous=FULL")


def _attach(file: Path, connection: Any, _record: object) -> None:
    """Attach a second database file."""
    connection.execute(f"ATTACH DATABASE ? AS {BESIDE}", (str(file),))


def _write_ahead(connection: Any) -> None:
    """Switch a SQLite file to write-ahead logging."""
    # Two processes that switch a new database at once would wait for each other, so SQLite refuses
    # one of them at once whatever the timeout. It has only to ask again.
    deadline = time.monotonic() + BUSY_TIMEOUT_MS / 1000
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
            return
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() >= deadline:
                raise
            time.sleep(_ASK_AGAIN_S)


def _begin_on_file(connection: Connection) -> None:
    """Begin a transaction on a SQLite file; to write, wait for a turn, else OperationalError."""
    options = connection.get_execution_options()
    # Only a migration that builds a table anew works without: it checks all of them at its end.
    keys = "OFF" if options.get(MIGRATE) else "ON"
    if connection.info.get(_KEYS) != keys:
        connection.exec_driver_sql(f"PRAGMA foreign_keys={keys}")
        connection.info[_KEYS] = keys
    if options.get(WRITE):
        folder = Path(connection.engine.url.database or "").absolute().parent
        turn = take_turn(folder, BUSY_TIMEOUT_MS / 1000)
        if turn is None:
            raise sqlite3.OperationalError("database is locked")
        connection.info[_TURN] = turn
        connection.exec_driver_sql("BEGIN IMMEDIATE")
    else:
        connection.exec_driver_sql("BEGIN")


def _end_turn(_connection: object, record: ConnectionPoolEntry, *_: object) -> None:
    """Release the writer's turn when its connection returns to the pool or is closed."""
    turn: WriteTurn | None = record.info.pop(_TURN, None)
    if turn is not None:
        turn.end()


def _begin_on_server(connection: Connection) -> None:
    """Begin a transaction on a server: read-only, or a writing one that takes its locks."""
    if not connection.get_execution_options().get(WRITE):
        connection.exec_driver_sql("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        return
    connection.exec_driver_sql(
        "SET TRANSACTION ISOLATION LEVEL READ COMMITTED;"
        f"SET LOCAL lock_timeout = {BUSY_TIMEOUT_MS};"
        f"SET LOCAL idle_in_transaction_session_timeout = '{_IDLE_MINUTES}min';"
        # What is acknowledged is on the disk, even where the server was told not to wait for it.
        "SELECT set_config('synchronous_commit', 'on', true)"
        " WHERE current_setting('synchronous_commit') = 'off';"
        + _locks(connection.get_execution_options().get(ALONE_WITH))
    )


def _locks(alone_with: tuple[int, int] | None) -> str:
    """Return the SQL that takes the lock of all writers, or of one (item, person) pair alone."""
    if alone_with is None:
        return f"SELECT pg_advisory_xact_lock({_WRITERS_LOCK})"
    # Two ids that share a lock by chance wait for each other, which does no harm.
    item, person = (number % 2**31 for number in alone_with)
    return (
        f"SELECT pg_advisory_xact_lock_shared({_WRITERS_LOCK});"
        f"SELECT pg_advisory_xact_lock(1, {item});"
        f"SELECT pg_advisory_xact_lock(2, {person})"
    )
