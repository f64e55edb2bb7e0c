"""Slots of an item: who may work on it, whether one is free, and leases.

An item of a batch has as many slots as submissions that it takes. A current submission fills one;
opening the item, and every act on it, leases one for `LEASE`. An expired lease is free for others:
its holder goes on if a slot is still free, and keeps their draft in any case. Items in no batch are
not leased: any number of people may begin, and the first submissions count. Calibration and
practice items, which have room for everybody of their batch, are not leased either.
"""

from __future__ import annotations

from collections.abc import Collection, Container
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from typing import Any

from sqlalchemy import BindParameter, and_, bindparam, case, delete, exists, func, select
from sqlmodel import Session, col

from annotation.people.roles import (
    Act,
    ProjectMember,
    about_person,
    admitted,
    require,
    require_item,
)
from annotation.work.registry import ENTRIES, OWN_ENTRY, object_of
from annotation.work.submissions import is_current
from errors import UserError
from storage.db.columns import UtcDateTime, usable_id
from storage.overlap import EVERYBODY, given_to, pool_open_to, total_submissions
from storage.tables.core import Account, Annotation, Item, Person, Project
from storage.tables.people import Batch, BatchItem, Lease
from storage.tasks import Task

LEASE = timedelta(minutes=30)  # time without an act after which a lease expires
_PERMISSIONS = {Task.JUDGE_REVIEW: Act.REVIEW_JUDGE}  # reviewers have read the annotators' answers
_ITEM_COLUMNS = 11  # number of columns about the item; those after describe the person


@dataclass(frozen=True, slots=True)
class SlotState:
    """An item's slots as seen by one person.

    `others` counts current submissions of other people, `held` their leases, `until` is the end of
    this person's own lease, `ever`: they have a lease, even an expired one. `given`: the item is
    open to them, in one of their batches, or in none while the pool is open to them
    (`storage.overlap.pool_open_to`).
    """

    item_id: int
    task: str
    takes: int
    others: int
    held: int
    mine: bool
    batch_id: int | None
    given: bool
    closed: bool
    until: datetime | None
    ever: bool

    @property
    def leased(self) -> bool:
        """True if slots of the item are leased at all."""
        return self.batch_id is not None and self.takes < EVERYBODY


def admit(
    session: Session, person_id: int, item_id: int, now: datetime, tasks: Container[str] | None
) -> tuple[ProjectMember, SlotState]:
    """Return the person and the item's slots, as `load_slots` does, after checking the task.

    Raises UserError as that does, for an item of none of the `tasks` (None: of any), and for one
    that its task hides from the person, unless they submitted it.
    """
    who, found = load_slots(session, person_id, item_id, now)
    if tasks is not None and found.task not in tasks:
        raise UserError("item_unknown", item=item_id)
    hides = ENTRIES.get(found.task, OWN_ENTRY).hidden and not found.mine
    if hides and item_id in hidden_items(session, who, found.task):
        raise UserError("item_not_yours")
    return who, found


def hidden_items(session: Session, who: ProjectMember, task: str) -> frozenset[int]:
    """Return the ids of the task's items that are hidden from the person for now."""
    hidden = object_of(Task(task), "hidden")
    return frozenset(hidden(session, who) if hidden else ())


def load_slots(
    session: Session, person_id: int, item_id: int, now: datetime
) -> tuple[ProjectMember, SlotState]:
    """Return the annotator and the item's slots for them at that time.

    One statement, since every act begins with it while others wait for the write lock. Raises
    UserError for anybody without permission for the item's task, and for an item of another
    project.
    """
    asked = {"item_id": usable_id(item_id), "person_id": usable_id(person_id), "now": now}
    row = session.execute(_slots_of_item(), asked).first()
    if row is None:
        at_work(session, person_id, item_id)
        raise UserError("item_unknown", item=item_id)  # inserted between the two statements
    found = SlotState(*row[:_ITEM_COLUMNS])
    return admitted(row[_ITEM_COLUMNS:], act_of(found.task)), found


def load_slots_of(
    session: Session, person_id: int, item_ids: Collection[int], now: datetime
) -> tuple[ProjectMember | None, dict[int, SlotState]]:
    """Return the annotator and the slots of items of one task by id; (None, {}) if none exists.

    Raises UserError for anybody without permission for the items' task.
    """
    asked = {"items": sorted(item_ids), "person_id": usable_id(person_id), "now": now}
    who: ProjectMember | None = None
    found: dict[int, SlotState] = {}
    for row in session.execute(_slots_of_items(), asked):
        state = SlotState(*row[:_ITEM_COLUMNS])
        who = who or admitted(row[_ITEM_COLUMNS:], act_of(state.task))
        found[state.item_id] = state
    return who, found


