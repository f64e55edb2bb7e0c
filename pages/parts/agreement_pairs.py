"""Agreement between every two annotators: a matrix to look at, and a table to open."""

from __future__ import annotations

from collections.abc import Sequence

import altair as alt
import pandas as pd
import streamlit as st

from annotation.quality import part
from annotation.quality_views import Part, Row, Table
from pages.context import Context
from pages.parts.agreement_table import draw_table

_CELL = 64  # pixels of a cell of the matrix
_MARGIN = 150
_MIDDLE = 0.6  # from here on a cell is dark enough for white figures


def draw_pairs(context: Context) -> None:
    """Draw both views, one below the other."""
    for table in part(context.workspace, context.project, Part.PAIRS, context.person.id):
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
    left, right = st.columns([2, 5], gap="medium")
    with left:
        matrix(table.rows, title, f"agreement-matrix-{table.view}")
    with right:
        names = {
            say("agreement.more.first"): [row.names[0] for row in table.rows],
            say("agreement.more.second"): [row.names[1] for row in table.rows],
        }
        draw_table(context, table, names, f"agreement-pairs-{table.view}")


def matrix(rows: Sequence[Row], description: str, key: str) -> None:
    """Draw every two people as two cells; the darker, the more they agree. No value: no cell."""
    people = sorted({name for row in rows for name in row.names})
    frame = matrix_frame(rows)
    base = alt.Chart(frame).encode(
        x=alt.X("a:N", sort=people, title=None, axis=alt.Axis(labelAngle=-40, orient="top")),
        y=alt.Y("b:N", sort=people, title=None),
        tooltip=["a:N", "b:N", alt.Tooltip("value:Q", format=".3f"), "n:Q"],
    )
    cells = base.mark_rect(cornerRadius=3).encode(
        color=alt.Color(
            "value:Q", scale=alt.Scale(domain=[0, 1], clamp=True, scheme="blues"), legend=None
        )
    )
    figures = base.mark_text(fontSize=13).encode(
        text=alt.Text("value:Q", format=".2f"),
        color=alt.condition(f"datum.value > {_MIDDLE}", alt.value("white"), alt.value("#15181c")),
    )
    side = _MARGIN + _CELL * len(people)
    chart = (cells + figures).properties(height=side, width=side)
    st.altair_chart(chart, key=key, alt=description)


def matrix_frame(rows: Sequence[Row]) -> pd.DataFrame:
    """Return a line per cell that has a value, each pair both ways round: a, b, value, n."""
    known = [row for row in rows if row.finding.figure.value is not None]
    lines = [
        (first, second, row.finding.figure.value, row.finding.figure.n)
        for row in known
        for first, second in (row.names, row.names[::-1])
    ]
    return pd.DataFrame(lines, columns=["a", "b", "value", "n"])
