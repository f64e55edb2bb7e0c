"""Giving work to people: each function is one act of whoever leads, saved whole, with its event.

What is done stays as it is: people who leave keep their submissions, another overlap takes none
back. `by` is the person who acts, None for the operator on the command line. All raise UserError
for somebody who may not assign, and for an unknown batch or person.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlmodel import col, func, select

from annotation.batches.making import (
    BatchDesk,
    BatchPlan,
    give,
    leading,
    make_batch,
    refuse_few,
    refuse_past,
    workers,
)
from annotation.batches.sampling import shortened
from annotation.people.roles import Act, writing_as
from annotation.work.submissions import stands
from errors import UserError, Where
from storage.db.columns import usable_id
from storage.db.workspace import Workspace
from storage.projects import OVERLAPS
from storage.tables.core import Annotation, DraftEvent, Item, Project, QuestionRow
from storage.tables.people import BatchItem, BatchPerson, Lease
from storage.tasks import NAME

__all__ = [
    "BatchPlan",
    "add_people",
    "close",
    "make_batch",
    "move_out",
    "remove_person",
    "reopen",
    "set_deadline",
    "set_overlap",
    "set_pool",
]


def add_people(
    ws: Workspace, project_slug: str, batch_id: int, people: Sequence[int], by: int | None = None
) -> int:
    """Give the batch to more people; return how many had it not yet."""
    with leading(ws, project_slug, batch_id, by) as desk:
        new = workers(desk.session, desk.project.id, people)
        had = set(
            desk.session.exec(select(BatchPerson.person_id).where(BatchPerson.batch_id == batch_id))
        )
        added = [person for person in new if person not in had]
        if added:
            give(desk, added)
        return len(added)


def remove_person(
    ws: Workspace, project_slug: str, batch_id: int, person_id: int, by: int | None = None
) -> None:
    """Take the batch from somebody: their submissions and drafts stay, their held slots are free.

    Raises UserError for somebody whom the batch is not given to.
    """
    with leading(ws, project_slug, batch_id, by) as desk:
        query = select(BatchPerson).where(
            BatchPerson.batch_id == batch_id, BatchPerson.person_id == usable_id(person_id)
        )
        given = desk.session.exec(query).first()
        if given is None:
            raise UserError("person_not_in_batch", person=person_id)
        desk.session.delete(given)
        for lease in _leases(desk, Lease.person_id == person_id):
            desk.session.delete(lease)
        desk.tell("people", {"removed": [person_id]})


def set_overlap(
    ws: Workspace, project_slug: str, batch_id: int, overlap: int, by: int | None = None
) -> None:
    """Let each item of the batch take so many submissions from now on.

    More reopens its complete items, less completes those that have enough; submissions stay, and
    an item that an adjudicator has decided stays decided. Where fewer slots are left than people
    hold, those who took theirs last lose the hold and keep the draft. Raises UserError for an
    overlap out of bounds or of more people than have the batch.
    """
    if overlap not in OVERLAPS:
        raise UserError("project_overlap", Where(field="overlap"), overlap=overlap)
    with leading(ws, project_slug, batch_id, by) as desk:
        count = select(func.count()).where(BatchPerson.batch_id == batch_id)
        people = desk.session.exec(count).one()
        if not desk.batch.practice:
            refuse_few(overlap, people)
        if overlap == desk.batch.overlap:
            return
        desk.tell("overlap", {"from": desk.batch.overlap, "to": overlap})
        desk.batch.overlap = overlap
        _give_back(desk, overlap)


def set_pool(ws: Workspace, project_slug: str, is_open: bool, by: int | None = None) -> None:
    """Open the items in no batch to people with a batch as well, or close them to these.

    What they have submitted there stays theirs, and so does a draft.
    """
    with writing_as(ws, project_slug, by, Act.ASSIGN) as (session, project, _):
        session.get_one(Project, project.id).open_pool = is_open


def set_deadline(
    ws: Workspace,
    project_slug: str,
    batch_id: int,
    deadline: datetime | None,
    by: int | None = None,
) -> None:
    """Set until when the batch should be done; None takes the deadline away.

    It is shown and nothing more: work after it is accepted. Raises UserError for one in the past.
    """
    with leading(ws, project_slug, batch_id, by) as desk:
        refuse_past(deadline, desk.at)
        said = None if deadline is None else deadline.isoformat()
        desk.tell("deadline", {"deadline": said})
        desk.batch.deadline = deadline


def close(ws: Workspace, project_slug: str, batch_id: int, by: int | None = None) -> None:
    """End work on the batch: nothing more is accepted, drafts stay. No-op on a closed one."""
    with leading(ws, project_slug, batch_id, by) as desk:
        if desk.batch.closed_at is None:
            desk.batch.closed_at = desk.at
            for lease in _leases(desk):
                desk.session.delete(lease)
            desk.tell("closed", {})


def reopen(ws: Workspace, project_slug: str, batch_id: int, by: int | None = None) -> None:
    """Let work on a closed batch go on. No-op on an open one."""
    with leading(ws, project_slug, batch_id, by) as desk:
        if desk.batch.closed_at is not None:
            desk.batch.closed_at = None
            desk.tell("reopened", {})


def move_out(
    ws: Workspace,
    project_slug: str,
    batch_id: int,
    external_ids: Sequence[str],
    by: int | None = None,
) -> int:
    """Take items that nobody has begun out of the batch; return how many.

    Begun is an item that somebody has opened since the batch was made, or submitted ever. Raises
    UserError, naming them, for ids that are not in the batch and for items that are begun.
    """
    with leading(ws, project_slug, batch_id, by) as desk:
        query = (
            select(NAME, BatchItem)
            .join(Item, col(Item.id) == BatchItem.item_id)
            .outerjoin(QuestionRow, col(QuestionRow.id) == Item.question_id)
            .where(BatchItem.batch_id == batch_id)
        )
        there = dict(desk.session.exec(query).all())
        unknown = [name for name in external_ids if name not in there]
        if unknown:
            raise UserError("items_not_in_batch", ids=shortened(unknown), count=len(unknown))
        begun = _begun(desk, [there[name].item_id for name in external_ids])
        named = [name for name in external_ids if there[name].item_id in begun]
        if named:
            raise UserError("items_begun", ids=shortened(named), count=len(named))
        out = [there[name] for name in dict.fromkeys(external_ids)]
        for row in out:
            desk.session.delete(row)
        if out:
            desk.tell("items", {"removed": [row.item_id for row in out]})
        return len(out)


def _leases(desk: BatchDesk, *conditions: Any) -> Sequence[Lease]:
    query = select(Lease).join(BatchItem, col(BatchItem.item_id) == Lease.item_id)
    query = query.where(BatchItem.batch_id == desk.number, *conditions)
    return desk.session.exec(query.order_by(col(Lease.taken_at), col(Lease.id))).all()


def _give_back(desk: BatchDesk, overlap: int) -> None:
    """End the newest holds where fewer slots are left than are held."""
    query = (
        select(Annotation.item_id, func.count())
        .join(BatchItem, col(BatchItem.item_id) == Annotation.item_id)
        .where(BatchItem.batch_id == desk.number, stands())
        .group_by(col(Annotation.item_id))
    )
    filled = dict(desk.session.exec(query).all())
    for lease in _leases(desk, col(Lease.expires_at) > desk.at):
        filled[lease.item_id] = filled.get(lease.item_id, 0) + 1
        if filled[lease.item_id] > overlap:
            desk.session.delete(lease)


def _begun(desk: BatchDesk, items: Sequence[int]) -> set[int]:
    submitted = select(Annotation.item_id).where(col(Annotation.item_id).in_(items))
    opened = select(DraftEvent.item_id).where(
        col(DraftEvent.item_id).in_(items), DraftEvent.at >= desk.batch.created_at
    )
    return {*desk.session.exec(submitted), *desk.session.exec(opened)}
