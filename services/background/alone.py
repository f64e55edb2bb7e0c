"""Lock that lets one process at a time do a kind of work in a project.

`services.background.tasks` knows only the tasks of its own process; a command beside the app, or
two commands, are excluded here. The operating system holds the lock (``flock`` on a file of the
workspace folder), so it is freed when the process dies. Processes on several machines see each
other where they share that folder.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager

from errors import UserError
from services.background.tasks import TaskKind
from storage.db.workspace import Workspace


@contextmanager
def alone(ws: Workspace, project_slug: str, kind: TaskKind, code: str) -> Iterator[None]:
    """Hold the lock of a kind of work in a project.

    Raises UserError of that code while somebody else holds it.
    """
    folder = ws.folder / "locks"
    folder.mkdir(parents=True, exist_ok=True)
    number = os.open(folder / f"{project_slug}-{kind}", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        try:
            fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise UserError(code) from None
        try:
            yield
        finally:
            # Unlocked by name: a process that was forked meanwhile holds the open file too.
            fcntl.flock(number, fcntl.LOCK_UN)
    finally:
        os.close(number)
