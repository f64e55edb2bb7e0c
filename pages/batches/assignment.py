"""Assignment screen: who works on which items, progress, new batches.

Entry of known answers: for one question, from a file, or from settled gold.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import streamlit as st

from annotation.agreement.calibration import Known, set_known_answers
from annotation.batches.commands import batched, set_evidence, set_pool
from annotation.batches.views import BatchView, list_batches
from annotation.people.roles import Act
from annotation.tasks.own import all_tasks
from pages.batches.batch_detail import draw_detail
from pages.batches.batch_form import draw_form
from pages.shell.context import Context
from pages.shell.fields import Fields
from pages.shell.guard import guarded
from pages.shell.notices import allowed, draw_head, redraw_with, show_remembered
from pages.shell.uploads import PLAIN_MB
from pages.shell.widgets import choose_task, pick_row
from services.batches import (
    import_known,
    take_known,
)
from storage.projects import project_by_slug
from storage.tasks import Task


def draw_known(context: Context, notice_key: str) -> None:
    """Draw the forms that take known answers from a file or from gold.

    The outcome is remembered under the key `notice_key`.
    """
    tasks = batched(all_tasks(*context.here))
    task = choose_task(context, "assignment.form.task", tasks, "assign-known-task")
    words = "help" if task == Task.CITATION_MAPPING else "help_form"
    st.caption(context.say(f"assignment.known.{words}"))
    fields = Fields(context, "assignment.known", "assign-known")
    file = fields.file("file", ["jsonl"], max_upload_size=PLAIN_MB)
    left, right = fields.row(2)
    sent = left.press("read", disabled=file is None)
    taken = right.press("from_gold", key="gold")
    with guarded(context.language):
        if sent and file is not None:
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder) / Path(file.name).name
                path.write_bytes(file.getvalue())
                changed = import_known(*context.here, path, context.by, task)
        elif taken:
            changed = take_known(*context.here, context.by, task)
        else:
            return
        redraw_with(notice_key, context.say("assignment.known.done", count=changed))


def draw_one(context: Context, notice_key: str) -> None:
    """Draw a form for the known answer of one question; its outcome is kept under `notice_key`."""
    fields = Fields(context, "assignment.known", "assign-known")
    with st.form("assign-known-one", border=False):
        st.markdown(f"**{context.say('assignment.known.one')}**")
        left, right = fields.row(2, gap="medium")
        name = left.text("question")
        units = right.lines("units", height=100)
        none = left.tick("none")
        why = fields.lines("explanation", height=80)
        sent = st.form_submit_button(context.say("assignment.known.set"), key="assign-known-set")
    if sent:
        answer = Known(name.strip(), tuple(units.split()), none, why.strip())
        with guarded(context.language):
            changed = set_known_answers(*context.here, [answer], context.by)
            redraw_with(notice_key, context.say("assignment.known.done", count=changed))


NOTICE = "assignment-notice"


def render(context: Context) -> None:
    """Draw the screen."""
    draw_head(context, "assignment")
    if not context.may(Act.ASSIGN) and not allowed(context, Act.READ_OTHERS_LABELS):
        return
    show_remembered(NOTICE)
    found = list_batches(*context.here, context.by)
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
    """Draw the switch of the project setting `name`; `change` saves another value."""
    is_on = getattr(project_by_slug(*context.here), name)
    wanted = Fields(context, "assignment", "assignment").switch(name, is_on)
    if wanted != is_on:
        change(*context.here, wanted, context.by)


def _table(context: Context, batches: Sequence[BatchView]) -> None:
    """Draw the batches as a table, with the detail of the picked one."""
    say = context.say
    columns = {
        "name": [each.name for each in batches],
        "task": [context.task_name(each.task, "tasks") for each in batches],
        "state": [state_of(context, each) for each in batches],
        "progress": [100 * e.made / e.wanted if e.wanted else 100.0 for e in batches],
        "submissions": [f"{e.made:,} / {e.wanted:,}" for e in batches],
        "items": [each.items for each in batches],
        "calibration": [each.calibration for each in batches],
        "overlap": [say("assignment.everybody") if e.practice else str(e.overlap) for e in batches],
        "order": [say(f"assignment.orders.{each.sequence}") for each in batches],
        "people": [each.people for each in batches],
        "held": [each.held for each in batches],
        "deadline": [each.deadline and each.deadline.date() for each in batches],
    }
    bar = st.column_config.ProgressColumn(format="%.0f%%", min_value=0, max_value=100)
    shape: dict[str, Any] = {"config": {"progress": bar}, "placeholder": "–"}
    row = pick_row(context, "assignment", columns, "assignment-batches", **shape)
    if row is None:
        st.caption(say("assignment.pick"))
        return
    with st.container(border=True):
        draw_detail(context, batches[row].id, NOTICE)


def state_of(context: Context, batch: BatchView) -> str:
    """Return the batch's state as text, with a mark for practice."""
    state = batch.state_at(context.workspace.clock())
    said = context.say(f"assignment.states.{state}")
    return f"{context.say('assignment.practice')} · {said}" if batch.practice else said
