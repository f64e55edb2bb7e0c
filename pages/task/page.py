"""Page of a task: its viewer in the common frame, the same for every task.

Link from a task's page to its disputes.

Progress of a task, for those who lead: items by state, and the history of the chosen one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

import streamlit as st

from annotation.guidelines.codebook_tree import Option
from annotation.people.roles import Act
from annotation.work import queue_service
from annotation.work.queue_service import ItemView
from annotation.work.slots import act_of
from errors import UserError
from evaluation.reports.report import Report, shown
from pages.shell import open_counts
from pages.shell.context import Context, address, query_of, screen_of
from pages.shell.entry import timing
from pages.shell.guard import guarded, md_literal, show
from pages.shell.navigation import own, screen_link
from pages.shell.notices import allowed
from pages.shell.reports import draw_files, draw_section
from pages.task.acts import ACTS, Handlers, TaskSession, carry_out
from pages.task.batch_banner import draw_batch, draw_feedback
from pages.task.documents import guideline_part, options_of
from pages.task.viewer import (
    Viewer,
    discussion_part,
    frame_part,
    rerun_button,
    thread_part,
    ui_words,
)
from storage.db.workspace import Workspace
from storage.tasks import Task


def draw_progress(context: Context, report: Report) -> None:
    """Draw a report of items by state; the items themselves are one press away."""
    states, items = report.sections
    st.markdown(md_literal(report.lead))
    draw_section(context, states, report.name)
    if items.sheet.rows:
        label = f"{items.title} ({len(items.sheet.rows):,})"
        key = f"{report.name}-open-items"
        shut = st.expander(label, icon=":material/list:", on_change="rerun", key=key)
        if shut.open:
            with shut:
                row = draw_section(context, items, report.name)
                if row is not None:
                    item = shown(items.sheet.rows[row][items.sheet.at("item")])
                    words = context.say("task_progress.history", item=item)
                    screen_link(context, "history", words, ":material/history:", item=item)
    draw_files(context, report, report.name)


_ITEM = "item"  # the viewer names the open item in the address
_ITEM_ID = re.compile(r"[0-9]{1,100}")  # longer numbers Python refuses to read

Part = Callable[[Workspace, int, ItemView, str], dict[str, Any]]


def _one_stage(_item: ItemView) -> str:
    """Return "", as the task has a single stage."""
    return ""


def _answers(_ws: Workspace, _person_id: int, item: ItemView, _language: str) -> dict[str, Any]:
    """Return the answers so far."""
    return {"answers": dict(item.answers)}


@dataclass(frozen=True, slots=True)
class TaskPage:
    """A task's page: its viewer, viewer data and acts.

    `fixed` returns what is drawn of an item beside the person's own answers, for (workspace, person
    id, item, language); it is sent again only when the item, its versions or its `stage` change.
    Parts hidden until something is answered are left out until that stage: the browser must not
    have them. `acts` are the task's own, `moving` returns the person's answers, `banner` draws the
    line above the viewer, `option_prefix` prefixes codebook options in the viewer's messages, and
    the catalogue sections `words` override the viewer's messages. `form` returns a declared form as
    the viewer draws it, from the viewer's messages, the codebook's options and the language.
    `first` returns the item to begin with for who has begun none, if not the queue's first.
    """

    task: Task
    viewer: Viewer
    fixed: Part
    stage: Callable[[ItemView], str] = _one_stage
    acts: Handlers = field(default_factory=dict)
    moving: Part = _answers
    banner: Callable[[Context, int | None], None] | None = None
    option_prefix: str = "option_"
    words: tuple[str, ...] = ()
    first: Callable[[Context], int | None] | None = None
    form: Callable[[Mapping[str, str], Sequence[Option], str], dict[str, Any]] | None = None

    @property
    def handlers(self) -> Handlers:
        """Handler of each kind of act."""
        return {**ACTS, **self.acts}

    def render(self, context: Context) -> None:
        """Draw the page: the open or next item, or that everything is done."""
        rerun_button(context.say("mapping.rerun"))
        act = act_of(self.task)
        if not context.may(act):
            st.title(md_literal(context.task_name(self.task)), anchor=False)
            allowed(context, act)
            if context.may(Act.READ_OTHERS_LABELS):
                # Imported for leads alone: who annotates need not wait for charts.
                from services.agreement.task_progress import progress_report

                report = progress_report(*context.here, self.task, context.language, context.by)
                draw_progress(context, report)
            return
        _work(context, self)


@st.fragment
def _work(context: Context, page: TaskPage) -> None:
    """Draw the viewer, as a fragment so that an answer redraws nothing else."""
    with guarded(context.language):
        session = _open_session(context, page.task)
        item = _open_item(context, page, session)
        _banner(context, page, None if item is None else item.item_id)
        open_counts.update_count(screen_of(page.task), 0 if item is None else item.open)
        data = _data(context, page, session, item)
        page.viewer.mount(data, on_acts=lambda: _receive(context, page, session))
    timing.finish(page.task)


def _banner(context: Context, page: TaskPage, item_id: int | None) -> None:
    """Draw the banner above the viewer: batch and feedback on the last practice item."""
    if page.banner is not None:
        page.banner(context, item_id)
        return
    draw_batch(context, item_id)
    draw_feedback(context, page.task)


def _receive(context: Context, page: TaskPage, session: TaskSession) -> None:
    """Carry out the acts that the browser sent; starts the clock of this run."""
    timing.start()
    carry_out(context.workspace, session, page.viewer.sent(), context.language, page.handlers)


def _open_session(context: Context, task: Task) -> TaskSession:
    """Return the session's state for the task, new for another person or project."""
    key = f"{task}_session"
    session = st.session_state.get(key)
    if isinstance(session, TaskSession) and (session.project, session.person_id) == (
        context.project,
        context.person.id,
    ):
        return session
    first = session is None
    anew = TaskSession(context.project, context.person.id, task=task)
    named = st.query_params.get(_ITEM, "")
    if first and _ITEM_ID.fullmatch(named):
        anew.item_id = int(named)
    st.session_state[key] = anew
    return anew


