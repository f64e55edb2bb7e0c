"""Planning of questions to write for the wanted cells, with an upper bound of the cost.

Outcome of each augmented question over cascade, curation and admission.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

from sqlmodel import Session, select

from annotation.curation.state import Fate as Curated
from annotation.curation.state import curation_states
from annotation.people.roles import Act, allow, reading_as
from annotation.work.versioned_texts import AXES
from construction.augmentation.axes import Axes, Cell, Wanted, check_wanted, facets_for
from construction.augmentation.governing import (
    WRITE,
    Drawn,
    GoverningSet,
    Law,
    Provision,
    draw,
    writing_values,
)
from corpus.limits import QUESTION
from errors import UserError, Where
from llm.budget import Use
from llm.request import Request
from llm.roles import Endpoint, Role
from messages import say
from normalization.hashing import seeded_hash
from services.gold.gold_set import gold_set
from services.models.asking import Wordings, most_use
from services.models.workspace_models import load_settings
from storage.augmentation.provisions import load_law
from storage.augmentation.questions import attempts_by_cell, questions, tried_sets
from storage.cascade.results import QuestionState, State, states
from storage.curation import admissions
from storage.db.workspace import Workspace
from storage.law.corpus import required_snapshot
from storage.tables.core import QuestionRow


class Fate(StrEnum):
    """How far an augmented question has come."""

    WRITTEN = "written"  # not yet through a cascade
    REJECTED = "rejected"  # rejected by a layer of its latest cascade, not restored
    THROUGH = "through"  # passed its latest cascade, or was restored
    ADMITTED = "admitted"  # kept or edited by people, and admitted to the project
    DROPPED = "dropped"  # rejected by people in curation


def fates_of_questions(session: Session, project_id: int) -> dict[int, Fate]:
    """Return the outcome of each augmented question of a project, by database id.

    People's decisions override a cascade's: an admitted or dropped question stays so, whatever a
    later cascade says.
    """
    inside = admissions(session, project_id)
    curated = curation_states(session, project_id)
    dropped = {each for each, state in curated.items() if state.fate is Curated.REJECTED}
    found = {}
    for each in states(session, project_id):
        number = each.question.id
        if number in inside:
            found[number] = Fate.ADMITTED
        else:
            found[number] = Fate.DROPPED if number in dropped else _cascade_fate(each)
    return found


LOST = (Fate.REJECTED, Fate.DROPPED)
"""Outcomes of questions that need a replacement."""


def _cascade_fate(state: QuestionState) -> Fate:
    """Return how far a question came in its cascade: written, rejected, or through."""
    if state.came_through:
        return Fate.THROUGH
    return Fate.REJECTED if state.state is State.REJECTED else Fate.WRITTEN


ALL = "all"  # all questions that can be varied
MOST_ASKED = 5_000  # maximum of questions in a plan
_SEEDS = 2**31


@dataclass(frozen=True, slots=True)
class WritingOptions:
    """Cells to fill with targets, drawn by the seed.

    With `styled`, each is written with a question of the project as a model of its tone. With
    `seeds`, ids of questions or ALL, each is a variant of one of these, on its gold provisions and
    what they lead to.
    """

    wanted: tuple[Wanted, ...]
    seed: int = 0
    styled: bool = False
    seeds: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CellPlan:
    """A cell of a plan; `there` are its questions not rejected by a layer or people.

    `asked` sets are drawn for what is missing to the target; `found` are all such sets in the
    graph, `tried` of them asked about before, and `lacking` is the shortfall. `possible` is False
    where no law could fill the cell.
    """

    wanted: Wanted
    there: int
    asked: int
    found: int
    tried: int
    lacking: int
    possible: bool

    @classmethod
    def of(cls, drawn: Drawn, there: int) -> CellPlan:
        """Return the plan of a cell that has `there` questions, with what was drawn for it."""
        counts = len(drawn.sets), drawn.found, drawn.tried, drawn.lacking
        return cls(drawn.wanted, there, *counts, drawn.possible)

    def note(self, language: str = "en") -> str:
        """Return why the cell gets fewer questions than wanted, "" if it does not."""
        if not self.possible:
            return say("augment.plan.impossible", language)
        if not self.lacking:
            return ""
        values = {"found": self.found, "tried": self.tried, "lacking": self.lacking}
        return say("augment.plan.lacking", language, **values)

    def as_dict(self) -> dict[str, Any]:
        """Return the plan of a cell as JSON values."""
        return self.wanted.as_dict() | {
            name: getattr(self, name)
            for name in ("there", "asked", "found", "tried", "lacking", "possible")
        }


_Parent = tuple[str, int, str]  # id in the file, database id, text


@dataclass(frozen=True, slots=True)
class Asking:
    """A question to request: its cell's values, governing provisions, and model question.

    `name` is that of its attempt, `parent` the database id and text of the project's question.
    """

    name: str
    cell: Mapping[str, Any]
    found: GoverningSet
    provisions: tuple[Provision, ...]
    language: str
    parent: tuple[int, str] | None

    @property
    def varies(self) -> bool:
        """Whether it is a variant of its parent, not only written in its tone."""
        return bool(self.found.seed)


@dataclass(frozen=True, slots=True)
class WritingPlan:
    """Everything needed to start: the remaining requests, and the prompts."""

    project_id: int
    snapshot_id: int
    axes_number: int
    axes: Axes
    person_id: int | None
    options: WritingOptions
    endpoint: Endpoint
    cells: tuple[CellPlan, ...]
    askings: tuple[Asking, ...]
    wordings: Wordings

    def request(self, asking: Asking) -> Request:
        """Return the call that requests a question."""
        text = asking.parent[1] if asking.parent else ""
        shown = ("", text) if asking.varies else (text, "")
        values = writing_values(self.axes, asking.cell, asking.provisions, *shown)
        return self.wordings.request(self.endpoint, asking.language, values)

    @property
    def estimate(self) -> Use:
        """Upper bound of the calls' use, including calls that the cache will save."""
        return most_use(map(self.request, self.askings))

    def as_dict(self) -> dict[str, Any]:
        """Return the cells and the estimate as JSON values."""
        cells = [each.as_dict() for each in self.cells]
        return {"cells": cells, "axes": self.axes_number, "estimate": asdict(self.estimate)}


