"""Where each item stands for one person, in one query and without anybody else's labels."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache
from typing import Any

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

from annotation.people.authorization import ProjectMember
from annotation.work.discussions import open_discussions
from annotation.work.draft import ACTS, Status
from annotation.work.ordering import random_key
from annotation.work.submissions import stands
from storage.db.columns import UtcDateTime
from storage.overlap import given_to, takes
from storage.tables.core import Annotation, DraftEvent, Item
from storage.tables.people import Batch, BatchItem, Lease
from storage.tasks import Task, of_task


@dataclass(frozen=True, slots=True)
class QueueRow:
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
        if number in hidden:
            continue
        line = _line(number, mine, last, kind, belongs, batch)
        line = replace(line, discuss=line.belongs and number in discuss)
        placed.append(((not line.discuss, *_place(who, number, order, *batch)), line))
    return [line for _, line in sorted(placed, key=lambda each: each[0])]


def offered(line_up: list[QueueRow]) -> list[QueueRow]:
    """Return the part of a queue that is worked on now: the practice round until it is done.

    What is to be discussed always belongs to it.
    """
    practice = [line for line in line_up if line.practice and line.belongs]
    undone = any(line.status != "submitted" for line in practice)
    return [line for line in line_up if line.discuss or line in practice] if undone else line_up


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
        .where(_here(), or_(belongs, col(Item.id) == bindparam("beside")))
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
    item_id: int, mine: int, last_act: int, kind: str | None, belongs: bool, batch: list[Any]
) -> QueueRow:
    return QueueRow(item_id, _status(mine, kind), last_act, batch[0], bool(batch[1]), bool(belongs))


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
