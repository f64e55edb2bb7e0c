"""On-disk cache of indexes: built once, opened by later processes, listed and cleared here.

A folder's name identifies all that its content depends on, so an index is valid or damaged, never
stale. An index is built beside its place and moved there atomically; two builders at once do the
work twice and keep one result.

Every change of the law, of a method's parameters or of its version makes a new index, and the old
one stays. Any can be removed: it is rebuilt on demand. A process that has it open keeps it.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import reduce
from pathlib import Path
from time import perf_counter
from typing import Any, Protocol, TypeVar

from errors import UserError, Where
from retrieval.core.method import MANIFEST, DamagedIndexError, Method
from retrieval.core.presets import describe
from services.models.call_counts import Calls, counting_calls
from services.runs.costs import INDEX
from storage.db.workspace import Workspace

OPEN_AT_ONCE = 8
ABANDONED_AFTER_S = 6 * 3600
BUILDING = ".building-"

_guard = threading.Lock()
_open: OrderedDict[Path, Any] = OrderedDict()
_turns: dict[Path, threading.Lock] = {}


class Savable(Protocol):
    """Something that can be written to a folder; :meth:`save` writes all of it or raises."""

    def save(self, folder: Path) -> None:
        """Write into the empty `folder`."""
        ...


T = TypeVar("T")


def saved_index(folder: Path, build: Callable[[], Savable], load: Callable[[Path], T]) -> T:
    """Return the index in `folder`, built with `build` where missing or damaged.

    `load` reads a folder back, and raises DamagedIndexError for a damaged one. Threads that want
    one folder take turns, so that only the first builds. Raises UserError when it cannot be
    written.
    """
    key = folder.resolve()
    with _guard:
        turn = _turns.setdefault(key, threading.Lock())
    with turn:
        index: T | None = _open.get(key) if folder.is_dir() else None
        if index is None:
            try:
                index = _loaded_or_built(folder, build, load)
            except OSError as error:
                reason = error.strerror or str(error)
                raise UserError(
                    "index_unwritten", Where(file=str(folder)), reason=reason
                ) from error
    with suppress(OSError):  # another may have cleared it, or the disk may be read-only
        os.utime(folder)  # records the time of last use
    with _guard:
        _open[key] = index
        _open.move_to_end(key)
        while len(_open) > OPEN_AT_ONCE:
            _open.popitem(last=False)
    return index


def _loaded_or_built(folder: Path, build: Callable[[], Savable], load: Callable[[Path], T]) -> T:
    """Return the index in `folder`; build it and move it there if it is missing or damaged."""
    with suppress(DamagedIndexError):
        return load(folder)
    folder.parent.mkdir(parents=True, exist_ok=True)
    _remove_abandoned(folder.parent)
    built = Path(tempfile.mkdtemp(prefix=BUILDING, dir=folder.parent))
    try:
        build().save(built)
        return _move_into_place(built, folder, load)
    finally:
        shutil.rmtree(built, ignore_errors=True)


def _move_into_place(built: Path, folder: Path, load: Callable[[Path], T]) -> T:
    """Move a new index to its place, unless another process has put a valid one there."""
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
    """Remove leftovers of builds that were killed."""
    for leftover in parent.glob(f"{BUILDING}*"):
        with suppress(OSError):
            if time.time() - leftover.stat().st_mtime > ABANDONED_AFTER_S:
                shutil.rmtree(leftover)


@dataclass(frozen=True, slots=True)
class KeptIndex:
    """A cached index: folder name, the method it belongs to, size, time of last use."""

    name: str
    method: str
    bytes: int
    used: datetime


def kept_indexes(ws: Workspace) -> list[KeptIndex]:
    """Return the cached indexes, most recently used first.

    Raises UserError where there is no workspace.
    """
    if not ws.exists:
        raise UserError("workspace_missing", Where(file=str(ws.folder)))
    found = [
        KeptIndex(
            folder.name,
            _method_name(folder),
            _size(folder),
            datetime.fromtimestamp(folder.stat().st_mtime, UTC),
        )
        for folder in ws.indexes.glob("*")
        if folder.is_dir() and not folder.name.startswith(BUILDING)
    ]
    return sorted(found, key=lambda each: (each.used, each.name), reverse=True)


def clear_indexes(ws: Workspace, unused_days: int = 0) -> list[KeptIndex]:
    """Remove indexes not used for `unused_days` days (0: all); return those removed.

    Safe while others work. Raises UserError where there is no workspace.
    """
    before = ws.clock() - timedelta(days=unused_days)
    removed = [index for index in kept_indexes(ws) if not unused_days or index.used <= before]
    for each in removed:
        _remove(ws.indexes / each.name)
    return removed


def cache_bytes(ws: Workspace) -> int:
    """Return the size of the inputs of indexes, which `clear_indexes` leaves.

    Vectors of models, which may have cost money, tokenised texts, extracted links.
    """
    return _size(ws.cache)


def _method_name(folder: Path) -> str:
    """Return the description of a fitted method; for search box indexes the folder's name."""
    with suppress(OSError, ValueError, KeyError, TypeError):
        return describe(json.loads((folder / MANIFEST).read_text(encoding="utf-8"))["spec"])
    return folder.name.rpartition("-")[0]


