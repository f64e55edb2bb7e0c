"""Agreement between every two annotators: a matrix to look at, and a table to open."""

from __future__ import annotations

from collections.abc import Sequence

import altair as alt
import pandas as pd
import streamlit as st

from annotation.agreement.report import part
from annotation.agreement.views import FigureRow, ReportPart, Table
from pages.agreement.figure_table import draw_table
from pages.shell.context import Context
from pages.shell.interval_chart import PICKED, draw

_CELL = 76  # pixels of a cell of the matrix
_MOST = 760  # pixels for all of them
_LABEL = 140  # pixels for a name beside it
_MIDDLE = 0.6  # from here on a cell is dark enough for white figures


def draw_pairs(context: Context) -> None:
    """Draw both views, one below the other."""
    for table in part(context.workspace, context.project, ReportPart.PAIRS, context.person.id):
        _view(context, table)


def _view(context: Context, table: Table) -> None:
    say = context.say
    st.markdown(f"**{say(f'agreement.view.{table.view}')}**")
    if not any(row.finding.figure.n for row in table.rows):
        st.info(say("agreement.more.nothing", n=table.items), icon=":material/hourglass_empty:")
        return
    statistic = say(f"statistics.name.{table.rows[0].finding.statistic}")
    title = say("agreement.more.matrix", statistic=statistic)
    st.caption(f"{title}. {say('agreement.part_about.pairs')}")
    st.caption(say("agreement.more.click"))
    clicked = matrix(table.rows, title, f"agreement-matrix-{table.view}")
    names = {
        say("agreement.more.first"): [row.names[0] for row in table.rows],
        say("agreement.more.second"): [row.names[1] for row in table.rows],
    }
    draw_table(context, table, names, f"agreement-pairs-{table.view}", clicked)


def matrix(rows: Sequence[FigureRow], description: str, key: str) -> int | None:
    """Draw every two people as two cells; the darker, the more they agree. No value: no figure.

    Return the row of the cell that is clicked on.
    """
    people = sorted({name for row in rows for name in row.names})
    cell = alt.Step(min(_CELL, _MOST / len(people)))
    places = alt.Scale(domain=people, padding=0.06)
    across = alt.Axis(labelAngle=0, orient="top", labelLimit=_CELL, ticks=False, domain=False)
    down = alt.Axis(labelLimit=_LABEL, ticks=False, domain=False)
    base = alt.Chart(matrix_frame(rows)).encode(
        x=alt.X("a:N", axis=across, title=None, scale=places),
        y=alt.Y("b:N", axis=down, title=None, scale=places),
        tooltip=["a:N", "b:N", alt.Tooltip("value:Q", format=".3f"), "n:Q"],
    )
    cells = base.mark_rect(cornerRadius=3, cursor="pointer").encode(
        color=alt.Color(
            "value:Q", scale=alt.Scale(domain=[0, 1], clamp=True, scheme="blues"), legend=None
        )
    )
    ink = alt.condition(f"datum.value > {_MIDDLE}", alt.value("white"), alt.value("#15181c"))
    figures = base.mark_text(fontSize=14, dy=-7).encode(
        text=alt.Text("value:Q", format=".2f"), color=ink
    )
    counts = base.mark_text(fontSize=11, dy=10).encode(text=alt.Text("count:N"), color=ink)
    picked = alt.selection_point(name=PICKED, fields=["at"])
    chart = (cells.add_params(picked) + figures + counts).properties(width=cell, height=cell)
    return draw(chart, key, description, picks=True, width="content")


def matrix_frame(rows: Sequence[FigureRow]) -> pd.DataFrame:
    """Return a line per cell that has a value, each pair both ways round.

    Columns: at (the row), a, b, value, n, and n in words.
    """
    lines = [
        (at, *names, row.finding.figure.value, row.finding.figure.n, f"n = {row.finding.figure.n}")
        for at, row in enumerate(rows)
        if row.finding.figure.value is not None
        for names in (row.names, row.names[::-1])
    ]
    return pd.DataFrame(lines, columns=["at", "a", "b", "value", "n", "count"])
