"""The log of what people did: reading one person's part of it, and adding to it."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Any

from sqlmodel import Session, col, select

from annotation.draft import Event
from storage.tables import DraftEvent

# A longer silence than this is taken for a break: only so much of it counts as work on an item.
IDLE_CAP = timedelta(seconds=120)


def own_events(session: Session, person_id: int, item_id: int) -> list[Event]:
    """Return what this person, and nobody else, did on the item, oldest first."""
    query = select(DraftEvent).where(
        DraftEvent.item_id == item_id, DraftEvent.person_id == person_id
    )
    return [
        Event(row.id or 0, row.kind, row.payload, row.undoes_id, row.at)
        for row in session.exec(query.order_by(col(DraftEvent.id)))
    ]


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
    row = DraftEvent(
        item_id=item_id,
        person_id=person_id,
        kind=kind,
        payload=payload or {},
        undoes_id=undoes_id,
        at=at,
    )
    session.add(row)
    session.flush()
    assert row.id is not None  # noqa: S101  (just flushed)
    return row.id


def latest_event(session: Session, person_id: int) -> tuple[int, datetime] | None:
    """Return (item id, time) of the last thing this person did on any item."""
    query = select(DraftEvent.item_id, DraftEvent.at).where(DraftEvent.person_id == person_id)
    return session.exec(query.order_by(col(DraftEvent.id).desc()).limit(1)).first()


def active_seconds(session: Session, person_id: int, item_id: int, until: datetime) -> float:
    """Return how long this person has worked on the item up to `until`.

    The time after each thing they did, until the next thing they did on any item, belongs to the
    item it was done on, at most `IDLE_CAP` of it; the time after a submission belongs to none.
    """
    mine = (DraftEvent.person_id == person_id, DraftEvent.item_id == item_id)
    first = select(DraftEvent.id).where(*mine).order_by(col(DraftEvent.id)).limit(1)
    query = (
        select(DraftEvent.item_id, DraftEvent.kind, DraftEvent.at)
        .where(DraftEvent.person_id == person_id)
        .where(col(DraftEvent.id) >= first.scalar_subquery())
        .order_by(col(DraftEvent.id))
    )
    return measure(session.exec(query).all(), item_id, until)


def measure(log: Iterable[tuple[int, str, datetime]], item_id: int, until: datetime) -> float:
    """Return the active seconds on an item from a person's (item id, kind, time) rows."""
    rows = list(log)
    spent = timedelta(0)
    for (item, kind, at), (_, _, end) in pairwise([*rows, (0, "", until)]):
        if item == item_id and kind != "submit":
            spent += min(max(end - at, timedelta(0)), IDLE_CAP)
    return spent.total_seconds()
