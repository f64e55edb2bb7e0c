"""Agreement on each label, and on each provision."""

from __future__ import annotations

import streamlit as st

from annotation.agreement.report import part
from annotation.agreement.views import ReportPart, Table, View
from pages.agreement.figure_table import draw_chart, draw_table
from pages.shell.context import Context
from services.agreement.report import name_of

_CHARTED = 12  # more figures than this are a table alone


def draw_categories(context: Context) -> None:
    """Draw the labels, then the provisions, the most chosen first."""
    st.caption(context.say("agreement.part_about.categories"))
    for table in part(context.workspace, context.project, ReportPart.CATEGORIES, context.person.id):
        _view(context, table)


def _view(context: Context, table: Table) -> None:
    say = context.say
    st.markdown(f"**{say(f'agreement.view.{table.view}')}**")
    if not table.items or not table.rows:
        st.info(say("agreement.more.nothing", n=table.items), icon=":material/hourglass_empty:")
        return
    heading = "label" if table.view is View.CANDIDATES else "provision"
    names = [name_of(table, row, context.language) for row in table.rows]
    title, key = say("statistics.name.specific"), f"agreement-of-{table.view}"
    clicked = None
    if len(table.rows) <= _CHARTED:
        clicked = draw_chart(context, table, names, title, f"{key}-chart")
    draw_table(context, table, {say(f"agreement.more.{heading}"): names}, key, clicked)
