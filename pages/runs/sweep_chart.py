"""Sweeps as small charts: a measure over the values of one number, with its intervals."""

from __future__ import annotations

from typing import Any

import altair as alt
import pandas as pd
import streamlit as st

from construction.experiments.sweeps import Sweep, sweeps
from services.runs.experiments.results import Results
from services.runs.strata import Stratum

_ACROSS = 3
_HEIGHT = 240
_COLOUR = "#4c8bc0"


def draw_sweeps(results: Results, stratum: Stratum | None, place: int) -> None:
    """Draw a chart for each number that the experiment goes through, by one of its measures."""
    found = sweeps(results.experiment)
    for start in range(0, len(found), _ACROSS):
        columns = st.columns(_ACROSS)
        for column, sweep in zip(columns, found[start : start + _ACROSS], strict=False):
            frame = _frame(results, sweep, stratum, place)
            if len(frame):
                name = f"{sweep.entry} · {sweep.path}"
                column.altair_chart(
                    _chart(frame, sweep.path, results.measures[place]).properties(title=name),
                    key=f"experiments-sweep-{name}",
                    alt=name,
                )


def _frame(results: Results, sweep: Sweep, stratum: Stratum | None, place: int) -> pd.DataFrame:
    rows = []
    for value, position in sweep.points:
        line = results.lines[position]
        for cell in line.cells(stratum)[place : place + 1]:
            figure = cell.figure
            if figure.value is not None:
                rows.append((value, line.line.label, figure.value, figure.low, figure.high))
    return pd.DataFrame(rows, columns=["at", "line", "value", "low", "high"])


def _chart(frame: pd.DataFrame, path: str, measure: str) -> Any:
    across = alt.X("at:Q", title=path, scale=alt.Scale(zero=False, padding=12))
    upwards = alt.Scale(zero=False)
    base = alt.Chart(frame).encode(x=across, color=alt.value(_COLOUR))
    mean = base.mark_line(opacity=0.6).encode(
        y=alt.Y("mean(value):Q", title=measure, scale=upwards)
    )
    whisker = base.mark_rule(opacity=0.35).encode(y=alt.Y("low:Q", title=measure), y2="high:Q")
    tips = [alt.Tooltip(each, format=".3f") for each in ("at:Q", "value:Q", "low:Q", "high:Q")]
    point = base.mark_point(filled=True, size=50, opacity=1).encode(
        y=alt.Y("value:Q", title=measure), tooltip=["line:N", *tips]
    )
    return alt.layer(whisker, mean, point).properties(height=_HEIGHT)