def cost_words(estimate: Use, language: str = "en") -> str:
    """Return the estimated calls, tokens and costs in words."""
    priced = estimate.money is not None
    money = f"{estimate.money:,.4g}" if priced else ""
    key = f"augment.plan.{'estimate' if priced else 'unpriced'}"
    return say(key, language, calls=estimate.calls, tokens=estimate.tokens, money=money)


def plan(
    ws: Workspace, project_slug: str, options: WritingOptions, by: int | None = None
) -> WritingPlan:
    """Plan the requests for augmented questions; `by` is the requester, None for the operator.

    A set that this model has written on for a cell, under the same prompt, is skipped, as is one
    with a kept question of the cell. Raises UserError for `by` without permission, unknown cells,
    targets and seeds out of range, a project without a snapshot or a graph, and where no model is
    set.
    """
    _check_seed_and_total(options)
    gold = gold_by_question(ws, project_slug, by) if options.seeds else {}
    governing = {unit for units in gold.values() for unit in units}
    wordings = Wordings.of(ws, project_slug, WRITE)
    with reading_as(ws, project_slug, by, Act.MAKE_ITEMS) as (session, project, _):
        number, axes = AXES.current(session, project.id)
        check_wanted(axes, options.wanted)
        endpoint = load_settings(ws).of(Role.GENERATE)
        snapshot = required_snapshot(session, project).id
        versions = wordings.versions
        tried = tried_sets(session, project.id, endpoint.server, endpoint.model, versions)
        law = load_law(session, project.id, snapshot, axes, governing)
        there = standing_by_cell(session, project.id)
        counts = attempts_by_cell(session, project.id)
        parents = {}
        if options.styled or options.seeds:
            parents = _parents(session, project.id, answers=bool(options.seeds))
    seeds = _seed_gold(options.seeds, gold, law) if options.seeds else None
    missing = {each: max(0, each.target - there[each.cell]) for each in options.wanted}
    cells = draw(law, axes, missing, options.seed, tried, seeds)
    return WritingPlan(
        project_id=project.id,
        snapshot_id=snapshot,
        axes_number=number,
        axes=axes,
        person_id=by,
        options=options,
        endpoint=endpoint,
        cells=tuple(CellPlan.of(each, there[each.wanted.cell]) for each in cells),
        askings=tuple(_askings(cells, axes, law, options.seed, counts, parents)),
        wordings=wordings,
    )


