"""Asking models beside everything else: one run per project, which a page starts and watches."""

from __future__ import annotations

import threading
from collections.abc import Callable

from errors import UserError
from llm.batch import Progress, Stop
from services.judging.answering import Answering, answer_questions, plan_answers, system_name
from services.judging.model_judging import JudgingPlan, judge_name, plan_calls, run_judge
from storage.db.workspace import Workspace

Work = Callable[[Progress, Stop], object]


class JudgeRun:
    """A run in a thread of its own. `progress` may be read at any time; `error` says what broke.

    `name` is what its verdicts or answers are called.
    """

    def __init__(self, name: str, total: int, work: Work) -> None:
        self.name, self.progress = name, Progress(total)
        self.error: BaseException | None = None
        self._stop = threading.Event()

        def run() -> None:
            try:
                work(self.progress, self._stop)
            except BaseException as error:  # for whoever looks: a thread has nobody else to tell
                self.error = error

        self._thread = threading.Thread(target=run, name="judging", daemon=True)
        self._thread.start()

    @property
    def running(self) -> bool:
        """Whether calls may still be under way."""
        return self._thread.is_alive()

    @property
    def stopping(self) -> bool:
        """Whether it was told to stop."""
        return self._stop.is_set()

    def stop(self) -> None:
        """Begin no further call; those under way are finished and kept."""
        self._stop.set()

    def wait(self, seconds: float | None = None) -> None:
        """Wait until it has ended, or for so long."""
        self._thread.join(seconds)


_RUNS: dict[tuple[str, str], JudgeRun] = {}
_LOCK = threading.Lock()


def start(ws: Workspace, slug: str, plan: JudgingPlan, by: int | None = None) -> JudgeRun:
    """Begin to ask a judge.

    Raises UserError as `services.judging.model_judging.plan_calls` does, and while another run is
    under way.
    """
    total = len(plan_calls(ws, slug, plan, by))
    name = judge_name(ws, plan)

    def work(progress: Progress, stop: Stop) -> None:
        run_judge(ws, slug, plan, by, progress=progress, stop=stop)

    return _begun(ws, slug, name, total, work)


def start_answers(ws: Workspace, slug: str, plan: Answering, by: int | None = None) -> JudgeRun:
    """Begin to ask for answers.

    Raises UserError as `services.judging.answering.plan_answers` does, and while another run is
    under way.
    """
    total = len(plan_answers(ws, slug, plan, by))
    name = system_name(ws, plan)

    def work(progress: Progress, stop: Stop) -> None:
        answer_questions(ws, slug, plan, by, progress=progress, stop=stop)

    return _begun(ws, slug, name, total, work)


def newest(ws: Workspace, slug: str) -> JudgeRun | None:
    """Return the run of the project that was begun last since the process started."""
    return _RUNS.get((ws.place, slug))


def _begun(ws: Workspace, slug: str, name: str, total: int, work: Work) -> JudgeRun:
    with _LOCK:
        before = _RUNS.get((ws.place, slug))
        if before is not None and before.running:
            raise UserError("judging_under_way")
        _RUNS[ws.place, slug] = run = JudgeRun(name, total, work)
    return run
