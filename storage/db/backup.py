"""Backups: one file with a whole database, restorable on SQLite and on PostgreSQL.

The file is a zip archive of ``manifest.json`` and ``touchstone.db``, a SQLite database whichever
server the original was on. So a backup is also the way from SQLite to PostgreSQL and back, and any
SQLite tool can read it. Indexes and exports are left out: they are rebuilt.
"""

from __future__ import annotations

import json
import shutil
import sqlite3
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, MetaData

from errors import UserError, Where
from normalization.hashing import file_hash
from storage.db.atomic_files import UNFINISHED, published_file
from storage.db.engines import MIGRATE, WRITE, file_address, make_engine
from storage.db.migrate import (
    copy_rows,
    copy_rows_beside,
    copy_to_file,
    free_name,
    require_whole,
    tables_of,
    upgrade,
)
from storage.db.schema import REVISION, VERSION_TABLE
from storage.db.workspace import DATABASE_FILE, Workspace

FORMAT = 1
MANIFEST = "manifest.json"
_OCCUPIED = "SELECT EXISTS (SELECT 1 FROM project) OR EXISTS (SELECT 1 FROM account)"
_MANIFEST_BYTES = 1 << 20  # far more than the names and counts of all tables
_CHUNK = 1 << 20


@dataclass(frozen=True, slots=True)
class Manifest:
    """The description of a backup: when it was made (ISO 8601, UTC), and its contents.

    `revision` is the schema revision, `rows` the row counts by table, `sha256` and `size` (in
    bytes) those of the database inside.
    """

    format: int
    made_at: str
    revision: str
    rows: dict[str, int]
    sha256: str
    size: int


def write_backup(ws: Workspace, file: Path) -> Manifest:
    """Write the database's committed state to a new file, UserError if it exists; others go on.

    Only the file's owner may read it: it holds everything, password hashes included. Raises
    UserError when the file exists already or cannot be written.
    """
    with ws.reading():  # checks that there is a database of this schema
        pass
    if file.exists():
        raise UserError("backup_exists", Where(file=str(file)))
    with published_file(file) as part, _room(file.parent) as folder, ws.mendable():
        copy = folder / DATABASE_FILE
        copy_to_file(ws.address, REVISION, copy)
        with closing(sqlite3.connect(copy)) as database:
            database.execute("PRAGMA journal_mode=DELETE")  # one file, without the log beside it
            rows = _rows(database)
        digest, size = file_hash(copy), copy.stat().st_size
        manifest = Manifest(FORMAT, ws.clock().isoformat(), REVISION, rows, digest, size)
        part.touch(mode=0o600)
        with zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(MANIFEST, json.dumps(asdict(manifest), indent=2))
            archive.write(copy, DATABASE_FILE)
    return manifest


@contextmanager
def unpacked(file: Path, parent: Path) -> Iterator[tuple[Manifest, Workspace]]:
    """Yield a backup's manifest and a temporary workspace that holds its database.

    The workspace is in the folder `parent` until the block ends. Raises UserError for a file that
    is missing, not a backup, damaged, or made by a newer Touchstone.
    """
    with _room(parent) as folder:
        try:
            with zipfile.ZipFile(file) as archive:
                manifest = _manifest(archive, file)
                copy = folder / DATABASE_FILE
                if archive.getinfo(DATABASE_FILE).file_size != manifest.size:
                    raise ValueError("another size than its directory says")
                with archive.open(DATABASE_FILE) as packed, copy.open("wb") as database:
                    _extract(packed, database, manifest.size)
        except (OSError, EOFError, KeyError, zipfile.BadZipFile, NotImplementedError) as error:
            raise UserError("backup_unreadable", Where(file=str(file))) from error
        except ValueError as error:
            raise UserError("backup_damaged", Where(file=str(file))) from error
        if copy.stat().st_size != manifest.size or file_hash(copy) != manifest.sha256:
            raise UserError("backup_damaged", Where(file=str(file)))
        yield manifest, Workspace(folder, address=file_address(copy))


def replace_content(ws: Workspace, backup: Workspace, replace: bool = False) -> Path | None:
    """Replace all content by that of `backup`, or nothing; UserError if in use and not `replace`.

    Both have the newest schema (`storage.db.migrate`). The content of a workspace in use is first
    written to a backup whose path is returned; nobody can write between that and the replacement.
    Raises UserError for a workspace in use, unless `replace`.
    """
    engine = make_engine(ws.address, attached=backup.database)
    writing = engine.execution_options(**{WRITE: True, MIGRATE: True})
    aside = None
    with ws.mendable(), writing.begin() as target:
        if target.exec_driver_sql(_OCCUPIED).scalar():
            if not replace:
                raise UserError("restore_occupied", Where(file=ws.place))
            aside = free_name(ws.folder / "before-restore.backup")
            write_backup(ws, aside)
        if _holds_rows(target):
            _drop_tables(target)
            upgrade(target)
        _copy(backup, target)
        require_whole(target)
    engine.dispose()
    return aside


def _copy(backup: Workspace, target: Connection) -> None:
    """Copy every row of a backup to the target."""
    if target.dialect.name == "sqlite":
        copy_rows_beside(target)
        return
    source = make_engine(backup.address)
    with source.connect() as taken:
        copy_rows(taken, target)
    source.dispose()


def _holds_rows(connection: Connection) -> bool:
    """Return True if any table has a row."""
    quote = connection.dialect.identifier_preparer.quote
    queries = (f"SELECT EXISTS (SELECT 1 FROM {quote(name)})" for name in tables_of(connection))  # noqa: S608
    return any(connection.exec_driver_sql(query).scalar() for query in queries)


def _drop_tables(connection: Connection) -> None:
    tables = MetaData()
    tables.reflect(connection)
    tables.drop_all(connection)


@contextmanager
def _room(folder: Path) -> Iterator[Path]:
    """Yield a temporary folder inside `folder`, removed afterwards."""
    folder.mkdir(parents=True, exist_ok=True)
    made = Path(tempfile.mkdtemp(prefix=UNFINISHED, dir=folder))
    try:
        yield made
    finally:
        shutil.rmtree(made, ignore_errors=True)


def _manifest(archive: zipfile.ZipFile, file: Path) -> Manifest:
    """Read an archive's manifest; ValueError if it is malformed, UserError if it is newer."""
    if archive.getinfo(MANIFEST).file_size > _MANIFEST_BYTES:
        raise ValueError("longer than any manifest")
    said: dict[str, Any] = json.loads(archive.read(MANIFEST))
    if not isinstance(said, dict) or not isinstance(said.get("format"), int):
        raise ValueError("no format")
    if said["format"] > FORMAT:
        raise UserError("backup_newer", Where(file=str(file)))
    try:
        return Manifest(**said)
    except TypeError as error:
        raise ValueError("other fields") from error


def _extract(packed: Any, database: Any, size: int) -> None:
    """Copy at most `size` bytes, else ValueError: a guard against zip bombs."""
    left = size
    while chunk := packed.read(_CHUNK):
        left -= len(chunk)
        if left < 0:
            raise ValueError("longer than it says")
        database.write(chunk)


def _rows(database: sqlite3.Connection) -> dict[str, int]:
    """Count the rows of each table."""
    query = "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name"
    names = [name for (name,) in database.execute(query) if name != VERSION_TABLE]
    counts = ((name, f'SELECT count(*) FROM "{name}"') for name in names)  # noqa: S608
    return {name: database.execute(count).fetchone()[0] for name, count in counts}
