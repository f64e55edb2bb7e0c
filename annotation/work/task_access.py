"""Who may work on the items of a task."""

from __future__ import annotations

from sqlmodel import Session, select

from annotation.people.authorization import ProjectMember, require, require_item
from annotation.people.roles import Act
from storage.db.columns import usable_id
from storage.tables.core import Item
from storage.tasks import Task

_OTHERWISE = {Task.JUDGE_REVIEW: Act.REVIEW_JUDGE}  # whoever reviews has read what people said


def act_of(task: str) -> Act:
    """Return what somebody must be allowed to do to work on the task; ANNOTATE for most."""
    return _OTHERWISE.get(Task(task), Act.ANNOTATE)


def at_work(session: Session, person_id: int, item_id: int) -> tuple[ProjectMember, Item]:
    """Return the person, who does the item's task, and the item of their project.

    Raises UserError for anybody else, and for an item that is not of their project.
    """
    task = session.exec(select(Item.task).where(Item.id == usable_id(item_id))).first()
    who = require(session, person_id, act_of(task or Task.CITATION_MAPPING))
    return who, require_item(session, who, item_id)
