"""A person's queue of a task: membership, order, and what a batch takes first.

Narrow queries read only the items that differ from the usual case (in a batch, leased, own
overlap). Of other people they read the number of submissions and leases per item, never labels.

The ordering rules are pure: the same data always give the same order.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from hashlib import blake2b
from random import Random
from typing import Any, Literal, NamedTuple, TypeVar

from sqlalchemy import (
    BindParameter,
    ColumnElement,
    Integer,
    and_,
    bindparam,
    case,
    exists,
    func,
    select,
)
from sqlalchemy.orm import aliased
from sqlmodel import Session, col

from annotation.people.roles import ProjectMember
from annotation.work.discussions import open_discussions
from annotation.work.draft import ACTS, Status
from annotation.work.submissions import is_current
from normalization.grouping import grouped
from storage.db.columns import UtcDateTime
from storage.overlap import given_to, takes_own, total_submissions, usually_takes
from storage.tables.core import Annotation, DraftEvent, Item, Project
from storage.tables.people import Batch, BatchItem, Lease
from storage.tasks import Task, of_task


class Batched(NamedTuple):
    """The batch of an item; `given`: it is open and assigned to the person."""

    batch_id: int
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
    outside: AbstractSet[int]
    mine: AbstractSet[int]
    discuss: AbstractSet[int]
    batched: Mapping[int, Batched]

    @property
    def waiting(self) -> int:
        """Number of items that the person has not submitted, or that were sent back to discuss."""
        return len(self.items) - len((self.mine - self.discuss) & set(self.items))

    def with_batch_of(self, item_id: int) -> list[int]:
        """Return the ids of the items in this one's batch; for one in none, of those in none."""
        here = self.batched.get(item_id)
        if here is None:
            return [each for each in self.items if each not in self.batched]
        return [each for each in self.items if self.batched.get(each) is here]


def queue_membership(
    session: Session,
    who: ProjectMember,
    now: datetime,
    extra_item: int,
    task: str,
    hidden: Collection[int],
) -> Belonging:
    """Return the person's queue, with membership as in :func:`annotation.work.belonging.lines`."""
    asked = {"person_id": who.person_id, "project_id": who.project_id, "now": now, "task": task}
    items = list(session.execute(_items_of_task(), asked).scalars())
    made = {item: (every, own) for item, every, own in session.execute(_submission_counts(), asked)}
    mine = {item for item, (_, own) in made.items() if own}
    full = _items_without_free_slot(session, asked, usually_takes(task, who.overlap), made, items)
    batches, batched = _batches_with_places(session, asked)
    closed = {item for item, place in batched.items() if not place.given}
    if any(each.closes_pool for each in batches):
        begun = set(session.execute(_ever_submitted(), asked).scalars())
        closed |= {item for item in items if item not in batched} - begun
    away = {*full, *closed} - mine
    outside = {extra_item} & away
    talks = open_discussions(session, who.project_id)
    discuss = {item for item, each in talks.items() if who.person_id in each.waiting} - outside
    here = [each for each in items if each not in away or each == extra_item]
    if hidden:
        here = [each for each in here if each not in hidden]
    return Belonging(_in_order(who, here, discuss, batched), outside, mine, discuss, batched)


def _items_without_free_slot(
    session: Session,
    parameters: Mapping[str, Any],
    usual: int,
    submitted: Mapping[int, tuple[int, int]],
    items: list[int],
) -> set[int]:
    """Return the ids of the items on which no slot is free for the person."""
    taken = {item: every for item, (every, _) in submitted.items()}
    for item, slots in session.execute(_leases_of_others(), parameters):
        taken[item] = taken.get(item, 0) + slots
    own: dict[int, int] = dict(session.execute(_items_with_own_overlap(), parameters).all())
    some = {*taken, *own} if usual > 0 else items
    return {item for item in some if taken.get(item, 0) >= own.get(item, usual)}


def _batches_with_places(
    session: Session, parameters: Mapping[str, Any]
) -> tuple[Collection[Any], dict[int, Batched]]:
    """Return the task's batches (rows of `_batches`) and each item's, in the order of places."""
    rows = session.execute(_batches(), parameters).all()
    if not rows:
        return (), {}
    batches = {row.id: Batched(*row[:-1]) for row in rows}
    return rows, {
        item: batches[batch] for item, batch in session.execute(_batch_items(), parameters)
    }


def _in_order(
    who: ProjectMember, queue: list[int], discuss: Collection[int], batched: Mapping[int, Batched]
) -> list[int]:
    """Sort by discussions, practice, batches, then items in no batch; `batched` is by place."""
    if not discuss and not batched:
        return queue
    present = set(queue)
    inside = grouped((each.batch_id, item) for item, each in batched.items() if item in present)
    batches = {batch.batch_id: batch for batch in set(batched.values())}
    found: list[int] = []
    for number in sorted(inside, key=lambda each: (not batches[each].practice, each)):
        items, seed = inside[number], batches[number].seed
        if batches[number].sequence == "random":  # by seed and person
            items = sorted(items, key=lambda item: random_key(seed, who.person_id, item))
        found += items
    found += [each for each in queue if each not in batched]
    if not discuss:
        return found
    return sorted(found, key=lambda each: each not in discuss)


