"""Standard groups: how far the typology reaches, the cases of each group and why, the typology."""

from __future__ import annotations

import streamlit as st

from pages.cases.coverage import draw_coverage
from pages.cases.group_list import draw_groups
from pages.cases.left_out import draw_left_out
from pages.cases.typology import draw_typology
from pages.shell.context import Context
from pages.shell.notices import show_remembered
from services.cases.standard_groups import case_groups

NOTICE = "case-groups-notice"
TABS = ("coverage", "groups", "left_out", "typology")


def render(context: Context) -> None:
    """Draw the page."""
    say = context.say
    st.title(say("case_groups.title"), anchor=False)
    st.markdown(say("case_groups.lead"))
    show_remembered(NOTICE)
    chosen = st.segmented_control(
        say("case_groups.tab.label"),
        TABS,
        default=TABS[0],
        required=True,
        format_func=lambda name: say(f"case_groups.tab.{name}"),
        label_visibility="collapsed",
        key="case-groups-tab",
    )
    if chosen == "typology":
        draw_typology(context, NOTICE)
        return
    found = case_groups(context.workspace, context.project, context.person.id)
    if not found.cases:
        st.info(say("case_groups.no_cases"), icon=":material/info:")
    elif chosen == "groups":
        draw_groups(context, found, NOTICE)
    elif chosen == "left_out":
        draw_left_out(context, found, NOTICE)
    else:
        draw_coverage(context, found)
