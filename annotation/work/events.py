"""The log of what people did: reading one person's part of it, and adding to it."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from functools import cache
from itertools import pairwise
from typing import Any

from sqlalchemy import ColumnElement, bindparam, insert, select
from sqlmodel import Session, SQLModel, col

from annotation.work.draft import MIGRATE, Event
from storage.tables.core import DraftEvent

# A longer silence than this is taken for a break: only so much of it counts as work on an item.
IDLE_CAP = timedelta(seconds=120)


def own_events(session: Session, person_id: int, item_id: int) -> list[Event]:
    """Return what this person, and nobody else, did on the item, oldest first."""
    asked = {"person_id": person_id, "item_id": item_id}
    return [Event(*row) for row in session.execute(_own_events(), asked)]


def add_event(
    session: Session,
    person_id: int,
    item_id: int,
    kind: str,
    at: datetime,
    payload: dict[str, Any] | None = None,
    undoes_id: int | None = None,
) -> int:
    """Add one row to the log; return its id."""
    row = {
        "item_id": item_id,
        "person_id": person_id,
        "kind": kind,
        "payload": payload or {},
        "undoes_id": undoes_id,
        "at": at,
    }
    return inserted_id(session, DraftEvent, row)


def inserted_id(session: Session, table: type[SQLModel], row: dict[str, Any]) -> int:
    """Insert a row of all its columns but the id; return its id.

    Past the object layer, which takes longer than the statement, while others wait for the lock.
    """
    found = session.connection().execute(_insert(table), row).inserted_primary_key
    assert found is not None  # noqa: S101  (a single row has one)
    return int(found[0])


def latest_event(session: Session, person_id: int) -> tuple[int, datetime] | None:
    """Return (item id, time) of the last thing this person did on any item."""
    found = session.execute(_latest(), {"person_id": person_id}).first()
    return None if found is None else (found[0], found[1])


def active_seconds(session: Session, person_id: int, item_id: int, until: datetime) -> float:
    """Return how long this person has worked on the item up to `until`.

    The time after each thing they did, until the next thing they did on any item, belongs to the
    item it was done on, at most `IDLE_CAP` of it; the time after a submission belongs to none.
    """
    rows = session.execute(_since_first(), {"person_id": person_id, "item_id": item_id})
    return measure([(item, kind, at) for item, kind, at in rows], item_id, until)


def measure(log: Iterable[tuple[int, str, datetime]], item_id: int, until: datetime) -> float:
    """Return the active seconds on an item from a person's (item id, kind, time) rows."""
    rows = list(log)
    spent = timedelta(0)
    for (item, kind, at), (_, _, end) in pairwise([*rows, (0, "", until)]):
        if item == item_id and kind != "submit":
            spent += min(max(end - at, timedelta(0)), IDLE_CAP)
    return spent.total_seconds()


# Statements are built once: building one takes longer than running it.
@cache
def _own_events() -> Any:
    shown = (DraftEvent.kind, DraftEvent.payload, DraftEvent.undoes_id, DraftEvent.at)
    return (
        select(col(DraftEvent.id), *(col(each) for each in shown))
        .where(_by_me(), _on_item())
        .order_by(col(DraftEvent.id))
    )


@cache
def _latest() -> Any:
    query = select(col(DraftEvent.item_id), col(DraftEvent.at)).where(_by_me(), _own_act())
    return query.order_by(col(DraftEvent.id).desc()).limit(1)


@cache
def _since_first() -> Any:
    first = select(col(DraftEvent.id)).where(_by_me(), _on_item()).order_by(col(DraftEvent.id))
    return (
        select(col(DraftEvent.item_id), col(DraftEvent.kind), col(DraftEvent.at))
        .where(_by_me(), _own_act(), col(DraftEvent.id) >= first.limit(1).scalar_subquery())
        .order_by(col(DraftEvent.id))
    )


@cache
def _insert(table: type[SQLModel]) -> Any:
    return insert(table.__table__)  # type: ignore[attr-defined]


def _by_me() -> ColumnElement[bool]:
    return col(DraftEvent.person_id) == bindparam("person_id")


def _own_act() -> ColumnElement[bool]:
    """Return the condition that the person did it: a migration is not theirs."""
    return col(DraftEvent.kind) != MIGRATE


def _on_item() -> ColumnElement[bool]:
    return col(DraftEvent.item_id) == bindparam("item_id")
