"""A person's queue, in one query and without anybody else's labels; and the order of items.

The rules of the order are pure, so that the same data always give the same order.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from hashlib import blake2b
from operator import itemgetter
from random import Random
from typing import Any, NamedTuple, TypeVar

from sqlalchemy import (
    BindParameter,
    ColumnElement,
    Integer,
    Subquery,
    and_,
    bindparam,
    case,
    exists,
    func,
    or_,
    select,
)
from sqlalchemy.orm import aliased
from sqlmodel import Session, col

from annotation.people.roles import ProjectMember
from annotation.work.discussions import open_discussions
from annotation.work.draft import ACTS, Status
from annotation.work.submissions import stands
from storage.db.columns import UtcDateTime
from storage.overlap import given_to, takes
from storage.tables.core import Annotation, DraftEvent, Item
from storage.tables.people import Batch, BatchItem, Lease
from storage.tasks import Task, of_task

_FIRST = 10  # of the results of text search, those that an annotator surely looks at
Kept = TypeVar("Kept")


class QueueRow(NamedTuple):
    """An item in a person's queue; `last_act` is the id of the last act that stands, 0 if none.

    `batch_id` is None for an item in no batch; `practice` says that its batch is a practice round,
    `belongs` that the item is in the queue and not only asked for. `discuss` says that it was sent
    back and waits for the person's answer.
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
        """Whether it waits for the person: not submitted, or sent back to discuss."""
        return self.discuss or self.status != "submitted"


def lines(
    session: Session,
    who: ProjectMember,
    now: datetime,
    beside: int = 0,
    task: str = Task.CITATION_MAPPING,
    hidden: Collection[int] = (),
) -> list[QueueRow]:
    """Return the person's queue of a task: to discuss, practice, batches, all in no batch.

    In a batch items come as its `sequence` says. In the queue is what the person has submitted,
    and what they may submit: items in no batch and in their open batches, on which a slot is free
    for them (`annotation.work.slots`). The item `beside` is in it whether or not it belongs there;
    items that are `hidden` are not in it.
    """
    asked = {
        "person_id": who.person_id,
        "project_id": who.project_id,
        "now": now,
        "beside": beside,
        "task": task,
    }
    discuss = _to_discuss(session, who)
    placed = []
    for number, order, mine, last, kind, belongs, *batch in session.execute(_query(), asked):
        if not (belongs or number == beside) or number in hidden:
            continue
        talks = bool(belongs) and number in discuss
        line = _line(number, mine, last, kind, belongs, talks, batch)
        placed.append((not talks, _place(who, number, order, *batch), line))
    placed.sort(key=itemgetter(0, 1))
    return [line for _, _, line in placed]


def worked_on_now(line_up: list[QueueRow]) -> list[QueueRow]:
    """Return the part of a queue that is worked on now: the practice round until it is done.

    What is to be discussed always belongs to it.
    """
    practice = {line.item_id for line in line_up if line.practice and line.belongs}
    undone = any(line.item_id in practice and line.status != "submitted" for line in line_up)
    return [e for e in line_up if e.discuss or e.item_id in practice] if undone else line_up


def _to_discuss(session: Session, who: ProjectMember) -> set[int]:
    """Return the items that were sent back and on which this person has yet to answer."""
    found = open_discussions(session, who.project_id)
    return {item for item, each in found.items() if who.person_id in each.waiting}


@cache  # building the statement takes as long as running it on a small project
def _query() -> Any:
    acts, submitted, held = _last_acts(), _submitted(), _held()
    mine, others = func.coalesce(submitted.c.mine, 0), func.coalesce(submitted.c.everyone, 0)
    taken = others + func.coalesce(held.c.slots, 0)
    given = and_(col(Batch.closed_at).is_(None), given_to(_me()))
    belongs = or_(
        mine > 0,
        and_(or_(col(Batch.id).is_(None), given), taken < takes()),
    )
    return (
        select(
            *(col(Item.id), col(Item.order), mine, func.coalesce(acts.c.last_act, 0)),
            *(col(DraftEvent.kind), belongs, col(Batch.id), col(Batch.practice)),
            *(col(Batch.sequence), col(Batch.seed), col(BatchItem.position)),
        )
        .outerjoin(submitted, submitted.c.item_id == Item.id)
        .outerjoin(held, held.c.item_id == Item.id)
        .outerjoin(acts, acts.c.item_id == Item.id)
        .outerjoin(DraftEvent, col(DraftEvent.id) == acts.c.last_act)
        .outerjoin(BatchItem, col(BatchItem.item_id) == Item.id)
        .outerjoin(Batch, col(Batch.id) == BatchItem.batch_id)
        .where(_here())  # `belongs` as a condition too would be worked out twice for each item
    )


