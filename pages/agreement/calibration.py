"""How often each annotator gives the known answer."""

from __future__ import annotations

import streamlit as st

from annotation.agreement.report import part
from annotation.agreement.views import ReportPart
from pages.agreement.figure_table import draw_chart, draw_table
from pages.shell.context import Context


def draw_calibration(context: Context) -> None:
    """Draw everybody who submitted calibration items."""
    say = context.say
    (table,) = part(context.workspace, context.project, ReportPart.CALIBRATION, context.person.id)
    if not table.rows:
        st.info(say("agreement.more.no_calibration"), icon=":material/info:")
        return
    st.caption(say("agreement.part_about.calibration"))
    people = [row.names[0] for row in table.rows]
    title = say("statistics.name.calibration")
    clicked = draw_chart(context, table, people, title, "agreement-calibration-chart")
    names = {say("agreement.more.first"): people}
    draw_table(context, table, names, "agreement-calibration", clicked)
