"""When those who tag see what a model suggests, and showing items anew when that changes.

An item names the setting and the newest suggestion that it shows. A draft in progress keeps what
it was begun on, and what is complete is left as it is.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from sqlmodel import Session, col, select

from annotation.forms.submissions import complete
from annotation.people.roles import Act, reading_as, writing_as
from errors import UserError, Where
from storage.db.workspace import Workspace
from storage.subjects import ShownItem, show_anew, shown_items
from storage.tables.cases import CaseSetting
from storage.tables.core import Person
from storage.tagging.suggestions import AFTER, newest_ids, setting_of
from storage.tasks import Task


class Suggestions(StrEnum):
    """When suggestions are seen."""

    SHOWN = "shown"  # from the beginning
    HIDDEN = "hidden"  # never
    AFTER = "after"  # of a sub-factor once it is answered


@dataclass(frozen=True, slots=True)
class SettingView:
    """What holds, and who said so when; nobody where it is what holds until somebody does."""

    setting: Suggestions
    person: str | None = None
    at: datetime | None = None


def setting_view(session: Session, project_id: int) -> SettingView:
    """Return the setting that holds in the project."""
    query = (
        select(CaseSetting, Person.name)
        .join(Person, col(Person.id) == col(CaseSetting.by_person_id), isouter=True)
        .where(CaseSetting.project_id == project_id)
        .order_by(col(CaseSetting.id).desc())
    )
    found = session.exec(query.limit(1)).first()
    if found is None:
        return SettingView(Suggestions(AFTER))
    row, name = found
    return SettingView(Suggestions(row.suggestions), name, row.at)


def read_setting(ws: Workspace, project_slug: str, by: int | None = None) -> SettingView:
    """Return the setting. Raises UserError for who may not read it, and an unknown project."""
    with reading_as(ws, project_slug, by, Act.READ_LAW) as (session, project, _):
        return setting_view(session, project.id)


def set_suggestions(ws: Workspace, project_slug: str, setting: str, by: int | None = None) -> int:
    """Say when suggestions are seen from now on; return how many items are shown anew.

    Raises UserError for who may not, for no setting, and for the one that holds already.
    """
    known = ", ".join(Suggestions)
    if setting not in tuple(Suggestions):
        where = Where(field="setting")
        raise UserError("suggestions_setting", where, setting=setting, known=known)
    with writing_as(ws, project_slug, by, Act.EDIT_GUIDELINES) as (session, project, _):
        if setting_of(session, project.id) == setting:
            raise UserError("suggestions_same", Where(field="setting"), setting=setting)
        row = CaseSetting(
            project_id=project.id, suggestions=setting, by_person_id=by, at=ws.clock()
        )
        session.add(row)
        session.flush()
        return show_newest(session, project.id, ws.clock())


def groups_shown(item: ShownItem) -> tuple[str, ...]:
    """Return the standard groups under which an item is tagged."""
    return tuple(item.shown.get("groups", ()))


def show_newest(session: Session, project_id: int, at: datetime) -> int:
    """Let every item that is not complete show what holds now; return how many showed other.

    Called in the transaction that changes the setting, or brings suggestions.
    """
    setting = setting_of(session, project_id)
    newest, done = newest_ids(session, project_id), complete(session, project_id, _TASK)
    changed = 0
    for each in shown_items(session, project_id, _TASK):
        now = {"suggestions": setting, "suggested": newest.get(each.subject_id, 0)}
        if each.item_id not in done and each.shown != each.shown | now:
            show_anew(session, each.item_id, each.shown | now, at)
            changed += 1
    return changed


_TASK = Task.FACTOR_TAGGING
