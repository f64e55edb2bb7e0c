"""Batches as screens and commands see them: progress, and lease holders.

All progress counts rest on the number of submissions that each item wants and has.
Only the number of submissions is read, never labels.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import Subquery, and_
from sqlmodel import Session, col, func, select

from annotation.batches.commands import find_batch
from annotation.people.roles import Act, reading_as, require
from annotation.work.slots import at_work
from annotation.work.submissions import is_current
from errors import require_known
from normalization.grouping import grouped
from storage.db.columns import view_of
from storage.db.workspace import Workspace
from storage.overlap import EVERYBODY, total_submissions
from storage.projects import authored, find_project
from storage.tables.core import Annotation, Item, Person, QuestionRow
from storage.tables.people import Batch, BatchEvent, BatchItem, BatchPerson, Lease
from storage.tasks import NAME


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
    counts = _submission_counts(project_id)
    members = select(BatchPerson.batch_id, func.count().label("count"))
    people = members.group_by(col(BatchPerson.batch_id)).subquery()
    query = (
        select(  # type: ignore[call-overload]
            *(Item.id, Item.task, BatchItem.batch_id, col(Batch.closed_at).is_not(None)),
            total_submissions(),
            *(func.coalesce(each, 0) for each in (counts.c.made, counts.c.own, people.c.count)),
        )
        .outerjoin(BatchItem, col(BatchItem.item_id) == Item.id)
        .outerjoin(Batch)
        .outerjoin(counts, counts.c.item_id == Item.id)
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
    """Count the current submissions on each item: those `made`, and the batch's people's `own`."""
    member = and_(
        col(BatchPerson.batch_id) == col(BatchItem.batch_id),
        col(BatchPerson.person_id) == col(Annotation.person_id),
    )
    made, own = func.count().label("made"), func.count(col(BatchPerson.id)).label("own")
    query = select(Annotation.item_id, made, own)
    query = query.join(Item)
    query = query.outerjoin(BatchItem, col(BatchItem.item_id) == Annotation.item_id)
    query = query.outerjoin(BatchPerson, member)
    query = query.where(Item.project_id == project_id, is_current())
    return query.group_by(col(Annotation.item_id)).subquery()


BatchState = Literal["open", "late", "finished", "closed"]
UNDER_WAY: tuple[BatchState, ...] = ("open", "late")


@dataclass(frozen=True, slots=True)
class BatchView:
    """A batch with its progress.

    `wanted` submissions are to be made in all, `made` counts those that are, without any beyond
    what an item takes. `calibration` items are among `items`. `held` counts current leases.
    """

    id: int
    name: str
    task: str
    practice: bool
    overlap: int
    sequence: str
    deadline: datetime | None
    closed: bool
    people: int
    items: int
    calibration: int
    wanted: int
    made: int
    held: int

    @property
    def finished(self) -> bool:
        """Whether all wanted submissions are made."""
        return self.made >= self.wanted

    def state_at(self, now: datetime) -> BatchState:
        """Return the state of the batch: closed, else finished, else late or open.

        Only open and late ones are worked on.
        """
        if self.closed:
            return "closed"
        if self.finished:
            return "finished"
        return "late" if self.deadline is not None and self.deadline < now else "open"

    def as_dict(self) -> dict[str, Any]:
        """Return the batch for ``--json`` output; times in ISO 8601."""
        deadline = None if self.deadline is None else self.deadline.isoformat()
        return asdict(self) | {"deadline": deadline, "finished": self.finished}


@dataclass(frozen=True, slots=True)
class Holder:
    """A person with a lease on an item, and its end."""

    person: str
    external_id: str
    until: datetime


@dataclass(frozen=True, slots=True)
class Member:
    """A person with the batch, and the number of its items they have submitted."""

    id: int
    name: str
    submitted: int


@dataclass(frozen=True, slots=True)
class BatchEventView:
    """An event of a batch; `by` is None for the operator."""

    kind: str
    payload: dict[str, Any]
    by: str | None
    at: datetime


@dataclass(frozen=True, slots=True)
class BatchDetail:
    """A batch with its people, leases, and events, oldest first."""

    batch: BatchView
    members: tuple[Member, ...]
    holders: tuple[Holder, ...]
    events: tuple[BatchEventView, ...]


@dataclass(frozen=True, slots=True)
class OwnBatch:
    """A batch as one of its people sees it, without others' parts."""

    id: int
    name: str
    practice: bool
    deadline: datetime | None
    closed: bool


def list_batches(ws: Workspace, project_slug: str, by: int | None = None) -> list[BatchView]:
    """Return the batches of a project, oldest first.

    Raises UserError without permission to assign or to read others' labels.
    """
    with reading_as(ws, project_slug, by, Act.READ_OTHERS_LABELS) as (session, project, _):
        return batches_in(session, project.id, ws.clock(), item_slots(session, project.id))


