"""When taggers see models' suggestions, and updating items when that changes."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session

from annotation.forms.suggestions import Suggestions, setting_called, show_in_items
from annotation.people.roles import Act, reading_as, writing_as
from storage.db.workspace import Workspace
from storage.projects import authored
from storage.subjects import ShownItem
from storage.tables.cases import CaseSetting
from storage.tagging import AFTER, newest_ids, setting_of
from storage.tasks import Task


@dataclass(frozen=True, slots=True)
class SettingView:
    """The current setting, and who made it when; nobody for the default."""

    setting: Suggestions
    person: str | None = None
    at: datetime | None = None


def read_setting(ws: Workspace, project_slug: str, by: int | None = None) -> SettingView:
    """Return the setting, by default `AFTER`, who set it and when. UserError unless permitted."""
    with reading_as(ws, project_slug, by, Act.READ_LAW) as (session, project, _):
        rows = authored(session, CaseSetting, CaseSetting.project_id == project.id)
        if not rows:
            return SettingView(Suggestions(AFTER))
        row, name = rows[-1]
        return SettingView(Suggestions(row.suggestions), name, row.at)


def set_suggestions(ws: Workspace, project_slug: str, setting: str, by: int | None = None) -> int:
    """Set when suggestions are shown; return the number of items updated.

    Raises UserError without permission, for an unknown setting, and for the current one.
    """
    setting_called(setting)
    with writing_as(ws, project_slug, by, Act.EDIT_GUIDELINES) as (session, project, _):
        setting_called(setting, held=setting_of(session, project.id))
        row = CaseSetting(
            project_id=project.id, suggestions=setting, by_person_id=by, at=ws.clock()
        )
        session.add(row)
        session.flush()
        return show_newest(session, project.id, ws.clock())


def groups_shown(item: ShownItem) -> tuple[str, ...]:
    """Return the keys of the standard groups under which an item is tagged."""
    return tuple(item.shown.get("groups", ()))


def show_newest(session: Session, project_id: int, at: datetime) -> int:
    """Update every incomplete item to the current setting and suggestions; return how many changed.

    Called in the transaction that changes the setting, or imports suggestions.
    """
    setting, newest = setting_of(session, project_id), newest_ids(session, project_id)

    def shown_in(item: ShownItem) -> dict[str, object]:
        """Return the setting and the newest suggestion for an item."""
        return {"suggestions": setting, "suggested": newest.get(item.subject_id, 0)}

    return show_in_items(session, project_id, Task.FACTOR_TAGGING, shown_in, at)
