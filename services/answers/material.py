"""What contexts are made of: questions with their gold, runs, neighbours in the graph, the law."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from sqlmodel import Session, col, select

from construction.answers.contexts import (
    ContextSpec,
    Kind,
    Provision,
    Shown,
    Sources,
    placed,
    shown,
)
from corpus.model import Question
from errors import UserError, Where
from services.gold.gold_set import GoldSet, gold_set
from services.runs.rows import names_of
from storage.db.workspace import Workspace
from storage.law.corpus import question_of
from storage.law.neighbours import STORED, node_views, pairs_at, unit_numbers
from storage.law.passages import passages_by_id, retrieval_ids, retrieval_jurisdictions
from storage.runs.experiments import records_of
from storage.runs.run_store import RunView, list_runs, run_rankings
from storage.runs.search_levels import levels_searched
from storage.tables.core import QuestionRow

_AT_ONCE = 500  # ids in one query


@dataclass(frozen=True, slots=True)
class AskedQuestion:
    """A question of the project; `id` is its database id."""

    id: int
    question: Question

    @property
    def name(self) -> str:
        """Its id as the file has it."""
        return self.question.external_id


@dataclass(frozen=True, slots=True)
class NamedRun:
    """A stored run and what the leaderboard calls it."""

    id: int
    name: str
    snapshot_id: int


def asked_questions(session: Session, project_id: int) -> list[AskedQuestion]:
    """Return every question of the project in the order in which they came in."""
    query = select(QuestionRow).where(QuestionRow.project_id == project_id)
    rows = session.exec(query.order_by(col(QuestionRow.id)))
    return [AskedQuestion(row.id or 0, question_of(row)) for row in rows]


def named_runs(session: Session, project_id: int) -> list[NamedRun]:
    """Return the project's runs, newest first, by the names that the leaderboard has for them."""
    found: list[RunView] = list_runs(session, project_id)
    names = names_of(found, records_of(session, [each.id for each in found]))
    return [NamedRun(each.id, names[each.id], each.key.snapshot_id) for each in found]


def run_called(runs: Iterable[NamedRun], asked: str) -> NamedRun:
    """Return the run of that name or number. Raises UserError where there is none, or no name."""
    known = list(runs)
    for each in known:
        if asked in (each.name, str(each.id)):
            return each
    raise no_such_run(known, asked)


def no_such_run(known: Sequence[NamedRun], asked: str) -> UserError:
    """Return the error of a run that is not there, or that nobody named."""
    where = Where(field="run")
    if not known:
        return UserError("answers_run_none", where)
    names = ", ".join(each.name for each in known)
    if not asked:
        return UserError("answers_run_needed", where, known=names)
    return UserError("answers_run_unknown", where, run=asked, known=names)


