"""Plan of a migration: the fate of each submission."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session, col, select

from annotation.guidelines.versions import number_of
from annotation.people.roles import may
from annotation.work.rules import rules_of
from annotation.work.slots import act_of
from annotation.work.submissions import stands
from annotation.work.taking_over import Fate, Step, TakenOver
from errors import UserError
from storage.overlap import decided
from storage.tables.core import Annotation, Item, Person, QuestionRow
from storage.tables.people import Batch, BatchItem, Referral
from storage.tasks import NAME, of_task


@dataclass(frozen=True, slots=True)
class Answer:
    """A current submission, and its form after the migration."""

    row: Annotation
    external_id: str
    person: str
    after: TakenOver
    fate: Fate


def submissions_under(
    session: Session, project_id: int, kind: str, task: str, number: int
) -> list[tuple[Annotation, str, Person, datetime | None]]:
    """Return the current submissions made under that version, in queue order.

    Each with the name of its item, its author, and when its batch was closed.
    """
    query = (
        select(Annotation, NAME, Person, Batch.closed_at)
        .join(Item, col(Item.id) == Annotation.item_id)
        .outerjoin(QuestionRow, col(QuestionRow.id) == Item.question_id)
        .join(Person, col(Person.id) == Annotation.person_id)
        .outerjoin(BatchItem, col(BatchItem.item_id) == Item.id)
        .outerjoin(Batch, col(Batch.id) == BatchItem.batch_id)
        .where(of_task(project_id, task), stands())
        .order_by(col(Item.order), col(Person.name), col(Annotation.id))
    )
    column = f"{kind}_version"
    return [each for each in session.exec(query) if number_of(getattr(each[0], column)) == number]


def answers_under(session: Session, task: str, step: Step, from_number: int) -> list[Answer]:
    """Return the submissions made under that version with their fate, in queue order."""
    rows = submissions_under(session, step.project_id, step.kind, task, from_number)
    after = rules_of(task).taken_over(session, step, [row for row, *_ in rows])
    done = set(session.exec(select(Item.id).where(of_task(step.project_id, task), decided())))
    talked = {each for row in session.exec(select(Referral)) for each in row.annotation_ids}
    found = []
    for row, external_id, person, closed_at in rows:
        made = after[row.id or 0]
        fate = made.fate
        if row.item_id in done:
            fate = "settled"
        elif row.id in talked:
            fate = "referred"
        elif fate == "again":
            fate = _fate_if_again(session, task, row, person, closed_at)
        found.append(Answer(row, external_id, person.name, made, fate))
    return found


def _fate_if_again(
    session: Session, task: str, row: Annotation, person: Person, closed_at: datetime | None
) -> Fate:
    """Return the fate of a submission to be answered again, which depends on whether it can be."""
    if closed_at is not None:
        return "closed"
    if not (person.active and may(person.role, act_of(task))):
        return "away"
    try:
        rules_of(task).withdrawn(session, row.item_id)
    except UserError:
        return "held"
    return "again"


def named_items(
    session: Session, project_id: int, task: str, names: Sequence[str]
) -> frozenset[int]:
    """Return the ids of the items with these names. Raises UserError for an unknown one."""
    if not names:
        return frozenset()
    query = select(NAME, Item.id).outerjoin(QuestionRow, col(QuestionRow.id) == Item.question_id)
    known = dict(session.exec(query.where(of_task(project_id, task))).all())
    unknown = [name for name in names if name not in known]
    if unknown:
        raise UserError("questions_unknown", ids=", ".join(unknown), count=len(unknown))
    return frozenset(known[name] or 0 for name in names)
