"""The screen of a task with a form: its viewer in the frame of work."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from annotation.forms.open_item import AnswersView, open_item
from annotation.work import queue_service
from annotation.work.task_access import act_of
from errors import UserError
from pages.batches.practice_feedback import draw_feedback
from pages.shell import timing
from pages.shell.context import Context
from pages.shell.guard import guarded
from pages.shell.permission_notice import allowed
from pages.task import acts as task_acts
from pages.task.batch_banner import draw_batch
from pages.task.documents import guideline_part, options_of
from pages.task.form_acts import FORM_ACTS, FormSession, Handler
from pages.task.task_session import open_seat, open_session
from pages.task.viewer import Viewer, rerun_button
from pages.task.viewer_data import finished_part, frame_part, thread_part, ui_words
from storage.db.workspace import Workspace
from storage.tasks import Task

Fixed = Callable[[Workspace, int, AnswersView, str], dict[str, Any]]


def _one_stage(_item: AnswersView) -> str:
    return ""


@dataclass(frozen=True, slots=True)
class AnswersPage:
    """The screen of a task with a form.

    `fixed` returns what is drawn of an item beside the person's own answers, for (workspace,
    person id, item, language); it is sent again only when the item, its versions or its `stage`
    change. What is not to be seen before something is answered is left out of it until the stage
    says so: what the browser does not have, nobody can look up there. `acts` are the task's own.
    """

    task: Task
    viewer: Viewer
    fixed: Fixed
    stage: Callable[[AnswersView], str] = _one_stage
    acts: Mapping[str, Handler] = field(default_factory=dict)

    def render(self, context: Context) -> None:
        """Draw the page: the open item, or the next one, or that everything is done."""
        rerun_button(context.say("mapping.rerun"))
        act = act_of(self.task)
        if not context.may(act):
            st.title(context.say(f"app.pages.{self.task}"), anchor=False)
            allowed(context, act)
            return
        _desk(context, self)


@st.fragment
def _desk(context: Context, page: AnswersPage) -> None:
    """Draw the viewer. A fragment, so that an answer draws this and nothing else again."""
    with guarded(context.language):
        sitting = open_session(context, FormSession, page.task, f"{page.task}_sitting")
        item = open_seat(context, sitting, _opener(page.task))
        draw_batch(context, None if item is None else item.item_id)
        draw_feedback(context, page.task)
        data = _data(context, page, sitting, item)
        page.viewer.mount(data, on_acts=lambda: _receive(context, page, sitting))
    timing.finish(page.task)


def _receive(context: Context, page: AnswersPage, sitting: FormSession) -> None:
    timing.start()
    acts = {**FORM_ACTS, **page.acts}
    sent = page.viewer.sent()
    task_acts.carry_out(context.workspace, sitting, sent, context.language, acts)


def _opener(task: Task) -> Callable[[Workspace, int, int], AnswersView]:
    """Return what opens an item of the task; one of another, by its address, is not there."""

    def open_here(ws: Workspace, person_id: int, item_id: int) -> AnswersView:
        item = open_item(ws, person_id, item_id)
        if item.task != task:
            raise UserError("item_unknown", item=item.item_id)
        return item

    return open_here


def _data(
    context: Context, page: AnswersPage, sitting: FormSession, item: AnswersView | None
) -> dict[str, Any]:
    """Return what the viewer is told; the fixed part only if the viewer does not hold it."""
    workspace, person, language = context.workspace, context.person.id, context.language
    if item is None:
        entries = queue_service.queue(workspace, person, page.task)
        key = f"finished|{language}|{len(entries)}"
        last = queue_service.last_submitted(workspace, person, page.task)
        fixed, moving = finished_part(entries, last is not None)
    else:
        key = _key(page, item, language)
        moving = {**frame_part(item), "answers": dict(item.answers)}
        fixed = {}
    data: dict[str, Any] = {
        "person": sitting.person_id,
        "key": key,
        "moving": moving,
        "ack": sitting.answer(),
    }
    if sitting.held != key:
        if item is not None:
            shown = page.fixed(workspace, person, item, language)
            fixed = {"id": item.item_id, "externalId": item.external_id, **shown}
        data |= {"fixed": fixed, **_documents(context, page, item)}
    sitting.held = ""  # whatever is drawn next without a word from the viewer is drawn whole
    if sitting.thread:
        data["thread"] = thread_part(*sitting.thread, person, language)
    data |= {"queue": sitting.queue, "notice": sitting.notice, **sitting.told}
    sitting.queue = sitting.thread = sitting.notice = None
    sitting.told = {}
    return data


def _key(page: AnswersPage, item: AnswersView, language: str) -> str:
    """Return what identifies the fixed part: it changes when the part would."""
    told = f"{item.guideline_version}|{item.codebook_version}|{item.begun_under[0]}"
    return f"{item.item_id}|{item.candidate_set_id}|{language}|{told}|{page.stage(item)}"


def _documents(context: Context, page: AnswersPage, item: AnswersView | None) -> dict[str, Any]:
    where = context.workspace, context.person.id, page.task
    begun = ("", "") if item is None else item.begun_under
    words = dict(ui_words(page.viewer.name, context.language))
    for option in options_of(*where, context.language):
        words[f"option_{option.key}"] = option.label[context.language]
    return {"words": words, "guideline": guideline_part(*where, begun, context.language)}
