"""Rows of the leaderboard: names of runs, their scores, and remarks beside the figures."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlmodel import Session

from annotation.people.roles import Act, allow
from errors import UserError
from evaluation.ranking.scoring import Measure, too_deep_notes
from messages import say
from normalization.grouping import grouped
from normalization.hashing import text_hash
from retrieval.core.model import MAX_DEPTH
from retrieval.core.presets import describe
from retrieval.core.registry import is_simple
from services.gold.gold_set import GoldSet, GoldSets, ProjectGold, gold_sets
from services.gold.search_coverage import NotSearched, Searched, gold_not_searched
from services.runs.costs import asking_notes, reading_notes, trained_questions
from services.runs.methods.preparation import depth_of, levels_of, spec_of, version_of
from services.runs.scoring import (
    Coverage,
    LeftOut,
    ScoredRun,
    lacks,
    ranked_by_most,
    require_scores,
    scored_on,
)
from storage.db.workspace import Workspace
from storage.law.corpus import id_in_use, question_names
from storage.law.passages import Levels
from storage.projects import find_project
from storage.runs.experiments import RecordView, records_of
from storage.runs.run_store import RunMarks, RunView, authors_of, list_runs, marks_of, run_by_id

_LONGEST = 16  # characters of a version; longer ones are shown as a hash
_LETTERS = 6  # of a hash


def names_of(runs: Sequence[RunView], records: Mapping[int, RecordView]) -> dict[int, str]:
    """Return a unique display name for each run of a project, by run id.

    `runs` must be all runs of the project. The name is the run's label, else a description of its
    method. Equal names get what differs appended: snapshot, levels searched, version, depth, gold;
    and the run number where that is not enough.
    """
    labels = {number: record.label for number, record in records.items()}
    names = {run.id: labels.get(run.id) or describe(spec_of(run.key)) for run in runs}
    for said in _APART:
        names = _names_with_detail(runs, names, said)
    return _names_with_detail(runs, names, lambda run: f"run {run.id}")


@dataclass(frozen=True, slots=True)
class RunName:
    """A run of a project with its display name and marks."""

    run_id: int
    label: str
    marks: RunMarks
    created_at: datetime

    @property
    def name(self) -> str:
        """Its number and label."""
        return f"{self.run_id} · {self.label}"


def named_runs(session: Session, project_id: int) -> tuple[RunName, ...]:
    """Return the runs of a project with their names, newest first, retired ones too."""
    stored = list_runs(session, project_id)
    numbers = [run.id for run in stored]
    names, marks = names_of(stored, records_of(session, numbers)), marks_of(session, numbers)
    return tuple(
        RunName(run.id, names[run.id], marks.get(run.id, RunMarks()), run.created_at)
        for run in stored
    )


def _names_with_detail(
    runs: Sequence[RunView], names: Mapping[int, str], detail: Callable[[RunView], str]
) -> dict[int, str]:
    """Append the detail to equal names where it differs between their runs."""
    alike = grouped((names[run.id], detail(run)) for run in runs)
    return {
        run.id: f"{names[run.id]} · {detail(run)}"
        if len(set(alike[names[run.id]])) > 1
        else names[run.id]
        for run in runs
    }


def _version_text(run: RunView) -> str:
    said = version_of(run.key)
    return f"version {said if len(said) <= _LONGEST else text_hash(said)[:_LETTERS]}"


_APART: tuple[Callable[[RunView], str], ...] = (
    lambda run: f"snapshot {run.key.snapshot_id}",
    lambda run: f"searched {Searched.of(run.key).code}",
    _version_text,
    lambda run: f"depth {depth_of(run.key, 0)}",
    lambda run: f"gold {run.key.gold_hash[:_LETTERS]}",
)


@dataclass(frozen=True, slots=True)
class RunLine:
    """A leaderboard row of a run.

    `label` is its display name, `given` the label that somebody gave it ("" for none), `origin`
    whether it was computed here or imported from a file, `cost` its measured cost by name.
    `missing` are the questions with gold that it found nothing for, which score 0. `lacking` counts
    the questions of the project that it does not rank; `fewer` is set where most runs rank some of
    these with gold. `learnt_otherwise`: its method learnt from other gold than is read.
    `not_searched` is the gold of its questions outside what it searched; None where that is
    unknown. `gold_waiting` counts decided questions without gold in the run's snapshot, as the law
    changed under the decision and nobody has reviewed it yet: they are in no figure. `simple`: its
    method is a simple baseline (`retrieval.core.registry.SIMPLE`); never for imported runs.
    `coverage` counts its questions, `marks` are people's marks on it, `author` is who made or
    imported it ("" for the operator), `other_snapshot`: it is not on the snapshot in use.
    """

    run_id: int
    label: str
    origin: str
    method: str
    params: Mapping[str, Any]
    snapshot_id: int
    created_at: datetime
    missing: tuple[str, ...]
    learnt_otherwise: bool
    cost: Mapping[str, Any]
    searched: Searched
    not_searched: NotSearched | None
    simple: bool = False
    gold_waiting: int = 0
    coverage: Coverage = field(default_factory=Coverage)
    marks: RunMarks = field(default_factory=RunMarks)
    author: str = ""
    other_snapshot: bool = False
    lacking: int = 0
    fewer: bool = False
    given: str = ""

    @property
    def stale(self) -> bool:
        """Whether running its method now would give more or other rankings."""
        computed = self.origin != "imported"
        return self.learnt_otherwise or (computed and (self.lacking > 0 or self.other_snapshot))

    @property
    def left_out(self) -> tuple[LeftOut, ...]:
        """Why it is excluded from comparison by default; empty where it is not."""
        said = {
            LeftOut.FEWER: self.fewer,
            LeftOut.SNAPSHOT: self.other_snapshot,
        }
        return tuple(each for each, holds in said.items() if holds)

    @property
    def spec(self) -> dict[str, Any]:
        """Its method with all parameters and the other keys of the run."""
        return {**self.params, "method": self.method}


@dataclass(frozen=True, slots=True)
class ScoredRuns:
    """Runs with their scores, and the gold sets of their snapshots and the one in use.

    `retired` counts retired runs left out, `questions` those of the project.
    """

    runs: tuple[tuple[RunLine, ScoredRun], ...]
    golds: GoldSets
    retired: int
    questions: int


def scored_runs(
    ws: Workspace,
    project_slug: str,
    measures: Sequence[Measure] = (),
    run_ids: Iterable[int] | None = None,
    *,
    with_retired: bool = False,
    gold: str | GoldSets = "",
    read: ProjectGold | None = None,
) -> ScoredRuns:
    """Return runs of the project, newest first, with their scores on a gold set.

    By default all but the retired ones, or all `with_retired`. Each is scored on the current gold
    of its own snapshot; `gold` and `read` are those of `gold_sets`. Raises UserError for an unknown
    project or gold set, and for a run of another project.
    """
    with ws.reading() as session:
        project_id = find_project(session, project_slug).id
        stored = list_runs(session, project_id)
        runs = [run.id for run in stored]
        about = _About(
            records_of(session, runs),
            marks_of(session, runs),
            authors_of(session, runs),
            id_in_use(session, project_id),
            len(question_names(session, project_id)),
        )
    names, by_id = names_of(stored, about.records), {run.id: run for run in stored}
    shown = with_retired or run_ids is not None
    hidden = [] if shown else [run for run, marks in about.marks.items() if marks.retired]
    asked = dict.fromkeys(by_id if run_ids is None else run_ids)
    wanted = [run for run in asked if run not in hidden]
    if unknown := [number for number in wanted if number not in by_id]:
        raise UserError("run_unknown", run=unknown[0])
    golds = gold_sets(ws, project_slug, {run.key.snapshot_id for run in stored}, gold, read)
    scored = [
        scored_on(
            ws,
            run,
            project_slug,
            golds.of(run.key.snapshot_id),
            measures,
            trained_questions(about.records.get(run.id, RecordView()).cost),
        )
        for run in map(by_id.__getitem__, wanted)
    ]
    corpora = {_corpus_key(each): each.gold for each in scored}
    with ws.reading() as session:
        outside: dict[tuple[int, Levels | None], NotSearched] = {
            (snapshot, levels): gold_not_searched(session, snapshot, levels, gold_of)
            for (snapshot, levels), gold_of in corpora.items()
            if levels is not None
        }
    most = ranked_by_most(scored)
    pairs = [
        (_line(each, names[each.run.id], about, outside.get(_corpus_key(each)), most), each)
        for each in scored
    ]
    return ScoredRuns(tuple(pairs), golds, len(hidden), about.questions)


@dataclass(frozen=True, slots=True)
class _About:
    """What is stored beside a project's runs: records, marks, authors."""

    records: Mapping[int, RecordView]
    marks: Mapping[int, RunMarks]
    authors: Mapping[int, str]
    in_use: int | None
    questions: int


