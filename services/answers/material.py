"""Sources of answer contexts: questions with gold, runs, graph neighbours, the law.

Which questions can be asked under an answer setting.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property

from sqlmodel import Session, col, select

from construction.answers import (
    ContextSpec,
    Format,
    Kind,
    Provision,
    Shown,
    Sources,
    context_provisions,
    cut_passages,
    options_of,
    read_spec,
)
from corpus.model import Question
from errors import UserError, Where
from services.gold.gold_set import GoldSet, gold_set
from services.runs.rows import names_of
from storage.answers import AnswerRunView
from storage.db.rows import chunks
from storage.db.workspace import Workspace
from storage.law.corpus import question_of
from storage.law.neighbours import STORED, NodeView, node_views, pairs_at, unit_numbers
from storage.law.passages import passages_by_id, retrieval_ids, retrieval_jurisdictions
from storage.projects import find_project
from storage.runs.experiments import records_of
from storage.runs.run_store import RunView, list_runs, run_rankings
from storage.runs.search_levels import levels_searched
from storage.tables.core import QuestionRow


@dataclass(frozen=True, slots=True)
class AskedQuestion:
    """A question of the project; `id` is its database id."""

    id: int
    question: Question

    @property
    def name(self) -> str:
        """Its external id."""
        return self.question.external_id


@dataclass(frozen=True, slots=True)
class NamedRun:
    """A stored run with its leaderboard name."""

    id: int
    name: str
    snapshot_id: int


def asked_questions(session: Session, project_id: int) -> list[AskedQuestion]:
    """Return every question of the project in order of import."""
    query = select(QuestionRow).where(QuestionRow.project_id == project_id)
    rows = session.exec(query.order_by(col(QuestionRow.id)))
    return [AskedQuestion(row.id or 0, question_of(row)) for row in rows]


def named_runs(session: Session, project_id: int) -> list[NamedRun]:
    """Return the project's retrieval runs, newest first, with their leaderboard names."""
    found: list[RunView] = list_runs(session, project_id)
    names = names_of(found, records_of(session, [each.id for each in found]))
    return [NamedRun(each.id, names[each.id], each.key.snapshot_id) for each in found]


def run_called(runs: Iterable[NamedRun], name: str) -> NamedRun:
    """Find a run by name or number. Raises UserError for an unknown or empty name."""
    known = list(runs)
    for each in known:
        if name in (each.name, str(each.id)):
            return each
    raise no_such_run(known, name)


def no_such_run(known: Sequence[NamedRun], name: str) -> UserError:
    """Return the error for an unknown or missing run name."""
    where = Where(field="run")
    if not known:
        return UserError("answers_run_none", where)
    names = ", ".join(each.name for each in known)
    if not name:
        return UserError("answers_run_needed", where, known=names)
    return UserError("answers_run_unknown", where, run=name, known=names)


def contexts_with(
    usual: ContextSpec, kinds: Iterable[Kind], runs: Sequence[NamedRun]
) -> list[ContextSpec]:
    """Return the `usual` context as each kind, as a run's once for each run of `runs`.

    Only kinds that show provisions can be single.
    """
    found: list[ContextSpec] = []
    for kind in kinds:
        spec = replace(usual, kind=kind, single=usual.single and kind.provisions)
        of_runs = [replace(spec, run=each.name, run_id=each.id) for each in runs]
        found += of_runs if kind is Kind.RUN and runs else [spec]
    return found


