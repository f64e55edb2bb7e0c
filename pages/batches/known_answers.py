"""Entry of known answers: for one question, from a file, or from settled gold."""

from __future__ import annotations

import tempfile
from pathlib import Path

import streamlit as st

from annotation.agreement.calibration import Known, set_known_answers
from annotation.batches.making import BATCHED
from errors import UserError
from pages.shell.context import Context
from pages.shell.guard import show
from pages.shell.notices import remember
from pages.shell.uploads import PLAIN_MB
from services.batches.assigning import (
    import_known_answers,
    import_known_forms,
    take_known_answers,
    take_known_forms,
)
from storage.tasks import Task


def draw_known(context: Context, notice: str) -> None:
    """Draw both forms; their outcome is remembered under `notice`."""
    task = st.selectbox(
        context.say("assignment.form.task"),
        BATCHED,
        format_func=lambda each: context.say(f"tasks.{each}"),
        key="assign-known-task",
    )
    form = task != Task.CITATION_MAPPING
    st.caption(context.say("assignment.known.help_form" if form else "assignment.known.help"))
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
                changed = _import(context, task, path)
        elif taken and form:
            changed = take_known_forms(*where, task, context.person.id)
        elif taken:
            changed = take_known_answers(*where, by=context.person.id)
        else:
            return
    except UserError as error:
        show(error, context.language)
        return
    _remember_and_rerun(context, notice, changed)


def _import(context: Context, task: Task, path: Path) -> int:
    where = context.workspace, context.project
    if task == Task.CITATION_MAPPING:
        return import_known_answers(*where, path, context.person.id)
    return import_known_forms(*where, task, path, context.person.id)


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
