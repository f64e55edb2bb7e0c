"""When the people who fill in a form see a model's suggestions, and items that show others.

An item stores the setting and what it shows. Drafts in progress and complete items are left
unchanged, so that answers under different settings can be told apart.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlmodel import Session

from annotation.forms.submissions import complete_items
from errors import UserError, Where, require_known
from storage.subjects import ShownItem, add_candidate_set, shown_items
from storage.tasks import Task


class Suggestions(StrEnum):
    """When suggestions are shown."""

    SHOWN = "shown"  # from the start
    HIDDEN = "hidden"  # never
    AFTER = "after"  # for a field, once it is answered


def setting_called(name: str, held: str = "") -> Suggestions:
    """Return the setting of that name. Raises UserError for an unknown one, and for that `held`."""
    where = Where(field="setting")
    require_known("suggestions_setting", Suggestions, where, setting=name)
    if name == held:
        raise UserError("suggestions_same", where, setting=name)
    return Suggestions(name)


def show_in_items(
    session: Session,
    project_id: int,
    task: Task,
    shown_in: Callable[[ShownItem], Mapping[str, Any]],
    at: datetime,
) -> int:
    """Have incomplete items show the values of `shown_in` where these differ; return how many."""
    done, changed = complete_items(session, project_id, task), 0
    for each in shown_items(session, project_id, task):
        now = {**each.shown, **shown_in(each)}
        if each.item_id not in done and each.shown != now:
            add_candidate_set(session, each.item_id, now, at)
            changed += 1
    return changed