class Material:
    """Context sources of one snapshot, each read when first needed."""

    def __init__(
        self,
        ws: Workspace,
        slug: str,
        snapshot_id: int | None,
        jurisdictions: Mapping[str, str],
    ) -> None:
        """`jurisdictions` maps external ids of questions to their jurisdictions.

        Without law (`snapshot_id` is None) there are no provisions.
        """
        self._ws, self._slug = ws, slug
        self._snapshot, self._asked = snapshot_id or 0, jurisdictions
        self._known: dict[str, Provision] = {}
        self._rankings: dict[int, Mapping[str, tuple[str, ...]]] = {}
        self._pools: dict[str, list[str]] = {}
        self._golds: dict[str, GoldSet] = {}
        self._joined: dict[str, set[str]] = {}

    def gold(self, name: str) -> GoldSet:
        """Return the named gold set, "" for the widest. Raises UserError for an unknown name."""
        if name not in self._golds:
            found = gold_set(self._ws, self._slug, self._snapshot or None, name)
            self._golds |= {name: found, found.label: found}
        return self._golds[name]

    def ranking(self, run_id: int) -> Mapping[str, tuple[str, ...]]:
        """Return a run's ranking per question."""
        if run_id not in self._rankings:
            with self._ws.reading() as session:
                self._rankings[run_id] = run_rankings(session, run_id, self._asked.keys())
        return self._rankings[run_id]

    def having(self, spec: ContextSpec, questions: Iterable[str]) -> list[str]:
        """Return the questions that have what the context is made of: hits of the run, or gold."""
        if spec.kind is Kind.RUN:
            ranking = self.ranking(spec.run_id or 0)
            return [each for each in questions if ranking.get(each)]
        if not spec.kind.needs_gold:
            return list(questions)
        with_gold = {each.external_id for each in self.gold(spec.gold).items if each.units}
        return [each for each in questions if each in with_gold]

    def places(self, spec: ContextSpec, questions: Sequence[str]) -> dict[str, Sources]:
        """Return the context sources per question, for those that can have the context."""
        fit = self.having(spec, questions)
        if spec.kind is Kind.RUN:
            ranking = self.ranking(spec.run_id or 0)
            return {each: Sources(ranking=ranking[each]) for each in fit}
        if not spec.kind.needs_gold:
            return {each: Sources() for each in fit}
        gold = {item.external_id: tuple(sorted(item.units)) for item in self.gold(spec.gold).items}
        oracle = spec.kind is Kind.ORACLE
        if oracle:
            self._load_neighbours({unit for each in fit for unit in gold[each]})
        return {
            each: Sources(
                gold=gold[each],
                neighbours=self._gold_neighbours(each, gold[each]) if oracle else (),
                pool=self._pool(each) if oracle else (),
            )
            for each in fit
        }

    def contexts(self, spec: ContextSpec, questions: Sequence[str]) -> dict[str, tuple[Shown, ...]]:
        """Return the passages shown per question, for those that can have the context."""
        found = {
            name: context_provisions(spec, name, sources)
            for name, sources in self.places(spec, questions).items()
        }
        self._read({unit for places in found.values() for unit, _ in places})
        return {
            name: cut_passages(places, self._known, spec.characters)
            for name, places in found.items()
        }

    def provisions(self, units: Collection[str]) -> dict[str, Provision]:
        """Return the provisions that the law has among `units`."""
        self._read(units)
        return {unit: self._known[unit] for unit in sorted(units) if unit in self._known}

    def _read(self, units: Collection[str]) -> None:
        """Read provisions of the law that were not read before, and remember them."""
        wanted = set(units) - self._known.keys()
        if not wanted:
            return
        with self._ws.reading() as session:
            found = passages_by_id(session, self._snapshot, wanted)
        self._known |= {
            unit: Provision(unit, each.title, each.text) for unit, each in found.items()
        }

    def _pool(self, question: str) -> list[str]:
        """Return searched units of a question's jurisdiction or none, in order; all without one."""
        asks = self._asked.get(question, "")
        if asks not in self._pools:
            units, of = self._law
            self._pools[asks] = [each for each in units if not asks or of.get(each, asks) == asks]
        return self._pools[asks]

    @cached_property
    def _law(self) -> tuple[list[str], dict[str, str]]:
        """Searchable provisions with text, and the stated jurisdictions among them.

        One without text, such as an annex that is a drawing, would reach the model as a bare
        heading.
        """
        with self._ws.reading() as session:
            levels = levels_searched(session, find_project(session, self._slug).id)
            units = retrieval_ids(session, self._snapshot, levels, with_text=True)
            return units, retrieval_jurisdictions(session, self._snapshot, levels)

    def _gold_neighbours(self, question: str, gold: Sequence[str]) -> list[str]:
        """Return searched provisions adjacent to the question's gold in the graph."""
        near = {other for unit in gold for other in self._joined.get(unit, ())}
        pool = self._pool(question)
        return [unit for unit in sorted(near) if _is_in(pool, unit)]

    def _load_neighbours(self, units: Collection[str]) -> None:
        """Load the graph neighbours of these units, in both directions."""
        gold = set(units) - self._joined.keys()
        self._joined |= {unit: set() for unit in gold}
        with self._ws.reading() as session:
            numbers = unit_numbers(session, self._snapshot, gold)
            names = {number: unit for unit, number in numbers.items()}
            pairs = [pair for some in chunks(names) for pair in pairs_at(session, some, STORED)]
            others: dict[int, NodeView] = {}
            for some in chunks(other for _, other in pairs):
                others |= node_views(session, some)
        for near, other in pairs:
            self._joined[names[near]].add(others[other].unit_id)


def _is_in(ascending: Sequence[str], unit: str) -> bool:
    """Return True if a sorted sequence has the unit (binary search)"""
    place = bisect_left(ascending, unit)
    return place < len(ascending) and ascending[place] == unit


def unfit(form: Format, question: AskedQuestion) -> str:
    """Return the reason (a key) why a question cannot be asked in a format; "" if it can."""
    if form.chooses:
        return "" if options_of(question.question) else "no_options"
    return "" if question.question.answer else "no_answer"


class Askable:
    """Askable questions per answer setting of a project; gold and runs are read once."""

    def __init__(self, ws: Workspace, slug: str, questions: Sequence[AskedQuestion]) -> None:
        """Take the questions of the project."""
        self._questions = questions
        asked = {each.name: each.question.jurisdiction for each in questions}
        self._material = cache(lambda law: Material(ws, slug, law, asked))

    def under(self, run: AnswerRunView) -> frozenset[str]:
        """Return the external ids of questions that fit the format and have the context.

        Based on current gold, so a later decision can add or remove questions.
        """
        form = Format(run.format)
        fit = [each.name for each in self._questions if not unfit(form, each)]
        return frozenset(self._material(run.snapshot_id).having(read_spec(run.context), fit))
