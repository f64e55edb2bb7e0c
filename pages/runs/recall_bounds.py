"""Bounds of each run's recall on questions generated from options."""

from __future__ import annotations

import streamlit as st

from pages.shell.context import Context
from pages.shell.guard import plain
from pages.shell.widgets import draw_table
from services.reformulation.bounds import USUAL_K, bounds_table, run_bounds


def draw_recall_bounds(context: Context) -> None:
    """Draw the recall bounds of each run, if any question comes from an option."""
    lines = run_bounds(*context.here, USUAL_K, context.by)
    if not lines:
        return
    table = bounds_table(lines, USUAL_K, context.language)
    st.markdown(f"**{plain(table.title)}**")
    columns = {name: [row[at] for row in table.rows] for at, name in enumerate(table.head)}
    draw_table(context, "reformulation.bounds", columns, "leaderboard-bounds")
    st.caption(plain(" ".join(table.notes)))
