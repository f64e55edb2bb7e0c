"""The MCQ report screen: what became of the questions, how safely models answer, making more."""

from __future__ import annotations

import streamlit as st

from annotation.people.roles import Act
from pages.mcq.figures import draw_report
from pages.mcq.making import draw_making
from pages.mcq.question_list import draw_list
from pages.shell.context import Context
from pages.shell.notices import allowed, show_remembered
from pages.shell.widgets import choose

NOTICE = "mcq-report-notice"
TABS = ("report", "make", "items")


def render(context: Context) -> None:
    """Draw the screen."""
    st.title(context.say("mcq_report.title"), anchor=False)
    st.markdown(context.say("mcq_report.lead"))
    show_remembered(NOTICE)
    if not allowed(context, Act.READ_OTHERS_LABELS):
        return
    shown = [name for name in TABS if name != "make" or context.may(Act.MAKE_ITEMS)]
    chosen = choose(context, "mcq_report.tab.label", shown, "mcq_report.tab", "mcq-tab")
    if chosen == "make":
        draw_making(context, NOTICE)
    elif chosen == "items":
        draw_list(context)
    else:
        draw_report(context)
