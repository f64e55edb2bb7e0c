"""Projects that many tests begin with: made once in each process, then copied file by file."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from copy import deepcopy
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

from storage.db.workspace import Workspace, utc_now
from tests.conftest import FakeClock

T = TypeVar("T")


@dataclass(frozen=True)
class _Made:
    """A workspace's files by their place in it, what its maker returned, and the time it ended."""

    files: dict[Path, bytes]
    value: Any
    ended: datetime | None


_MADE: dict[Hashable, _Made] = {}


def kept(recipe: Hashable, ws: Workspace, make: Callable[[], T]) -> T:
    """Fill a new workspace as `make` does, which returns nothing that knows the workspace.

    `make` runs the first time that the recipe is asked for; after that what it left is copied, and
    the clock moved on as far as it had moved it. It runs each time for a workspace that is not
    new, that is on a server, or whose clock is not one of the two that this knows how to move.
    """
    start = _start(ws)
    if start is None or ws.address.is_postgres or (ws.folder.exists() and any(ws.folder.iterdir())):
        return make()
    found = _MADE.get((recipe, start))
    if found is not None:
        _write(found, ws)
        return deepcopy(found.value)  # type: ignore[no-any-return]
    value = make()
    ws.engine.dispose()  # everything is in the database's one file
    files = {each.relative_to(ws.folder): each for each in sorted(ws.folder.rglob("*"))}
    content = {place: each.read_bytes() for place, each in files.items() if each.is_file()}
    _MADE[recipe, start] = _Made(content, deepcopy(value), _now(ws))
    return value


def _start(ws: Workspace) -> Hashable:
    """Return what tells this moment from others to which a copy would not belong."""
    return "today" if ws.clock is utc_now else _now(ws)


def _now(ws: Workspace) -> datetime | None:
    return ws.clock.now if isinstance(ws.clock, FakeClock) else None


def _write(made: _Made, ws: Workspace) -> None:
    for place, content in made.files.items():
        path = ws.folder / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    if isinstance(ws.clock, FakeClock) and made.ended:
        ws.clock.now = made.ended
