"""Number of submissions that each item wants and has, the basis of all progress counts.

Only the number of submissions is read, never labels.
"""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Subquery, and_
from sqlmodel import Session, col, func, select

from annotation.work.submissions import stands
from storage.overlap import EVERYBODY, takes
from storage.tables.core import Annotation, Item
from storage.tables.people import Batch, BatchItem, BatchPerson


@dataclass(frozen=True, slots=True)
class ItemSlots:
    """The number of submissions that an item wants and has.

    Calibration and practice items (`apart`) want one from each person of their batch, and only
    theirs are `made`. An item decided early by an adjudicator wants no more than it has. `batch_id`
    is None for an item in no batch; `closed`: its batch is closed.
    """

    item_id: int
    task: str
    batch_id: int | None
    closed: bool
    apart: bool
    wanted: int
    made: int

    @property
    def counted(self) -> int:
        """Number of submissions that count as progress, at most the number wanted."""
        return min(self.made, self.wanted)


def item_slots(session: Session, project_id: int, batch_id: int | None = None) -> list[ItemSlots]:
    """Return every item of a project, of all tasks, in order; with `batch_id`, of that batch.

    A batch's items are in the batch's order.
    """
    made, own = _submission_counts(project_id), _member_submission_counts(project_id)
    members = select(BatchPerson.batch_id, func.count().label("count"))
    people = members.group_by(col(BatchPerson.batch_id)).subquery()
    query = (
        select(  # type: ignore[call-overload]
            *(Item.id, Item.task, BatchItem.batch_id, col(Batch.closed_at).is_not(None)),
            takes(),
            *(func.coalesce(each.c.count, 0) for each in (made, own, people)),
        )
        .outerjoin(BatchItem, col(BatchItem.item_id) == Item.id)
        .outerjoin(Batch, col(Batch.id) == BatchItem.batch_id)
        .outerjoin(made, made.c.item_id == Item.id)
        .outerjoin(own, own.c.item_id == Item.id)
        .outerjoin(people, people.c.batch_id == BatchItem.batch_id)
        .where(Item.project_id == project_id)
    )
    if batch_id is None:
        query = query.order_by(col(Item.order), col(Item.id))
    else:
        query = query.where(BatchItem.batch_id == batch_id).order_by(col(BatchItem.position))
    found = []
    for item, task, batch, closed, in_all, each, of_members, in_batch in session.exec(query):
        apart = in_all == EVERYBODY
        wanted, count = (in_batch, of_members) if apart else (in_all or each, each)
        found.append(ItemSlots(item, task, batch, closed, apart, wanted, count))
    return found


def _submission_counts(project_id: int) -> Subquery:
    query = select(Annotation.item_id, func.count().label("count"))
    query = query.join(Item, col(Item.id) == Annotation.item_id)
    query = query.where(Item.project_id == project_id, stands())
    return query.group_by(col(Annotation.item_id)).subquery()


def _member_submission_counts(project_id: int) -> Subquery:
    """Count the submissions of a batch's people on each of its items."""
    member = and_(
        col(BatchPerson.batch_id) == col(BatchItem.batch_id),
        col(BatchPerson.person_id) == col(Annotation.person_id),
    )
    query = select(Annotation.item_id, func.count().label("count"))
    query = query.join(Item, col(Item.id) == Annotation.item_id)
    query = query.join(BatchItem, col(BatchItem.item_id) == Annotation.item_id)
    query = query.join(BatchPerson, member)
    query = query.where(Item.project_id == project_id, stands())
    return query.group_by(col(Annotation.item_id)).subquery()
