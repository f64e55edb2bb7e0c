"""Latest runs of a project: their snapshot, and whether they rank all questions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import date, datetime
from typing import Any, Literal

from sqlmodel import Session

from services.runs.rows import names_of
from storage.law.corpus import SnapshotView, id_in_use, project_snapshots, question_names
from storage.projects import ProjectView
from storage.runs.experiments import records_of
from storage.runs.run_store import RunView, list_runs

LISTED = 4  # number of latest runs listed
Law = Literal["in_use", "older", "newer"]


@dataclass(frozen=True, slots=True)
class LastRun:
    """A run with its name and snapshot.

    `law` says whether that is the snapshot in use, an older or a newer one. `stale`: it lacks
    questions of the project; None for a run of another snapshot.
    """

    run_id: int
    label: str
    snapshot_id: int
    snapshot: str
    effective: date | None
    law: Law
    stale: bool | None
    at: datetime

    @property
    def current(self) -> bool:
        """Whether it is on the law in use and ranks all questions."""
        return self.stale is False

    def as_dict(self) -> dict[str, Any]:
        """Return the run for ``--json`` output; times in ISO 8601."""
        effective = None if self.effective is None else self.effective.isoformat()
        told = asdict(self) | {"effective": effective, "at": self.at.isoformat()}
        return told | {"current": self.current}


@dataclass(frozen=True, slots=True)
class LastRuns:
    """The latest runs, newest first, with total counts of all and of current runs."""

    runs: tuple[LastRun, ...]
    total: int
    current: int


def last_runs(session: Session, project: ProjectView) -> LastRuns:
    """Return the latest runs of a project."""
    stored = list_runs(session, project.id)
    names = names_of(stored, records_of(session, [run.id for run in stored]))
    snapshots = {each.id: each for each in project_snapshots(session, project)}
    used = snapshots.get(id_in_use(session, project.id) or 0)
    questions = len(question_names(session, project.id))
    lines = [_line(run, names[run.id], snapshots, used, questions) for run in stored]
    current = sum(line.current for line in lines)
    return LastRuns(tuple(lines[:LISTED]), len(stored), current)


def _line(
    run: RunView,
    name: str,
    snapshots: dict[int, SnapshotView],
    used: SnapshotView | None,
    questions: int,
) -> LastRun:
    number = run.key.snapshot_id
    of = snapshots[number]
    law = _law(of, used)
    return LastRun(
        run_id=run.id,
        label=name,
        snapshot_id=number,
        snapshot=of.name,
        effective=of.effective,
        law=law,
        stale=run.questions < questions if law == "in_use" else None,
        at=run.created_at,
    )


def _law(of: SnapshotView, used: SnapshotView | None) -> Law:
    """Classify a run's snapshot by effective date, then by order of import."""
    if used is None or of.id == used.id:
        return "in_use"
    return "older" if _age(of) < _age(used) else "newer"


def _age(of: SnapshotView) -> tuple[date, int]:
    return of.effective or date.min, of.id


def runs_as_dict(found: LastRuns) -> dict[str, Any]:
    """Return the runs for ``--json`` output."""
    runs: Sequence[LastRun] = found.runs
    last = [each.as_dict() for each in runs]
    return {"total": found.total, "current": found.current, "last": last}
