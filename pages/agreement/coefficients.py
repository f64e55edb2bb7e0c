"""Every statistic of everybody together, of whole answers and of decisions on candidates."""

from __future__ import annotations

import streamlit as st

from annotation.agreement.report import totals
from annotation.agreement.views import Table
from annotation.people.roles import Act
from pages.agreement.figure_table import draw_table
from pages.shell.context import Context
from pages.shell.guard import plain


def draw_statistics(context: Context) -> None:
    """Draw both views, one below the other."""
    for table in totals(context.workspace, context.project, context.person.id):
        _view(context, table)
    if not context.may(Act.READ_OTHERS_LABELS):
        st.caption(f":material/visibility_off: {context.say('agreement.more.hidden')}")


def _view(context: Context, table: Table) -> None:
    say = context.say
    st.markdown(f"**{say(f'agreement.view.{table.view}')}**")
    st.caption(say(f"agreement.view_about.{table.view}", items=f"{table.items:,}"))
    if not table.items:
        st.info(say("agreement.more.nothing", n=table.items), icon=":material/hourglass_empty:")
        return
    names = [say(f"statistics.name.{row.finding.statistic}") for row in table.rows]
    draw_table(context, table, {say("agreement.more.statistic"): names}, f"agreement-{table.view}")
    for note in table.notes:
        st.caption(plain(note.say(context.language)))
