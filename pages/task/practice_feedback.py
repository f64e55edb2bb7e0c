"""Feedback on the last practice item of a form, per field with reasons."""

from __future__ import annotations

from typing import Any

import streamlit as st

from annotation.agreement.known_forms import FieldFeedback, FormFeedback, latest_form_feedback
from annotation.work.submissions import beginning
from pages.shell.context import Context
from pages.shell.guard import plain
from pages.task.answer_names import answer_names
from storage.tasks import Task

_MARKS = {True: ":material/check_circle:", False: ":material/cancel:"}


def draw_feedback(context: Context, task: Task) -> None:
    """Draw feedback on the person's last submission if it was practice."""
    told = latest_form_feedback(context.workspace, context.person.id, task)
    if told is None:
        return
    say = context.say
    title = say(f"assignment.feedback.{'right' if told.right else 'wrong'}", item=told.external_id)
    with st.expander(
        f"{say('assignment.feedback.show')} · {plain(title)}",
        icon=_MARKS[told.right],
        expanded=not told.right,
    ):
        st.caption(plain(beginning(told.title)))
        _fields(context, task, told)
        if told.explanation:
            st.markdown(plain(told.explanation))


def _fields(context: Context, task: Task, told: FormFeedback) -> None:
    names = answer_names(context, task)
    for field in told.fields:
        said = "right" if field.right else "other" if field.said is not None else "nothing"
        words = {
            "field": names.get(field.field, field.field),
            "known": _text(field, field.known, names),
            "said": _text(field, field.said, names),
        }
        line = context.say(f"assignment.feedback.form.{said}", **words)
        st.markdown(f"{_MARKS[field.right]} {plain(line)}")


def _text(each: FieldFeedback, value: Any, names: dict[str, str]) -> str:
    """Return an answer as text: page text, options of a sub-factor, or one value."""
    if each.field == "blocks":
        return " / ".join(" ".join(block[1:]) for block in value or ()) or "–"
    values = value if isinstance(value, list) else [value]
    return ", ".join(names.get(f"{each.field}.{one}", str(one)) for one in values)
