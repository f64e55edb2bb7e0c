"""Membership and order of a person's queue for a task.

Narrow queries read only the items that differ from the usual case (in a batch, leased, own
overlap). Of other people they read the number of submissions and leases per item, never labels.

The ordering rules are pure: the same data always give the same order.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from hashlib import blake2b
from typing import Any, NamedTuple

from sqlalchemy import BindParameter, ColumnElement, Integer, and_, bindparam, case, func, select
from sqlmodel import Session, col

from annotation.people.roles import ProjectMember
from annotation.work.discussions import open_discussions
from annotation.work.submissions import stands
from storage.db.columns import UtcDateTime
from storage.overlap import given_to, takes, takes_own, usually_takes
from storage.tables.core import Annotation, Item, Project
from storage.tables.people import Batch, BatchItem, Lease
from storage.tasks import of_task


class Batched(NamedTuple):
    """An item's place in a batch; `given`: the batch is open and assigned to the person."""

    batch_id: int
    position: int
    practice: bool
    sequence: str
    seed: int
    given: bool


@dataclass(frozen=True, slots=True)
class Belonging:
    """The items of a person's queue, in order, with the state the order depends on.

    Items outside the queue are left out, except one that was requested as `beside` (then in
    `outside`). `mine` are items with a current submission of the person, `discuss` those sent back
    to them and not yet answered, `batched` all items in a batch; each may name items of no queue.
    """

    items: list[int]
    outside: Collection[int]
    mine: Collection[int]
    discuss: Collection[int]
    batched: Mapping[int, Batched]

    def waits(self, item_id: int) -> bool:
        """Return True if the item is not submitted by the person, or was sent back to discuss."""
        return item_id not in self.mine or item_id in self.discuss

    def with_batch_of(self, item_id: int) -> list[int]:
        """Return the items in this one's batch; for an item in no batch, those in none."""
        here = self.batched.get(item_id)
        if here is None:
            return [each for each in self.items if each not in self.batched]
        return [
            each
            for each in self.items
            if each in self.batched and self.batched[each].batch_id == here.batch_id
        ]


def belonging(
    session: Session,
    who: ProjectMember,
    now: datetime,
    beside: int,
    task: str,
    hidden: Collection[int],
) -> Belonging:
    """Return the person's queue, with membership as in :func:`annotation.work.queues.lines`."""
    asked = {"person_id": who.person_id, "project_id": who.project_id, "now": now, "task": task}
    items = list(session.execute(_items_of_task(), asked).scalars())
    made = {item: (every, own) for item, every, own in session.execute(_submitted(), asked)}
    mine = {item for item, (_, own) in made.items() if own}
    full = _items_without_free_slot(session, asked, usually_takes(task, who.overlap), made, items)
    batches, batched = _batches_with_places(session, asked)
    closed = {item for item, place in batched.items() if not place.given}
    if any(each.closes_pool for each in batches):
        begun = set(session.execute(_ever_submitted(), asked).scalars())
        closed |= {item for item in items if item not in batched} - begun
    away = {*full, *closed} - mine
    outside = {beside} & away
    talks = open_discussions(session, who.project_id)
    discuss = {item for item, each in talks.items() if who.person_id in each.waiting} - outside
    here = [each for each in items if each not in away or each == beside]
    if hidden:
        here = [each for each in here if each not in hidden]
    return Belonging(_in_order(who, here, discuss, batched), outside, mine, discuss, batched)


def _items_without_free_slot(
    session: Session,
    asked: Mapping[str, Any],
    usual: int,
    made: Mapping[int, tuple[int, int]],
    items: list[int],
) -> set[int]:
    """Return the items on which no slot is free for the person."""
    taken = {item: every for item, (every, _) in made.items()}
    for item, slots in session.execute(_held(), asked):
        taken[item] = taken.get(item, 0) + slots
    own: dict[int, int] = dict(session.execute(_items_with_own_overlap(), asked).all())
    some = {*taken, *own} if usual > 0 else items
    return {item for item in some if taken.get(item, 0) >= own.get(item, usual)}


