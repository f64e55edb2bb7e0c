"""What is to be asked for the cells that somebody wants filled, and what it can cost at most."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from sqlmodel import Session, select

from annotation.people.roles import Act, allow, reading_as
from annotation.work.versioned_texts import AXES
from construction.augmentation.axes import Axes
from construction.augmentation.cells import Cell, Wanted, check_wanted, facets_for
from construction.augmentation.drafts import WRITE, writing_values
from construction.augmentation.governing import Drawn, GoverningSet, Law, Provision, draw
from corpus.limits import QUESTION
from errors import UserError, Where
from llm.prompts.prompt_files import Prompt
from llm.request import Request
from llm.roles import Endpoint, Role
from normalization.hashing import seeded_hash
from services.augmentation.fates import LOST, fates
from services.gold.gold_set import gold_set
from services.models.prompts import prompt_wordings
from services.models.workspace_models import load_settings
from storage.augmentation.provisions import load_law
from storage.augmentation.questions import attempts_by_cell, questions, tried_sets
from storage.db.workspace import Workspace
from storage.law.corpus import required_snapshot
from storage.tables.core import QuestionRow

REPAIR = "json_repair"
ALL = "all"  # of the questions that can be varied
MOST_ASKED = 5_000  # questions of one plan
_SEEDS = 2**31


@dataclass(frozen=True, slots=True)
class WritingOptions:
    """Which cells are to have how many questions, drawn by the seed.

    With `styled`, each is written with a question of the project before it, for its tone. With
    `seeds`, ids of questions or ALL, each varies one of these, on its gold provisions and what they
    lead to.
    """

    wanted: tuple[Wanted, ...]
    seed: int = 0
    styled: bool = False
    seeds: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CellPlan:
    """A cell of a plan. `there` are its questions that no layer and nobody has rejected.

    `asked` sets are drawn for what is missing to the target; `found` are all of such that the
    graph has, `tried` of them asked about before, and `lacking` more would be wanted. `possible` is
    False where no law could fill the cell.
    """

    wanted: Wanted
    there: int
    asked: int
    found: int
    tried: int
    lacking: int
    possible: bool

    def as_dict(self) -> dict[str, Any]:
        """Return it as JSON values."""
        return self.wanted.as_dict() | {
            name: getattr(self, name)
            for name in ("there", "asked", "found", "tried", "lacking", "possible")
        }


_Parent = tuple[str, int, str]  # id in the file, database id, text


@dataclass(frozen=True, slots=True)
class Asking:
    """A question to be asked for: its cell's values, what governs it, and what it is modelled on.

    `name` is that of its attempt, `parent` the database id and text of the project's question.
    """

    name: str
    cell: Mapping[str, Any]
    found: GoverningSet
    provisions: tuple[Provision, ...]
    language: str
    parent: tuple[int, str] | None = None

    @property
    def varies(self) -> bool:
        """Whether it is a variant of its parent, and not only written in its tone."""
        return bool(self.found.seed)


@dataclass(frozen=True, slots=True)
class Estimate:
    """What the calls can use at most, as the budget counts it; repairs come on top.

    `money` is None where the model's price is not known.
    """

    calls: int
    tokens: int
    money: float | None


@dataclass(frozen=True, slots=True)
class WritingPlan:
    """Everything needed to begin: what is left to ask for, and what to say."""

    project_id: int
    snapshot_id: int
    axes_number: int
    axes: Axes
    person_id: int | None
    options: WritingOptions
    endpoint: Endpoint
    cells: tuple[CellPlan, ...]
    askings: tuple[Asking, ...]
    wordings: Mapping[str, Prompt]
    repairs: Mapping[str, Prompt]

    def request(self, asking: Asking) -> Request:
        """Return the call that asks for a question."""
        wording = self.wordings[asking.language]
        text = asking.parent[1] if asking.parent else ""
        shown = ("", text) if asking.varies else (text, "")
        values = writing_values(self.axes, asking.cell, asking.provisions, *shown)
        return Request(self.endpoint, wording.messages(values), wording.name)

    @property
    def estimate(self) -> Estimate:
        """The most that the calls can use, those included that a kept answer will save."""
        requests = [self.request(each) for each in self.askings]
        tokens_in = sum(each.most_tokens_in for each in requests)
        tokens_out = sum(each.most_tokens_out for each in requests)
        money = self.endpoint.price.of(tokens_in, tokens_out)
        return Estimate(len(requests), tokens_in + tokens_out, money)

    def as_dict(self) -> dict[str, Any]:
        """Return the cells and the estimate as JSON values."""
        cells = [each.as_dict() for each in self.cells]
        return {"cells": cells, "axes": self.axes_number, "estimate": asdict(self.estimate)}


def plan(
    ws: Workspace, project_slug: str, options: WritingOptions, by: int | None = None
) -> WritingPlan:
    """Return what is to be asked. `by` is the person who asks for it, None for the operator.

    A set that this model has written on for a cell, under the same prompt, is not asked about
    again, nor one that a question of the cell was kept on. Raises UserError for who may not, cells
    that the axes do not have, targets and seeds out of range, a project without a snapshot or a
    graph, and where no model is set.
    """
    _check(options)
    gold = gold_by_question(ws, project_slug, by) if options.seeds else {}
    governing = {unit for units in gold.values() for unit in units}
    wordings, repairs = (prompt_wordings(ws, project_slug, name) for name in (WRITE, REPAIR))
    with reading_as(ws, project_slug, by, Act.MAKE_ITEMS) as (session, project, _):
        number, axes = AXES.current(session, project.id)
        check_wanted(axes, options.wanted)
        endpoint = load_settings(ws).of(Role.GENERATE)
        snapshot = required_snapshot(session, project).id
        versions = [each.version for each in wordings.values()]
        tried = tried_sets(session, project.id, endpoint.server, endpoint.model, versions)
        law = load_law(session, project.id, snapshot, axes, governing)
        there = standing_by_cell(session, project.id)
        counts = attempts_by_cell(session, project.id)
        parents = {}
        if options.styled or options.seeds:
            parents = _parents(session, project.id, answers=bool(options.seeds))
    seeds = _seeds(options.seeds, gold, law) if options.seeds else None
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
        cells=tuple(_cell_plan(each, there[each.wanted.cell]) for each in cells),
        askings=tuple(_askings(cells, axes, law, options.seed, counts, parents)),
        wordings=wordings,
        repairs=repairs,
    )


def gold_by_question(
    ws: Workspace, project_slug: str, by: int | None = None
) -> dict[str, tuple[str, ...]]:
    """Return the gold of each question that has some, by its id in the file: what can be varied.

    What is made of it is shown to annotators, so it is what people decided, no labels of the data.
    Raises UserError for `by` (None: the operator) who may not make items.
    """
    allow(ws, project_slug, by, Act.MAKE_ITEMS)
    found = gold_set(ws, project_slug).qrels
    return {name: tuple(units) for name, units in found.items() if units}


def _seeds(
    named: Sequence[str], gold: Mapping[str, tuple[str, ...]], law: Law
) -> dict[str, tuple[str, ...]]:
    """Return the gold of the questions that are named.

    Raises UserError for one without settled gold or with gold that cannot govern, and where no
    question can be varied.
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
    """Return how many questions of each cell nobody has rejected: no layer, and no people."""
    became, made = fates(session, project_id), questions(session, project_id)
    return Counter(each.cell for each in made if each.cell and became[each.id] not in LOST)


