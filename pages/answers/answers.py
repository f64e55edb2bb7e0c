"""Answers screen: ask models, see each system's results, open an answer with its context."""

from __future__ import annotations

import streamlit as st

from annotation.people.roles import Act
from pages.answers.asking import draw_asking, draw_under_way
from pages.answers.reading import draw_systems
from pages.shell.context import Context
from pages.shell.guard import guarded
from pages.shell.notices import allowed, draw_head
from pages.shell.widgets import choose
from services.answers.views import systems

TABS = ("read", "ask")


def render(context: Context) -> None:
    """Draw the page."""
    draw_head(context, "answers")
    if not allowed(context, Act.READ_OTHERS_LABELS):
        return
    with guarded(context.language):
        found = systems(*context.here, context.by)
        asks = context.may(Act.MAKE_ITEMS)
        first = "read" if found or not asks else "ask"
        tabs = TABS if asks else TABS[:1]
        tab = choose(context, "answers.tab.label", tabs, "answers.tab", "answers-tab", first)
        if asks:
            draw_under_way(context)
        if tab == "ask":
            draw_asking(context)
        elif found:
            draw_systems(context, found)
        else:
            st.info(context.say("answers.list.none"), icon=":material/info:")
