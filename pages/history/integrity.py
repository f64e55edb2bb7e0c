"""Checking on the history screen that what is stored hangs together."""

from __future__ import annotations

import streamlit as st

from annotation.check.project import check
from pages.shell.context import Context
from pages.shell.guard import guarded


@st.fragment
def draw_check(context: Context) -> None:
    """Draw the button that replays the whole history, and what was found."""
    with guarded(context.language):  # the app's guard is not around a fragment's own rerun
        say = context.say
        if not st.button(
            say("history.check"),
            icon=":material/fact_check:",
            help=say("history.check_help"),
            key="history-check",
        ):
            return
        with st.spinner(say("history.checking")):
            problems = check(context.workspace, context.project, context.person.id)
        if not problems:
            st.success(say("history.sound"), icon=":material/verified:")
            return
        st.error(say("history.unsound", count=len(problems)), icon=":material/error:")
        st.dataframe(
            {
                say("history.problem"): [each.say(context.language) for each in problems],
                say("history.remedy"): [each.remedy(context.language) for each in problems],
            },
            hide_index=True,
            key="history-problems",
        )
