"""Whether agreement changes while the work goes on."""

from __future__ import annotations

import streamlit as st

from annotation.quality import WINDOW, part
from annotation.quality_views import Part, Table
from pages.context import Context
from pages.parts.agreement_table import draw_table
from pages.parts.interval_chart import Bar, interval_chart


def draw_drift(context: Context) -> None:
    """Draw a dot per window with its interval, and the windows as a table."""
    say = context.say
    (table,) = part(context.workspace, context.project, Part.DRIFT, context.person.id)
    if not table.rows:
        st.info(say("agreement.more.nothing", n=table.items), icon=":material/hourglass_empty:")
        return
    st.caption(say("agreement.part_about.drift"))
    if len(table.rows) < 2:
        least = WINDOW + WINDOW // 2  # what is left over by less than half a window joins it
        st.info(say("agreement.more.one_window", n=least), icon=":material/info:")
    else:
        _chart(context, table)
    names = {
        say("agreement.more.from"): [row.names[0] for row in table.rows],
        say("agreement.more.until"): [row.names[1] for row in table.rows],
    }
    draw_table(context, table, names, "agreement-drift")


def _chart(context: Context, table: Table) -> None:
    statistic = context.say(f"statistics.name.{table.rows[0].finding.statistic}")
    bars = [
        Bar(f"{at}. {row.names[0]} – {row.names[1]}", "", row.finding.figure)
        for at, row in enumerate(table.rows, 1)
        if row.finding.figure.value is not None
    ]
    title = context.say("agreement.more.drift_chart", statistic=statistic)
    interval_chart(bars, title, "agreement-drift-chart")