def batches_in(
    session: Session, project_id: int, now: datetime, slots: Sequence[ItemSlots]
) -> list[BatchView]:
    """`list_batches` in an open session; `slots` are those of all items."""
    query = select(Batch).where(Batch.project_id == project_id).order_by(col(Batch.id))
    of_batch = grouped((each.batch_id, each) for each in slots)
    return [
        _batch_view(session, row, now, of_batch.get(row.id, []))
        for row in session.exec(query).all()
    ]


def open_batch(
    ws: Workspace, project_slug: str, batch_id: int, by: int | None = None
) -> BatchDetail:
    """Return a batch with people, leases, events. UserError as `list_batches`, or if unknown."""
    with reading_as(ws, project_slug, by, Act.READ_OTHERS_LABELS) as (session, project, _):
        row = find_batch(session, project.id, batch_id)
        now = ws.clock()
        return BatchDetail(
            batch=_batch_view(session, row, now, item_slots(session, project.id, batch_id)),
            members=_members(session, batch_id),
            holders=_lease_holders(session, batch_id, now),
            events=_events(session, batch_id),
        )


def batch_named(ws: Workspace, project_slug: str, name: str) -> int:
    """Return the id of the batch of that name. Raises UserError if there is none."""
    with ws.reading() as session:
        project = find_project(session, project_slug)
        query = select(Batch.name, Batch.id).where(Batch.project_id == project.id)
        known = dict(session.exec(query.order_by(col(Batch.id))).all())
    require_known("batch_name_unknown", known, name=name)
    return int(known[name] or 0)


def batch_of(ws: Workspace, person_id: int, item_id: int) -> OwnBatch | None:
    """Return the batch of an item for the person who works on it; None for an item in no batch."""
    with ws.reading() as session:
        who, _item = at_work(session, person_id, item_id)
        query = (
            select(Batch)
            .join(BatchItem)
            .where(BatchItem.item_id == item_id, Batch.project_id == who.project_id)
        )
        return _own_batch(session.exec(query).first())


def last_batch(ws: Workspace, person_id: int) -> OwnBatch | None:
    """Return the batch of the person's last current submission in one, None if there is none."""
    with ws.reading() as session:
        who = require(session, person_id, Act.COMMENT)  # any role may read its own batches
        query = (
            select(Batch)
            .join(BatchItem)
            .join(Annotation, col(Annotation.item_id) == BatchItem.item_id)
            .where(Annotation.person_id == who.person_id, is_current())
        )
        return _own_batch(session.exec(query.order_by(col(Annotation.id).desc()).limit(1)).first())


def _own_batch(row: Batch | None) -> OwnBatch | None:
    if row is None:
        return None
    return view_of(OwnBatch, row, closed=row.closed_at is not None)


def _batch_view(
    session: Session, row: Batch, now: datetime, slots: Sequence[ItemSlots]
) -> BatchView:
    number = row.id or 0
    people = session.exec(select(func.count()).where(BatchPerson.batch_id == number)).one()
    held = select(func.count()).select_from(Lease).where(Lease.expires_at > now)
    held = held.join(BatchItem, col(BatchItem.item_id) == Lease.item_id)
    calibration = select(func.count()).where(
        BatchItem.batch_id == number, col(BatchItem.calibration)
    )
    return view_of(
        BatchView,
        row,
        closed=row.closed_at is not None,
        people=people,
        items=len(slots),
        calibration=session.exec(calibration).one(),
        wanted=sum(each.wanted for each in slots),
        made=sum(each.counted for each in slots),
        held=session.exec(held.where(BatchItem.batch_id == number)).one(),
    )


def _members(session: Session, batch_id: int) -> tuple[Member, ...]:
    """Return the people of a batch, each with their number of submissions."""
    made = (
        select(func.count())
        .select_from(Annotation)
        .join(BatchItem, col(BatchItem.item_id) == Annotation.item_id)
        .where(BatchItem.batch_id == batch_id, is_current())
        .where(Annotation.person_id == Person.id)
        .correlate(Person)
        .scalar_subquery()
    )
    query = (
        select(Person.id, Person.name, made)
        .join(BatchPerson)
        .where(BatchPerson.batch_id == batch_id)
        .order_by(col(Person.name))
    )
    return tuple(Member(number or 0, name, count) for number, name, count in session.exec(query))


def _lease_holders(session: Session, batch_id: int, now: datetime) -> tuple[Holder, ...]:
    """Return the unexpired leases of a batch: person, item and expiry."""
    query = (
        select(
            Person.name,
            NAME,
            Lease.expires_at,
        )
        .select_from(Lease)
        .join(Person)
        .join(Item)
        .outerjoin(QuestionRow)
        .join(BatchItem)
        .where(BatchItem.batch_id == batch_id, Lease.expires_at > now)
        .order_by(col(Person.name), col(BatchItem.position))
    )
    return tuple(Holder(*row) for row in session.exec(query))


def _events(session: Session, batch_id: int) -> tuple[BatchEventView, ...]:
    """Return the events of a batch, oldest first, with who caused each."""
    rows = authored(session, BatchEvent, BatchEvent.batch_id == batch_id)
    return tuple(BatchEventView(row.kind, row.payload, name, row.at) for row, name in rows)
