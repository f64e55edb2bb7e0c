"""A session's place at a task: who sits there, and the item that is open."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeVar

import streamlit as st

from annotation.work import queue_service
from errors import UserError
from pages.shell.context import Context
from pages.shell.guard import show
from pages.task.acts import TaskSession
from storage.db.workspace import Workspace
from storage.tasks import Task

SessionT = TypeVar("SessionT", bound=TaskSession)
View = TypeVar("View")
_ITEM = "item"  # the viewer names the open item in the address
_ITEM_ID = re.compile(r"[0-9]{1,100}")  # longer numbers Python refuses to read


def open_session(context: Context, kind: type[SessionT], task: Task, key: str) -> SessionT:
    """Return this session's sitting at the task; another person or project sits down anew."""
    sitting = st.session_state.get(key)
    if isinstance(sitting, kind) and (sitting.project, sitting.person_id) == (
        context.project,
        context.person.id,
    ):
        return sitting
    first = sitting is None
    anew = kind(context.project, context.person.id, task=task)
    named = st.query_params.get(_ITEM, "")
    if first and _ITEM_ID.fullmatch(named):
        anew.item_id = int(named)
    st.session_state[key] = anew
    return anew


def open_seat(
    context: Context, sitting: TaskSession, open_item: Callable[[Workspace, int, int], View]
) -> View | None:
    """Return the sitting's item. One that cannot be opened is said, and the next one taken."""
    workspace, person = context.workspace, context.person.id
    if sitting.item_id is not None:
        try:
            return open_item(workspace, person, sitting.item_id)
        except UserError as error:
            show(error, context.language)
    sitting.item_id = queue_service.next_item(workspace, person, task=sitting.task)
    if sitting.item_id is None:
        return None
    return open_item(workspace, person, sitting.item_id)
