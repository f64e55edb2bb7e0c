"""Curation report screen: outcomes of questions, creating items, admitting kept ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import streamlit as st

from annotation.curation.state import names_shown
from annotation.people.roles import Act
from pages.shell.context import Context
from pages.shell.fields import Fields
from pages.shell.guard import guarded, md_literal
from pages.shell.notices import allowed, draw_head, redraw_with
from pages.shell.plain_text import plain_text
from pages.shell.reports import draw_report
from pages.shell.widgets import choose, pick_row
from pages.task.documents import options_of
from pages.task.generated_words import type_name
from services.curation.items import QuestionLine, admit, give_to_curation, question_lines
from services.curation.report import as_report, curation_report
from storage.tasks import Task

_NOTICE = "curation-report-notice"
_TABS = ("figures", "questions")
_BEFORE = ("through", "held", "unseen")  # stages before curation


def render(context: Context) -> None:
    """Draw the screen."""
    draw_head(context, "curation_report", _NOTICE)
    if not allowed(context, Act.READ_OTHERS_LABELS):
        return
    lines = question_lines(*context.here, by=context.by)
    if not lines:
        st.info(context.say("curation_report.none"), icon=":material/info:")
        return
    _draw_actions(context, lines)
    words = "curation_report.tab"
    if choose(context, f"{words}.label", _TABS, words, "curation-report-tab") == "figures":
        _figures(context)
    else:
        _questions(context, lines)


def _draw_actions(context: Context, lines: Sequence[QuestionLine]) -> None:
    """Draw a lead's actions: send questions to curation, admit kept ones."""
    say, stages = context.say, Counter(line.stage for line in lines)
    st.caption(say("curation_report.ready", **{name: stages[name] for name in _BEFORE}))
    row = st.container(horizontal=True, vertical_alignment="center")
    fields = Fields(context, "curation_report", "curation", place=row)
    if context.may(Act.MAKE_ITEMS):
        unchecked = stages["unseen"] > 0 and fields.tick("unchecked")
        free = stages["through"] + (stages["unseen"] if unchecked else 0)
        given = len(lines) > sum(stages[name] for name in _BEFORE)
        renews = given and not free  # those handed over show today's law and newest run
        pressed = fields.press(
            "renew" if renews else "give",
            key="give",
            icon=":material/refresh:" if renews else ":material/send:",
            disabled=not free and not given,
            type="primary" if free else "secondary",
        )
        if pressed:
            _send_to_curation(context, unchecked)
    if context.may(Act.IMPORT_QUESTIONS):
        count = stages["kept"] + stages["edited"]
        pressed = fields.press(
            "admit",
            label=say("curation_report.admit", count=count),
            icon=":material/login:",
            disabled=not count,
            type="primary" if count else "secondary",
        )
        if pressed:
            with guarded(context.language):
                done = admit(*context.here, by=context.by)
                redraw_with(_NOTICE, say("curation_report.admitted", count=len(done.admitted)))


def _send_to_curation(context: Context, unchecked: bool) -> None:
    """Make curation items of questions that passed the cascade; if `unchecked`, of unseen too."""
    done = give_to_curation(*context.here, unchecked=unchecked, by=context.by)
    words = context.say("curation_report.given", items=done.items, unchecked=done.unchecked)
    if done.renewed:
        words = f"{words} {context.say('curation_report.renewed', renewed=done.renewed)}"
    redraw_with(_NOTICE, words)


def _figures(context: Context) -> None:
    """Draw the figures of the report."""
    where = context.workspace, context.person.id, Task.CURATION, context.language
    causes = {each.key: each.label[context.language] for each in options_of(*where)}
    found = curation_report(*context.here, by=context.by)
    draw_report(context, as_report(found, context.language, causes), "curation")


def _questions(context: Context, lines: Sequence[QuestionLine]) -> None:
    """Draw the questions as a table, and the selected one with its edited text and gold."""
    say, names = context.say, names_shown(context.workspace, context.person.id)
    columns: dict[str, list[object]] = {
        "column_id": [line.external_id for line in lines],
        "column_text": [line.text for line in lines],
        "column_stage": [say(f"curation_report.stage.{line.stage}") for line in lines],
        "column_type": [type_name(line.type, names, context.language) for line in lines],
        "column_target": [line.target for line in lines],
        "column_found": [line.state.difficulty for line in lines],
    }
    words = "curation_report"
    row = pick_row(
        context, words, columns, "curation-questions", f"{words}.pick", wide="column_text"
    )
    if row is None:
        return
    line = lines[row]
    with st.container(border=True):
        plain_text(line.text, f"curation-question-{line.id}", "lead")
        if line.state.edited is not None:
            st.caption(say("curation_settle.edited"))
            plain_text(line.state.edited.question, f"curation-edited-{line.id}")
        for unit in line.state.gold:
            st.text(md_literal(unit))