def _check(options: WritingOptions) -> None:
    if not 0 <= options.seed < _SEEDS:
        raise UserError("axes_seed", Where(field="seed"), most=_SEEDS - 1)
    asked = sum(each.target for each in options.wanted)
    if asked > MOST_ASKED:
        raise UserError("axes_many", Where(field="target"), asked=asked, most=MOST_ASKED)


def _cell_plan(found: Drawn, there: int) -> CellPlan:
    counts = len(found.sets), found.found, found.tried, found.lacking
    return CellPlan(found.wanted, there, *counts, found.possible)


def _askings(
    cells: Sequence[Drawn],
    axes: Axes,
    law: Law,
    seed: int,
    counts: Counter[str],
    parents: Mapping[str, Sequence[_Parent]],
) -> list[Asking]:
    return [
        _asking(each, place, found, axes, law, seed, counts[each.wanted.cell.id], parents)
        for each in cells
        for place, found in enumerate(each.sets, 1)
    ]


def _asking(
    found: Drawn,
    place: int,
    governing: GoverningSet,
    axes: Axes,
    law: Law,
    seed: int,
    before: int,
    parents: Mapping[str, Sequence[_Parent]],
) -> Asking:
    cell = found.wanted.cell
    provisions = tuple(law.provisions[unit] for unit in governing.units)
    language = provisions[0].language
    values = {
        "type": cell.type,
        "difficulty": cell.difficulty,
        "facets": facets_for(axes, cell, seed, *governing.units),
        "domain": axes.domain_of(provisions[0].statute_id),
        "group": law.group_of(governing.units),
        "facet": cell.facet,
    }
    some = list(parents.get(language, ()))
    if governing.seed:
        values["seed"] = governing.seed
        every = (each for mine in parents.values() for each in mine)
        some = [each for each in every if each[0] == governing.seed]
    at = seeded_hash(seed, cell.id, "style", *governing.units)
    parent = some[at % len(some)][1:] if some else None
    name = f"{cell.id} #{before + place}"
    return Asking(name, values, governing, provisions, language, parent)


def _parents(session: Session, project_id: int, answers: bool) -> dict[str, list[_Parent]]:
    """Return the project's questions by language, in order of external id; or with `answers`."""
    rows = session.exec(select(QuestionRow).where(QuestionRow.project_id == project_id)).all()
    found: dict[str, list[_Parent]] = {}
    for row in sorted(rows, key=lambda row: row.external_id):  # databases sort texts differently
        text = f"{row.text[:QUESTION]}\n{row.answer}" if answers else row.text[:QUESTION]
        found.setdefault(row.language, []).append((row.external_id, row.id or 0, text))
    return found
