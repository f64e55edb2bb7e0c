"""A project's runs on one reading of the gold: names, and what a table says beside figures."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from sqlmodel import Session

from annotation.people.roles import Act, allow
from errors import UserError
from evaluation.ranking.scoring import Measure, too_deep_notes
from messages import say
from normalization.hashing import text_hash
from retrieval.core.model import MAX_DEPTH, Spec
from retrieval.core.presets import describe, rerankers
from retrieval.core.registry import is_simple
from services.gold.gold_set import GoldSet, GoldSets, gold_sets
from services.gold.search_coverage import NotSearched, Searched, gold_not_searched
from services.runs.coverage import Coverage, LeftOut, lacks, ranked_by_most
from services.runs.methods.run_key import depth_of, levels_of, spec_of, version_of
from services.runs.model_notes import Unanswered, reading_notes, unanswered
from services.runs.scoring import ScoredRun, require_scores, scored_on
from storage.db.workspace import Workspace
from storage.law.corpus import id_in_use, question_names
from storage.law.passages import Levels
from storage.projects import project_by_slug
from storage.runs.experiments import RecordView, records_of
from storage.runs.run_marks import RunMarks, authors_of, marks_of
from storage.runs.run_store import RunView, list_runs, run_by_id

_LONGEST = 16  # characters of a version; a longer one is told by its hash
_LETTERS = 6  # of a hash


def names_of(runs: Sequence[RunView], records: Mapping[int, RecordView]) -> dict[int, str]:
    """Return the name of each of a project's runs, all of them given, by its id.

    It is the label that the run was given, else what its method is. Where that is the same of
    several they say in what they differ too: snapshot, what was searched, version, depth, gold;
    and the number of the run where that is not enough.
    """
    names = {run.id: _plain(run, records) for run in runs}
    for said in _APART:
        names = _longer(runs, names, said)
    return _longer(runs, names, lambda run: f"run {run.id}")


def _plain(run: RunView, records: Mapping[int, RecordView]) -> str:
    label = records[run.id].label if run.id in records else ""
    return label or describe(spec_of(run.key))


def _longer(
    runs: Sequence[RunView], names: Mapping[int, str], said: Callable[[RunView], str]
) -> dict[int, str]:
    """Return the names with what is said of each run behind those that it tells apart."""
    alike: dict[str, set[str]] = {}
    for run in runs:
        alike.setdefault(names[run.id], set()).add(said(run))
    return {
        run.id: f"{names[run.id]} · {said(run)}" if len(alike[names[run.id]]) > 1 else names[run.id]
        for run in runs
    }


def _version(run: RunView) -> str:
    said = version_of(run.key)
    return f"version {said if len(said) <= _LONGEST else _hash(said)}"


def _hash(said: str) -> str:
    return text_hash(said)[:_LETTERS]


_APART: tuple[Callable[[RunView], str], ...] = (
    lambda run: f"snapshot {run.key.snapshot_id}",
    lambda run: f"searched {Searched.of(run.key).code}",
    _version,
    lambda run: f"depth {depth_of(run.key, 0)}",
    lambda run: f"gold {run.key.gold_hash[:_LETTERS]}",
)


@dataclass(frozen=True, slots=True)
class RunLine:
    """What is said of a run.

    `label` is what it is called, `given` the name that somebody gave it ("" for none), `origin`
    whether it was computed here or imported from a file,
    `cost` what making it took, each under its name where it was measured. `missing` are the
    questions with gold that it found nothing for, which score 0. `lacking` counts the questions of
    the project that it does not rank; `fewer` says that most runs rank some of them that have gold.
    `learnt_otherwise` says that its method learnt from other gold than is read. `not_searched` is
    the gold of its questions outside what it searched; None where it does not say what that was.
    `gold_waiting` counts the questions that are settled but have no gold in the run's snapshot, as
    the law changed under what was decided and nobody has looked yet: no figure has them.
    `simple` says whether its method is a simple baseline (`retrieval.core.registry.SIMPLE`); of a
    run from a file nobody knows, so it is none. `coverage` counts its questions, `marks` are what
    people said of it, `author` is who made or imported it ("" for the operator), `other_snapshot`
    says that it is not of the snapshot in use.
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
        """Whether running its method now would say more, or other, than it does."""
        computed = self.origin != "imported"
        return self.learnt_otherwise or (computed and (self.lacking > 0 or self.other_snapshot))

    @property
    def left_out(self) -> tuple[LeftOut, ...]:
        """Why it is not held against the others by default; nothing where it is."""
        said = {
            LeftOut.FEWER: self.fewer,
            LeftOut.SNAPSHOT: self.other_snapshot,
        }
        return tuple(each for each, holds in said.items() if holds)

    @property
    def spec(self) -> dict[str, Any]:
        """Its method with all parameters, and what else the run is found by."""
        return {**self.params, "method": self.method}