def _place(
    who: ProjectMember,
    item_id: int,
    order: int,
    batch_id: int | None,
    practice: bool | None,
    sequence: str | None,
    seed: int,
    position: int,
) -> tuple[bool, int, bytes, int]:
    if batch_id is None:
        return True, 2**63, b"", order
    drawn = random_key(seed, who.person_id, item_id) if sequence == "random" else b""
    return not practice, batch_id, drawn, position


def _line(
    item_id: int,
    mine: int,
    last_act: int,
    kind: str | None,
    belongs: bool,
    talks: bool,
    batch: list[Any],
) -> QueueRow:
    status, practice = _status(mine, kind), bool(batch[1])
    return QueueRow(item_id, status, last_act, batch[0], practice, bool(belongs), talks)


def _status(mine: int, last_kind: str | None) -> Status:
    if mine:
        return "submitted"
    if last_kind is None:
        return "todo"
    return "skipped" if last_kind == "skip" else "draft"


def _me() -> BindParameter[int]:
    return bindparam("person_id", type_=Integer())


def _here() -> ColumnElement[bool]:
    return of_task(bindparam("project_id"), bindparam("task"))  # type: ignore[arg-type]


def _last_acts() -> Subquery:
    return (
        select(col(DraftEvent.item_id), func.max(col(DraftEvent.id)).label("last_act"))
        .where(col(DraftEvent.person_id) == _me(), col(DraftEvent.kind).in_(ACTS))
        .where(~_undone())
        .group_by(col(DraftEvent.item_id))
        .subquery()
    )


@cache
def _undone() -> ColumnElement[bool]:
    undo = aliased(DraftEvent)
    return exists().where(col(undo.undoes_id) == col(DraftEvent.id))


def _submitted() -> Subquery:
    mine = func.sum(case((col(Annotation.person_id) == _me(), 1), else_=0))
    return (
        select(col(Annotation.item_id), func.count().label("everyone"), mine.label("mine"))
        .join(Item, col(Item.id) == Annotation.item_id)
        .where(_here(), stands())
        .group_by(col(Annotation.item_id))
        .subquery()
    )


def _held() -> Subquery:
    """Count the slots that others hold."""
    return (
        select(col(Lease.item_id), func.count().label("slots"))
        .where(
            col(Lease.person_id) != _me(),
            col(Lease.expires_at) > bindparam("now", type_=UtcDateTime()),
        )
        .group_by(col(Lease.item_id))
        .subquery()
    )


@dataclass(frozen=True, slots=True)
class Offered:
    """What was suggested for an item: how each citation ended, and which units came from where.

    `statuses` are resolved, ambiguous or unresolved. `cited` are the units that the resolver names,
    `found` those among the first ten of text search.
    """

    statuses: tuple[str, ...]
    cited: frozenset[int]
    found: frozenset[int]


def offered(
    citations: Iterable[dict[str, Any]], candidates: Iterable[tuple[int, Sequence[dict[str, Any]]]]
) -> Offered:
    """Return what a candidate set offers, from its stored citations and (unit id, why) rows."""
    cited, found = set(), set()
    for unit_id, why in candidates:
        if any(each["source"] == "citation" for each in why):
            cited.add(unit_id)
        if any(each["source"] == "text" and (each["rank"] or 0) <= _FIRST for each in why):
            found.add(unit_id)
    statuses = tuple(citation["status"] for citation in citations)
    return Offered(statuses, frozenset(cited), frozenset(found))


def informativeness(what: Offered | None) -> float:
    """Return how much a person's answer to the item should teach, from 0 (little) to 2.

    The sum of two shares: of its citations, those that the resolver could not resolve to one
    place; and of the units that the resolver names, those that are not among the first ten that
    text search finds. Where there is nothing to take a share of, it counts as 1: nobody knows yet.
    """
    if what is None:
        return 2.0
    doubtful = sum(status != "resolved" for status in what.statuses)
    doubt = doubtful / len(what.statuses) if what.statuses else 1.0
    apart = len(what.cited - what.found) / len(what.cited) if what.cited else 1.0
    return doubt + apart


def random_key(seed: int, person_id: int, item_id: int) -> bytes:
    """Return what sorts a person's items at random.

    The key of an item depends on nothing but its batch's seed, the person and the item: whoever
    and whatever is added later, the items that were there keep their order.
    """
    return blake2b(f"{seed} {person_id} {item_id}".encode(), digest_size=8).digest()


def sample(things: Sequence[Kept], size: int, seed: int) -> list[Kept]:
    """Return `size` of the things, drawn without replacement by `seed`, in their old order."""
    drawn = Random(seed).sample(range(len(things)), min(size, len(things)))
    return [things[index] for index in sorted(drawn)]


def spread(things: Sequence[Kept], among: Sequence[Kept], seed: int) -> list[Kept]:
    """Return both: `among` in its order, the other things at places drawn by `seed`."""
    total = len(things) + len(among)
    places = set(Random(seed).sample(range(total), len(things)))
    mixed, rest = iter(Random(seed).sample(list(things), len(things))), iter(among)
    return [next(mixed if place in places else rest) for place in range(total)]
