"""The figures screen: neighbourhoods, hit rates, runs drawn for papers, and data sets compared."""

from __future__ import annotations

import streamlit as st

from annotation.people.roles import Act
from pages.figures.datasets import draw_datasets
from pages.figures.graph_figures import draw_hits, draw_neighbourhood
from pages.figures.run_figures import draw_bars, draw_similarity
from pages.shell.context import Context
from pages.shell.permission_notice import allowed

KEY = "figures-tab"
PARTS = {
    "neighbourhood": draw_neighbourhood,
    "hits": draw_hits,
    "similarity": draw_similarity,
    "bars": draw_bars,
    "datasets": draw_datasets,
}


def render(context: Context) -> None:
    """Draw the screen."""
    st.title(context.say("figures.title"), anchor=False)
    st.markdown(context.say("figures.lead"))
    if not allowed(context, Act.SEE_SCORES):
        return
    names = [context.say(f"figures.tab.{part}") for part in PARTS]
    for tab, draw in zip(st.tabs(names, on_change="rerun", key=KEY), PARTS.values(), strict=True):
        if tab.open:
            with tab:
                draw(context)