class Material:
    """All that contexts of one snapshot are made of; each part is read when it is first needed."""

    def __init__(
        self,
        ws: Workspace,
        slug: str,
        project_id: int,
        snapshot_id: int | None,
        asked: Mapping[str, str],
    ) -> None:
        """Take where to read; `asked` are the questions' ids in the file, with whose law each asks.

        Without law (`snapshot_id` is None) there are no provisions.
        """
        self._ws, self._slug, self._project = ws, slug, project_id
        self._snapshot, self._asked = snapshot_id or 0, asked
        self._known: dict[str, Provision] = {}
        self._rankings: dict[int, Mapping[str, tuple[str, ...]]] = {}
        self._pools: dict[str, list[str]] = {}
        self._golds: dict[str, GoldSet] = {}
        self._joined: dict[str, set[str]] = {}

    def gold(self, name: str) -> GoldSet:
        """Return the gold set of that name, "" for the widest. Raises UserError for an unknown."""
        if name not in self._golds:
            found = gold_set(self._ws, self._slug, self._snapshot or None, name)
            self._golds |= {name: found, found.label: found}
        return self._golds[name]

    def ranking(self, run_id: int) -> Mapping[str, tuple[str, ...]]:
        """Return what a run returned for each question that it was asked."""
        if run_id not in self._rankings:
            with self._ws.reading() as session:
                self._rankings[run_id] = run_rankings(session, run_id, self._asked.keys())
        return self._rankings[run_id]

    def places(self, spec: ContextSpec, questions: Sequence[str]) -> dict[str, Sources]:
        """Return what the context of each question is made from, of those that can have one."""
        if spec.kind is Kind.RUN:
            ranking = self.ranking(spec.run_id or 0)
            return {each: Sources(ranking=ranking[each]) for each in questions if each in ranking}
        if not spec.kind.needs_gold:
            return {each: Sources() for each in questions}
        gold = {
            item.external_id: tuple(sorted(item.units))
            for item in self.gold(spec.gold).items
            if item.units and item.external_id in self._asked
        }
        oracle = spec.kind is Kind.ORACLE
        if oracle:
            self._join({unit for units in gold.values() for unit in units})
        return {
            each: Sources(
                gold=gold[each],
                neighbours=self._near(each, gold[each]) if oracle else (),
                pool=self._pool(each) if oracle else (),
            )
            for each in questions
            if each in gold
        }

    def contexts(self, spec: ContextSpec, questions: Sequence[str]) -> dict[str, tuple[Shown, ...]]:
        """Return the passages before the model of each question that can have such a context."""
        found = {
            name: placed(spec, name, sources)
            for name, sources in self.places(spec, questions).items()
        }
        self._read({unit for places in found.values() for unit, _ in places})
        return {name: shown(places, self._known, spec.characters) for name, places in found.items()}

    def provisions(self, units: Collection[str]) -> dict[str, Provision]:
        """Return those of the units that the law has."""
        self._read(units)
        return {unit: self._known[unit] for unit in sorted(units) if unit in self._known}

    def _read(self, units: Collection[str]) -> None:
        wanted = set(units) - self._known.keys()
        if not wanted:
            return
        with self._ws.reading() as session:
            found = passages_by_id(session, self._snapshot, wanted)
        self._known |= {
            unit: Provision(unit, each.title, each.text) for unit, each in found.items()
        }

    def _pool(self, question: str) -> list[str]:
        """Return what is searched for a question, ascending: its own law and nobody's."""
        asks = self._asked.get(question, "")
        if asks not in self._pools:
            units, of = self._law
            self._pools[asks] = [each for each in units if not asks or of.get(each, asks) == asks]
        return self._pools[asks]

    @cached_property
    def _law(self) -> tuple[list[str], dict[str, str]]:
        """All provisions with a text that the project searches, and whose law each is, if said.

        What has none, as an annex that is a drawing, would stand before a model as a bare heading.
        """
        with self._ws.reading() as session:
            levels = levels_searched(session, self._project)
            units = retrieval_ids(session, self._snapshot, levels, with_text=True)
            return units, retrieval_jurisdictions(session, self._snapshot, levels)

    def _near(self, question: str, gold: Sequence[str]) -> list[str]:
        """Return the provisions that an edge joins to the question's gold, of those searched."""
        near = {other for unit in gold for other in self._joined.get(unit, ())}
        pool = self._pool(question)
        return [unit for unit in sorted(near) if _is_in(pool, unit)]

    def _join(self, units: Collection[str]) -> None:
        """Read which units an edge of the citation graph joins to each of these, either way."""
        gold = sorted(set(units) - self._joined.keys())
        found: dict[str, set[str]] = {unit: set() for unit in gold}
        with self._ws.reading() as session:
            for start in range(0, len(gold), _AT_ONCE):
                numbers = unit_numbers(session, self._snapshot, gold[start : start + _AT_ONCE])
                names = {number: unit for unit, number in numbers.items()}
                pairs = pairs_at(session, sorted(names), STORED)
                others = _named(session, {other for _, other in pairs})
                for near, other in pairs:
                    found[names[near]].add(others[other])
        self._joined |= found


def _is_in(ascending: Sequence[str], unit: str) -> bool:
    place = bisect_left(ascending, unit)
    return place < len(ascending) and ascending[place] == unit


def _named(session: Session, numbers: Collection[int]) -> dict[int, str]:
    wanted = sorted(numbers)
    found: dict[int, str] = {}
    for start in range(0, len(wanted), _AT_ONCE):
        views = node_views(session, wanted[start : start + _AT_ONCE])
        found |= {number: view.unit_id for number, view in views.items()}
    return found