def random_key(seed: int, person_id: int, item_id: int) -> bytes:
    """Return the sort key for a person's random item order.

    It depends on the batch's seed, the person and the item alone, so adding items or people later
    keeps the order of the items already there.
    """
    return blake2b(f"{seed} {person_id} {item_id}".encode(), digest_size=8).digest()


# Statements are built once: building one takes longer than running it.
@cache
def _items_of_task() -> Any:
    """Query of the task's items in order."""
    return select(col(Item.id)).where(_here()).order_by(col(Item.order))


@cache
def _submission_counts() -> Any:
    """Return the query of current submissions per item: all, and the person's own."""
    mine = func.sum(case((col(Annotation.person_id) == _me(), 1), else_=0))
    return (
        select(col(Annotation.item_id), func.count(), mine)
        .join(Item)
        .where(_here(), is_current())
        .group_by(col(Annotation.item_id))
    )


@cache
def _leases_of_others() -> Any:
    """Query of the number of current leases of other people per item."""
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
    """Query of the items that take submissions of their own number."""
    return select(col(Item.id), total_submissions()).where(_here(), takes_own())


@cache
def _batches() -> Any:
    """Query of the task's batches: which are open and the person's, which close the pool."""
    given = and_(col(Batch.closed_at).is_(None), given_to(_me()))
    shown = col(Batch.practice), col(Batch.sequence), col(Batch.seed), given
    closes_pool = and_(~col(Batch.practice), ~col(Project.open_pool), given_to(_me()))
    return (
        select(col(Batch.id), *shown, closes_pool.label("closes_pool"))
        .join(Project)
        .where(col(Batch.project_id) == bindparam("project_id"))
        .where(col(Batch.task) == bindparam("task"))
    )


@cache
def _ever_submitted() -> Any:
    """Query of the items that the person has ever submitted, even if withdrawn since."""
    here = select(col(Item.id)).where(_here())
    mine = col(Annotation.person_id) == _me()
    return select(col(Annotation.item_id)).where(mine, col(Annotation.item_id).in_(here)).distinct()


@cache
def _batch_items() -> Any:
    """Query of which item is in which batch."""
    return (
        select(col(BatchItem.item_id), col(BatchItem.batch_id))
        .join(Batch)
        .where(col(Batch.project_id) == bindparam("project_id"))
        .where(col(Batch.task) == bindparam("task"))
        .order_by(col(BatchItem.batch_id), col(BatchItem.position))
    )


def _me() -> BindParameter[int]:
    """Bound parameter: the person."""
    return bindparam("person_id", type_=Integer())


def _here() -> ColumnElement[bool]:
    """SQL condition: items of the bound project and task."""
    return of_task(bindparam("project_id"), bindparam("task"))  # type: ignore[arg-type]


_FIRST = 10  # top results of text search that an annotator surely looks at
Kept = TypeVar("Kept")


class QueueRow(NamedTuple):
    """An item in a person's queue; `last_act` is the id of the last act not undone, 0 if none.

    `batch_id` is None for an item in no batch; `practice`: its batch is a practice round;
    `belongs`: the item is in the queue, not only requested; `discuss`: it was sent back and the
    person has yet to answer.
    """

    item_id: int
    status: Status
    last_act: int
    batch_id: int | None = None
    practice: bool = False
    belongs: bool = True
    discuss: bool = False

    @property
    def waits(self) -> bool:
        """True if it is open for the person: not submitted, or sent back to discuss."""
        return self.discuss or self.status != "submitted"


def lines(
    session: Session,
    who: ProjectMember,
    now: datetime,
    extra_item: int = 0,
    task: str = Task.CITATION_MAPPING,
    hidden: Collection[int] = (),
) -> list[QueueRow]:
    """Return the person's queue of a task: discussions, practice, batches, then items in no batch.

    Within a batch items are in the order of its `sequence`. The queue holds what the person has
    submitted and what they may submit: items in no batch and in their open batches with a free slot
    (`annotation.work.slots`). The item `extra_item` is always included; `hidden` items never are.
    """
    found = queue_membership(session, who, now, extra_item, task, hidden)
    rows = session.execute(_last_acts(), {"person_id": who.person_id})
    acts = {item: (last, kind) for item, last, kind in rows}
    return [_queue_row(item, found, acts.get(item)) for item in found.items]


