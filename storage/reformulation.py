"""Wordings of options, decisions on them, and the questions made from them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy.orm import aliased
from sqlmodel import Session, col, select

from storage.db.columns import view_of
from storage.tables.core import Item, Person, QuestionRow
from storage.tables.mcq import Reformulation, ReformulationDecision
from storage.tables.models import LlmCall
from storage.tasks import Task

REFUSED = "refuse"


@dataclass(frozen=True, slots=True)
class Parentage:
    """The origin of a question made from option `label` at `place` of question `parent`.

    `item_id` is the parent's item of citation mapping, whose gold it inherits. `person` approved
    the wording (None: the operator) at `at`; it is by ``template``, ``model``, or ``person`` if
    they changed it.
    """

    parent: str
    item_id: int
    place: int
    label: str
    option: str
    worded_by: str
    person: str | None
    at: datetime


@dataclass(frozen=True, slots=True)
class Said:
    """A decision on a wording: ``approve``, ``edit`` or ``refuse``, with person and time.

    `wording` is the approved one, `made` the id of the question made from it; both are "" if it was
    refused.
    """

    kind: str
    wording: str
    reason: str
    person: str | None
    at: datetime
    made: str


@dataclass(frozen=True, slots=True)
class Worded:
    """The newest wording of an option, and the last decision on the option, if any.

    `id` is the wording's row, `question_id` the parent's.
    """

    id: int
    question_id: int
    place: int
    label: str
    option: str
    correct: bool | None
    wording: str
    worded_by: str
    model: str
    at: datetime
    said: Said | None

    @property
    def state(self) -> str:
        """``open``, ``approved`` or ``refused``."""
        if self.said is None:
            return "open"
        return "refused" if self.said.kind == REFUSED else "approved"


def wordings(session: Session, project_id: int) -> dict[tuple[int, int], Worded]:
    """Return the newest wording of each option that has one, by parent's row and place.

    A decision on an older wording counts until there is one on a newer wording.
    """
    said = _decisions_by_option(session, project_id)
    query = (
        select(Reformulation, LlmCall.model)
        .outerjoin(LlmCall)
        .where(Reformulation.project_id == project_id)
        .order_by(col(Reformulation.question_id), col(Reformulation.place), col(Reformulation.id))
    )
    found: dict[tuple[int, int], Worded] = {}
    for row, model in session.exec(query):
        key = row.question_id, row.place
        found[key] = view_of(Worded, row, model=model or "", said=said.get(key))
    return found


def worded_by_model(
    session: Session, project_id: int, server: str, model: str, versions: Collection[str]
) -> set[tuple[int, int]]:
    """Return the options that this model has reworded under one of these versions of the prompt."""
    query = (
        select(Reformulation.question_id, Reformulation.place)
        .join(LlmCall)
        .where(Reformulation.project_id == project_id)
        .where(LlmCall.server == server, LlmCall.model == model)
        .where(col(Reformulation.prompt_version).in_(sorted(versions)))
    )
    return {(question, place) for question, place in session.exec(query)}


def parent_rows(session: Session, project_id: int) -> list[QuestionRow]:
    """Return the questions that were not made from options, in order of import."""
    made = select(ReformulationDecision.made_question_id).where(
        col(ReformulationDecision.made_question_id).is_not(None)
    )
    query = select(QuestionRow).where(QuestionRow.project_id == project_id)
    query = query.where(col(QuestionRow.id).not_in(made)).order_by(col(QuestionRow.id))
    return list(session.exec(query))


def _decisions_by_option(session: Session, project_id: int) -> dict[tuple[int, int], Said]:
    """Return the newest decision on each option, by parent's row and place."""
    made = aliased(QuestionRow)
    query = (
        select(ReformulationDecision, Reformulation, Person.name, made.external_id)
        .join(Reformulation, col(Reformulation.id) == ReformulationDecision.reformulation_id)
        .outerjoin(Person)
        .outerjoin(made, col(made.id) == ReformulationDecision.made_question_id)
        .where(Reformulation.project_id == project_id)
        .order_by(col(ReformulationDecision.id))
    )
    return {
        (row.question_id, row.place): view_of(Said, one, person=person, made=child or "")
        for one, row, person, child in session.execute(query)
    }


def parentages(session: Session, project_id: int) -> dict[str, Parentage]:
    """Return the origin of each question made from an option, by its external id."""
    parent, child = aliased(QuestionRow), aliased(QuestionRow)
    query = (
        select(  # type: ignore[call-overload]
            child.external_id,
            parent.external_id,
            Item.id,
            Reformulation,
            ReformulationDecision,
            Person.name,
        )
        .join(child, col(child.id) == ReformulationDecision.made_question_id)
        .join(Reformulation, col(Reformulation.id) == ReformulationDecision.reformulation_id)
        .join(parent)
        .join(Item, col(Item.question_id) == parent.id)
        .outerjoin(Person)
        .where(Reformulation.project_id == project_id, Item.task == Task.CITATION_MAPPING)
        .order_by(col(child.id))
    )
    return {
        name: view_of(
            Parentage,
            worded,
            parent=of,
            item_id=item_id,
            worded_by="person" if one.kind == "edit" else worded.worded_by,
            person=person,
            at=one.at,
        )
        for name, of, item_id, worded, one, person in session.execute(query)
    }
