"""A workspace whose models are played by the scripted server, and work done with them."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from typing import Any

from llm.batch import Progress
from storage.db.workspace import Workspace
from tests.llm.server import Server, scripted


def point_at(ws: Workspace, server: Server, more: str = "") -> None:
    """Let the workspace's roles use the server."""
    server.plays(ws.folder, f"{more}\n", "m")


@contextmanager
def serving(
    ws: Workspace, more: str = "", says: Callable[[str], str] | None = None
) -> Iterator[Server]:
    """Yield a scripted server that the workspace's roles use."""
    with scripted() as server:
        server.says = says or server.says
        point_at(ws, server, more)
        yield server


def to_the_end(
    work: Callable[..., Coroutine[Any, Any, Any]], *given: object, stop: bool = False
) -> Any:
    """Do work of a model until it is done; with `stop` it is stopped before it begins."""
    stopped = threading.Event()
    if stop:
        stopped.set()
    return asyncio.run(work(*given, Progress(0), stopped))
