"""Whether agreement changes while the work goes on."""

from __future__ import annotations

import streamlit as st

from annotation.agreement.report import WINDOW, part
from annotation.agreement.views import ReportPart, Table
from pages.agreement.figure_table import draw_chart, draw_table
from pages.shell.context import Context


def draw_drift(context: Context) -> None:
    """Draw both views, one below the other."""
    tables = part(context.workspace, context.project, ReportPart.DRIFT, context.person.id)
    st.caption(context.say("agreement.part_about.drift"))
    for table in tables:
        _view(context, table)


def _view(context: Context, table: Table) -> None:
    """Draw a dot per window with its interval, and the windows as a table."""
    say = context.say
    st.markdown(f"**{say(f'agreement.view.{table.view}')}**")
    if not table.rows:
        st.info(say("agreement.more.nothing", n=table.items), icon=":material/hourglass_empty:")
        return
    clicked = None
    if len(table.rows) < 2:
        least = WINDOW + WINDOW // 2  # what is left over by less than half a window joins it
        st.info(say("agreement.more.one_window", n=least), icon=":material/info:")
    else:
        clicked = _chart(context, table)
    names = {
        say("agreement.more.from"): [row.names[0] for row in table.rows],
        say("agreement.more.until"): [row.names[1] for row in table.rows],
    }
    draw_table(context, table, names, f"agreement-drift-{table.view}", clicked)


def _chart(context: Context, table: Table) -> int | None:
    statistic = context.say(f"statistics.name.{table.rows[0].finding.statistic}")
    title = context.say("agreement.more.drift_chart", statistic=statistic)
    labels = [f"{at}. {row.names[0]} – {row.names[1]}" for at, row in enumerate(table.rows, 1)]
    return draw_chart(context, table, labels, title, f"agreement-drift-chart-{table.view}")