@dataclass(frozen=True, slots=True)
class ScoredRuns:
    """Runs with their scores, and the gold of the snapshot in use and of theirs.

    `retired` counts the runs that were not asked for, as they are retired, `questions` those of the
    project.
    """

    runs: tuple[tuple[RunLine, ScoredRun], ...]
    golds: GoldSets
    retired: int = 0
    questions: int = 0


def scored_runs(
    ws: Workspace,
    project_slug: str,
    measures: Sequence[Measure] = (),
    run_ids: Iterable[int] | None = None,
    *,
    with_retired: bool = False,
    gold: str = "",
) -> ScoredRuns:
    """Return those runs of the project, newest first, with their scores on a gold set.

    Where none are named they are all but the retired ones, or all `with_retired`. Each is scored on
    the gold of its own snapshot as it stands now. Raises UserError for an unknown project or gold
    set, and for a run that is not among the project's.
    """
    project = project_by_slug(ws, project_slug)
    with ws.reading() as session:
        stored = list_runs(session, project.id)
        about = _About.read(session, [run.id for run in stored], project.id)
    names, by_id = names_of(stored, about.records), {run.id: run for run in stored}
    hidden = () if with_retired or run_ids is not None else about.retired
    asked = dict.fromkeys(by_id if run_ids is None else run_ids)
    wanted = [run for run in asked if run not in hidden]
    if unknown := [number for number in wanted if number not in by_id]:
        raise UserError("run_unknown", run=unknown[0])
    snapshots = [by_id[number].key.snapshot_id for number in wanted]
    golds = gold_sets(ws, project_slug, snapshots, gold)
    scored = [
        scored_on(ws, run, project_slug, golds.of(run.key.snapshot_id), measures)
        for run in map(by_id.__getitem__, wanted)
    ]
    outside, most = _outside(ws, scored), ranked_by_most(scored)
    lines = [
        replace(
            _line(each, names[each.run.id], about, outside.get(_corpus(each))),
            fewer=lacks(each, most),
        )
        for each in scored
    ]
    pairs = tuple(zip(lines, scored, strict=True))
    return ScoredRuns(pairs, golds, len(hidden), about.questions)


@dataclass(frozen=True, slots=True)
class _About:
    """What is kept beside a project's runs: how they came about and what people said of them."""

    records: Mapping[int, RecordView]
    marks: Mapping[int, RunMarks]
    authors: Mapping[int, str]
    in_use: int | None
    questions: int

    @classmethod
    def read(cls, session: Session, runs: Sequence[int], project_id: int) -> _About:
        """Return it as it is stored."""
        return cls(
            records_of(session, runs),
            marks_of(session, runs),
            authors_of(session, runs),
            id_in_use(session, project_id),
            len(question_names(session, project_id)),
        )

    @property
    def retired(self) -> frozenset[int]:
        """The runs that are retired."""
        return frozenset(run for run, marks in self.marks.items() if marks.retired)


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


def _line(scored: ScoredRun, name: str, about: _About, outside: NotSearched | None) -> RunLine:
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
        gold_waiting=len(scored.gold.amended) + len(scored.gold.waiting),
        coverage=Coverage.of(scored),
        marks=about.marks.get(run, RunMarks()),
        author=about.authors.get(run, ""),
        other_snapshot=key.snapshot_id != about.in_use,
        lacking=max(0, about.questions - scored.run.questions),
        given=record.label,
    )


