"""Read-only workspaces: detected by file permissions, opened without writing.

SQLite's write-ahead log wants to make files beside the database. Where none can be made, a database
that nobody has open is read as it lies (``immutable``); what a log beside it still holds is read
from a copy. A stamp changes when somebody who may write has changed the files.
"""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path

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
    with tempfile.TemporaryDirectory(prefix="touchstone-read-") as folder:
        copy = Path(folder) / file.name
        for ending in ("", _LOG):
            shutil.copyfile(file.with_name(file.name + ending), copy.with_name(copy.name + ending))
        with closing(sqlite3.connect(copy)) as whole:
            whole.execute("PRAGMA journal_mode=DELETE")  # the log's content goes into the file
        # Open files stay readable when they are removed.
        return _connected(copy, "mode=ro&immutable=1")
