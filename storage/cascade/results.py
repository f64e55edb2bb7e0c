"""Results and states of generated questions in the cascade: writing, reading, deriving.

State of each generated question, derived from layer results and restorations.

The newest run that saw a question counts. A layer that somebody overruled for a question stays
overruled in later runs too, until that is withdrawn: the question goes on to the next layers, which
may reject it in their turn.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlmodel import Session, col, func, select

from construction.cascade.checks import Outcome
from construction.cascade.layers import Layers, parse, starter
from errors import UserError
from normalization.grouping import grouped, nested
from storage.db.columns import view_of
from storage.tables.augmentation import (
    AugmentedQuestion,
    CascadeLayersRow,
    CascadeRun,
    LayerResult,
    Restoration,
)
from storage.tables.core import Person

RESTORE, WITHDRAW = "restore", "withdraw"


@dataclass(frozen=True, slots=True)
class Question:
    """A generated question as the cascade reads it.

    `axes` and `gold` are as `storage.tables.augmentation.AugmentedQuestion` says.
    """

    id: int
    external_id: str
    text: str
    answer: str
    language: str
    axes: Mapping[str, Any]
    axes_number: int
    gold: Sequence[Mapping[str, Any]]

    @property
    def level(self) -> str:
        """The requested level of difficulty."""
        return str(self.axes.get("difficulty", ""))

    @property
    def units(self) -> tuple[str, ...]:
        """The semantic ids of its governing provisions, each once."""
        return tuple(dict.fromkeys(str(each["unit"]) for each in self.gold))


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a layer for a question; `run` is the run's id."""

    id: int
    run: int
    question: int
    layer: str
    place: int
    outcome: str
    reasons: Sequence[Mapping[str, Any]]
    at: datetime


@dataclass(frozen=True, slots=True)
class RunView:
    """A cascade run: version of the layers, snapshot, and model ("" for none)."""

    id: int
    layers_number: int
    snapshot_id: int
    server: str
    model: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Overruled:
    """A restoration or its withdrawal: layer, person (None: the operator), time and reason.

    `result` is the id of the result that it was about.
    """

    question: int
    layer: str
    result: int
    kind: str
    reason: str
    person: str | None
    at: datetime


def questions(session: Session, project_id: int) -> list[Question]:
    """Return the generated questions of a project in order of id."""
    query = select(AugmentedQuestion).where(AugmentedQuestion.project_id == project_id)
    rows = session.exec(query.order_by(col(AugmentedQuestion.id)))
    return [view_of(Question, row) for row in rows]


def question_called(session: Session, project_id: int, external_id: str) -> int:
    """Return the id of the question with that external id. Raises UserError if there is none."""
    query = select(AugmentedQuestion.id).where(
        AugmentedQuestion.project_id == project_id, AugmentedQuestion.external_id == external_id
    )
    found = session.exec(query).first()
    if found is None:
        raise UserError("augmented_question_unknown", id=external_id)
    return found


def runs(session: Session, project_id: int) -> dict[int, RunView]:
    """Return the runs of a project by id, oldest first."""
    query = select(CascadeRun).where(CascadeRun.project_id == project_id)
    rows = session.exec(query.order_by(col(CascadeRun.id)))
    return {row.id or 0: view_of(RunView, row) for row in rows}


def newest_results(session: Session, project_id: int) -> dict[int, list[Result]]:
    """Return the results of the newest run that saw each question, in the order of layers."""
    newest = (
        select(
            col(LayerResult.augmented_question_id).label("question"),
            func.max(LayerResult.cascade_run_id).label("run"),
        )
        .join(CascadeRun)
        .where(CascadeRun.project_id == project_id)
        .group_by(col(LayerResult.augmented_question_id))
        .subquery()
    )
    query = (
        select(LayerResult)
        .join(
            newest,
            (newest.c.question == LayerResult.augmented_question_id)
            & (newest.c.run == LayerResult.cascade_run_id),
        )
        .order_by(col(LayerResult.augmented_question_id), col(LayerResult.place))
    )
    return grouped(
        (
            row.augmented_question_id,
            view_of(Result, row, run=row.cascade_run_id, question=row.augmented_question_id),
        )
        for row in session.exec(query)
    )


def restorations(session: Session, project_id: int) -> list[Overruled]:
    """Return every restoration and withdrawal of a project, oldest first."""
    query = (
        select(Restoration, LayerResult.layer, Person.name)
        .join(LayerResult)
        .join(CascadeRun)
        .outerjoin(Person, col(Person.id) == col(Restoration.person_id))
        .where(CascadeRun.project_id == project_id)
        .order_by(col(Restoration.id))
    )
    return [
        view_of(
            Overruled,
            row,
            question=row.augmented_question_id,
            layer=layer,
            result=row.layer_result_id,
            person=name,
        )
        for row, layer, name in session.exec(query)
    ]