def _batches_with_places(
    session: Session, asked: Mapping[str, Any]
) -> tuple[Collection[Any], dict[int, Batched]]:
    """Return the task's batches (rows of `_batches`) and each item's place in its batch."""
    batches = {row.id: row for row in session.execute(_batches(), asked)}
    if not batches:
        return (), {}
    places = session.execute(_places(), asked)
    return batches.values(), {
        item: Batched(batch, at, *batches[batch][1:-1]) for item, batch, at in places
    }


def _in_order(
    who: ProjectMember, here: list[int], discuss: Collection[int], batched: Mapping[int, Batched]
) -> list[int]:
    """Sort by discussions, practice, batches, then items in no batch."""
    if not discuss and not batched:
        return here
    talks = [each for each in here if each in discuss]
    in_batches = [each for each in here if each in batched and each not in discuss]
    rest = [each for each in here if each not in batched and each not in discuss]
    keys = {item: _place(who, item, batched[item]) for item in here if item in batched}
    last = (True, 2**63, b"", 0)  # in no batch: behind all batches, in the project's order
    talks.sort(key=lambda item: keys.get(item, last))
    return [*talks, *sorted(in_batches, key=keys.__getitem__), *rest]


def _place(who: ProjectMember, item_id: int, at: Batched) -> tuple[bool, int, bytes, int]:
    drawn = random_key(at.seed, who.person_id, item_id) if at.sequence == "random" else b""
    return not at.practice, at.batch_id, drawn, at.position


def random_key(seed: int, person_id: int, item_id: int) -> bytes:
    """Return the sort key for a person's random item order.

    It depends on the batch's seed, the person and the item alone, so adding items or people later
    keeps the order of the items already there.
    """
    return blake2b(f"{seed} {person_id} {item_id}".encode(), digest_size=8).digest()


# Statements are built once: building one takes longer than running it.
@cache
def _items_of_task() -> Any:
    return select(col(Item.id)).where(_here()).order_by(col(Item.order))


@cache
def _submitted() -> Any:
    mine = func.sum(case((col(Annotation.person_id) == _me(), 1), else_=0))
    return (
        select(col(Annotation.item_id), func.count(), mine)
        .join(Item, col(Item.id) == Annotation.item_id)
        .where(_here(), stands())
        .group_by(col(Annotation.item_id))
    )


@cache
def _held() -> Any:
    """Count the leases of other people per item."""
    return (
        select(col(Lease.item_id), func.count())
        .where(
            col(Lease.person_id) != _me(),
            col(Lease.expires_at) > bindparam("now", type_=UtcDateTime()),
        )
        .group_by(col(Lease.item_id))
    )


@cache
def _items_with_own_overlap() -> Any:
    return select(col(Item.id), takes()).where(_here(), takes_own())


@cache
def _batches() -> Any:
    given = and_(col(Batch.closed_at).is_(None), given_to(_me()))
    shown = col(Batch.practice), col(Batch.sequence), col(Batch.seed), given
    closes_pool = and_(~col(Batch.practice), ~col(Project.open_pool), given_to(_me()))
    return (
        select(col(Batch.id), *shown, closes_pool.label("closes_pool"))
        .join(Project, col(Project.id) == col(Batch.project_id))
        .where(col(Batch.project_id) == bindparam("project_id"))
        .where(col(Batch.task) == bindparam("task"))
    )


@cache
def _ever_submitted() -> Any:
    """Return the items that the person has ever submitted, even if withdrawn since."""
    here = select(col(Item.id)).where(_here())
    mine = col(Annotation.person_id) == _me()
    return select(col(Annotation.item_id)).where(mine, col(Annotation.item_id).in_(here)).distinct()


@cache
def _places() -> Any:
    return (
        select(col(BatchItem.item_id), col(BatchItem.batch_id), col(BatchItem.position))
        .join(Batch, col(Batch.id) == BatchItem.batch_id)
        .where(col(Batch.project_id) == bindparam("project_id"))
        .where(col(Batch.task) == bindparam("task"))
    )


def _me() -> BindParameter[int]:
    return bindparam("person_id", type_=Integer())


def _here() -> ColumnElement[bool]:
    return of_task(bindparam("project_id"), bindparam("task"))  # type: ignore[arg-type]