def gold_by_question(
    ws: Workspace, project_slug: str, by: int | None = None
) -> dict[str, tuple[str, ...]]:
    """Return the gold of each question with gold, by external id: those that can be varied.

    Variants are shown to annotators, so it is people's decisions, not source labels. Raises
    UserError for `by` (None: the operator) who may not make items.
    """
    allow(ws, project_slug, by, Act.MAKE_ITEMS)
    found = gold_set(ws, project_slug).qrels
    return {name: tuple(units) for name, units in found.items() if units}


def _seed_gold(
    named: Sequence[str], gold: Mapping[str, tuple[str, ...]], law: Law
) -> dict[str, tuple[str, ...]]:
    """Return the gold of the named questions, or of all that can be varied.

    Raises UserError for one without gold or with gold that cannot govern, and where no question can
    be varied.
    """
    fit = {name: units for name, units in gold.items() if all(u in law.provisions for u in units)}
    if ALL not in named:
        for name in named:
            if name not in fit:
                lacking = [unit for unit in gold.get(name, ()) if unit not in law.provisions]
                code = "augment_seed_gold" if lacking else "augment_seed"
                units = ", ".join(lacking)
                raise UserError(code, Where(field="seeds"), id=name[:100], units=units)
        fit = {name: fit[name] for name in dict.fromkeys(named)}
    if not fit:
        raise UserError("augment_seed_none", Where(field="seeds"))
    return fit


def standing_by_cell(session: Session, project_id: int) -> Counter[Cell]:
    """Return the number of questions per cell not rejected by a layer or people."""
    became, made = fates_of_questions(session, project_id), questions(session, project_id)
    return Counter(each.cell for each in made if each.cell and became[each.id] not in LOST)


def _check_seed_and_total(options: WritingOptions) -> None:
    """Raise UserError for a seed out of range, and for targets that sum to too many."""
    if not 0 <= options.seed < _SEEDS:
        raise UserError("axes_seed", Where(field="seed"), most=_SEEDS - 1)
    asked = sum(each.target for each in options.wanted)
    if asked > MOST_ASKED:
        raise UserError("axes_many", Where(field="target"), asked=asked, most=MOST_ASKED)


def _askings(
    cells: Sequence[Drawn],
    axes: Axes,
    law: Law,
    seed: int,
    counts: Counter[str],
    parents: Mapping[str, Sequence[_Parent]],
) -> Iterator[Asking]:
    """Yield one request for each set of provisions that was drawn."""
    by_name = {each[0]: each for mine in parents.values() for each in mine}
    for drawn in cells:
        cell = drawn.wanted.cell
        for number, found in enumerate(drawn.sets, counts[cell.id] + 1):
            provisions = tuple(law.provisions[unit] for unit in found.units)
            language = provisions[0].language
            values = {
                "type": cell.type,
                "difficulty": cell.difficulty,
                "facets": facets_for(axes, cell, seed, *found.units),
                "domain": axes.domain_of(provisions[0].statute_id),
                "group": law.group_of(found.units),
                "facet": cell.facet,
            }
            some = parents.get(language, ())
            if found.seed:
                values["seed"], some = found.seed, [by_name[found.seed]]
            at = seeded_hash(seed, cell.id, "style", *found.units)
            parent = some[at % len(some)][1:] if some else None
            yield Asking(f"{cell.id} #{number}", values, found, provisions, language, parent)


def _parents(session: Session, project_id: int, answers: bool) -> dict[str, list[_Parent]]:
    """Return the project's questions by language, by ascending id; `answers` adds their answers."""
    rows = session.exec(select(QuestionRow).where(QuestionRow.project_id == project_id)).all()
    found: dict[str, list[_Parent]] = {}
    for row in sorted(rows, key=lambda row: row.external_id):  # databases sort texts differently
        text = f"{row.text[:QUESTION]}\n{row.answer}" if answers else row.text[:QUESTION]
        found.setdefault(row.language, []).append((row.external_id, row.id or 0, text))
    return found
