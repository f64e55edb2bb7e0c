"""When taggers see models' suggestions, and updating items when that changes.

An item stores the setting and the newest suggestion that it shows. Drafts in progress and complete
items are left unchanged.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlmodel import Session

from annotation.forms.submissions import complete_items
from annotation.people.roles import Act, reading_as, writing_as
from errors import UserError, Where
from storage.db.rows import add_row
from storage.db.workspace import Workspace
from storage.projects import authored
from storage.subjects import ShownItem, Suggestions, show_anew
from storage.tables.cases import CaseSetting
from storage.tagging import newest_ids, setting_of
from storage.tasks import Task


@dataclass(frozen=True, slots=True)
class SettingView:
    """The current setting, and who made it when; nobody for the default."""

    setting: Suggestions
    person: str | None = None
    at: datetime | None = None


def setting_view(session: Session, project_id: int) -> SettingView:
    """Return the project's current setting."""
    rows = authored(session, CaseSetting, CaseSetting.project_id == project_id)
    if not rows:
        return SettingView(Suggestions.AFTER)
    row, name = rows[-1]
    return SettingView(Suggestions(row.suggestions), name, row.at)


def read_setting(ws: Workspace, project_slug: str, by: int | None = None) -> SettingView:
    """Return the setting. Raises UserError without permission and for an unknown project."""
    with reading_as(ws, project_slug, by, Act.READ_LAW) as (session, project, _):
        return setting_view(session, project.id)


def set_suggestions(ws: Workspace, project_slug: str, setting: str, by: int | None = None) -> int:
    """Set when suggestions are shown; return the number of items updated.

    Raises UserError without permission, for an unknown setting, and for the current one.
    """
    wanted = Suggestions.called(setting)
    with writing_as(ws, project_slug, by, Act.EDIT_GUIDELINES) as (session, project, _):
        if setting_of(session, project.id) == wanted:
            raise UserError("suggestions_same", Where(field="setting"), setting=setting)
        row = CaseSetting(
            project_id=project.id, suggestions=str(wanted), by_person_id=by, at=ws.clock()
        )
        add_row(session, row)
        return show_newest(session, project.id, ws.clock())


def groups_shown(item: ShownItem) -> tuple[str, ...]:
    """Return the standard groups under which an item is tagged."""
    return tuple(item.shown.get("groups", ()))


def show_newest(session: Session, project_id: int, at: datetime) -> int:
    """Update every incomplete item to the current setting and suggestions; return how many changed.

    Called in the transaction that changes the setting, or imports suggestions.
    """
    setting = setting_of(session, project_id)
    newest, done = newest_ids(session, project_id), complete_items(session, project_id, _TASK)

    def material(item: ShownItem) -> dict[str, Any]:
        """Return the setting and the newest suggestion on an item."""
        return {"suggestions": setting, "suggested": newest.get(item.subject_id, 0)}

    return show_anew(session, project_id, _TASK, material, at, done)


_TASK = Task.FACTOR_TAGGING
