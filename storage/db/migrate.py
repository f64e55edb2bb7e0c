"""Creation of a workspace's database, and migrations without losing a row.

Also copies the rows of one database to another of the same revision, whichever kind each is.
"""

from __future__ import annotations

import errno
import os
import sqlite3
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
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
    inspect,
    select,
)

from errors import UserError, Where
from normalization.grouping import grouped
from storage.db.engines import (
    BESIDE,
    MIGRATE,
    WRITE,
    Address,
    file_address,
    is_read_only,
    make_engine,
    open_to_read,
)
from storage.db.schema import (
    REVISION,
    VERSION_TABLE,
    refuse_older,
    refuse_older_revision,
    revision_of,
)
from storage.db.workspace import DATABASE_FILE, Workspace

_SCRIPTS = Path(__file__).resolve().parents[1] / "migrations"
_SORTED_OTHERWISE = """
SELECT table_name, column_name FROM information_schema.columns
WHERE table_schema = current_schema() AND data_type IN ('character varying', 'text')
AND table_name <> 'alembic_version' AND collation_name IS DISTINCT FROM 'C'
ORDER BY table_name, column_name
"""


def migrate(workspace: Workspace, keep_copy: bool = True) -> list[str]:
    """Apply the migrations that the workspace's database lacks; return their revisions in order.

    Creates the folder and the database where they are missing; on a server the database must exist,
    if empty. All migrations of a call are one transaction that locks out other writers; an existing
    database is copied to the workspace's file ``touchstone.db.before-<revision>`` first, unless
    `keep_copy` is False because there is a copy already. A read-only one that lacks none is left as
    it is. Raises UserError for a read-only one that lacks some, where no workspace can be made, and
    for a database that is older than version 1 or newer than this code, is not SQLite, belongs to
    another program, or is on a server and not in UTF-8.
    """
    if not workspace.address.is_postgres:
        refuse_older(workspace.database)
    if workspace.read_only:
        _require_nothing_lacking(workspace)
        return []
    _make_folder(workspace)
    writing = workspace.engine.execution_options(**{WRITE: True, MIGRATE: True})
    with workspace.mendable(), writing.begin() as connection:
        at = _revision(connection, workspace.place)
        if at == REVISION:
            return []
        steps = _steps_from(at, workspace.place)
        if at is not None and keep_copy:
            _back_up(workspace, at, before=steps[0])
        upgrade(connection)
    return steps


def _require_nothing_lacking(workspace: Workspace) -> None:
    """Raise UserError if migrations are to be applied, as the workspace is read-only."""
    with workspace.mendable(), workspace.engine.connect() as connection:
        if _steps_from(_revision(connection, workspace.place), workspace.place):
            raise UserError("workspace_outdated_readonly", Where(file=workspace.place))


def _make_folder(workspace: Workspace) -> None:
    """Make the folder. Raises UserError where it or a database in it cannot be created."""
    folder = workspace.folder
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if workspace.address.is_postgres or workspace.database.exists():
            return
    except OSError as error:
        reason = error.strerror or str(error)
        raise UserError("workspace_unmade", Where(file=str(folder)), reason=reason) from error
    if not os.access(folder, os.W_OK):
        denied = os.strerror(errno.EACCES)
        raise UserError("workspace_unmade", Where(file=str(folder)), reason=denied)


def upgrade(connection: Connection, revision: str = "head") -> None:
    """Apply the migrations up to `revision` that the connection's database lacks."""
    command.upgrade(_config(connection), revision)
    if connection.dialect.name == "postgresql":
        _order_by_code_point(connection)
    require_whole(connection)


def require_whole(connection: Connection) -> None:
    """Raise RuntimeError if a foreign key is broken, which a server never allows."""
    if connection.dialect.name == "postgresql":
        return
    broken = connection.exec_driver_sql("PRAGMA foreign_key_check").fetchall()
    if broken:
        raise RuntimeError(f"{len(broken)} rows refer to nothing")


def _order_by_code_point(connection: Connection) -> None:
    """Give text columns the collation "C": they sort by code point, as in SQLite and Python."""
    columns = grouped(
        (table, name) for table, name in connection.exec_driver_sql(_SORTED_OTHERWISE)
    )
    for table, names in sorted(columns.items()):
        changes = (f'ALTER COLUMN "{name}" TYPE varchar COLLATE "C"' for name in names)
        connection.exec_driver_sql(f'ALTER TABLE "{table}" {", ".join(changes)}')


def _revision(connection: Connection, place: str) -> str | None:
    """Return a database's revision, None for an empty one; UserError if foreign or not UTF-8."""
    tables = inspect(connection).get_table_names()
    if tables and VERSION_TABLE not in tables:
        raise UserError("database_foreign", Where(file=place))
    if connection.dialect.name == "postgresql":
        encoding = connection.exec_driver_sql("SHOW server_encoding").scalar()
        if encoding != "UTF8":
            raise UserError("database_encoding", Where(file=place), encoding=encoding)
    return revision_of(connection)


def _steps_from(revision: str | None, place: str) -> list[str]:
    """Return the revisions to apply, oldest first; UserError for a newer or too old database."""
    known = list(_revisions_in(_SCRIPTS))
    if revision is None:
        return known
    if revision not in known:
        refuse_older_revision(revision, place)
        raise UserError("database_newer", Where(file=place), revision=revision)
    return known[known.index(revision) + 1 :]


@cache
def _revisions_in(place: Path) -> tuple[str, ...]:
    """Return the revisions of the migrations in a folder, oldest first."""
    scripts = ScriptDirectory(str(place))
    return tuple(script.revision for script in scripts.walk_revisions())[::-1]


