"""The screen of a task with a form: its viewer in the frame of work."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from annotation import desk
from annotation.answers.desk import AnswersView, open_item
from annotation.working import act_of
from errors import UserError
from pages import timing
from pages.context import Context
from pages.guard import guarded, show
from pages.parts import frame_acts
from pages.parts.answers_acts import FORM_ACTS, Handler, Sitting
from pages.parts.assign_banner import draw_batch
from pages.parts.frame_data import finished_part, frame_part, thread_part, ui_words
from pages.parts.frame_documents import guideline_part, options_of
from pages.parts.frame_viewer import Viewer, rerun_button
from pages.parts.only_for import allowed
from storage.tasks import Task
from storage.workspace import Workspace

_ITEM = "item"  # the viewer names the open item in the address
_ITEM_ID = re.compile(r"[0-9]{1,100}")  # longer numbers Python refuses to read

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
        sitting = _sitting(context, page.task)
        item = _open(context, sitting)
        draw_batch(context, None if item is None else item.item_id)
        data = _data(context, page, sitting, item)
        page.viewer.mount(data, on_acts=lambda: _receive(context, page, sitting))
    timing.finish(page.task)


def _receive(context: Context, page: AnswersPage, sitting: Sitting) -> None:
    timing.start()
    acts = {**FORM_ACTS, **page.acts}
    sent = page.viewer.sent()
    frame_acts.carry_out(context.workspace, sitting, sent, context.language, acts)


def _sitting(context: Context, task: Task) -> Sitting:
    """Return this session's sitting at the task; another person or project sits down anew."""
    key = f"{task}_sitting"
    sitting = st.session_state.get(key)
    if isinstance(sitting, Sitting) and (sitting.project, sitting.person_id) == (
        context.project,
        context.person.id,
    ):
        return sitting
    first = sitting is None
    sitting = Sitting(context.project, context.person.id, task=task)
    named = st.query_params.get(_ITEM, "")
    if first and _ITEM_ID.fullmatch(named):
        sitting.item_id = int(named)
    st.session_state[key] = sitting
    return sitting


def _open(context: Context, sitting: Sitting) -> AnswersView | None:
    """Return the sitting's item. One that cannot be opened is said, and the next one taken."""
    workspace, person = context.workspace, context.person.id
    if sitting.item_id is not None:
        try:
            return _of_task(open_item(workspace, person, sitting.item_id), sitting.task)
        except UserError as error:
            show(error, context.language)
    sitting.item_id = desk.next_item(workspace, person, task=sitting.task)
    if sitting.item_id is None:
        return None
    return open_item(workspace, person, sitting.item_id)


def _of_task(item: AnswersView, task: str) -> AnswersView:
    if item.task != task:  # an address that names an item of another screen
        raise UserError("item_unknown", item=item.item_id)
    return item


def _data(
    context: Context, page: AnswersPage, sitting: Sitting, item: AnswersView | None
) -> dict[str, Any]:
    """Return what the viewer is told; the fixed part only if the viewer does not hold it."""
    workspace, person, language = context.workspace, context.person.id, context.language
    if item is None:
        entries = desk.queue(workspace, person, page.task)
        key = f"finished|{language}|{len(entries)}"
        fixed, moving = finished_part(entries)
    else:
        key = _key(page, item, language)
        moving = {**frame_part(item), "answers": dict(item.answers)}
        fixed = {}
    left = None if item is not None and item.can_undo else _last_left(context, page.task)
    moving["lastLeft"] = left
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


def _last_left(context: Context, task: Task) -> int | None:
    return desk.last_left(context.workspace, context.person.id, task)
