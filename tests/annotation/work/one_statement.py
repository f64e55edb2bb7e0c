"""A person's queue by one statement that works out everything of each item: slow, and plain."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from functools import cache
from operator import itemgetter
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

from annotation.people.roles import ProjectMember, annotator
from annotation.work.belonging import QueueRow, lines, random_key
from annotation.work.discussions import open_discussions
from annotation.work.draft import ACTS, Draft, Status
from annotation.work.open_item import place_in
from annotation.work.rules import Opened
from annotation.work.slots import load_slots
from annotation.work.submissions import is_current
from storage.db.columns import UtcDateTime
from storage.db.workspace import Workspace
from storage.overlap import given_to, pool_open_to, total_submissions
from storage.tables.core import Annotation, DraftEvent, Item, Project
from storage.tables.people import Batch, BatchItem, Lease
from storage.tasks import Task, of_task


def one_statement_lines(
    session: Session,
    who: ProjectMember,
    now: datetime,
    beside: int = 0,
    task: str = Task.CITATION_MAPPING,
    hidden: Collection[int] = (),
) -> list[QueueRow]:
    """Return what `annotation.work.belonging.lines` should."""
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
        and_(
            case((col(Batch.id).is_(None), pool_open_to(_me())), else_=given),
            taken < total_submissions(),
        ),
    )
    return (
        select(
            *(col(Item.id), col(Item.order), mine, func.coalesce(acts.c.last_act, 0)),
            *(col(DraftEvent.kind), belongs, col(Batch.id), col(Batch.practice)),
            *(col(Batch.sequence), col(Batch.seed), col(BatchItem.position)),
        )
        .join(Project, col(Project.id) == col(Item.project_id))
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
        .where(_here(), is_current())
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


def same_queues(ws: Workspace, person_id: int, items: Collection[int]) -> None:
    """Assert that the person's queue is this one, whichever item is asked for beside it.

    And that an opened item's place in it is what is counted there.
    """
    with ws.reading() as session:
        who, now = annotator(session, person_id), ws.clock()
        for beside in (0, *items):
            found = lines(session, who, now, beside)
            assert found == one_statement_lines(session, who, now, beside)
            if beside:
                at = Opened(
                    session, who, load_slots(session, person_id, beside, now)[1], Draft(), now
                )
                here = next(line.batch_id for line in found if line.item_id == beside)
                together = [line for line in found if line.batch_id == here]
                place = [line.item_id for line in together].index(beside) + 1
                done = sum(line.status == "submitted" for line in together)
                waits = sum(line.waits for line in found)
                assert place_in(at) == (place, len(together), done, waits)
