"""The engine of a database, and how its transactions begin.

A reading transaction sees one consistent state. Writing transactions happen one after the other,
on either database, so that what one reads cannot change before it writes: overlap counts, ends of
chains and settled cases rest on this. SQLite has one writer by itself, once ``BEGIN IMMEDIATE``
asks for the lock before the first read. On PostgreSQL every writer takes an advisory lock first
and only then its snapshot, which is why it runs READ COMMITTED: a stricter level would fix the
snapshot before the wait.

An act of one person on one item may happen beside acts of others on other items, and there it
does: it shares the writers' lock with its like, and has the item and the person to itself. Items
are locked before people, so no two acts can wait for each other.
"""

from __future__ import annotations

import sqlite3
import time
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event

from storage.address import Address

BUSY_TIMEOUT_MS = 10_000
CONNECT_SECONDS = 10
WRITE = "touchstone_write"
MIGRATE = "touchstone_migrate"
ALONE_WITH = "touchstone_alone_with"  # (item id, person id) of an act that needs no more
_WRITERS_LOCK = 0x746F756368  # any number that no other program on the database uses
# A process whose machine vanished must not hold up the others for ever.
_IDLE_MINUTES = 10
# How often a writer looks whether the file is free: at first, at most, and when twice as often.
_SELDOM_MS = 24.0
_OFTEN_MS = 3.0
_HALVED_MS = 40.0


def make_engine(address: Address, **options: Any) -> Engine:
    """Return the engine of a database; nothing is opened yet. `options` go to SQLAlchemy."""
    if address.is_postgres:
        return _postgres(address, options)
    engine = create_engine(address.url, **options)
    event.listen(engine, "connect", _prepare_file)
    event.listen(engine, "begin", _begin_on_file)
    return engine


def _postgres(address: Address, options: dict[str, Any]) -> Engine:
    arguments = {"connect_timeout": CONNECT_SECONDS, "application_name": "touchstone"}
    engine = create_engine(
        address.url,
        pool_pre_ping=True,  # a server that was restarted is found again
        pool_size=10,
        max_overflow=20,
        pool_timeout=BUSY_TIMEOUT_MS / 1000,
        connect_args={k: v for k, v in arguments.items() if k not in address.url.query},
        **options,
    )
    event.listen(engine, "begin", _begin_on_server)
    return engine


def _prepare_file(connection: Any, _record: object) -> None:
    # The driver must not open transactions on its own: it would defer the write lock.
    connection.isolation_level = None
    for pragma in (
        f"busy_timeout={BUSY_TIMEOUT_MS}",  # first: the others may have to wait
        "journal_mode=WAL",
        "synchronous=FULL",
    ):
        connection.execute(f"PRAGMA {pragma}")


def _begin_on_file(connection: Connection) -> None:
    options = connection.get_execution_options()
    # Only a migration that builds a table anew works without: it checks all of them at its end.
    keys = "OFF" if options.get(MIGRATE) else "ON"
    connection.exec_driver_sql(f"PRAGMA foreign_keys={keys}")
    if options.get(WRITE):
        _wait_for_file(connection.connection.dbapi_connection)
    else:
        connection.exec_driver_sql("BEGIN")


def _wait_for_file(connection: Any) -> None:
    """Begin the writing transaction as soon as the others' have ended.

    SQLite itself would look less and less often the longer it has waited, so that of twenty writers
    some would never get their turn. Here who has waited long looks often, and comes next.
    """
    start = time.monotonic()
    connection.execute("PRAGMA busy_timeout=0")
    try:
        while True:
            try:
                connection.execute("BEGIN IMMEDIATE")
                return
            except sqlite3.OperationalError as error:
                waited = (time.monotonic() - start) * 1000
                if "locked" not in str(error) or waited >= BUSY_TIMEOUT_MS:
                    raise
                time.sleep(max(_OFTEN_MS, _SELDOM_MS / 2 ** (waited / _HALVED_MS)) / 1000)
    finally:
        connection.execute(f"PRAGMA busy_timeout={BUSY_TIMEOUT_MS}")


def _begin_on_server(connection: Connection) -> None:
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
    if alone_with is None:
        return f"SELECT pg_advisory_xact_lock({_WRITERS_LOCK})"
    # Two ids that share a lock by chance wait for each other, which does no harm.
    item, person = (number % 2**31 for number in alone_with)
    return (
        f"SELECT pg_advisory_xact_lock_shared({_WRITERS_LOCK});"
        f"SELECT pg_advisory_xact_lock(1, {item});"
        f"SELECT pg_advisory_xact_lock(2, {person})"
    )