def worked_on_now(line_up: list[QueueRow]) -> list[QueueRow]:
    """Return the part of a queue to work on now: a practice round until it is done, else all.

    Items to be discussed are always included.
    """
    practice = {line.item_id for line in line_up if line.practice and line.belongs}
    undone = any(line.item_id in practice and line.status != "submitted" for line in line_up)
    return [e for e in line_up if e.discuss or e.item_id in practice] if undone else line_up


def begun_line(
    line_up: Iterable[QueueRow], left_item_id: int | None
) -> tuple[QueueRow, Literal["discuss", "left", "draft"]] | None:
    """Return what a person goes on with, and why: sent back, left open, or their last draft."""
    every = list(line_up)
    for line in every:
        if line.discuss:
            return line, "discuss"
    for line in every:
        if line.item_id == left_item_id and line.status in ("draft", "todo"):
            return line, "left"
    drafts = [line for line in every if line.status == "draft"]
    return (max(drafts, key=lambda line: line.last_act), "draft") if drafts else None


def _queue_row(item_id: int, belonging: Belonging, act: tuple[int, str] | None) -> QueueRow:
    """Return an item as a row of the person's queue."""
    last, kind = act or (0, None)
    status: Status = "submitted" if item_id in belonging.mine else _status(kind)
    at = belonging.batched.get(item_id)
    batch_id, practice = (None, False) if at is None else (at.batch_id, at.practice)
    belongs, discuss = item_id not in belonging.outside, item_id in belonging.discuss
    return QueueRow(item_id, status, last, batch_id, practice, belongs, discuss)


def _status(last_kind: str | None) -> Status:
    """Return an item's status by the person's last act on it."""
    if last_kind is None:
        return "todo"
    return "skipped" if last_kind == "skip" else "draft"


@cache  # building the statement takes as long as running it on a small project
def _last_acts() -> Any:
    """Select the person's last act on each item that is not undone, and its kind."""
    last = (
        select(func.max(col(DraftEvent.id)))
        .where(col(DraftEvent.person_id) == bindparam("person_id"))
        .where(col(DraftEvent.kind).in_(ACTS), ~_undone())
        .group_by(col(DraftEvent.item_id))
    )
    shown = col(DraftEvent.item_id), col(DraftEvent.id), col(DraftEvent.kind)
    return select(*shown).where(col(DraftEvent.id).in_(last))


@cache
def _undone() -> ColumnElement[bool]:
    """SQL condition that a draft event has been undone."""
    undo = aliased(DraftEvent)
    return exists().where(col(undo.undoes_id) == col(DraftEvent.id))


@dataclass(frozen=True, slots=True)
class Offered:
    """Suggestions for an item: the status of each citation, and the units by source.

    `statuses` are resolved, ambiguous or unresolved. `cited` are the units named by the citation
    resolver, `found` those in the top ten of text search.
    """

    statuses: tuple[str, ...]
    cited: frozenset[int]
    found: frozenset[int]


def offered(
    citations: Iterable[dict[str, Any]], candidates: Iterable[tuple[int, Sequence[dict[str, Any]]]]
) -> Offered:
    """Return a candidate set's suggestions from its stored citations and (unit id, why) rows."""
    cited, found = set(), set()
    for unit_id, why in candidates:
        if any(each["source"] == "citation" for each in why):
            cited.add(unit_id)
        if any(each["source"] == "text" and (each["rank"] or 0) <= _FIRST for each in why):
            found.add(unit_id)
    statuses = tuple(citation["status"] for citation in citations)
    return Offered(statuses, frozenset(cited), frozenset(found))


def informativeness(offer: Offered | None) -> float:
    """Return the expected informativeness of an answer to the item, from 0 (low) to 2 (high).

    The sum of two shares: citations that the resolver could not resolve to one place; and units
    named by the resolver that are not in the top ten of text search. A share of nothing counts as
    1, since it is unknown.
    """
    if offer is None:
        return 2.0
    doubtful = sum(status != "resolved" for status in offer.statuses)
    doubt = doubtful / len(offer.statuses) if offer.statuses else 1.0
    apart = len(offer.cited - offer.found) / len(offer.cited) if offer.cited else 1.0
    return doubt + apart


def sample(things: Sequence[Kept], size: int, seed: int) -> list[Kept]:
    """Draw `size` things without replacement by `seed`, in their original order."""
    drawn = Random(seed).sample(range(len(things)), min(size, len(things)))
    return [things[index] for index in sorted(drawn)]


def spread(things: Sequence[Kept], among: Sequence[Kept], seed: int) -> list[Kept]:
    """Mix `things`, shuffled, into `among` at places drawn by `seed`; `among` keeps its order."""
    total = len(things) + len(among)
    places = set(Random(seed).sample(range(total), len(things)))
    mixed, rest = iter(Random(seed).sample(list(things), len(things))), iter(among)
    return [next(mixed if place in places else rest) for place in range(total)]