def _size(folder: Path) -> int:
    """Return the bytes of a folder's files."""
    found = 0
    for file in folder.rglob("*"):
        with suppress(OSError):  # gone meanwhile
            found += file.stat().st_size if file.is_file() else 0
    return found


def _remove(folder: Path) -> None:
    """Remove a folder, moving it aside first so that nobody opens half of it."""
    aside = tempfile.mkdtemp(prefix=BUILDING, dir=folder.parent)
    with suppress(FileNotFoundError):  # somebody else was faster
        folder.rename(Path(aside) / folder.name)
    shutil.rmtree(aside, ignore_errors=True)


_COST, _CALLS = "cost.json", "calls.npy"


@dataclass(frozen=True, slots=True)
class FitCost:
    """Cost of fitting a method, None where not measured.

    `index_bytes` is its size on disk, `calls` those to language models.
    """

    fit_s: float | None
    index_bytes: int
    calls: Calls | None

    def as_json(self) -> dict[str, Any]:
        """Return the cost under the keys of a run's record."""
        seconds = None if self.fit_s is None else round(self.fit_s, 4)
        said = {"fit_s": seconds, "index_bytes": self.index_bytes}
        return said if self.calls is None else said | {INDEX: self.calls.sums.as_json()}


@dataclass(frozen=True, slots=True)
class Measured:
    """A newly fitted method with its fitting cost, saved together."""

    method: Method
    seconds: float
    calls: Calls

    def save(self, folder: Path) -> None:
        """Write the method and its cost into `folder`."""
        self.method.save(folder)
        counted = {"fit_s": round(self.seconds, 4), "calls": len(self.calls.by_key)}
        if self.calls.by_key:
            self.calls.save(folder / _CALLS)
        (folder / _COST).write_text(json.dumps(counted), encoding="utf-8")


def measured(work: Callable[[], None]) -> tuple[float, Calls]:
    """Run `work`; return the seconds it took and its calls to language models."""
    began = perf_counter()
    with counting_calls() as calls:
        work()
    return perf_counter() - began, calls


def cost_of(folder: Path) -> FitCost:
    """Return the fitting cost stored with the method in `folder`."""
    files = _json_object(folder / MANIFEST).get("files", {})
    size = sum(file["bytes"] for file in files.values())
    said = _json_object(folder / _COST)
    return FitCost(said.get("fit_s"), size, _stored_calls(folder, said.get("calls")))


def _stored_calls(folder: Path, count: object) -> Calls | None:
    """Load the stored calls; None where not counted or incomplete."""
    if count == 0:
        return Calls()
    try:
        found = Calls.load(folder / _CALLS)
    except (OSError, ValueError):
        return None
    return found if len(found.by_key) == count else None


def total(costs: Iterable[FitCost]) -> FitCost:
    """Sum costs; seconds and calls are unknown where those of one are.

    A call shared by several counts once: fitting all of them from nothing makes it once.
    """
    every = list(costs)
    seconds = [each.fit_s for each in every if each.fit_s is not None]
    calls = [each.calls for each in every if each.calls is not None]
    return FitCost(
        sum(seconds) if len(seconds) == len(every) else None,
        sum(each.index_bytes for each in every),
        reduce(Calls.with_those_of, calls, Calls()) if len(calls) == len(every) else None,
    )


def _json_object(file: Path) -> dict[str, Any]:
    """Return the JSON object in a file; {} if it cannot be read or is none."""
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}
