"""The indexes that a workspace keeps on disk: how large they are, when used, and removing them.

Every change of the law, of a method's parameters or of its version makes an index of its own, and
the old one stays, for who goes back to it. None is needed for good: one that is gone is made again
when somebody asks for it. A process that has it open keeps what it has.
"""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from errors import UserError, Where
from retrieval.core.describe import describe
from retrieval.core.method import MANIFEST
from services.runs.methods.index_cache import BUILDING
from storage.db.workspace import Workspace


@dataclass(frozen=True, slots=True)
class KeptIndex:
    """One index. `name` is that of its folder, `method` what it is an index for."""

    name: str
    method: str
    bytes: int
    used: datetime


def kept_indexes(ws: Workspace) -> list[KeptIndex]:
    """Return the indexes that are kept, the one that was used last first.

    Raises UserError where there is no workspace.
    """
    if not ws.exists:
        raise UserError("workspace_missing", Where(file=str(ws.folder)))
    found = [_index(folder) for folder in _folders(ws)]
    return sorted(found, key=lambda each: (each.used, each.name), reverse=True)


def clear_indexes(ws: Workspace, unused_days: int = 0) -> list[KeptIndex]:
    """Remove the indexes that nobody has used for so many days; return what was removed.

    People may go on working meanwhile. Raises UserError where there is no workspace.
    """
    before = ws.clock() - timedelta(days=unused_days)
    removed = [each for each in kept_indexes(ws) if not unused_days or each.used <= before]
    for each in removed:
        _remove(ws.indexes / each.name)
    return removed


def cache_bytes(ws: Workspace) -> int:
    """Return the size of what indexes are made from and `clear_indexes` leaves.

    Vectors of models, which may have cost money, words cut, links read.
    """
    return _size(ws.cache)


def _folders(ws: Workspace) -> Iterator[Path]:
    if ws.indexes.is_dir():
        yield from (
            each
            for each in ws.indexes.iterdir()
            if each.is_dir() and not each.name.startswith(BUILDING)
        )


def _index(folder: Path) -> KeptIndex:
    used = datetime.fromtimestamp(folder.stat().st_mtime, UTC)
    return KeptIndex(folder.name, _method(folder), _size(folder), used)


def _method(folder: Path) -> str:
    """Return what a fitted method calls itself; the search boxes' indexes have their name alone."""
    with suppress(OSError, ValueError, KeyError, TypeError):
        return describe(json.loads((folder / MANIFEST).read_text(encoding="utf-8"))["spec"])
    return folder.name.rpartition("-")[0]


def _size(folder: Path) -> int:
    found = 0
    for file in folder.rglob("*"):
        with suppress(OSError):  # gone meanwhile
            found += file.stat().st_size if file.is_file() else 0
    return found


def _remove(folder: Path) -> None:
    """Take a folder out of sight whole, so that nobody opens half of it, and then remove it."""
    aside = tempfile.mkdtemp(prefix=BUILDING, dir=folder.parent)
    with suppress(FileNotFoundError):  # somebody else was faster
        folder.rename(Path(aside) / folder.name)
    shutil.rmtree(aside, ignore_errors=True)
