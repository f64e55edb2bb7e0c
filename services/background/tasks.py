"""Background tasks: long work in a thread of its own, one of a kind in a project at a time.

A task lives in the process that started it. Whoever opens the page sees it, and anybody who may
start it may stop it. What it has done is in the database; when the process ends, it is taken up by
starting it again.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from enum import StrEnum
from threading import Event, Lock, Thread
from typing import Any, Generic, TypeVar

from annotation.people.roles import Act, allow
from corpus.stopping import stoppable
from errors import UserError
from llm.batch import Progress, Stop
from storage.db.workspace import Workspace

Result = TypeVar("Result")
Work = Callable[[Progress, Stop], Coroutine[Any, Any, Result]]
"""What is done in the thread; it keeps the progress up to date and heeds the stop."""

STOPPED = "retrieval_stopped"
"""The error that ends work which somebody stopped and which keeps nothing of what is half done."""

_POLL_SECONDS = 0.1
_PATIENCE = 0.4  # seconds after a stop in which a loop comes round and ends by itself


class TaskKind(StrEnum):
    """A kind of background task."""

    RUN = "run"
    EXPERIMENT = "experiment"
    REFRESH = "refresh"
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
    TaskKind.REFRESH: Act.RUN_RETRIEVAL,
    TaskKind.CANDIDATES: Act.BUILD_CANDIDATES,
    TaskKind.SCORE_ANSWERS: Act.RUN_RETRIEVAL,
    TaskKind.LABELS: Act.IMPORT_LABELS,
}


class BackgroundTask(Generic[Result]):
    """Work under way or over; `progress` may be read at any time.

    `name` says which, `by` is the person who started it, `stopped_by` who stopped it. `result` is
    None while it is under way and where it failed, `error` why it failed.

    Work that keeps nothing of what is half done is `given_up` where a call of a library goes on for
    long after a stop: it is over then, and whatever the thread still comes to is dropped.
    """

    def __init__(
        self,
        work: Work[Result],
        *,
        name: str = "",
        by: int | None = None,
        total: int = 0,
        given_up: bool = False,
    ) -> None:
        """Start it; `work` runs in an event loop of the thread's own."""
        self.name, self.by, self.progress = name, by, Progress(total)
        self.result: Result | None = None
        self.error: BaseException | None = None
        self.stopped_by: int | None = None
        self._stop, self._stopped_at = Event(), 0.0
        self._given_up, self._keeping, self._over = given_up, False, False
        self._lock = Lock()

        def run() -> None:
            try:
                with stoppable(self):
                    result = asyncio.run(work(self.progress, self._stop))
            except BaseException as error:  # for whoever waits: a thread has nobody else to tell
                self._end(None, error)
            else:
                self._end(result, None)

        self._thread = Thread(target=run, name="background-task", daemon=True)
        self._thread.start()

    def _end(self, result: Result | None, error: BaseException | None) -> None:
        with self._lock:
            if not self._over:
                self.result, self.error, self._over = result, error, True

    @property
    def running(self) -> bool:
        """Whether it is under way."""
        if self._given_up and self._stop.is_set():
            self._give_up()
        return not self._over

    def _give_up(self) -> None:
        """Call it over if it has not heeded a stop for a moment, unless it is keeping its work."""
        with self._lock:
            late = time.monotonic() - self._stopped_at >= _PATIENCE
            if late and not self._keeping and not self._over:
                self.error, self._over = UserError(STOPPED), True

    def check(self) -> None:
        """Raise the error that ends work which keeps nothing half done, if it was stopped."""
        if self._given_up and self._stop.is_set():
            raise UserError(STOPPED)

    @contextmanager
    def keeping(self) -> Iterator[None]:
        """Keep work in the block: what was stopped before is not, and no stop comes between."""
        with self._lock:
            self.check()
            self._keeping = True
        try:
            yield
        finally:
            with self._lock:
                self._keeping = False

    @property
    def stopping(self) -> bool:
        """Whether it was told to stop."""
        return self._stop.is_set()

    def stop(self, by: int | None = None) -> None:
        """Begin nothing more; model calls under way are finished and kept. `by` is who says so."""
        with self._lock:
            if not self._stop.is_set():
                self.stopped_by, self._stopped_at = by, time.monotonic()
                self._stop.set()

    def wait(self, seconds: float | None = None) -> Progress:
        """Return how it ended, or how far it is after so long. Raises what the work raised."""
        until = None if seconds is None else time.monotonic() + seconds
        while self.running and (until is None or time.monotonic() < until):
            self._thread.join(_POLL_SECONDS / 5)
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
    given_up: bool = False,
) -> BackgroundTask[Result]:
    """Start work of a kind. Raises UserError while such work is under way in the project.

    Of work that is `given_up` nothing half done is kept: see `BackgroundTask`.
    """
    place = ws.place, project_slug, kind
    with _LOCK:
        known = _TASKS.get(place)
        if known is not None and known.running:
            raise UserError("work_under_way")
        _TASKS[place] = task = BackgroundTask(
            work, name=name, by=by, total=total, given_up=given_up
        )
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
