"""Creating a workspace's database and bringing an older one up to date, without losing a row."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect

from errors import UserError, Where
from storage.schema import REVISION, VERSION_TABLE, revision_of
from storage.workspace import Workspace

_SCRIPTS = Path(__file__).parent / "migrations"


def migrate(workspace: Workspace) -> list[str]:
    """Apply the migrations that the workspace's database lacks; return their revisions in order.

    Creates the folder and the database where they are missing. All migrations of a call happen in
    one transaction that no other process can write beside; an existing database is copied to
    ``touchstone.db.before-<revision>`` first. Raises UserError for a database that is newer than
    this code, is not SQLite, or belongs to another program.
    """
    try:
        workspace.folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError("database_unopened", Where(file=str(workspace.database))) from error
    writing = workspace.engine.execution_options(touchstone_write=True, touchstone_migrate=True)
    with workspace.mendable(), writing.begin() as connection:
        at = _revision(connection, workspace.database)
        if at == REVISION:
            return []
        steps = _steps_from(at, workspace.database)
        if at is not None:
            _back_up(workspace.database, before=steps[0])
        command.upgrade(_config(connection), "head")
        _require_whole(connection)
    return steps


def _require_whole(connection: Connection) -> None:
    """Raise RuntimeError if a row refers to one that is not there; the migration is undone."""
    broken = connection.exec_driver_sql("PRAGMA foreign_key_check").fetchall()
    if broken:
        raise RuntimeError(f"the migration leaves {len(broken)} rows that refer to nothing")


def _revision(connection: Connection, database: Path) -> str | None:
    tables = inspect(connection).get_table_names()
    if tables and VERSION_TABLE not in tables:
        raise UserError("database_foreign", Where(file=str(database)))
    return revision_of(connection)


def _steps_from(revision: str | None, database: Path) -> list[str]:
    scripts = ScriptDirectory.from_config(_config())
    known = [script.revision for script in scripts.walk_revisions()][::-1]
    if revision is None:
        return known
    if revision not in known:
        raise UserError("database_newer", Where(file=str(database)), revision=revision)
    return known[known.index(revision) + 1 :]


def _back_up(database: Path, before: str) -> Path:
    """Copy the database as it is committed to a file of a name not yet taken."""
    copy = database.with_name(f"{database.name}.before-{before}")
    number = 1
    while copy.exists():
        number += 1
        copy = database.with_name(f"{database.name}.before-{before}-{number}")
    try:
        with closing(sqlite3.connect(database)) as source, closing(sqlite3.connect(copy)) as target:
            _copy(source, target)
    except BaseException:
        copy.unlink(missing_ok=True)  # half a copy would be taken for a whole one
        raise
    return copy


def _copy(source: sqlite3.Connection, target: sqlite3.Connection) -> None:
    source.backup(target)


def _config(connection: Connection | None = None) -> Config:
    config = Config()
    config.set_main_option("script_location", str(_SCRIPTS).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config
