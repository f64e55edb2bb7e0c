"""The factor report: how well people and models agree on each sub-factor, and suggestions."""

from __future__ import annotations

import streamlit as st

from annotation.roles import Act
from pages.context import Context
from pages.parts.factor_figures import draw_report
from pages.parts.factor_suggestions import draw_suggestions
from pages.parts.notices import show_remembered
from pages.parts.only_for import allowed
from pages.parts.tagging_make import draw_making

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
