"""Practice: feedback after each submitted item of a practice batch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from sqlmodel import Session, col, select

from annotation.agreement.calibration import answer_of, known_answer, right_answer
from annotation.people.roles import ProjectMember, annotator, require_item
from annotation.work.submissions import Decision, stands
from errors import UserError
from storage.db.workspace import Workspace
from storage.tables.core import Annotation, AnnotationLabel, Item, QuestionRow, StatuteRow, UnitRow
from storage.tables.people import Batch, BatchItem
from storage.tasks import Task

Verdict = Literal["right", "missed", "wrong"]


@dataclass(frozen=True, slots=True)
class UnitFeedback:
    """A unit in the person's or the known answer; `label` is its citation form.

    `said` is the person's decision, None if they made none. The verdict is ``right`` for a unit
    that both accept, ``missed`` for one that only the known answer has, ``wrong`` for one that only
    the person accepts.
    """

    semantic_id: str
    label: str
    said: str | None
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Feedback:
    """Feedback on a practice item: known answer, own answer, explanation.

    `no_provision` is the known answer's, `said_none` the person's.
    """

    item_id: int
    external_id: str
    question: str
    right: bool
    no_provision: bool
    said_none: bool
    explanation: str
    units: tuple[UnitFeedback, ...]


def feedback(ws: Workspace, person_id: int, item_id: int) -> Feedback:
    """Return the feedback on a practice item that the person has submitted.

    Raises UserError for an unknown person or item, one that is not for practice, and one without a
    current submission of this person: nobody sees a known answer before they have answered.
    """
    with ws.reading() as session:
        who = annotator(session, person_id)
        item = require_item(session, who, item_id)
        made = _practice_submission(session, who, item_id)
        known = known_answer(session, item_id)
        if made is None or known is None:
            raise UserError("feedback_closed")
        right, said = right_answer(known), answer_of(session, made)
        question = session.get_one(QuestionRow, item.question_id)
        return Feedback(
            item_id=item_id,
            external_id=question.external_id,
            question=question.text,
            right=said == right,
            no_provision=right[1],
            said_none=made.no_provision,
            explanation=known.explanation,
            units=_unit_feedback(session, made, right[0]),
        )


def latest_feedback(ws: Workspace, person_id: int) -> Feedback | None:
    """Return the feedback on the person's last submission, None if that was not practice."""
    with ws.reading() as session:
        who = annotator(session, person_id)
        query = select(Annotation.item_id).join(Item, col(Item.id) == Annotation.item_id)
        query = query.where(Annotation.person_id == person_id, stands())
        query = query.where(Item.task == Task.CITATION_MAPPING)
        last = session.exec(query.order_by(col(Annotation.id).desc()).limit(1)).first()
        if last is None or _practice_submission(session, who, last) is None:
            return None
    return feedback(ws, person_id, last)


def _practice_submission(session: Session, who: ProjectMember, item_id: int) -> Annotation | None:
    query = (
        select(Annotation)
        .join(Item, col(Item.id) == Annotation.item_id)
        .join(BatchItem, col(BatchItem.item_id) == Item.id)
        .join(Batch, col(Batch.id) == BatchItem.batch_id)
        .where(Item.id == item_id, col(Batch.practice), stands())
        .where(Annotation.person_id == who.person_id)
    )
    return session.exec(query).first()


def _unit_feedback(
    session: Session, made: Annotation, right: frozenset[str]
) -> tuple[UnitFeedback, ...]:
    said = dict(
        session.exec(
            select(UnitRow.semantic_id, AnnotationLabel.label)
            .join(AnnotationLabel, col(AnnotationLabel.unit_id) == UnitRow.id)
            .where(AnnotationLabel.annotation_id == made.id)
        ).all()
    )
    accepted = {unit for unit, label in said.items() if label == Decision.ACCEPT}
    query = (
        select(UnitRow.semantic_id, StatuteRow.title, UnitRow.label)
        .join(StatuteRow, col(StatuteRow.id) == UnitRow.statute_id)
        .where(col(UnitRow.semantic_id).in_(sorted(accepted | right)))
        .order_by(col(UnitRow.snapshot_id))
    )
    labels = {unit: f"{title} {label}" for unit, title, label in session.exec(query)}
    return tuple(
        UnitFeedback(
            semantic_id=unit,
            label=labels.get(unit, unit),
            said=said.get(unit),
            verdict="wrong" if unit not in right else "right" if unit in accepted else "missed",
        )
        for unit in sorted(accepted | right)
    )
