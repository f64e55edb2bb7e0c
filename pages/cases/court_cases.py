"""Court cases: find and read them, and bring new ones in."""

from __future__ import annotations

import streamlit as st

from annotation.people.roles import Act
from pages.cases.case_list import draw_list
from pages.cases.importing import draw_bring
from pages.shell.context import Context
from pages.shell.notices import show_remembered

NOTICE = "court-cases-notice"
TABS = ("cases", "bring")


def render(context: Context) -> None:
    """Draw the screen."""
    st.title(context.say("app.pages.court_cases"), anchor=False)
    st.markdown(context.say("court_cases.lead"))
    show_remembered(NOTICE)
    chosen = "cases"
    if context.may(Act.IMPORT_QUESTIONS):
        chosen = st.segmented_control(
            context.say("court_cases.tab.label"),
            TABS,
            default=TABS[0],
            required=True,
            format_func=lambda name: context.say(f"court_cases.tab.{name}"),
            label_visibility="collapsed",
            key="court-cases-tab",
        )
    if chosen == "bring":
        draw_bring(context, NOTICE)
    else:
        draw_list(context)