def reranker_notes(named: Iterable[tuple[str, Spec]], language: str = "en") -> list[str]:
    """Say what RefWalk in methods reranks with, and whether that is a cross-encoder.

    Each method comes with what its run or line is called; those that rerank with the same are told
    of together. Nothing for a method without RefWalk, or one whose RefWalk does not rerank.
    """
    found: dict[tuple[str, str], dict[str, None]] = {}
    for name, spec in named:
        for each in rerankers(spec):
            key = "cross_encoder" if each.get("method") == "rerank" else "reranker"
            found.setdefault((key, describe(each)), {})[name] = None
    return [
        say(f"run_notes.{key}", language, run="; ".join(names), reranker=reranker)
        for (key, reranker), names in found.items()
    ]


def numbered(run_id: int, language: str = "en") -> str:
    """Return what a run is called by its number."""
    return say("run_notes.run", language, run=run_id)


def run_reranker_notes(lines: Iterable[RunLine], language: str = "en") -> list[str]:
    """Say the same of stored runs, by their numbers."""
    named = ((numbered(line.run_id, language), line.spec) for line in lines)
    return reranker_notes(named, language)


def run_unanswered(ws: Workspace, run_id: int) -> Unanswered:
    """Return how often a stored run got no answer of a model; nothing without a record."""
    with ws.reading() as session:
        record = records_of(session, [run_id]).get(run_id, RecordView())
    return unanswered(record.cost)


def run_reading_notes(
    ws: Workspace, run_id: int, language: str = "en", measures: Sequence[Measure] = ()
) -> list[str]:
    """Say of a stored run, by its number, who read units for it and what was not read or answered.

    Which of `measures` look deeper than the run comes first. Raises UserError for an unknown run.
    """
    with ws.reading() as session:
        key = run_by_id(session, run_id).key
        spec = spec_of(key)
        cost = records_of(session, [run_id]).get(run_id, RecordView()).cost
    name = numbered(run_id, language)
    told = unanswered(cost).said(name, language)
    blank = too_deep_notes(list(map(repr, measures)), [depth_of(key, MAX_DEPTH)], language)
    return blank + reading_notes([(name, spec, cost)], language) + ([told] if told else [])


def other_name(ws: Workspace, run_id: int, asked: str, by: int | None = None) -> str:
    """Return what a run is called, where it was there already under another name than `asked`.

    Nothing where it bears that name, or none was asked for. Raises UserError for an unknown run and
    for `by` (None: the operator) who may not see scores.
    """
    require_scores(ws, run_id, by)
    with ws.reading() as session:
        run = run_by_id(session, run_id)
        record = records_of(session, [run_id]).get(run_id, RecordView())
    called = record.label or describe(spec_of(run.key))
    return called if asked and called != asked else ""


@dataclass(frozen=True, slots=True)
class Board:
    """A project's runs, newest first.

    `gold` is the gold set that is read, for the snapshot in use; `questions` counts those of the
    project, `retired` the runs that are retired, whether or not they are among `runs`.
    """

    runs: tuple[RunLine, ...]
    gold: GoldSet
    questions: int
    retired: int = 0


def leaderboard(
    ws: Workspace,
    project_slug: str,
    by: int | None = None,
    *,
    with_retired: bool = False,
    gold: str = "",
) -> Board:
    """Return the project's runs on a gold set, the retired ones only where they are wanted.

    Raises UserError for an unknown project or gold set, and for `by` (None: the operator) who may
    not see scores.
    """
    allow(ws, project_slug, by, Act.SEE_SCORES)
    found = scored_runs(ws, project_slug, with_retired=with_retired, gold=gold)
    lines = tuple(line for line, _ in found.runs)
    retired = found.retired + sum(line.marks.retired for line in lines)
    return Board(lines, found.golds.in_use, found.questions, retired)
