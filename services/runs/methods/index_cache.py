"""Indexes kept on disk: built once, opened by every process after that.

A folder's name says all that its content depends on, so what is there is right or damaged, never
stale. An index is built beside its place and moved there whole; two builders at once do the work
twice and keep one result.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Protocol, TypeVar

from errors import UserError, Where
from retrieval.core.method import DamagedIndexError

OPEN_AT_ONCE = 8
ABANDONED_AFTER_S = 6 * 3600
BUILDING = ".building-"

_guard = threading.Lock()
_open: OrderedDict[Path, Any] = OrderedDict()
_turns: dict[Path, threading.Lock] = {}


class Savable(Protocol):
    """What can be written into a folder; :meth:`save` writes all of it or raises."""

    def save(self, folder: Path) -> None:
        """Write into `folder`, which is empty."""
        ...


T = TypeVar("T")


def saved_index(folder: Path, build: Callable[[], Savable], load: Callable[[Path], T]) -> T:
    """Return the index kept in `folder`; make it with `build` where it is missing or damaged.

    `load` reads a folder back, and raises DamagedIndexError for one that is not sound.

    Threads that ask for one folder take turns, so that only the first of them builds. Raises
    UserError when it cannot be written.
    """
    key = folder.resolve()
    with _guard:
        turn = _turns.setdefault(key, threading.Lock())
    with turn:
        index: T | None = _open.get(key) if folder.is_dir() else None
        if index is None:
            try:
                index = _loaded(folder, build, load)
            except OSError as error:
                reason = error.strerror or str(error)
                raise UserError(
                    "index_unwritten", Where(file=str(folder)), reason=reason
                ) from error
    with suppress(OSError):  # another may have cleared it, or the disk may be read-only
        os.utime(folder)  # when it was last used; see `services.runs.methods.index_inventory`
    with _guard:
        _open[key] = index
        _open.move_to_end(key)
        while len(_open) > OPEN_AT_ONCE:
            _open.popitem(last=False)
    return index


def _loaded(folder: Path, build: Callable[[], Savable], load: Callable[[Path], T]) -> T:
    with suppress(DamagedIndexError):
        return load(folder)
    folder.parent.mkdir(parents=True, exist_ok=True)
    _remove_abandoned(folder.parent)
    built = Path(tempfile.mkdtemp(prefix=BUILDING, dir=folder.parent))
    try:
        build().save(built)
        return _keep(built, folder, load)
    finally:
        shutil.rmtree(built, ignore_errors=True)


def _keep(built: Path, folder: Path, load: Callable[[Path], T]) -> T:
    """Move a new index to its place, unless another process has put a sound one there."""
    with suppress(DamagedIndexError):
        return load(folder)
    index = load(built)  # stays mapped to its files wherever they are moved
    with tempfile.TemporaryDirectory(prefix=BUILDING, dir=folder.parent) as aside:
        with suppress(FileNotFoundError):
            folder.rename(Path(aside) / "damaged")
        with suppress(OSError):  # another process was faster by a moment: its index is as good
            built.rename(folder)
    return index


def _remove_abandoned(parent: Path) -> None:
    """Remove what builds that were killed have left behind."""
    for leftover in parent.glob(f"{BUILDING}*"):
        with suppress(OSError):
            if time.time() - leftover.stat().st_mtime > ABANDONED_AFTER_S:
                shutil.rmtree(leftover)
