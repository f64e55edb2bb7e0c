"""Admission of curated questions to the project, with their provenance."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlmodel import Session, col, func, select

from errors import UserError
from storage.tables.core import Item, QuestionRow
from storage.tables.curation import Admission
from storage.tasks import Task


@dataclass(frozen=True, slots=True)
class Admitted:
    """A question to admit: its agreed text, its language, and its provenance.

    `item_id` is the item that it was curated under.
    """

    augmented_question_id: int
    item_id: int
    external_id: str
    text: str
    answer: str
    language: str
    source: Mapping[str, Any]


def admit(
    session: Session,
    project_id: int,
    found: list[Admitted],
    person_id: int | None,
    at: datetime,
) -> None:
    """Add the questions, each with a citation mapping item at the end of the queue.

    Raises UserError where the project has a question of one of the ids already.
    """
    _refuse_taken(session, project_id, [each.external_id for each in found])
    last = session.exec(select(func.max(col(Item.order))).where(Item.project_id == project_id))
    for order, each in enumerate(found, (last.one() or 0) + 1):
        row = QuestionRow(
            project_id=project_id,
            external_id=each.external_id,
            text=each.text,
            answer=each.answer,
            language=each.language,
            source=dict(each.source),
        )
        session.add(row)
        session.flush()
        number = row.id or 0
        task = str(Task.CITATION_MAPPING)
        session.add(Item(project_id=project_id, question_id=number, task=task, order=order))
        session.add(
            Admission(
                augmented_question_id=each.augmented_question_id,
                question_id=number,
                item_id=each.item_id,
                person_id=person_id,
                at=at,
            )
        )
    session.flush()


def _refuse_taken(session: Session, project_id: int, names: list[str]) -> None:
    taken = select(QuestionRow.external_id).where(
        QuestionRow.project_id == project_id, col(QuestionRow.external_id).in_(names)
    )
    found = sorted(session.exec(taken))
    if found:
        raise UserError("curation_id_taken", ids=", ".join(found))