def refuse(slot: SlotState, *, begun: bool, looking: bool = False) -> None:
    """Raise UserError if the person cannot work on the item; `begun`: they have a draft.

    Whoever has submitted it may always look at it again (`looking`). While the pool is closed,
    whoever has a batch may not work on items in no batch.
    """
    if slot.mine and looking:
        return
    if slot.closed:
        raise UserError("batch_closed")
    if not slot.given:
        raise UserError("pool_closed" if slot.batch_id is None else "batch_of_others")
    if slot.mine:
        return
    if slot.others >= slot.takes:
        code = "slot_taken" if begun and slot.leased else "item_full"
        raise UserError(code, overlap=slot.others)
    if slot.leased and slot.until is None and slot.others + slot.held >= slot.takes:
        code = "slot_taken" if begun else "slot_held"
        raise UserError(code, overlap=slot.takes, minutes=int(LEASE.total_seconds() // 60))


def acquire_slot(session: Session, who: ProjectMember, slot: SlotState, now: datetime) -> None:
    """Lease a slot to the person or renew it, if the item has leases and a slot is free."""
    if not slot.leased or (slot.until is None and slot.others + slot.held >= slot.takes):
        return
    here = col(Lease.item_id) == slot.item_id, col(Lease.person_id) == who.person_id
    held = session.execute(select(Lease).where(*here)).scalars().first()
    if held is None:
        held = Lease(item_id=slot.item_id, person_id=who.person_id, taken_at=now, expires_at=now)
    elif held.expires_at <= now:
        held.taken_at = now
    held.expires_at = now + LEASE
    session.add(held)


def release_slot(session: Session, who: ProjectMember, slot: SlotState) -> None:
    """End the person's lease on the item, if any."""
    if not (slot.leased or slot.ever):
        return
    session.flush()  # a lease taken just now
    session.connection().execute(_free(), {"of_item": slot.item_id, "of_person": who.person_id})


@cache  # building a statement takes longer than running it
def _free() -> Any:
    """Statement that deletes a person's lease of an item."""
    of_item = col(Lease.item_id) == bindparam("of_item")
    return delete(Lease).where(of_item, col(Lease.person_id) == bindparam("of_person"))


@cache
def _slots_of_item() -> Any:
    """Query of the slots of one item."""
    return _slots_query().where(col(Item.id) == bindparam("item_id"))


@cache
def _slots_of_items() -> Any:
    """Query of the slots of several items."""
    return _slots_query().where(col(Item.id).in_(bindparam("items", expanding=True)))


def _slots_query() -> Any:
    """Return the query of `SlotState`: an item's submissions, leases and batch, for a person."""
    me: BindParameter[int] = bindparam("person_id")
    now: BindParameter[datetime] = bindparam("now", type_=UtcDateTime())
    item, lease = col(Item.id), col(Lease.item_id) == Item.id
    submitted = and_(col(Annotation.item_id) == item, is_current())
    others = select(func.count()).where(submitted, col(Annotation.person_id) != me)
    running = col(Lease.expires_at) > now
    held = select(func.count()).where(lease, col(Lease.person_id) != me, running)
    own = select(col(Lease.expires_at)).where(lease, col(Lease.person_id) == me).correlate(Item)
    return (
        select(  # in the order of the fields of `SlotState`
            item,
            col(Item.task),
            total_submissions(),
            others.correlate(Item).scalar_subquery(),
            held.correlate(Item).scalar_subquery(),
            exists().where(submitted, col(Annotation.person_id) == me),
            col(Batch.id),
            case((col(Batch.id).is_(None), pool_open_to(me)), else_=given_to(me)),
            col(Batch.closed_at).is_not(None),
            own.where(running).scalar_subquery(),
            own.exists(),
            *about_person(),
        )
        .select_from(Item)
        .join(Person, (col(Person.id) == me) & (col(Person.project_id) == col(Item.project_id)))
        .join(Project)
        .outerjoin(Account)
        .outerjoin(BatchItem, col(BatchItem.item_id) == item)
        .outerjoin(Batch)
    )


def act_of(task: str) -> Act:
    """Return the permission needed to work on the task; ANNOTATE for most."""
    return _PERMISSIONS.get(Task(task), Act.ANNOTATE)


def at_work(session: Session, person_id: int, item_id: int) -> tuple[ProjectMember, Item]:
    """Return the person and the item, checked: permission for its task, same project.

    Raises UserError if either check fails.
    """
    task = session.execute(
        select(col(Item.task)).where(col(Item.id) == usable_id(item_id))
    ).scalar()
    who = require(session, person_id, act_of(task or Task.CITATION_MAPPING))
    return who, require_item(session, who, item_id)
