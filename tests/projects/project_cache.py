"""Projects that many tests begin with: made once in each process, then copied."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from copy import deepcopy
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

from storage.db.workspace import Workspace, utc_now
from tests.conftest import FakeClock
from tests.support.postgres import RUNNING, Server

T = TypeVar("T")


@dataclass(frozen=True)
class _Made:
    """A workspace's files by their place in it, what its maker returned, and the time it ended.

    `database` is the name of the copy of its database on a server, empty where that is a file.
    """

    files: dict[Path, bytes]
    value: Any
    ended: datetime | None
    database: str = ""


_MADE: dict[Hashable, _Made] = {}


def kept(recipe: Hashable, ws: Workspace, make: Callable[[], T]) -> T:
    """Fill a new workspace as `make` does, which returns nothing that knows the workspace.

    `make` runs the first time that the recipe is asked for; after that what it left is copied, and
    the clock moved on as far as it had moved it. It runs each time for a workspace that is not
    new, or whose clock is not one of the two that this knows how to move. On a server, the
    database must be one that the tests' own server has made and nobody has filled.
    """
    start = _start(ws)
    if start is None or (ws.folder.exists() and any(ws.folder.iterdir())):
        return make()
    server = _server(ws)
    if ws.address.is_postgres and (server is None or server.used(_database(ws))):
        return make()
    key = recipe, start, server and server.port
    found = _MADE.get(key)
    if found is not None:
        if server is not None:
            ws.engine.dispose()
            server.fill(_database(ws), found.database)
        _write(found, ws)
        return deepcopy(found.value)  # type: ignore[no-any-return]
    value = make()
    ws.engine.dispose()  # everything is in the database's one file
    files = {each.relative_to(ws.folder): each for each in sorted(ws.folder.rglob("*"))}
    content = {place: each.read_bytes() for place, each in files.items() if each.is_file()}
    copy = server.copied(_database(ws)) if server is not None else ""
    _MADE[key] = _Made(content, deepcopy(value), _now(ws), copy)
    return value


def kept_project(recipe: Hashable, ws: Workspace, make: Callable[[], T]) -> T:
    """Do as `kept` for what `make` returns: a dataclass whose field `ws` is the workspace."""

    def without_workspace() -> T:
        made: Any = make()
        made.ws.engine.dispose()
        return replace(made, ws=None)  # type: ignore[no-any-return]

    found: Any = kept(recipe, ws, without_workspace)
    return replace(found, ws=ws)  # type: ignore[no-any-return]


def _server(ws: Workspace) -> Server | None:
    """Return the tests' own server that keeps the database."""
    return RUNNING.get(ws.address.url.port or 0) if ws.address.is_postgres else None


def _database(ws: Workspace) -> str:
    return str(ws.address.url.database)


def _start(ws: Workspace) -> Hashable:
    """Return what tells this moment from others to which a copy would not belong."""
    return "today" if ws.clock is utc_now else _now(ws)


def _now(ws: Workspace) -> datetime | None:
    return ws.clock.now if isinstance(ws.clock, FakeClock) else None


def _write(made: _Made, ws: Workspace) -> None:
    ws.folder.mkdir(parents=True, exist_ok=True)  # also where no file is in it
    for place, content in made.files.items():
        path = ws.folder / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    if isinstance(ws.clock, FakeClock) and made.ended:
        ws.clock.now = made.ended
