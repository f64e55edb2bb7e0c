"""Retrieval beside everything else: a run, an experiment, candidates, one of each at a time.

However it ends, nothing is left half: a run and candidates are kept whole or not at all, an
experiment line by line.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, TypeVar

from annotation.people.authorization import allow
from annotation.people.roles import Act
from construction.experiments.reading import parse
from errors import UserError
from llm.batch import Progress, Stop
from retrieval.core.describe import describe
from retrieval.core.parameters import Spec
from retrieval.core.registry import complete
from services.background.tasks import BackgroundTask, forget, latest, start
from services.mapping.candidates import CandidateReport, build_candidates
from services.runs.experiments.running import run_experiment
from services.runs.retrieving import retrieve
from storage.db.workspace import Workspace
from storage.runs.experiments import ExperimentView

Result = TypeVar("Result")
Report = Callable[..., None]
STOPPED = "retrieval_stopped"
"""The error that ends work which somebody stopped."""


class RetrievalWork(StrEnum):
    """What goes on."""

    RUN = "run"
    EXPERIMENT = "experiment"
    CANDIDATES = "candidates"


_ACTS = {
    RetrievalWork.RUN: Act.RUN_RETRIEVAL,
    RetrievalWork.EXPERIMENT: Act.RUN_RETRIEVAL,
    RetrievalWork.CANDIDATES: Act.BUILD_CANDIDATES,
}


@dataclass(frozen=True, slots=True)
class Made:
    """A run, and what it was to be called."""

    run_id: int
    label: str


def start_run(
    ws: Workspace, project_slug: str, spec: Spec, k: int, label: str = "", by: int | None = None
) -> BackgroundTask[Made]:
    """Begin what `services.runs.retrieving.retrieve` does, and return at once.

    Raises UserError for who may not, for a spec that cannot be, and while a run is under way in the
    project.
    """
    _allow(ws, project_slug, RetrievalWork.RUN, by)
    spec = complete(spec)

    def do(report: Report) -> Made:
        run = retrieve(ws, project_slug, spec, k, by=by, progress=report, label=label)
        return Made(run, label)

    return _begin(ws, project_slug, RetrievalWork.RUN, label or describe(spec), by, do)


def start_experiment(
    ws: Workspace, project_slug: str, text: str, by: int | None = None
) -> BackgroundTask[ExperimentView]:
    """Begin what `services.runs.experiments.running.run_experiment` does, and return at once.

    Progress counts the questions of all lines, or texts while a line is being fitted. Raises
    UserError for who may not, for a text that is no experiment, and while one is under way in the
    project.
    """
    _allow(ws, project_slug, RetrievalWork.EXPERIMENT, by)
    name = parse(text).name

    def do(report: Report) -> ExperimentView:
        def told(line: int, lines: int, label: str, done: int, total: int) -> None:
            where = {"line": min(line + 1, lines), "lines": lines, "label": label}
            report(line * total + done, lines * total, **where, at=done, of=total)

        return run_experiment(ws, project_slug, text, by=by, progress=told)

    return _begin(ws, project_slug, RetrievalWork.EXPERIMENT, name, by, do)


def start_candidates(
    ws: Workspace, project_slug: str, spec: Spec | None = None, by: int | None = None
) -> BackgroundTask[CandidateReport]:
    """Begin what `services.mapping.candidates.build_candidates` does, and return at once.

    Raises UserError for who may not, for a spec that cannot be, and while they are being built in
    the project.
    """
    _allow(ws, project_slug, RetrievalWork.CANDIDATES, by)
    asked = complete(spec) if spec else None

    def do(report: Report) -> CandidateReport:
        return build_candidates(ws, project_slug, report, spec=asked, by=by)

    return _begin(
        ws, project_slug, RetrievalWork.CANDIDATES, describe(asked) if asked else "", by, do
    )


def retrieval_work(
    ws: Workspace, project_slug: str, kind: RetrievalWork, by: int | None = None
) -> BackgroundTask[Any] | None:
    """Return the latest work of a kind that this process started, under way or over.

    Raises UserError for who may not start such work.
    """
    _allow(ws, project_slug, kind, by)
    return latest(ws, project_slug, kind)


def close_retrieval(
    ws: Workspace, project_slug: str, kind: RetrievalWork, by: int | None = None
) -> None:
    """Forget work that is over. Raises UserError for who may not start such work."""
    _allow(ws, project_slug, kind, by)
    forget(ws, project_slug, kind)


def _allow(ws: Workspace, project_slug: str, kind: RetrievalWork, by: int | None) -> None:
    allow(ws, project_slug, by, _ACTS[kind])


def _begin(
    ws: Workspace,
    project_slug: str,
    kind: RetrievalWork,
    name: str,
    by: int | None,
    do: Callable[[Report], Result],
) -> BackgroundTask[Result]:
    at: dict[str, object] = {}

    async def work(progress: Progress, stop: Stop) -> Result:
        def report(done: int, total: int, **more: object) -> None:
            if stop.is_set():
                raise UserError(STOPPED)
            at.update(more)
            progress.done, progress.total = done, total

        return do(report)  # nobody else waits in the loop, which is the work's own

    return start(ws, project_slug, kind, work, name, by, at)
