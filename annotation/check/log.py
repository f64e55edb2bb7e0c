"""The log of acts as the checks read it, as columns, since there are many rows."""

from __future__ import annotations

from collections.abc import Iterator

import sqlalchemy
from sqlmodel import Session, col

from annotation.work.draft import Event
from storage.projects import ProjectView
from storage.tables.core import DraftEvent, Item

Done = tuple[int, int, Event]
"""A person's id, an item's id, and the event."""


def acts(session: Session, project: ProjectView) -> Iterator[Done]:
    """Yield all acts of the project, in order."""
    query = (
        sqlalchemy.select(
            col(DraftEvent.person_id),
            col(DraftEvent.item_id),
            col(DraftEvent.id),
            col(DraftEvent.kind),
            col(DraftEvent.payload),
            col(DraftEvent.undoes_id),
            col(DraftEvent.at),
        )
        .join(Item, col(Item.id) == col(DraftEvent.item_id))
        .where(col(Item.project_id) == project.id)
        .order_by(col(DraftEvent.id))
    )
    for person_id, item_id, *event in session.execute(query):
        yield person_id, item_id, Event(*event)
