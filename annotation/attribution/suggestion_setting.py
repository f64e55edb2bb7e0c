"""When reviewers see a model's labels, and updating items when that changes."""

from __future__ import annotations

from datetime import datetime

from sqlmodel import Session, col, select

from annotation.forms.suggestions import Suggestions, setting_called, show_in_items
from annotation.people.roles import Act, reading_as, writing_as
from storage.attribution.review import newest_labels
from storage.db.workspace import Workspace
from storage.subjects import ShownItem
from storage.tables.answers import ClaimLabels
from storage.tables.core import CandidateSet, Item
from storage.tasks import Task, of_task

DEFAULT = Suggestions.AFTER


def read_setting(ws: Workspace, slug: str, by: int | None = None) -> Suggestions:
    """Return the current setting, that of the newest item. Raises UserError without permission."""
    with reading_as(ws, slug, by, Act.READ_LAW) as (session, project, _):
        return setting_in(session, project.id)


def setting_in(session: Session, project_id: int) -> Suggestions:
    """Return the setting of the item that was made or updated last; `DEFAULT` if there is none."""
    here = select(Item.id).where(of_task(project_id, Task.ATTRIBUTION))
    shown = (
        select(CandidateSet.shown)
        .where(col(CandidateSet.item_id).in_(here))
        .order_by(col(CandidateSet.id).desc())
        .limit(1)
    )
    found = session.exec(shown).first()
    return Suggestions(found["suggestions"]) if found else DEFAULT


def set_suggestions(ws: Workspace, slug: str, setting: str, by: int | None = None) -> int:
    """Set when a model's labels are shown; return the number of items updated.

    Complete items are left unchanged. Raises UserError without permission, for an unknown setting,
    and for the current one.
    """
    setting_called(setting)
    with writing_as(ws, slug, by, Act.EDIT_GUIDELINES) as (session, project, _):
        wanted = setting_called(setting, held=setting_in(session, project.id))
        return show_newest(session, project.id, wanted, ws.clock())


def show_newest(session: Session, project_id: int, setting: Suggestions, at: datetime) -> int:
    """Update every incomplete item to the setting and newest labels; return how many changed.

    An item keeps the judge whose labels it shows.
    """
    newest = newest_labels(session, project_id)

    def shown_in(item: ShownItem) -> dict[str, object]:
        """Return the setting and the newest labels for an item."""
        labels = item.shown["labels"]
        if (made := session.get(ClaimLabels, labels)) is not None:
            labels = newest[item.subject_id, made.judge].id
        return {"suggestions": str(setting), "labels": labels}

    return show_in_items(session, project_id, Task.ATTRIBUTION, shown_in, at)
