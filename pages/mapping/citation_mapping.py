"""Citation mapping: which provisions does the official answer rest on?"""

from __future__ import annotations

from typing import Any

import streamlit as st

from annotation.mapping.views import ItemView
from annotation.people.roles import Act
from annotation.work import queue_service
from pages.mapping.acts import MappingSession, carry_out
from pages.mapping.discussion import discussion_part
from pages.mapping.documents import documents_part
from pages.mapping.viewer import MAPPING
from pages.mapping.viewer_data import fixed_part, found_part, item_key, moving_part
from pages.shell import timing
from pages.shell.context import Context
from pages.shell.guard import guarded
from pages.shell.notices import allowed
from pages.task.batch_banner import draw_banner
from pages.task.task_session import open_seat, open_session
from pages.task.viewer import rerun_button
from pages.task.viewer_data import finished_part, thread_part
from storage.tasks import Task

_SITTING = "mapping_sitting"


def render(context: Context) -> None:
    """Draw the page: the open item, or the next one, or that everything is done."""
    rerun_button(context.say("mapping.rerun"))
    if not context.may(Act.ANNOTATE):
        st.title(context.say("app.pages.citation_mapping"), anchor=False)
        allowed(context, Act.ANNOTATE)
        return
    _desk(context)


@st.fragment
def _desk(context: Context) -> None:
    """Draw the viewer. A fragment, so that a decision draws this and nothing else again."""
    with guarded(context.language):
        sitting = open_session(context, MappingSession, Task.CITATION_MAPPING, _SITTING)
        item = open_seat(context, sitting, queue_service.open_item)
        draw_banner(context, None if item is None else item.item_id)
        MAPPING.mount(_data(context, sitting, item), on_acts=lambda: _receive(context, sitting))
    timing.finish("citation_mapping")


def _receive(context: Context, sitting: MappingSession) -> None:
    timing.start()
    carry_out(context.workspace, sitting, MAPPING.sent(), context.language)


def _data(context: Context, sitting: MappingSession, item: ItemView | None) -> dict[str, Any]:
    """Return what the viewer is told; the fixed part only if the viewer does not hold it."""
    language = context.language
    if item is None:
        entries = queue_service.queue(context.workspace, context.person.id)
        key = f"finished|{language}|{len(entries)}"
        last = queue_service.last_submitted(context.workspace, context.person.id)
        fixed, moving = finished_part(entries, last is not None)
    else:
        key, moving = item_key(item, language), moving_part(item)
        moving["discussion"] = discussion_part(context.workspace, context.person.id, item, language)
        fixed = {} if sitting.held == key else fixed_part(item, language)
    data: dict[str, Any] = {
        "person": sitting.person_id,
        "key": key,
        "moving": moving,
        "ack": sitting.answer(),
    }
    if sitting.held != key:
        told = documents_part(context.workspace, context.person.id, item, language)
        data |= {"fixed": fixed} | told
    sitting.held = ""  # whatever is drawn next without a word from the viewer is drawn whole
    if sitting.found:
        data["found"] = found_part(*sitting.found, language)
    if sitting.graph:
        from pages.mapping.graph import graph_part  # arrays, once somebody looks at a graph

        data["graph"] = graph_part(sitting.graph, language)
    if sitting.thread:
        data["thread"] = thread_part(*sitting.thread, context.person.id, language)
    data |= {"queue": sitting.queue, "notice": sitting.notice}
    sitting.found = sitting.queue = sitting.graph = sitting.thread = sitting.notice = None
    return data