def _back_up(workspace: Workspace, revision: str, before: str) -> Path:
    """Copy the database to a new file named after the migration `before`; return its path."""
    copy = free_name(workspace.folder / f"{DATABASE_FILE}.before-{before}")
    half = copy.with_name(f"{copy.name}.part")  # if killed midway, it must not look complete
    _remove(half)
    try:
        copy_to_file(workspace.address, revision, half)
    except BaseException:
        _remove(half)
        raise
    return half.rename(copy)


def _remove(file: Path) -> None:
    """Remove a SQLite file and its logs: all files whose names begin with its name."""
    for path in file.parent.glob(f"{file.name}*"):
        path.unlink(missing_ok=True)


def free_name(path: Path) -> Path:
    """Return the path, with a number appended to its name if it exists."""
    number, free = 1, path
    while free.exists():
        number += 1
        free = path.with_name(f"{path.name}-{number}")
    return free


def copy_to_file(address: Address, revision: str, copy: Path) -> None:
    """Copy a database of that revision to a new SQLite file; others may go on writing to it."""
    if address.is_postgres:
        _copy_from_server(address, revision, copy)
        return
    file = Path(str(address.url.database))
    source = open_to_read(file) if is_read_only(file) else sqlite3.connect(file)
    with closing(source), closing(sqlite3.connect(copy)) as target:
        source.backup(target)


def _copy_from_server(address: Address, revision: str, copy: Path) -> None:
    """Copy a server's database to a SQLite file."""
    server, file = make_engine(address), make_engine(file_address(copy))
    writing = file.execution_options(**{WRITE: True, MIGRATE: True})
    try:
        with server.connect() as source, writing.begin() as target:
            upgrade(target, revision)
            copy_rows(source, target)
    finally:
        server.dispose()
        file.dispose()
    with closing(sqlite3.connect(copy)) as made:  # one file, without the log beside it
        made.execute("PRAGMA journal_mode=DELETE")


def _config(connection: Connection | None = None) -> Config:
    """Return Alembic's settings."""
    config = Config()
    config.set_main_option("script_location", str(_SCRIPTS).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config


_BATCH = 5_000
_IMAGES = 20  # each up to some megabytes


def copy_rows(source: Connection, target: Connection) -> dict[str, int]:
    """Copy every row, ids included, to existing empty tables; return the counts by table.

    The tables are those that the source has, so that an older revision can be copied too. JSON is
    copied as its text, letter by letter.
    """
    tables, there = MetaData(), MetaData()
    tables.reflect(source)
    there.reflect(target)
    counts = {}
    for table in tables.sorted_tables:  # referenced tables come first
        if table.name != VERSION_TABLE:
            counts[table.name] = _copy_table(source, table, target, there.tables[table.name])
    return dict(sorted(counts.items()))


def copy_rows_beside(connection: Connection) -> None:
    """Copy every row of the attached SQLite file into the connection's own empty tables.

    Both have the same tables. SQLite copies by itself, without a row that Python would see; it
    checks constraints wherever those of the two differ. Raises RuntimeError for a table whose
    columns are others, or in another order.
    """
    quote = connection.dialect.identifier_preparer.quote
    for table in tables_of(connection):
        if _columns(connection, table, "main") != _columns(connection, table, BESIDE):
            raise RuntimeError(f"table {table} has other columns")
        name = quote(table)
        connection.exec_driver_sql(f"INSERT INTO main.{name} SELECT * FROM {BESIDE}.{name}")  # noqa: S608


def _columns(connection: Connection, table: str, schema: str) -> list[str]:
    """Return the names of a table's columns, in order."""
    query = "SELECT name FROM pragma_table_info(?, ?) ORDER BY cid"
    return list(connection.exec_driver_sql(query, (table, schema)).scalars())


def tables_of(connection: Connection) -> list[str]:
    """Return the names of the product's tables, ascending."""
    return sorted({*inspect(connection).get_table_names()} - {VERSION_TABLE})


def _copy_table(source: Connection, table: Table, target: Connection, there: Table) -> int:
    """Copy the rows of `table` to `there`, the same table in the target; return their number."""
    copied = 0
    at_once = (
        _IMAGES if any(isinstance(column.type, LargeBinary) for column in table.columns) else _BATCH
    )
    rows = source.execution_options(yield_per=at_once).execute(_rows_query(table))
    into = _insert_statement(there, target.dialect.name == "postgresql")
    for part in rows.mappings().partitions():
        target.execute(into, [dict(row) for row in part])
        copied += len(part)
    if copied and target.dialect.name == "postgresql":
        _advance_id_sequence(target, there)
    return copied


def _rows_query(table: Table) -> Select[Any]:
    """Return the query of all rows of a table; JSON as text."""
    columns = [cast(c, Text).label(c.name) if _is_json(c) else c for c in table.columns]
    # Rows that refer to others of their own table refer to earlier ones.
    return select(*columns).order_by(*table.primary_key)


def _insert_statement(table: Table, on_server: bool) -> Insert:
    # SQLite keeps JSON as text; a cast there would read it as a number.
    values: dict[str, Any] = {}
    for column in table.columns:
        if _is_json(column):
            text = bindparam(column.name, type_=Text())
            values[column.name] = cast(text, column.type) if on_server else text
        else:
            values[column.name] = bindparam(column.name, type_=column.type)
    return insert(table).values(values)


def _is_json(column: Column[Any]) -> bool:
    """Return True for a JSON column."""
    return isinstance(column.type, JSON)


def _advance_id_sequence(target: Connection, table: Table) -> None:
    """Set a table's id sequence to the highest copied id."""
    quoted = target.dialect.identifier_preparer.format_table(table)
    target.exec_driver_sql(
        f"SELECT setval(pg_get_serial_sequence('{quoted}', 'id'), max(id)) FROM {quoted}"  # noqa: S608
    )
