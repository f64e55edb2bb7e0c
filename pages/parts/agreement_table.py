"""A table of figures of which one can be selected, to see what is behind it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from annotation.quality_views import Row, Table
from annotation.roles import Act
from evaluation.agreement.reading import read
from jobs.agreement import cells, name_of, reading
from pages.context import Context
from pages.guard import plain
from pages.parts.agreement_items import draw_items

_ROWS = 8  # a longer table scrolls
_HEIGHT = 460
_ROW = 70  # pixels: from 65 on a long reading is wrapped
_LINE = 60  # characters of a reading that are seen without wrapping
_VALUE, _INTERVAL = 60, 120


def draw_table(
    context: Context, table: Table, names: Mapping[str, Sequence[str]], key: str
) -> None:
    """Draw the figures; below them, for the selected one, its reading and the questions behind it.

    `names` are the columns before the figures: heading → a cell for each row. Who does not read
    others' labels can select nothing.
    """
    say, rows = context.say, table.rows
    figures = [cells(row) for row in rows]
    sighted = context.may(Act.READ_OTHERS_LABELS)
    readings = [_short(context, row) for row in rows]
    state = st.dataframe(
        {
            **names,
            say("agreement.more.value"): [value for value, _, _ in figures],
            say("agreement.more.interval"): [interval for _, interval, _ in figures],
            say("agreement.more.n"): [row.finding.figure.n for row in rows],
            say("agreement.more.reading"): readings,
        },
        column_config={
            say("agreement.more.value"): st.column_config.TextColumn(width=_VALUE),
            say("agreement.more.interval"): st.column_config.TextColumn(width=_INTERVAL),
            say("agreement.more.n"): st.column_config.NumberColumn(
                format="localized", width=_VALUE
            ),
            say("agreement.more.reading"): st.column_config.TextColumn(width="large"),
        },
        hide_index=True,
        height="auto" if len(rows) < _ROWS else _HEIGHT,
        row_height=_ROW if any(len(words) > _LINE for words in readings) else None,
        key=key,
        on_select="rerun" if sighted else "ignore",
        selection_mode="single-row",
    )
    if isinstance(state, DeltaGenerator):  # nothing can be selected
        return
    picked = state["selection"]["rows"]
    if not picked or picked[0] >= len(rows):
        st.caption(say("agreement.more.pick_row"))
        return
    with st.container(border=True):
        _behind(context, table, rows[picked[0]], key)


def _short(context: Context, row: Row) -> str:
    """Return what the value says; how certain it is stands beside it as an interval."""
    return read(row.finding)[0].say(context.language)


def _behind(context: Context, table: Table, row: Row, key: str) -> None:
    st.markdown(plain(reading(row, context.language)))
    statistic = context.say(f"statistics.name.{row.finding.statistic}")
    name = name_of(table, row, context.language)
    draw_items(context, f"{name} · {statistic}" if name else statistic, row.items, f"{key}-items")