def _corpus_key(scored: ScoredRun) -> tuple[int, Levels | None]:
    """Return the snapshot id and levels that a run searched."""
    return scored.run.key.snapshot_id, levels_of(scored.run.key)


def _line(
    scored: ScoredRun,
    name: str,
    about: _About,
    outside: NotSearched | None,
    most: frozenset[str],
) -> RunLine:
    """Return a run as a row of the leaderboard; `most` are the questions that most runs rank."""
    key, run = scored.run.key, scored.run.id
    record = about.records.get(run, RecordView())
    return RunLine(
        run_id=scored.run.id,
        label=name,
        origin=record.origin,
        method=key.method,
        params=key.params,
        snapshot_id=key.snapshot_id,
        created_at=scored.run.created_at,
        missing=scored.evaluation.missing,
        learnt_otherwise=scored.learnt_otherwise,
        cost=record.cost,
        searched=Searched.of(key),
        not_searched=None if outside is None else outside.among(scored.asked),
        simple=record.origin != "imported" and is_simple(spec_of(key)),
        gold_waiting=scored.gold.doubted[1],
        coverage=Coverage.of(scored),
        marks=about.marks.get(run, RunMarks()),
        author=about.authors.get(run, ""),
        other_snapshot=key.snapshot_id != about.in_use,
        lacking=max(0, about.questions - scored.run.questions),
        fewer=lacks(scored, most),
        given=record.label,
    )


