"""Page of a project's own task, which its address names: ``own_task?task=own:NAME``.

Adjudication pane of a project's own task.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import streamlit as st

from annotation.forms.disputes import FormDisputeView
from annotation.guidelines.codebook_tree import Option
from annotation.start.waiting import own_tasks_of
from annotation.tasks.own import OwnSubject, own_subject, own_units, parts_of, spec_of
from annotation.tasks.spec import Kind, TaskSpec
from annotation.work.queue_service import ItemView
from pages.shell.context import Context
from pages.shell.guard import md_literal
from pages.task.batch_banner import draw_batch, draw_feedback
from pages.task.declared import WORDS, declared_viewer, form_data, stage_of
from pages.task.declared_pane import DeclaredPane
from pages.task.page import TaskPage, draw_link
from pages.task.unit_search import SEARCH_ACTS
from pages.task.viewer import ui_words
from storage.db.workspace import Workspace
from storage.tasks import Task

OWN = declared_viewer("own")
_SAYS = (Kind.YES_NO, Kind.YES_NO_UNSURE, Kind.UNITS)
_TASK = "task"  # query parameter
_CHOSEN = "own-task"


def own_page(spec: TaskSpec, task: Task) -> TaskPage:
    """Return the page of an own task."""
    stage = stage_of(spec)

    def fixed(ws: Workspace, person_id: int, item: ItemView, language: str) -> dict[str, Any]:
        """Return the parts of an item that do not change."""
        return row_panes(own_subject(ws, person_id, item), language)

    def moving(ws: Workspace, person_id: int, item: ItemView, _language: str) -> dict[str, Any]:
        """Return the parts of an item that change with the answers."""
        named = item.answers.get(_unit_field(spec) or "") or {}
        found = own_units(ws, person_id, item, named) if named else {}
        added = [
            {"unit": unit, "head": head, "pieces": [[text, 0]], "added": True}
            for unit, (head, text) in found.items()
        ]
        return {"answers": dict(item.answers), "added": added}

    def banner(context: Context, item_id: int | None) -> None:
        """Draw the task's name, its batch and feedback."""
        with st.container(horizontal=True):
            st.caption(f"**{md_literal(context.task_name(task))}**", width="content")
            draw_batch(context, item_id)
        draw_feedback(context, task)

    form = None if spec.repeating else partial(form_part, spec)
    acts = SEARCH_ACTS, moving, banner
    words = (*WORDS, "own_parts") if spec.repeating else WORDS
    return TaskPage(task, OWN, fixed, stage, *acts, words=words, form=form)


def form_part(
    spec: TaskSpec, words: Mapping[str, str], _codebook: Sequence[Option], language: str
) -> dict[str, Any]:
    """Return the form as the viewer's data."""
    says = (each.base for each in spec.fields.values() if each.kind in _SAYS)
    return form_data(spec, words, language=language, stems=dict.fromkeys(says, "says"))


def row_panes(subject: OwnSubject, language: str) -> dict[str, Any]:
    """Return the columns of a row as panes, as texts to mark if a field asks for marks.

    Of a row in parts, they come with the form that is asked of them.
    """
    parts = parts_of(subject.spec, subject.row)
    marks = [name for name, each in subject.spec.fields.items() if each.kind is Kind.SPANS]
    texts = [
        {"name": column, "title": column, "text": text, "quiet": at > 0}
        for at, (column, text) in enumerate(subject.row.items())
        if column not in subject.spec.repeating.values()
    ]
    shown: dict[str, Any] = {
        "language": "",
        "panes": [["marked" if marks else "texts", texts]],
    }
    if subject.spec.repeating:
        spec, words = subject.spec.repeated(len(parts)), ui_words(OWN.name, language, *WORDS)
        shown["parts"] = [{"text": each} for each in parts]
        shown["form"] = form_part(spec, words, (), language)
    if _unit_field(subject.spec):
        shown["law"] = {"title": "", "units": [], "search": True}
    return shown


def _unit_field(spec: TaskSpec) -> str | None:
    """Return the field that asks for provisions, None if there is none."""
    return next((name for name, each in spec.fields.items() if each.kind is Kind.UNITS), None)


def render(context: Context) -> None:
    """Draw the page of the chosen task; without one, that the project has none."""
    tasks = own_tasks_of(*context.here)
    task = _chosen(context, tasks)
    if task is None:
        st.title(context.say("app.pages.own_task"), anchor=False)
        st.info(context.say("own_task.none"), icon=":material/inbox:")
        return
    spec = spec_of(context.workspace, context.person.id, task)
    own_page(spec, task).render(context)
    draw_link(context, task)


def _chosen(context: Context, tasks: Sequence[Task]) -> Task | None:
    """Draw a choice between several tasks; return the open one, at first that of the address."""
    asked = st.query_params.get(_TASK)
    if asked in tasks and asked != st.session_state.get(f"{_CHOSEN}-asked"):
        st.session_state[f"{_CHOSEN}-asked"] = st.session_state[_CHOSEN] = asked
    if st.session_state.get(_CHOSEN) not in tasks:
        st.session_state[_CHOSEN] = tasks[0] if tasks else None
    if len(tasks) > 1:
        st.segmented_control(
            context.say("own_task.which"),
            list(tasks),
            format_func=lambda each: md_literal(context.task_name(each)),
            required=True,
            key=_CHOSEN,
            label_visibility="collapsed",
        )
    chosen = st.session_state[_CHOSEN]
    if chosen is None:
        return None
    st.query_params[_TASK] = st.session_state[f"{_CHOSEN}-asked"] = chosen
    return Task(chosen)


def pane_of(context: Context, task: Task) -> DeclaredPane:
    """Return the pane of an own task, as it is declared."""
    spec = spec_of(context.workspace, context.person.id, task)

    def form(context: Context) -> dict[str, Any]:
        """Return the form of the task."""
        return form_part(spec, ui_words("own", context.language, *WORDS), (), context.language)

    def shown(context: Context, case: FormDisputeView) -> dict[str, Any]:
        """Return the panes of the disputed item."""
        return row_panes(case.question, context.language)

    return DeclaredPane(task, spec, "own_settle", form, shown)
