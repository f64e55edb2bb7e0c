"""Background tasks in threads of their own, one of a kind at a time, with remaining times.

A task lives in the process that started it. Anybody with the page open sees it, and anybody who may
start it may stop it. Its results are in the database; when the process ends, it resumes by starting
it again.

Lock that lets one process at a time do a kind of work in a project.

`services.background.tasks` knows only the tasks of its own process; a command beside the app, or
two commands, are excluded here. The operating system holds the lock (``flock`` on a file of the
workspace folder), so it is freed when the process dies. Processes on several machines see each
other where they share that folder.

Estimate of the remaining time of work, from its progress so far.
"""

from __future__ import annotations

import asyncio
import fcntl
import os
import time
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from enum import StrEnum
from threading import Event, Lock, Thread
from typing import Any, Generic, TypeVar

from annotation.people.roles import Act, allow
from corpus.long_work import stoppable
from errors import UserError
from llm.batch import Progress, Stop
from storage.db.workspace import Workspace

Result = TypeVar("Result")
Work = Callable[[Progress, Stop], Coroutine[Any, Any, Result]]
"""The work of the thread; it updates the progress and observes the stop."""

STOPPED = "retrieval_stopped"
"""Error code of stopped work that stores nothing unfinished."""

_POLL_SECONDS = 0.1
_PATIENCE = 0.4  # seconds after a stop for the work to end by itself


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
    PAPER = "paper"

    @property
    def act(self) -> Act:
        """Permission needed to start, see and stop it."""
        return _OTHER_ACTS.get(self, Act.MAKE_ITEMS)

    @property
    def resumes(self) -> bool:
        """Whether unfinished work is kept when interrupted."""
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
    """A running or finished task; `progress` may be read at any time.

    `name` identifies the work, `by` is the person who started it, `stopped_by` who stopped it.
    `result` is None while running and on failure, `error` is the failure. `abandonable` is for work
    that stores nothing unfinished and may stay in a library call long after a stop: it then counts
    as finished at once, and the thread's result is dropped.
    """

    def __init__(
        self,
        work: Work[Result],
        *,
        name: str = "",
        by: int | None = None,
        total: int = 0,
        abandonable: bool = False,
    ) -> None:
        """Start the task; `work` runs in an event loop of its own thread."""
        self.name, self.by, self.progress = name, by, Progress(total)
        self.result: Result | None = None
        self.error: BaseException | None = None
        self.stopped_by: int | None = None
        self._stop, self._stopped_at = Event(), 0.0
        self._abandonable, self._keeping, self._over = abandonable, False, False
        self._lock = Lock()

        def run() -> None:
            """Run the work to its end, keeping result or error."""
            try:
                with stoppable(self):
                    result = asyncio.run(work(self.progress, self._stop))
            except BaseException as error:  # passed on to whoever waits
                self._end(None, error)
            else:
                self._end(result, None)

        self._thread = Thread(target=run, name="background-task", daemon=True)
        self._thread.start()

    def _end(self, result: Result | None, error: BaseException | None) -> None:
        """Set result and error, unless the task was ended before."""
        with self._lock:
            if not self._over:
                self.result, self.error, self._over = result, error, True

    @property
    def running(self) -> bool:
        """Whether it is running; `abandonable` work that ignores a stop is ended by asking."""
        if self._abandonable and self._stop.is_set():
            self._give_up()
        return not self._over

    def _give_up(self) -> None:
        """Mark it finished if it ignored a stop for a while, unless it is storing its work."""
        with self._lock:
            late = time.monotonic() - self._stopped_at >= _PATIENCE
            if late and not self._keeping and not self._over:
                self.error, self._over = UserError(STOPPED), True

    def check(self) -> None:
        """Raise the error for stopped `abandonable` work, if it was stopped."""
        if self._abandonable and self._stop.is_set():
            raise UserError(STOPPED)

    @contextmanager
    def keeping(self) -> Iterator[None]:
        """Protect storing of the work from a stop; raises if stopped before."""
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
        """Whether it was asked to stop."""
        return self._stop.is_set()

    def stop(self, by: int | None = None) -> None:
        """Ask it to stop; running model calls are finished and stored. `by` is the requester."""
        with self._lock:
            if not self._stop.is_set():
                self.stopped_by, self._stopped_at = by, time.monotonic()
                self._stop.set()

    def wait(self, seconds: float | None = None) -> Progress:
        """Wait for the end or so many seconds; return the progress. Raises what the work raised."""
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
    abandonable: bool = False,
) -> BackgroundTask[Result]:
    """Start work of a kind. Raises UserError while such work is running in the project.

    `abandonable` is for work that stores nothing unfinished: see `BackgroundTask`.
    """
    place = ws.place, project_slug, kind
    with _LOCK:
        known = _TASKS.get(place)
        if known is not None and known.running:
            raise UserError("work_under_way")
        _TASKS[place] = task = BackgroundTask(
            work, name=name, by=by, total=total, abandonable=abandonable
        )
    return task


def latest(
    ws: Workspace, project_slug: str, kind: TaskKind, by: int | None = None
) -> BackgroundTask[Any] | None:
    """Return the project's latest task of a kind in this process, also finished; None without one.

    Raises UserError for who may not start one.
    """
    allow(ws, project_slug, by, kind.act)
    return _TASKS.get((ws.place, project_slug, kind))


def forget(ws: Workspace, project_slug: str, kind: TaskKind, by: int | None = None) -> None:
    """Forget the task of a kind, so that it is no longer shown, unless it is still running.

    Raises UserError for who may not start one.
    """
    allow(ws, project_slug, by, kind.act)
    with _LOCK:
        known = _TASKS.get((ws.place, project_slug, kind))
        if known is not None and not known.running:
            del _TASKS[ws.place, project_slug, kind]


def watched(work: Work[Result], report: Callable[[int, int], None]) -> Result:
    """Run the work and return its result; `report(done, total)` is called meanwhile.

    An interrupt stops it: running calls are finished and stored; a second one aborts it. Raises
    what the work raises.
    """
    task = BackgroundTask(work)
    try:
        _report_until_done(task, report)
    except KeyboardInterrupt:
        task.stop()
        _report_until_done(task, report)
    task.wait()
    if task.result is None:
        raise AssertionError("work that did not fail came to something")
    return task.result


def _report_until_done(task: BackgroundTask[Any], report: Callable[[int, int], None]) -> None:
    """Call `report` with (done, total) until the task ends, and once more then."""
    while task.running:
        report(task.progress.done, task.progress.total)
        time.sleep(_POLL_SECONDS)
    report(task.progress.done, task.progress.total)


@contextmanager
def alone(ws: Workspace, project_slug: str, kind: TaskKind, code: str) -> Iterator[None]:
    """Hold the lock of a kind of work in a project; raise UserError of `code` if it is taken.

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


_SURE_SECONDS = 1.0  # no estimate before this


class Estimate:
    """Estimator of the time left from the pace so far; `clock` counts seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._began: float | None = None
        self._before = 0

    def left(self, done: int, total: int) -> str:
        """Return the estimated time left, such as ``0:42``; "" while unknown and when done."""
        now = self._clock()
        if self._began is None:
            self._began, self._before = now, done
        came, spent = done - self._before, now - self._began
        if came <= 0 or spent < _SURE_SECONDS or done >= total:
            return ""
        minutes, seconds = divmod(round(spent / came * (total - done)), 60)
        return f"{minutes}:{seconds:02}"
