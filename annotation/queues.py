"""Where each item stands for one person, in one query and without anybody else's labels."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from sqlalchemy import ColumnElement, Subquery, exists, func, select
from sqlalchemy.orm import aliased
from sqlmodel import Session, col

from annotation.draft import ACTS, Status
from annotation.standing import Standing
from annotation.submissions import stands
from storage.tables import Annotation, DraftEvent, Item


@dataclass(frozen=True, slots=True)
class Line:
    """An item in a person's queue; `last_act` is the id of the last act that stands, 0 if none."""

    item_id: int
    order: int
    status: Status
    last_act: int


def lines(session: Session, who: Standing) -> list[Line]:
    """Return the person's queue in order.

    An item that others have filled (all the submissions it takes are in, none of them this
    person's) is not in it.
    """
    acts, submitted = _last_acts(who.person_id), _submitted(who)
    query = (
        select(
            col(Item.id),
            col(Item.order),
            func.coalesce(submitted.c.mine, 0),
            func.coalesce(acts.c.last_act, 0),
            col(DraftEvent.kind),
        )
        .outerjoin(submitted, submitted.c.item_id == Item.id)
        .outerjoin(acts, acts.c.item_id == Item.id)
        .outerjoin(DraftEvent, col(DraftEvent.id) == acts.c.last_act)
        .where(col(Item.project_id) == who.project_id)
        .where((func.coalesce(submitted.c.everyone, 0) < who.overlap) | (submitted.c.mine > 0))
        .order_by(col(Item.order))
    )
    return [
        Line(item_id, order, _status(mine, kind), last_act)
        for item_id, order, mine, last_act, kind in session.execute(query)
    ]


def _status(mine: int, last_kind: str | None) -> Status:
    if mine:
        return "submitted"
    if last_kind is None:
        return "todo"
    return "skipped" if last_kind == "skip" else "draft"


def _last_acts(person_id: int) -> Subquery:
    return (
        select(col(DraftEvent.item_id), func.max(col(DraftEvent.id)).label("last_act"))
        .where(col(DraftEvent.person_id) == person_id, col(DraftEvent.kind).in_(ACTS))
        .where(~_undone())
        .group_by(col(DraftEvent.item_id))
        .subquery()
    )


@cache
def _undone() -> ColumnElement[bool]:
    undo = aliased(DraftEvent)
    return exists().where(col(undo.undoes_id) == col(DraftEvent.id))


def _submitted(who: Standing) -> Subquery:
    mine = func.sum(func.iif(col(Annotation.person_id) == who.person_id, 1, 0))
    return (
        select(col(Annotation.item_id), func.count().label("everyone"), mine.label("mine"))
        .join(Item, col(Item.id) == Annotation.item_id)
        .where(col(Item.project_id) == who.project_id, stands())
        .group_by(col(Annotation.item_id))
        .subquery()
    )
