"""What the leaderboard shows: a project's runs with their figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from annotation.roles import Act
from annotation.standing import allow
from evaluation.figure import Figure
from evaluation.measures import LEADERBOARD, Measure
from jobs.evaluate import ScoredRun, score_run
from jobs.gold_set import gold_set
from jobs.run_key import spec_of
from retrieval.describe import describe
from storage.experiments import RecordView, records_of
from storage.projects import project_by_slug
from storage.runs import list_runs
from storage.workspace import Workspace


@dataclass(frozen=True, slots=True)
class RunLine:
    """One run with its figures against the gold as it stands now.

    `label` is what it is called, `origin` whether it was computed here or imported from a file,
    `cost` what making it took, each under its name where it was measured.
    `n` counts scored questions; `missing` names those that the run found nothing for, which
    score 0. `stale` says that the gold has changed since: only questions that the run was asked
    are scored.
    """

    run_id: int
    label: str
    origin: str
    method: str
    params: Mapping[str, Any]
    snapshot_id: int
    created_at: datetime
    n: int
    figures: tuple[Figure, ...]
    missing: tuple[str, ...]
    stale: bool
    cost: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Board:
    """A project's runs, newest first, each scored against the gold of its snapshot.

    `gold` counts the questions settled for the snapshot in use, `pending` the others.
    """

    runs: list[RunLine]
    gold: int
    pending: int


def leaderboard(
    ws: Workspace,
    project_slug: str,
    by: int | None = None,
    measures: Sequence[Measure] = LEADERBOARD,
) -> Board:
    """Return the project's runs with their figures by `measures`.

    Raises UserError for an unknown project and for `by` (None: the operator) who may not see
    scores.
    """
    allow(ws, project_slug, by, Act.SEE_SCORES)
    gold = gold_set(ws, project_slug)
    project = project_by_slug(ws, project_slug)
    with ws.reading() as session:
        stored = list_runs(session, project.id)
        records = records_of(session, [run.id for run in stored])
    per_snapshot = {
        number: gold_set(ws, project_slug, number)
        for number in sorted({run.key.snapshot_id for run in stored})
    }
    runs = [
        _run_line(
            score_run(ws, run.id, per_snapshot[run.key.snapshot_id], measures),
            records.get(run.id, RecordView()),
        )
        for run in stored
    ]
    return Board(runs, gold=len(gold.items), pending=gold.pending)


def _run_line(scored: ScoredRun, record: RecordView) -> RunLine:
    key = scored.run.key
    figures = tuple(scored.evaluation.figures)
    return RunLine(
        run_id=scored.run.id,
        label=record.label or describe(spec_of(key)),
        origin=record.origin,
        method=key.method,
        params=key.params,
        snapshot_id=key.snapshot_id,
        created_at=scored.run.created_at,
        n=max((figure.n for figure in figures), default=0),
        figures=figures,
        missing=scored.evaluation.missing,
        stale=scored.stale,
        cost=record.cost,
    )
