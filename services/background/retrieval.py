"""Runs, experiments and candidate builds as background tasks.

However a task ends, nothing is left half done: a run and candidates are stored whole or not at all,
an experiment line by line.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from annotation.people.roles import allow
from construction.experiments.reading import parse
from errors import UserError
from llm.batch import Progress, Stop
from retrieval.core.model import Spec
from retrieval.core.presets import describe
from retrieval.core.registry import complete
from services.background.tasks import STOPPED, BackgroundTask, TaskKind, start
from services.mapping.candidate_methods import LABELS
from services.mapping.candidates import CandidateReport, build_candidates
from services.runs.experiments.running import run_experiment
from services.runs.refreshing import Refreshed, refresh_runs
from services.runs.retrieving import retrieve
from storage.db.workspace import Workspace
from storage.runs.experiments import ExperimentView

Result = TypeVar("Result")
Report = Callable[..., None]


@dataclass(frozen=True, slots=True)
class Made:
    """A run with its requested name."""

    run_id: int
    label: str


def start_run(
    ws: Workspace,
    project_slug: str,
    spec: Spec,
    k: int,
    label: str = "",
    gold: str = "",
    by: int | None = None,
) -> BackgroundTask[Made]:
    """Start `services.runs.retrieving.retrieve` in the background.

    Raises UserError for `by` without permission, for an invalid spec, and while a run is under way
    in the project.
    """
    allow(ws, project_slug, by, TaskKind.RUN.act)
    spec = complete(spec)

    def do(report: Report) -> Made:
        """Make the run."""
        run = retrieve(ws, project_slug, spec, k, by=by, progress=report, label=label, gold=gold)
        return Made(run, label)

    return _start_task(ws, project_slug, TaskKind.RUN, label or describe(spec), by, do)


def start_experiment(
    ws: Workspace, project_slug: str, text: str, by: int | None = None
) -> BackgroundTask[ExperimentView]:
    """Start `services.runs.experiments.running.run_experiment` in the background.

    Progress counts the questions of all lines, or texts while a line is being fitted. Raises
    UserError for `by` without permission, for an invalid text, and while one is under way in the
    project.
    """
    allow(ws, project_slug, by, TaskKind.EXPERIMENT.act)
    name = parse(text).name

    def do(report: Report) -> ExperimentView:
        """Run the experiment."""
        return run_experiment(ws, project_slug, text, by=by, progress=_progress_by_line(report))

    return _start_task(ws, project_slug, TaskKind.EXPERIMENT, name, by, do)


def _progress_by_line(report: Report) -> Callable[[int, int, str, int, int], None]:
    """Return a callback that reports progress over all lines of an experiment."""

    def told(line: int, lines: int, label: str, done: int, total: int) -> None:
        """Report the progress of a line as a share of all lines."""
        where = {"line": min(line + 1, lines), "lines": lines, "label": label}
        report(line * total + done, lines * total, **where, at=done, of=total)

    return told


def start_refresh(
    ws: Workspace, project_slug: str, gold: str = "", by: int | None = None
) -> BackgroundTask[Refreshed]:
    """Start `services.runs.refreshing.refresh_runs` of all outdated runs in the background.

    Raises UserError for `by` without permission, and while runs are being refreshed in the project.
    """
    allow(ws, project_slug, by, TaskKind.REFRESH.act)

    def do(report: Report) -> Refreshed:
        """Refresh the outdated runs."""
        told = _progress_by_line(report)
        return refresh_runs(ws, project_slug, by=by, progress=told, gold=gold)

    return _start_task(ws, project_slug, TaskKind.REFRESH, "", by, do)


def start_candidates(
    ws: Workspace, project_slug: str, spec: Spec | None = None, by: int | None = None
) -> BackgroundTask[CandidateReport]:
    """Start `services.mapping.candidates.build_candidates` in the background.

    Raises UserError for `by` without permission, for an invalid spec, and while they are being
    built in the project.
    """
    allow(ws, project_slug, by, TaskKind.CANDIDATES.act)
    asked = complete(spec) if spec and spec != LABELS else spec

    def do(report: Report) -> CandidateReport:
        """Make the candidate sets."""
        return build_candidates(ws, project_slug, report, spec=asked, by=by)

    return _start_task(
        ws, project_slug, TaskKind.CANDIDATES, describe(asked) if asked else "", by, do
    )


def _start_task(
    ws: Workspace,
    project_slug: str,
    kind: TaskKind,
    name: str,
    by: int | None,
    do: Callable[[Report], Result],
) -> BackgroundTask[Result]:
    """Start a background task that reports its progress by line."""

    async def work(progress: Progress, stop: Stop) -> Result:
        """Do the work, reporting its progress."""

        def report(done: int, total: int, **where: object) -> None:
            """Set the progress. Raises UserError once a stop is requested."""
            if stop.is_set():
                raise UserError(STOPPED)
            progress.where.update(where)
            progress.done, progress.total = done, total

        return do(report)  # blocking is fine: the event loop is the work's own

    return start(ws, project_slug, kind, work, name=name, by=by, abandonable=True)
