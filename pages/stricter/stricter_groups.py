"""The screen of stricter groups: which cases are most alike, and the benchmarks made of them."""

from __future__ import annotations

import streamlit as st

from annotation.people.roles import Act
from pages.shell.context import Context
from pages.shell.permission_notice import allowed
from pages.stricter.benchmark import draw_benchmark
from pages.stricter.group_list import draw_groups

TABS = ("groups", "benchmark")


def render(context: Context) -> None:
    """Draw the screen."""
    st.title(context.say("app.pages.stricter_groups"), anchor=False)
    st.markdown(context.say("stricter.lead"))
    if not allowed(context, Act.READ_OTHERS_LABELS):
        return
    chosen = st.segmented_control(
        context.say("stricter.tab.label"),
        TABS,
        default=TABS[0],
        required=True,
        format_func=lambda name: context.say(f"stricter.tab.{name}"),
        label_visibility="collapsed",
        key="stricter-tab",
    )
    if chosen == "benchmark":
        draw_benchmark(context)
    else:
        draw_groups(context)
