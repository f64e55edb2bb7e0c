"""Adding items to the queue, and what those whose subject is not a question show."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement
from sqlmodel import Session, col, func, select

from storage.db.columns import add_rows
from storage.db.rows import add_row
from storage.law.corpus import id_in_use
from storage.law.fingerprint import content_hash
from storage.tables.core import CandidateSet, Item, QuestionRow, Snapshot
from storage.tasks import Task, of_task

NO_LAW = "no-law"  # the name of the empty snapshot of a project without law


@dataclass(frozen=True, slots=True)
class Subject:
    """A subject of an item: its row in the task's table, its name, and its content to show.

    `shown` is stored with every answer, so it names versions (of a draft, of votes), not contents.
    """

    subject_id: int
    external_id: str
    title: str
    shown: Mapping[str, Any]


def add_items(
    session: Session, project_id: int, task: Task, subjects: Iterable[Subject], at: datetime
) -> list[int]:
    """Make an item, and the set it shows, of each subject at the queue's end; return their ids."""
    last = session.exec(select(func.max(col(Item.order))).where(of_task(project_id, task))).one()
    wanted = list(subjects)
    items = [
        Item(
            project_id=project_id,
            task=task,
            order=order,
            subject_id=each.subject_id,
            external_id=each.external_id,
            title=each.title,
        )
        for order, each in enumerate(wanted, (last or 0) + 1)
    ]
    add_rows(session, items)
    numbers = [item.id or 0 for item in items]
    snapshot_id = _snapshot_or_empty(session, project_id, at)
    add_rows(
        session,
        (
            _candidate_set_row(number, snapshot_id, task, each.shown, at)
            for number, each in zip(numbers, wanted, strict=True)
        ),
    )
    return numbers


def add_questions(session: Session, project_id: int, rows: Sequence[QuestionRow]) -> list[int]:
    """Add questions, with an item of citation mapping each at the end of the queue.

    Returns the ids of the questions in order.
    """
    add_rows(session, rows)
    numbers, task = [row.id or 0 for row in rows], str(Task.CITATION_MAPPING)
    last = session.exec(select(func.max(col(Item.order))).where(Item.project_id == project_id))
    items = (
        Item(project_id=project_id, question_id=number, task=task, order=order)
        for order, number in enumerate(numbers, (last.one() or 0) + 1)
    )
    add_rows(session, items)
    return numbers


def add_candidate_set(
    session: Session, item_id: int, material: Mapping[str, Any], at: datetime
) -> int:
    """Set what the item shows from now on; return the id of the new candidate set.

    A draft in progress keeps what it was begun on.
    """
    item = session.get_one(Item, item_id)
    snapshot_id = _snapshot_or_empty(session, item.project_id, at)
    row = _candidate_set_row(item_id, snapshot_id, item.task, material, at)
    return add_row(session, row)


@dataclass(frozen=True, slots=True)
class ShownItem:
    """An item, its subject, and what it shows to people who begin it now."""

    item_id: int
    subject_id: int
    external_id: str
    shown: dict[str, Any]


def is_newest_set(project_id: int, task: str = Task.CITATION_MAPPING) -> ColumnElement[bool]:
    """Return the SQL condition that a `CandidateSet` is its item's newest, for items of a task."""
    newest = (
        select(func.max(col(CandidateSet.id)))
        .join(Item)
        .where(of_task(project_id, task))
        .group_by(col(CandidateSet.item_id))
    )
    return col(CandidateSet.id).in_(newest)


def shown_items(session: Session, project_id: int, task: Task) -> list[ShownItem]:
    """Return the items of a task with what each shows now, in queue order."""
    query = (
        select(Item.id, Item.subject_id, Item.external_id, CandidateSet.shown)
        .join(CandidateSet)
        .where(is_newest_set(project_id, task))
        .order_by(col(Item.order))
    )
    return [
        ShownItem(item or 0, subject or 0, name or "", dict(shown or {}))
        for item, subject, name, shown in session.exec(query)
    ]


def item_of(session: Session, task: Task, subject_id: int) -> int | None:
    """Return the id of the subject's item under the task, None if it has none."""
    query = select(Item.id).where(Item.task == task, Item.subject_id == subject_id)
    return session.exec(query).first()


def shown_of(session: Session, candidate_set_id: int) -> dict[str, Any]:
    """Return the material that a candidate set shows; {} if it has none."""
    return dict(session.get_one(CandidateSet, candidate_set_id).shown or {})


def _candidate_set_row(
    item_id: int, snapshot_id: int, task: str, material: Mapping[str, Any], at: datetime
) -> CandidateSet:
    """Return the row of the material that an item shows."""
    return CandidateSet(
        item_id=item_id,
        snapshot_id=snapshot_id,
        method=task,
        citations=[],  # finding out that this is the default takes longer than the rest
        shown=dict(material),
        created_at=at,
    )


def _snapshot_or_empty(session: Session, project_id: int, at: datetime) -> int:
    """Return the id of the snapshot in use, else of an empty one, which is made if missing."""
    in_use = id_in_use(session, project_id)
    if in_use is not None:
        return in_use
    empty = content_hash([])
    query = select(Snapshot.id).where(
        Snapshot.project_id == project_id, Snapshot.content_hash == empty
    )
    found = session.exec(query).first()
    if found is not None:
        return found
    row = Snapshot(project_id=project_id, name=NO_LAW, content_hash=empty, created_at=at)
    return add_row(session, row)
