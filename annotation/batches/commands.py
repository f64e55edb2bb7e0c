"""Acts of leads on batches: each function is one act, saved whole, with its event.

Work done is kept: people who leave keep their submissions, another overlap removes none. `by` is
the acting person, None for the operator. All raise UserError without permission to assign, and for
an unknown batch or person.
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
    """Assign the batch to more people; return the number newly assigned."""
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
    """Unassign the batch from a person: submissions and drafts are kept, leases end.

    Raises UserError for a person without the batch.
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
    """Set the number of submissions that each item of the batch takes from now on.

    A higher overlap reopens complete items, a lower one completes those that have enough;
    submissions are kept, and decided items stay decided. If fewer slots are left than are leased,
    the newest leases end and the drafts are kept. Raises UserError for an overlap out of bounds or
    above the number of people with the batch.
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
        _end_excess_leases(desk, overlap)


def set_pool(ws: Workspace, project_slug: str, is_open: bool, by: int | None = None) -> None:
    """Open or close the items in no batch to people who have a batch.

    Their submissions and drafts there are kept.
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
    """Set the deadline of the batch; None removes it.

    It is only shown: later work is accepted. Raises UserError for one in the past.
    """
    with leading(ws, project_slug, batch_id, by) as desk:
        refuse_past(deadline, desk.at)
        said = None if deadline is None else deadline.isoformat()
        desk.tell("deadline", {"deadline": said})
        desk.batch.deadline = deadline


def close(ws: Workspace, project_slug: str, batch_id: int, by: int | None = None) -> None:
    """Close the batch: no more work is accepted, drafts are kept. No-op on a closed one."""
    with leading(ws, project_slug, batch_id, by) as desk:
        if desk.batch.closed_at is None:
            desk.batch.closed_at = desk.at
            for lease in _leases(desk):
                desk.session.delete(lease)
            desk.tell("closed", {})


def reopen(ws: Workspace, project_slug: str, batch_id: int, by: int | None = None) -> None:
    """Reopen a closed batch. No-op on an open one."""
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
    """Remove items without work from the batch; return how many.

    Items have work if somebody has opened them since the batch was made, or ever submitted them.
    Raises UserError, naming them, for ids that are not in the batch and for items with work.
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


def _end_excess_leases(desk: BatchDesk, overlap: int) -> None:
    """End the newest leases if fewer slots are left than are leased."""
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
