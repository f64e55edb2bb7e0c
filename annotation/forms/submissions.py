"""Current submissions of form tasks, on complete items only.

As in citation mapping, others' answers are not read before an item is complete
(`annotation.work.submissions`); before that submissions are only counted.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement
from sqlmodel import Session, col, func, select

from annotation.work.submissions import confidence_of, full_items, is_current, taken_back
from storage.overlap import for_gold
from storage.tables.core import Annotation, AnnotationAnswer, Item, Person
from storage.tasks import Task, of_task

_CHUNK = 10_000  # ids that one query names; PostgreSQL takes 65,535


@dataclass(frozen=True, slots=True)
class FormSubmission:
    """One person's current answers to an item, with time and active seconds.

    `taken_back` counts their earlier withdrawals on the item.
    """

    annotation_id: int
    item_id: int
    subject_id: int
    external_id: str
    person_id: int
    person: str
    at: datetime
    seconds: float
    candidate_set_id: int
    answers: Mapping[str, Any]
    comment: str
    flag: str
    confidence: int | None
    taken_back: int = 0


def form_submissions(
    session: Session, project_id: int, task: Task, item_id: int | None = None
) -> dict[int, list[FormSubmission]]:
    """Return the current submissions of every complete item of the task.

    Items in queue order, their submissions sorted by author's name. With `item_id`, only that item.
    """
    here = [of_task(project_id, task), is_current(), for_gold()]
    if item_id is not None:
        here.append(col(Item.id) == item_id)
    full = full_items(*here)
    found: dict[int, list[FormSubmission]] = {}
    for each in _submissions(
        session, here, is_current(), for_gold(), col(Annotation.item_id).in_(full)
    ):
        found.setdefault(each.item_id, []).append(each)
    return found


def form_submissions_named(
    session: Session, project_id: int, annotation_ids: Sequence[int]
) -> list[FormSubmission]:
    """Return the submissions with these ids, current or not, oldest first.

    Only for those that were complete according to `annotation.work.discussions`.
    """
    found: list[FormSubmission] = []
    for start in range(0, len(annotation_ids), _CHUNK):
        these = col(Annotation.id).in_(annotation_ids[start : start + _CHUNK])
        found += _submissions(session, [these], these, Item.project_id == project_id)
    return sorted(found, key=lambda each: each.annotation_id)


def _submissions(
    session: Session,
    answered: Sequence[ColumnElement[bool]],
    *conditions: ColumnElement[bool] | bool,
) -> Iterator[FormSubmission]:
    """Yield matching submissions in queue order; `answered` selects whose answers to load."""
    query = (
        select(Annotation, Item, Person.name, taken_back())
        .join(Person, col(Person.id) == Annotation.person_id)
        .join(Item, col(Item.id) == Annotation.item_id)
        .where(Annotation.kind == "submit", *conditions)
        .order_by(col(Item.order), col(Person.name), col(Annotation.id))
    )
    rows = session.exec(query).all()
    said = answers_in(session, *answered)
    sure = confidence_of(session, (made.id or 0 for made, *_ in rows))
    for made, item, name, undone in rows:
        number = made.id or 0
        yield FormSubmission(
            annotation_id=number,
            item_id=made.item_id,
            subject_id=item.subject_id or 0,
            external_id=item.external_id or "",
            person_id=made.person_id,
            person=name,
            at=made.at,
            seconds=made.seconds or 0.0,  # always measured: imports have no form answers
            candidate_set_id=made.candidate_set_id,
            answers=said.get(number, {}),
            comment=made.comment,
            flag=made.flag,
            confidence=sure.get(number),
            taken_back=undone,
        )


def complete(session: Session, project_id: int, task: Task) -> frozenset[int]:
    """Return the complete items of the task."""
    return frozenset(session.exec(full_items(of_task(project_id, task))))


def submissions_so_far(session: Session, project_id: int, task: Task) -> dict[int, int]:
    """Return the number of current submissions on each item of the task that has any."""
    query = (
        select(Annotation.item_id, func.count())
        .join(Item, col(Item.id) == Annotation.item_id)
        .where(of_task(project_id, task), is_current(), for_gold())
        .group_by(col(Annotation.item_id))
    )
    return dict(session.exec(query).all())


def answers_in(session: Session, *conditions: ColumnElement[bool]) -> dict[int, dict[str, Any]]:
    """Return the answers of the matching annotations, by annotation and field.

    The conditions are on `Annotation` and its `Item`.
    """
    query = (
        select(AnnotationAnswer.annotation_id, AnnotationAnswer.field, AnnotationAnswer.value)
        .join(Annotation, col(Annotation.id) == AnnotationAnswer.annotation_id)
        .join(Item, col(Item.id) == Annotation.item_id)
        .where(*conditions)
        .order_by(col(AnnotationAnswer.annotation_id), col(AnnotationAnswer.field))
    )
    found: dict[int, dict[str, Any]] = {}
    for number, field, value in session.exec(query):
        found.setdefault(number, {})[field] = value
    return found
