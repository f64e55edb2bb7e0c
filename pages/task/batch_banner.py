"""Banner above the viewer: the annotator's batch, deadline, end, and practice feedback.

One line if there is a batch, nothing otherwise.

Feedback on the last practice item of a form, per field with reasons.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import streamlit as st

from annotation.agreement.known_forms import (
    Feedback,
    FieldFeedback,
    latest_feedback,
)
from annotation.batches.views import batch_of, last_batch
from annotation.work.submissions import beginning
from pages.shell.context import Context
from pages.shell.guard import md_literal
from pages.task.documents import answer_names
from storage.tasks import Task

_MARKS = {
    "right": ":material/check_circle:",
    "missed": ":material/add_circle:",
    "wrong": ":material/cancel:",
}


def draw_batch(context: Context, item_id: int | None) -> None:
    """Draw the open item's batch with its deadline, or the end of the last one if none is open."""
    workspace, person = context.workspace, context.person.id
    if item_id is None:
        batch, icon = last_batch(workspace, person), "task_alt"
        key = "closed" if batch and batch.closed else "finished"
    else:
        batch, icon = batch_of(workspace, person, item_id), "assignment"
        key = "practice" if batch and batch.practice else "batch"
    if batch is None:
        return
    said = context.say(f"assignment.own.{key}", name=batch.name)
    if item_id is not None and batch.deadline is not None:
        said += f" · {deadline_words(context, batch.deadline)}"
    st.caption(f":material/{icon}: {md_literal(said)}")


def deadline_words(context: Context, deadline: datetime) -> str:
    """Return the deadline with the number of days left (0 on the day itself)."""
    days = (deadline.astimezone(UTC).date() - context.workspace.clock().date()).days
    left = "today" if days == 0 else "left" if days > 0 else "past"
    day = context.say("assignment.own.deadline", deadline=f"{deadline:%Y-%m-%d}")
    return f"{day} ({context.say(f'assignment.own.days.{left}', days=abs(days))})"


def draw_feedback(context: Context, task: Task) -> None:
    """Draw feedback on the person's last submission if it was practice."""
    told = latest_feedback(context.workspace, context.person.id, task)
    if told is None:
        return
    say, verdict = context.say, "right" if told.right else "wrong"
    title = say(f"assignment.feedback.{verdict}", item=told.external_id)
    with st.expander(
        f"{say('assignment.feedback.show')} · {md_literal(title)}",
        icon=_MARKS[verdict],
        expanded=not told.right,
    ):
        st.caption(md_literal(beginning(told.title)))
        for unit in told.units:
            words = say(f"assignment.feedback.verdict.{unit.verdict}")
            st.markdown(f"{_MARKS[unit.verdict]} {md_literal(unit.label)}: {words}")
        if told.no_provision:
            st.markdown(say("assignment.feedback.none_right"))
        elif told.said_none:
            st.markdown(say("assignment.feedback.none_said"))
        _fields(context, task, told)
        if told.explanation:
            st.markdown(md_literal(told.explanation))


def _fields(context: Context, task: Task, told: Feedback) -> None:
    """Draw per field of a practice item whether the answer was right, and what is known."""
    names = answer_names(context, task)
    for field in told.fields:
        said = "right" if field.right else "other" if field.said is not None else "nothing"
        words = {
            "field": names.get(field.field, field.field),
            "known": _text(field, field.known, names),
            "said": _text(field, field.said, names),
        }
        line = context.say(f"assignment.feedback.form.{said}", **words)
        st.markdown(f"{_MARKS['right' if field.right else 'wrong']} {md_literal(line)}")


def _text(each: FieldFeedback, value: Any, names: dict[str, str]) -> str:
    """Return an answer as text: an OCR page's blocks, the options of a sub-factor, or one value."""
    if each.field == "blocks":
        return " / ".join(" ".join(block[1:]) for block in value or ()) or "–"
    values = value if isinstance(value, list) else [value]
    return ", ".join(names.get(f"{each.field}.{one}", str(one)) for one in values)
