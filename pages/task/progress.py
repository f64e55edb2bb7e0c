"""Progress of a task, for those who lead: items by state, and the history of the chosen one."""

from __future__ import annotations

import streamlit as st

from evaluation.reports.report import Report, shown
from pages.shell.context import Context
from pages.shell.guard import md_literal
from pages.shell.navigation import screen_link
from pages.shell.reports import draw_files, draw_section


def draw_progress(context: Context, report: Report) -> None:
    """Draw a report of items by state; the items themselves are one press away."""
    states, items = report.sections
    st.markdown(md_literal(report.lead))
    draw_section(context, states, report.name)
    if items.sheet.rows:
        label = f"{items.title} ({len(items.sheet.rows):,})"
        key = f"{report.name}-open-items"
        shut = st.expander(label, icon=":material/list:", on_change="rerun", key=key)
        if shut.open:
            with shut:
                row = draw_section(context, items, report.name)
                if row is not None:
                    item = shown(items.sheet.rows[row][items.sheet.at("item")])
                    words = context.say("task_progress.history", item=item)
                    screen_link(context, "history", words, ":material/history:", item=item)
    draw_files(context, report, report.name)
