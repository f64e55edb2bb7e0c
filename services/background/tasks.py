"""Background tasks: long work in a thread of its own, one of a kind in a project at a time.

A task lives in the process that started it. Whoever opens the page sees it, and anybody who may
start it may stop it. What it has done is in the database; when the process ends, it is taken up by
starting it again.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine
from enum import StrEnum
from threading import Event, Lock, Thread
from typing import Any, Generic, TypeVar

from annotation.people.roles import Act, allow
from errors import UserError
from llm.batch import Progress, Stop
from storage.db.workspace import Workspace

Result = TypeVar("Result")
Work = Callable[[Progress, Stop], Coroutine[Any, Any, Result]]
"""What is done in the thread; it keeps the progress up to date and heeds the stop."""

STOPPED = "retrieval_stopped"
"""The error that ends work which somebody stopped and which keeps nothing of what is half done."""

_POLL_SECONDS = 0.1


class TaskKind(StrEnum):
    """A kind of background task."""

    RUN = "run"
    EXPERIMENT = "experiment"
    CANDIDATES = "candidates"
    GENERATE_MCQ = "mcq_generate"
    SOLVE_MCQ = "mcq_solve"
    AUGMENT = "augment"
    SUGGEST_TAGS = "factor_suggest"
    DRAFT_PAGES = "ocr"
    JUDGE = "judge"
    ANSWER = "answer"
    CASCADE = "cascade"
    REFORMULATE = "reformulate"
    SCORE_ANSWERS = "answer_scores"
    ATTRIBUTE = "attribute"
    LABELS = "labels"

    @property
    def act(self) -> Act:
        """What a person must be allowed to do to start, see and stop it."""
        return _OTHER_ACTS.get(self, Act.MAKE_ITEMS)

    @property
    def resumes(self) -> bool:
        """Whether what was done before it broke off or was stopped is kept."""
        return self not in (TaskKind.RUN, TaskKind.CANDIDATES)


_OTHER_ACTS = {
    TaskKind.RUN: Act.RUN_RETRIEVAL,
    TaskKind.EXPERIMENT: Act.RUN_RETRIEVAL,
    TaskKind.CANDIDATES: Act.BUILD_CANDIDATES,
    TaskKind.SCORE_ANSWERS: Act.RUN_RETRIEVAL,
    TaskKind.LABELS: Act.IMPORT_LABELS,
}


class BackgroundTask(Generic[Result]):
    """Work under way or over; `progress` may be read at any time.

    `name` says which, `by` is the person who started it. `result` is None while it is under way and
    where it failed, `error` why it failed.
    """

    def __init__(
        self, work: Work[Result], *, name: str = "", by: int | None = None, total: int = 0
    ) -> None:
        """Start it; `work` runs in an event loop of the thread's own."""
        self.name, self.by, self.progress = name, by, Progress(total)
        self.result: Result | None = None
        self.error: BaseException | None = None
        self._stop = Event()

        def run() -> None:
            try:
                self.result = asyncio.run(work(self.progress, self._stop))
            except BaseException as error:  # for whoever waits: a thread has nobody else to tell
                self.error = error

        self._thread = Thread(target=run, name="background-task", daemon=True)
        self._thread.start()

    @property
    def running(self) -> bool:
        """Whether it is under way."""
        return self._thread.is_alive()

    @property
    def stopping(self) -> bool:
        """Whether it was told to stop."""
        return self._stop.is_set()

    def stop(self) -> None:
        """Begin nothing more; model calls under way are finished and kept."""
        self._stop.set()

    def wait(self, seconds: float | None = None) -> Progress:
        """Return how it ended, or how far it is after so long. Raises what the work raised."""
        self._thread.join(seconds)
        if self.error is not None:
            raise self.error
        return self.progress


_TASKS: dict[tuple[str, str, TaskKind], BackgroundTask[Any]] = {}
_LOCK = Lock()


def start(
    ws: Workspace,
    project_slug: str,
    kind: TaskKind,
    work: Work[Result],
    *,
    name: str = "",
    by: int | None = None,
    total: int = 0,
) -> BackgroundTask[Result]:
    """Start work of a kind. Raises UserError while such work is under way in the project."""
    place = ws.place, project_slug, kind
    with _LOCK:
        known = _TASKS.get(place)
        if known is not None and known.running:
            raise UserError("work_under_way")
        _TASKS[place] = task = BackgroundTask(work, name=name, by=by, total=total)
    return task


def latest(
    ws: Workspace, project_slug: str, kind: TaskKind, by: int | None = None
) -> BackgroundTask[Any] | None:
    """Return the latest task of a kind that this process started, under way or over.

    Raises UserError for who may not start one.
    """
    allow(ws, project_slug, by, kind.act)
    return _TASKS.get((ws.place, project_slug, kind))


def forget(ws: Workspace, project_slug: str, kind: TaskKind, by: int | None = None) -> None:
    """Forget a task that is over, so that nobody is shown it again.

    Raises UserError for who may not start one.
    """
    allow(ws, project_slug, by, kind.act)
    with _LOCK:
        known = _TASKS.get((ws.place, project_slug, kind))
        if known is not None and not known.running:
            del _TASKS[ws.place, project_slug, kind]


def watched(work: Work[Result], report: Callable[[int, int], None]) -> Result:
    """Do the work and return its result; `report(done, total)` is called as it goes on.

    An interrupt stops it: calls under way are finished and kept; a second one breaks it off.
    Raises what the work raises.
    """
    task = BackgroundTask(work)
    try:
        _wait(task, report)
    except KeyboardInterrupt:
        task.stop()
        _wait(task, report)
    task.wait()
    if task.result is None:
        raise AssertionError("work that did not fail came to something")
    return task.result


def _wait(task: BackgroundTask[Any], report: Callable[[int, int], None]) -> None:
    while task.running:
        report(task.progress.done, task.progress.total)
        time.sleep(_POLL_SECONDS)
    report(task.progress.done, task.progress.total)
