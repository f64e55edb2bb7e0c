"""When those who tag see what a model suggests, and showing items anew when that changes.

An item names the setting and the newest suggestion that it shows. A draft in progress keeps what
it was begun on, and what is complete is left as it is.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy.orm import aliased
from sqlmodel import Session, col, func, select

from annotation.forms.submissions import complete
from annotation.people.roles import Act, reading_as, writing_as
from errors import UserError, Where
from storage.db.workspace import Workspace
from storage.subjects import show_anew
from storage.tables.cases import CaseSetting
from storage.tables.core import CandidateSet, Item, Person
from storage.tagging.suggestions import AFTER, newest_ids, setting_of
from storage.tasks import Task, of_task


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


@dataclass(frozen=True, slots=True)
class ItemShown:
    """An item of the task and what it shows to whoever begins it now."""

    item_id: int
    court_case_id: int
    external_id: str
    shown: dict[str, Any]

    @property
    def groups(self) -> tuple[str, ...]:
        """The standard groups under which it is tagged."""
        return tuple(self.shown.get("groups", ()))


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


def show_newest(session: Session, project_id: int, at: datetime) -> int:
    """Let every item that is not complete show what holds now; return how many showed other.

    Called in the transaction that changes the setting, or brings suggestions.
    """
    setting = setting_of(session, project_id)
    newest, done = newest_ids(session, project_id), complete(session, project_id, _TASK)
    changed = 0
    for each in items_shown(session, project_id):
        now = {"suggestions": setting, "suggested": newest.get(each.court_case_id, 0)}
        if each.item_id not in done and each.shown != each.shown | now:
            show_anew(session, each.item_id, each.shown | now, at)
            changed += 1
    return changed


def items_shown(session: Session, project_id: int) -> list[ItemShown]:
    """Return the items of the task with what each shows now, in queue order."""
    later = aliased(CandidateSet)
    newest = (
        select(func.max(col(later.id))).where(col(later.item_id) == col(Item.id)).correlate(Item)
    )
    query = (
        select(Item.id, Item.subject_id, Item.external_id, CandidateSet.shown)
        .join(CandidateSet, col(CandidateSet.item_id) == col(Item.id))
        .where(of_task(project_id, _TASK), col(CandidateSet.id) == newest.scalar_subquery())
        .order_by(col(Item.order))
    )
    return [
        ItemShown(item or 0, case or 0, name or "", dict(shown or {}))
        for item, case, name, shown in session.exec(query)
    ]


_TASK = Task.FACTOR_TAGGING
