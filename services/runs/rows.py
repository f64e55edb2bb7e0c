"""A project's runs on one reading of the gold: what a table says of each beside its figures."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from errors import UserError
from evaluation.ranking.measures import Measure
from services.gold.gold_set import GoldSets, gold_sets
from services.gold.search_coverage import NotSearched, Searched, gold_not_searched
from services.runs.methods.run_key import levels_of
from services.runs.names import names_of
from services.runs.scoring import ScoredRun, scored_on
from storage.db.workspace import Workspace
from storage.law.passages import Levels
from storage.projects import project_by_slug
from storage.runs.experiments import RecordView, records_of
from storage.runs.run_store import list_runs


@dataclass(frozen=True, slots=True)
class RunLine:
    """What is said of a run.

    `label` is what it is called, `origin` whether it was computed here or imported from a file,
    `cost` what making it took, each under its name where it was measured. `missing` are the
    questions with gold that it found nothing for, which score 0. `stale` says that the gold has
    changed since it was made: only questions that it was asked are scored. `not_searched` is the
    gold of its questions outside what it searched; None where it does not say what that was.
    """

    run_id: int
    label: str
    origin: str
    method: str
    params: Mapping[str, Any]
    snapshot_id: int
    created_at: datetime
    missing: tuple[str, ...]
    stale: bool
    cost: Mapping[str, Any]
    searched: Searched
    not_searched: NotSearched | None


@dataclass(frozen=True, slots=True)
class ScoredRuns:
    """Runs with their scores, and the gold of the snapshot in use and of theirs."""

    runs: tuple[tuple[RunLine, ScoredRun], ...]
    golds: GoldSets


def scored_runs(
    ws: Workspace,
    project_slug: str,
    measures: Sequence[Measure] = (),
    run_ids: Iterable[int] | None = None,
) -> ScoredRuns:
    """Return those runs of the project, or all of them, newest first, with their scores.

    Each is scored on the gold of its own snapshot as it stands now. Raises UserError for an unknown
    project, and for a run that is not among the project's.
    """
    project = project_by_slug(ws, project_slug)
    with ws.reading() as session:
        stored = list_runs(session, project.id)
        records = records_of(session, [run.id for run in stored])
    names, by_id = names_of(stored, records), {run.id: run for run in stored}
    wanted = list(by_id) if run_ids is None else list(dict.fromkeys(run_ids))
    if unknown := [number for number in wanted if number not in by_id]:
        raise UserError("run_unknown", run=unknown[0])
    golds = gold_sets(ws, project_slug, [by_id[number].key.snapshot_id for number in wanted])
    scored = [
        scored_on(ws, run, project_slug, golds.of(run.key.snapshot_id), measures)
        for run in map(by_id.__getitem__, wanted)
    ]
    outside = _outside(ws, scored)
    lines = [
        _line(each, names[each.run.id], records.get(each.run.id), outside.get(_corpus(each)))
        for each in scored
    ]
    return ScoredRuns(tuple(zip(lines, scored, strict=True)), golds)


def _corpus(scored: ScoredRun) -> tuple[int, Levels | None]:
    """Return what a run searched: of which snapshot, which levels."""
    return scored.run.key.snapshot_id, levels_of(scored.run.key)


def _outside(
    ws: Workspace, scored: Sequence[ScoredRun]
) -> dict[tuple[int, Levels | None], NotSearched]:
    """Return the gold that each corpus leaves out, looked up once for all runs that searched it."""
    corpora = {_corpus(each): each.gold for each in scored}
    with ws.reading() as session:
        return {
            (snapshot, levels): gold_not_searched(session, snapshot, levels, gold)
            for (snapshot, levels), gold in corpora.items()
            if levels is not None
        }


def _line(
    scored: ScoredRun, name: str, record: RecordView | None, outside: NotSearched | None
) -> RunLine:
    key, record = scored.run.key, record or RecordView()
    return RunLine(
        run_id=scored.run.id,
        label=name,
        origin=record.origin,
        method=key.method,
        params=key.params,
        snapshot_id=key.snapshot_id,
        created_at=scored.run.created_at,
        missing=scored.evaluation.missing,
        stale=scored.stale,
        cost=record.cost,
        searched=Searched.of(key),
        not_searched=None if outside is None else outside.among(scored.asked),
    )