def layers_texts(session: Session, project_id: int, numbers: Collection[int]) -> dict[int, str]:
    """Return the texts of the given versions of the layers that the project has saved."""
    query = select(CascadeLayersRow.number, CascadeLayersRow.text).where(
        CascadeLayersRow.project_id == project_id,
        col(CascadeLayersRow.number).in_(sorted(set(numbers))),
    )
    return dict(session.exec(query).all())


PACKAGED = 1  # the number of the packaged version of the layers


class State(StrEnum):
    """The state of a question in the cascade."""

    WAITING = "waiting"  # some layer has not seen it yet
    REJECTED = "rejected"
    UNJUDGED = "unjudged"  # a layer had nothing to judge by
    THROUGH = "through"
    RESTORED = "restored"  # passed, with a layer overruled


@dataclass(frozen=True, slots=True)
class QuestionState:
    """A question with its cascade state.

    `layer` is the one that rejected it or could not judge it, "" for other states; `results` are
    the layers' results in its newest run, in order; `overruled` the valid restorations, by layer;
    `run` is None where no run has seen it.
    """

    question: Question
    state: State
    layer: str
    results: tuple[Result, ...]
    overruled: Mapping[str, Overruled]
    run: RunView | None

    @property
    def came_through(self) -> bool:
        """Whether every layer passed it or was overruled."""
        return self.state in (State.THROUGH, State.RESTORED)


def state_of_results(
    results: Sequence[Result], overruled: Iterable[str], layers: Layers | None
) -> tuple[State, str]:
    """Return the state of a question with these results, and the layer that stopped it.

    `layers` are those of the run, None where there was none.
    """
    if not results or layers is None:
        return State.WAITING, ""
    let = set(overruled)
    for each in results:
        if each.outcome != Outcome.PASSED and each.layer not in let:
            rejected = each.outcome == Outcome.REJECTED
            return (State.REJECTED if rejected else State.UNJUDGED), each.layer
    seen = {each.layer for each in results}
    if any(str(step.layer) not in seen for step in layers.asked):
        return State.WAITING, ""
    restored = any(each.outcome != Outcome.PASSED for each in results)
    return (State.RESTORED if restored else State.THROUGH), ""


def states(session: Session, project_id: int) -> list[QuestionState]:
    """Return every generated question of a project with its state, in order of id."""
    known, said = runs(session, project_id), newest_results(session, project_id)
    numbers = {known[results[0].run].layers_number for results in said.values()}
    layers = layers_by_number(session, project_id, numbers)
    standing = standing_restorations(restorations(session, project_id))
    found = []
    for question in questions(session, project_id):
        results = tuple(said.get(question.id, ()))
        run = known[results[0].run] if results else None
        let = standing.get(question.id, {})
        state, layer = state_of_results(
            results, let, None if run is None else layers[run.layers_number]
        )
        found.append(QuestionState(question, state, layer, results, let, run))
    return found


def standing_restorations(rows: Iterable[Overruled]) -> dict[int, dict[str, Overruled]]:
    """Return the valid restorations, by question and layer; the newest row of each counts."""
    newest = {(row.question, row.layer): row for row in rows}
    return nested((*key, row) for key, row in newest.items() if row.kind == RESTORE)


@dataclass(frozen=True, slots=True)
class Passage:
    """A question's progress in its newest run of the cascade."""

    run_id: int
    through: bool


def passages(session: Session, project_id: int) -> dict[int, Passage]:
    """Return the progress of each question that a run has seen, by id, ascending.

    A question is through if every layer passed it or was overruled, and that version of the layers
    sends questions to people. Whether curation has admitted or rejected it is not looked at.
    """
    seen = [(each, each.run) for each in states(session, project_id) if each.run is not None]
    layers = layers_by_number(session, project_id, {run.layers_number for _, run in seen})
    return {
        each.question.id: Passage(run.id, each.came_through and layers[run.layers_number].to_people)
        for each, run in seen
    }


def layers_by_number(
    session: Session, project_id: int, numbers: Collection[int]
) -> dict[int, Layers]:
    """Return the parsed layers of each of these versions."""
    texts = {PACKAGED: starter()} | layers_texts(session, project_id, numbers)
    return {number: parse(texts[number]) for number in sorted(set(numbers))}