def numbered(run_id: int, language: str = "en") -> str:
    """Return the display name of a run by its number."""
    return say("run_notes.run", language, run=run_id)


def run_reading_notes(ws: Workspace, run_id: int, measures: Sequence[Measure] = ()) -> list[str]:
    """Return the notes on a stored run's models, and on measures deeper than the run.

    Notes on `measures` come first. Raises UserError for an unknown run.
    """
    with ws.reading() as session:
        key = run_by_id(session, run_id).key
        cost = records_of(session, [run_id]).get(run_id, RecordView()).cost
    named = [(numbered(run_id), spec_of(key), cost)]
    blank = too_deep_notes(list(map(repr, measures)), [depth_of(key, MAX_DEPTH)])
    return blank + reading_notes(named) + asking_notes(named)


def other_name(ws: Workspace, run_id: int, asked_name: str, by: int | None = None) -> str:
    """Return the name of an existing run if it differs from `asked_name`, else "".

    Raises UserError for an unknown run and for `by` (None: the operator) who may not see scores.
    """
    run = require_scores(ws, run_id, by)
    with ws.reading() as session:
        record = records_of(session, [run_id]).get(run_id, RecordView())
    called = record.label or describe(spec_of(run.key))
    return called if asked_name and called != asked_name else ""


@dataclass(frozen=True, slots=True)
class Board:
    """A project's leaderboard, newest run first.

    `golds` has the gold set for the snapshot in use and those of all runs; `questions` counts those
    of the project, `retired` the retired runs, shown or not.
    """

    runs: tuple[RunLine, ...]
    golds: GoldSets
    questions: int
    retired: int

    @property
    def gold(self) -> GoldSet:
        """The gold set for the snapshot in use."""
        return self.golds.in_use


def leaderboard(
    ws: Workspace,
    project_slug: str,
    by: int | None = None,
    *,
    with_retired: bool = False,
    gold: str = "",
    read: ProjectGold | None = None,
) -> Board:
    """Return the project's runs on a gold set, retired ones only on request.

    `read` is what the gold is made of where it has been read. Raises UserError for an unknown
    project or gold set, and for `by` (None: the operator) who may not see scores.
    """
    allow(ws, project_slug, by, Act.SEE_SCORES)
    found = scored_runs(ws, project_slug, with_retired=with_retired, gold=gold, read=read)
    lines = tuple(line for line, _ in found.runs)
    retired = found.retired + sum(line.marks.retired for line in lines)
    return Board(lines, found.golds, found.questions, retired)
