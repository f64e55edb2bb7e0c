"""Long work that goes on while people work: one of a kind in a project at a time.

It lives in the process that started it. Whoever opens the page sees it, and anybody who may start
it may stop it. What it has done is in the database; when the process ends, it is taken up by
starting it again.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Coroutine, Mapping
from threading import Lock
from typing import Any, Generic, TypeVar

from errors import UserError
from llm.background import Beside
from llm.batch import Progress, Stop
from storage.db.workspace import Workspace

Result = TypeVar("Result")
Work = Callable[[Progress, Stop], Coroutine[Any, Any, Result]]
_LOOK = 0.1  # seconds between looks at how far it is


class BackgroundTask(Generic[Result]):
    """Work under way or over.

    `name` says which, `by` is the person who started it, `at` what the work says of where it is
    beyond the progress.
    """

    def __init__(
        self,
        work: Work[Result],
        name: str = "",
        by: int | None = None,
        at: Mapping[str, object] | None = None,
    ) -> None:
        """Start it in a thread of its own."""
        self.name, self.by, self.at = name, by, {} if at is None else at
        self._results: list[Result] = []

        async def keep(told: Progress, stop: Stop) -> None:
            self._results.append(await work(told, stop))

        self.beside = Beside(keep)

    @property
    def running(self) -> bool:
        """Whether it is under way."""
        return self.beside.running

    @property
    def progress(self) -> Progress:
        """How far it is."""
        return self.beside.progress

    @property
    def result(self) -> Result | None:
        """What it came to, None while it is under way and where it failed."""
        return self._results[0] if self._results else None

    @property
    def error(self) -> BaseException | None:
        """Why it failed, None where it did not."""
        return self.beside.error


_TASKS: dict[tuple[str, str, str], BackgroundTask[Any]] = {}
_LOCK = Lock()


def start(
    ws: Workspace,
    project_slug: str,
    kind: str,
    work: Work[Result],
    name: str = "",
    by: int | None = None,
    at: Mapping[str, object] | None = None,
) -> BackgroundTask[Result]:
    """Start work of a kind. Raises UserError while such work is under way in the project."""
    place = ws.place, project_slug, kind
    with _LOCK:
        known = _TASKS.get(place)
        if known is not None and known.running:
            raise UserError("work_under_way")
        _TASKS[place] = task = BackgroundTask(work, name, by, at)
    return task


def latest(ws: Workspace, project_slug: str, kind: str) -> BackgroundTask[Any] | None:
    """Return the latest work of a kind that this process started, under way or over."""
    return _TASKS.get((ws.place, project_slug, kind))


def forget(ws: Workspace, project_slug: str, kind: str) -> None:
    """Forget work that is over, so that nobody is shown it again."""
    with _LOCK:
        known = _TASKS.get((ws.place, project_slug, kind))
        if known is not None and not known.running:
            del _TASKS[ws.place, project_slug, kind]


def watched(work: Work[Result], report: Callable[[int, int], None]) -> Result:
    """Do the work and return what it came to, telling `report` how far it is (done, in all).

    An interrupt stops it: calls under way are finished and kept; a second one breaks it off.
    Raises what the work raises.
    """
    task = BackgroundTask(work)
    try:
        _wait(task, report)
    except KeyboardInterrupt:
        task.beside.stop()
        _wait(task, report)
    task.beside.wait()
    if task.result is None:
        raise AssertionError("work that did not fail came to something")
    return task.result


def _wait(task: BackgroundTask[Any], report: Callable[[int, int], None]) -> None:
    while task.running:
        report(task.progress.done, task.progress.total)
        time.sleep(_LOOK)
    report(task.progress.done, task.progress.total)
