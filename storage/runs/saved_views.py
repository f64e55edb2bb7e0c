"""Saved views of the leaderboard."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlmodel import Session, col, select

from storage.tables.core import Person
from storage.tables.runs import SavedView


@dataclass(frozen=True, slots=True)
class StoredView:
    """The newest version of a saved view; `by` is "" for the operator."""

    name: str
    view: Mapping[str, Any]
    by: str
    at: datetime


def keep_view(
    session: Session,
    project_id: int,
    name: str,
    view: Mapping[str, Any],
    by: int | None,
    at: datetime,
) -> None:
    """Save a view, replacing the one of that name; an empty one deletes it."""
    row = SavedView(project_id=project_id, name=name, view=dict(view), by_person_id=by, at=at)
    session.add(row)
    session.flush()


def stored_views(session: Session, project_id: int) -> dict[str, StoredView]:
    """Return the views of the project by name, ascending."""
    query = (
        select(SavedView, Person.name)
        .outerjoin(Person, col(Person.id) == col(SavedView.by_person_id))
        .where(SavedView.project_id == project_id)
        .order_by(col(SavedView.id))
    )
    newest = {
        row.name: StoredView(row.name, row.view, by or "", row.at)
        for row, by in session.exec(query)
    }
    return {name: newest[name] for name in sorted(newest) if newest[name].view}
