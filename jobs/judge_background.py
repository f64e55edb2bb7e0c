"""Judging beside everything else: one run per project, which a page starts, watches and stops."""

from __future__ import annotations

import threading

from errors import UserError
from jobs.judge_run import Plan, judge_name, plan_calls, run_judge
from llm.batch import Progress
from storage.workspace import Workspace

_RUNS: dict[tuple[str, str], JudgeRun] = {}
_LOCK = threading.Lock()


class JudgeRun:
    """A run in a thread of its own. `progress` may be read at any time; `error` says what broke."""

    def __init__(
        self, ws: Workspace, slug: str, plan: Plan, by: int | None, judge: str, total: int
    ) -> None:
        self.judge, self.plan = judge, plan
        self.progress = Progress(total)
        self.error: BaseException | None = None
        self._stop = threading.Event()

        def work() -> None:
            try:
                run_judge(ws, slug, plan, by, progress=self.progress, stop=self._stop)
            except BaseException as error:  # for whoever looks: a thread has nobody else to tell
                self.error = error

        self._thread = threading.Thread(target=work, name="judging", daemon=True)
        self._thread.start()

    @property
    def running(self) -> bool:
        """Whether calls may still be under way."""
        return self._thread.is_alive()

    def stop(self) -> None:
        """Begin no further call; those under way are finished and kept."""
        self._stop.set()

    def wait(self, seconds: float | None = None) -> None:
        """Wait until it has ended, or for so long."""
        self._thread.join(seconds)


def start(ws: Workspace, slug: str, plan: Plan, by: int | None = None) -> JudgeRun:
    """Begin a run of the project. Raises UserError as `jobs.judge_run.plan_calls` does, and while
    another is under way.
    """
    total = len(plan_calls(ws, slug, plan, by))
    name = judge_name(ws, plan)
    with _LOCK:
        before = _RUNS.get((ws.place, slug))
        if before is not None and before.running:
            raise UserError("judging_under_way")
        run = JudgeRun(ws, slug, plan, by, name, total)
        _RUNS[ws.place, slug] = run
    return run


def newest(ws: Workspace, slug: str) -> JudgeRun | None:
    """Return the run of the project that was begun last since the process started."""
    return _RUNS.get((ws.place, slug))
