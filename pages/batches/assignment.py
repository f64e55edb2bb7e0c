"""Assignment screen: who works on which items, progress, new batches.

Entry of known answers: for one question, from a file, or from settled gold.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

import streamlit as st

from annotation.agreement.calibration import Known, set_known_answers
from annotation.batches.commands import batched, set_evidence, set_pool
from annotation.batches.views import BatchView, list_batches
from annotation.people.roles import Act
from annotation.tasks.own import all_tasks
from errors import UserError
from pages.batches.batch_detail import draw_detail
from pages.batches.batch_form import draw_form
from pages.shell.context import Context
from pages.shell.guard import show
from pages.shell.notices import allowed, remember, show_remembered
from pages.shell.uploads import PLAIN_MB
from pages.shell.widgets import choose_task
from services.batches import (
    import_known,
    take_known,
)
from storage.projects import project_by_slug
from storage.tasks import Task


def draw_known(context: Context, notice: str) -> None:
    """Draw both forms; their outcome is remembered under `notice`."""
    tasks = batched(all_tasks(*context.here))
    task = choose_task(context, "assignment.form.task", tasks, "assign-known-task")
    words = "help" if task == Task.CITATION_MAPPING else "help_form"
    st.caption(context.say(f"assignment.known.{words}"))
    file = st.file_uploader(
        context.say("assignment.known.file"),
        type=["jsonl"],
        max_upload_size=PLAIN_MB,
        key="assign-known-file",
    )
    left, right = st.columns(2)
    sent = left.button(
        context.say("assignment.known.read"), key="assign-known-read", disabled=file is None
    )
    taken = right.button(context.say("assignment.known.from_gold"), key="assign-known-gold")
    where = (context.workspace, context.project)
    try:
        if sent and file is not None:
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder) / Path(file.name).name
                path.write_bytes(file.getvalue())
                changed = import_known(*where, path, context.person.id, task)
        elif taken:
            changed = take_known(*where, context.person.id, task)
        else:
            return
    except UserError as error:
        show(error, context.language)
        return
    _remember_and_rerun(context, notice, changed)


def draw_one(context: Context, notice: str) -> None:
    """Draw a form for the known answer of a single question."""
    say = context.say
    with st.form("assign-known-one", border=False):
        st.markdown(f"**{say('assignment.known.one')}**")
        left, right = st.columns(2, gap="medium")
        name = left.text_input(say("assignment.known.question"), key="assign-known-question")
        units = right.text_area(
            say("assignment.known.units"),
            help=say("assignment.known.units_help"),
            height=100,
            key="assign-known-units",
        )
        none = left.checkbox(say("assignment.known.none"), key="assign-known-none")
        why = st.text_area(
            say("assignment.known.explanation"), height=80, key="assign-known-explanation"
        )
        sent = st.form_submit_button(say("assignment.known.set"), key="assign-known-set")
    if not sent:
        return
    answer = Known(name.strip(), tuple(units.split()), none, why.strip())
    try:
        changed = set_known_answers(context.workspace, context.project, [answer], context.person.id)
    except UserError as error:
        show(error, context.language)
        return
    _remember_and_rerun(context, notice, changed)


def _remember_and_rerun(context: Context, notice: str, changed: int) -> None:
    remember(notice, context.say("assignment.known.done", count=changed))
    st.rerun()


NOTICE = "assignment-notice"


def render(context: Context) -> None:
    """Draw the screen."""
    st.title(context.say("assignment.title"), anchor=False)
    st.markdown(context.say("assignment.lead"))
    if not context.may(Act.ASSIGN) and not allowed(context, Act.READ_OTHERS_LABELS):
        return
    show_remembered(NOTICE)
    found = list_batches(context.workspace, context.project, context.person.id)
    if found:
        _table(context, found)
    else:
        st.info(context.say("assignment.none"), icon=":material/info:")
    if not allowed(context, Act.ASSIGN):
        return
    if found:
        _switch(context, "open_pool", set_pool)
    _switch(context, "evidence", set_evidence)
    # Expanded while there is nothing else to do here.
    with st.expander(context.say("assignment.make"), icon=":material/add:", expanded=not found):
        draw_form(context, NOTICE)
    with st.expander(context.say("assignment.known.title"), icon=":material/key:"):
        draw_known(context, NOTICE)
        draw_one(context, NOTICE)


def _switch(context: Context, name: str, change: Callable[..., None]) -> None:
    """Draw the switch of one of the project's settings of that name."""
    is_on = getattr(project_by_slug(*context.here), name)
    wanted = st.toggle(
        context.say(f"assignment.{name}"),
        value=is_on,
        help=context.say(f"assignment.{name}_help"),
        key=f"assignment-{name.replace('_', '-')}",
    )
    if wanted != is_on:
        change(*context.here, wanted, context.person.id)


def _table(context: Context, batches: Sequence[BatchView]) -> None:
    """Draw the batches as a table; return the picked one."""
    say = context.say
    state = st.dataframe(
        {
            say("assignment.name"): [each.name for each in batches],
            say("assignment.task"): [context.task_name(each.task, "tasks") for each in batches],
            say("assignment.state"): [state_of(context, each) for each in batches],
            say("assignment.progress"): [
                100 * each.made / each.wanted if each.wanted else 100.0 for each in batches
            ],
            say("assignment.submissions"): [f"{e.made:,} / {e.wanted:,}" for e in batches],
            say("assignment.items"): [each.items for each in batches],
            say("assignment.calibration"): [each.calibration for each in batches],
            say("assignment.overlap"): [
                say("assignment.everybody") if each.practice else str(each.overlap)
                for each in batches
            ],
            say("assignment.order"): [
                say(f"assignment.orders.{each.sequence}") for each in batches
            ],
            say("assignment.people"): [each.people for each in batches],
            say("assignment.held"): [each.held for each in batches],
            say("assignment.deadline"): [
                None if each.deadline is None else each.deadline.date() for each in batches
            ],
        },
        column_config={
            say("assignment.progress"): st.column_config.ProgressColumn(
                format="%.0f%%", min_value=0, max_value=100
            ),
        },
        hide_index=True,
        placeholder="–",
        key="assignment-batches",
        on_select="rerun",
        selection_mode="single-row",
    )
    rows = state["selection"]["rows"]
    if not rows or rows[0] >= len(batches):
        st.caption(say("assignment.pick"))
        return
    with st.container(border=True):
        draw_detail(context, batches[rows[0]].id, NOTICE)


def state_of(context: Context, batch: BatchView) -> str:
    """Return the batch's state as text, with a mark for practice."""
    state = batch.state_at(context.workspace.clock())
    said = context.say(f"assignment.states.{state}")
    return f"{context.say('assignment.practice')} · {said}" if batch.practice else said
