"""Differences of runs from the strongest and the weakest simple baseline."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from pages.shell.context import Context
from pages.shell.guard import plain
from pages.shell.widgets import draw_table
from services.runs.significance import MeasureColumn
from services.runs.simple_baselines import (
    ComparedLine,
    against,
    kinds,
    said_difference,
    simple_note,
)

_ROWS = 16  # visible at once; the table scrolls beyond them
_ROW_HEIGHT, _HEADER = 35, 37


def draw_simple_baselines(
    context: Context,
    columns: Sequence[MeasureColumn],
    lines: Sequence[ComparedLine],
    place: int,
    key: str,
) -> None:
    """Draw each line's differences on the measure at `place`, with tests.

    Draws nothing if fewer than two lines have a run, and one sentence if none of them is simple.
    """
    lines = [line for line in lines if line.run_id is not None]
    if len({line.run_id for line in lines}) < 2:
        return
    column = columns[place : place + 1]
    head = [context.say("significance.simple_head"), *(each.measure for each in column)]
    st.markdown(f"**{plain(' · '.join(head))}**")
    if kinds(column):
        _table(context, column[0].measure, lines, place, kinds(column), key)
    cells = [ComparedLine(line.label, line.run_id, line.cells[place : place + 1]) for line in lines]
    st.caption(plain(simple_note(column, cells, context.language)))


def _table(
    context: Context,
    measure: str,
    lines: Sequence[ComparedLine],
    place: int,
    shown: Sequence[str],
    key: str,
) -> None:
    say = context.say
    columns: dict[str, list[str | float | None]] = {
        "column_line": [line.label for line in lines],
    }
    for kind in shown:
        tests = [against(line.cells[place], kind) for line in lines]
        columns[f"significance.simple_{kind}"] = [said_difference(test) for test in tests]
        columns[f"significance.p_{kind}"] = [None if t is None else t.p_holm for t in tests]
    draw_table(
        context,
        "experiments",
        columns,
        key,
        config={
            "column_line": st.column_config.TextColumn(width=200),
            **{
                f"significance.p_{kind}": st.column_config.NumberColumn(format="%.4f")
                for kind in shown
            },
        },
        height=_HEADER + _ROW_HEIGHT * min(_ROWS, len(lines)),
        placeholder="–",
        alt=f"{say('significance.simple_head')}, {measure}",
    )
