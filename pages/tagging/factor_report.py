"""The factor report: how well people and models agree on each sub-factor, and suggestions."""

from __future__ import annotations

import streamlit as st

from annotation.people.roles import Act
from pages.shell.context import Context
from pages.shell.notices import allowed, show_remembered
from pages.tagging.figures import draw_report
from pages.tagging.suggestions import draw_making, draw_suggestions

NOTICE = "factor-report-notice"
TABS = ("report", "suggestions", "items")


def render(context: Context) -> None:
    """Draw the screen."""
    st.title(context.say("factor_report.title"), anchor=False)
    st.markdown(context.say("factor_report.lead"))
    if not allowed(context, Act.READ_OTHERS_LABELS):
        return
    show_remembered(NOTICE)
    names = [context.say(f"factor_report.tab.{each}") for each in TABS]
    figures, suggestions, items = st.tabs(names, on_change="rerun", key="factor-tab")
    if figures.open:
        with figures:
            draw_report(context)
    if suggestions.open:
        with suggestions:
            draw_suggestions(context, NOTICE)
    if items.open:
        with items:
            draw_making(context, NOTICE)