def _open_item(context: Context, page: TaskPage, session: TaskSession) -> ItemView | None:
    """Return the open item; if it cannot be opened, draw the error and take the next."""
    where = context.workspace, context.person.id
    if session.item_id is not None:
        try:
            return queue_service.open_item(*where, session.item_id, session.task)
        except UserError as error:
            show(error, context.language)
    first = None if page.first is None else _first_item(context, page)
    session.item_id = first or queue_service.next_item(*where, task=session.task)
    if session.item_id is None:
        return None
    return queue_service.open_item(*where, session.item_id, session.task)


def _first_item(context: Context, page: TaskPage) -> int | None:
    """Return the page's first item for who has no draft in the queue, if they may do it now."""
    entries = queue_service.queue(context.workspace, context.person.id, page.task)
    if page.first is None or any(each.status == "draft" or each.discuss for each in entries):
        return None
    item = page.first(context)
    return item if any(e.item_id == item and e.status == "todo" for e in entries) else None


def _data(
    context: Context, page: TaskPage, session: TaskSession, item: ItemView | None
) -> dict[str, Any]:
    """Return the viewer's data, the fixed part unless held; clear what is told only once."""
    workspace, person, language = context.workspace, context.person.id, context.language
    moving: dict[str, Any]
    if item is None:
        entries = queue_service.queue(workspace, person, page.task)
        key = f"finished|{language}|{len(entries)}"
        done = sum(entry.status == "submitted" for entry in entries)
        last = queue_service.last_submitted(workspace, person, page.task)
        moving = {"item": None, "total": len(entries), "done": done}
        moving |= {"canTakeBack": last is not None, "next": _next_work(context, page.task)}
    else:
        key = item_key(page, item, language)
        talk = discussion_part(workspace, person, item, language)
        more = page.moving(workspace, person, item, language)
        moving = {**frame_part(item), "discussion": talk, **more}
    keys = own(context)
    key += "".join(f"|{action}={of}" for action, of in sorted(keys.items()))
    data = {"person": session.person_id, "key": key, "moving": moving, "ack": session.answer()}
    if session.held != key:
        fixed: dict[str, Any] = {"finished": True}
        if item is not None:
            shown = page.fixed(workspace, person, item, language)
            fixed = {"id": item.item_id, "externalId": item.external_id, **shown}
            fixed["stage"] = page.stage(item)
        documents = documents_part(workspace, person, page, item, language)
        data |= {"fixed": fixed, "keys": keys, **documents}
    session.held = ""  # if the viewer does not confirm it next time, it is sent again
    if session.thread:
        data["thread"] = thread_part(*session.thread, person, language)
    data |= {"queue": session.queue, "notice": session.notice, **session.told}
    session.queue = session.thread = session.notice = None
    session.told = {}
    return data


def _next_work(context: Context, done: Task) -> dict[str, Any]:
    """Return the link to go on: the next task with open items, else the start page."""
    for each in open_counts.waiting(context).tasks:
        if each.open and each.task != done:
            href = context.link(screen_of(each.task), **query_of(each.task))
            name = context.task_name(each.task)
            return {"name": name, "count": each.open, "href": href}
    return {"name": "", "count": 0, "href": context.link("start")}


def item_key(page: TaskPage, item: ItemView, language: str) -> str:
    """Return a key that changes whenever the item's fixed part would."""
    told = f"{item.guideline_version}|{item.codebook_version}|{item.begun_under[0]}"
    return f"{item.item_id}|{item.candidate_set_id}|{language}|{told}|{page.stage(item)}"


def documents_part(
    ws: Workspace, person_id: int, page: TaskPage, item: ItemView | None, language: str
) -> dict[str, Any]:
    """Return the viewer's messages, with labels of codebook options, the guideline and the form."""
    where = ws, person_id, page.task
    begun = ("", "") if item is None else item.begun_under
    words = dict(ui_words(page.viewer.name, language, *page.words))
    options = options_of(*where, language)
    form = None if page.form is None else page.form(words, options, language)
    for option in options:
        words[page.option_prefix + option.key] = option.label[language]
    return {"words": words, "guideline": guideline_part(*where, begun, language), "form": form}


def draw_link(context: Context, task: Task) -> None:
    """Draw a link to the task's tab on the adjudication screen, for adjudicators."""
    if context.may(Act.ADJUDICATE):
        there = urlencode({"task": str(task), **address()})
        words = context.say("adjudication.lead_there")
        st.markdown(f":material/gavel: [{words}](adjudication?{there})")
