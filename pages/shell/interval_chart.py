"""Charts of figures with intervals: dots or bars with whiskers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import altair as alt
import pandas as pd
import streamlit as st

from evaluation.figure import Figure

Width = Literal["stretch", "content"]
_ROW = 34  # pixels per row of a horizontal chart
_FRAME = 30
_LABEL = 280  # pixels for a row's name
_ACROSS, _NAME = 2, 310  # legend entries a line, and pixels for each: a small screen has 700
# Distinguishable with colour-blindness, on light and on dark.
_SERIES = ["#4c8bc0", "#d08a2e", "#6aa56a", "#a579b8", "#7d8590", "#b85c5c"]
PICKED = "picked"  # the name of the selection parameter of a chart
_SMALL, _LARGE, _PALE = 40, 120, 0.45  # dot size for few observations, for more; opacity if weak
_WHISKER = "#8a8f98"  # a grey that shows on light and on dark


@dataclass(frozen=True, slots=True)
class Bar:
    """A figure with its label and series ("" if there is only one series)."""

    label: str
    series: str
    figure: Figure


def interval_chart(
    bars: Sequence[Bar], description: str, key: str, picks: bool = False
) -> int | None:
    """Draw one dot with its whisker per figure, top to bottom in the order given.

    The axis runs from 0 to 1, and below 0 only if a figure or a bound lies there. With `picks` a
    figure can be clicked; returns its index in `bars`.
    """
    ends = [end for bar in bars for end in (bar.figure.value, bar.figure.low) if end is not None]
    floor = min([0.0, *ends])
    scale = alt.Scale(domain=[floor, 1.0])
    axis = alt.Axis(tickCount=5, format=".1f")
    base = alt.Chart(_frame(bars)).encode(
        y=alt.Y("label:N", sort=None, title=None, axis=alt.Axis(labelLimit=_LABEL)),
        color=alt.Color("series:N", legend=None),
    )
    whisker = base.mark_rule(strokeWidth=4, opacity=0.4, strokeCap="round").encode(
        x=alt.X("low:Q", scale=scale, title=None, axis=axis), x2="high:Q"
    )
    dot = base.mark_point(filled=True).encode(
        x=alt.X("value:Q", scale=scale, title=None, axis=axis),
        size=alt.condition("datum.weak", alt.value(_SMALL), alt.value(_LARGE)),
        opacity=alt.condition("datum.weak", alt.value(_PALE), alt.value(1)),
        tooltip=_tooltip(),
    )
    if picks:
        dot = dot.add_params(alt.selection_point(name=PICKED, fields=["at"]))
    chart = (whisker + dot).properties(height=_FRAME + _ROW * len(bars))
    return draw(chart, key, description, picks)


def draw(
    chart: Any, key: str, description: str, picks: bool, width: Width = "stretch"
) -> int | None:
    """Draw a chart; with `picks` return the field ``at`` of the clicked mark, if any."""
    if not picks:
        st.altair_chart(chart, key=key, alt=description, width=width)
        return None
    state: Any = st.altair_chart(
        chart,
        key=key,
        alt=description,
        width=width,
        on_select="rerun",
        selection_mode=PICKED,
    )
    chosen = state["selection"].get(PICKED, [])
    return int(chosen[0]["at"]) if chosen else None


def grouped_bars(bars: Sequence[Bar], description: str, key: str) -> None:
    """Draw vertical bars from 0 to 1, grouped by label, one per series, with whiskers."""
    labels = list(dict.fromkeys(bar.label for bar in bars))
    series = list(dict.fromkeys(bar.series for bar in bars))
    scale = alt.Scale(domain=[0.0, 1.0])
    base = alt.Chart(_frame(bars)).encode(
        x=alt.X("label:N", sort=labels, title=None, axis=alt.Axis(labelAngle=0)),
        xOffset=alt.XOffset("series:N", sort=series),
    )
    # The page's theme draws a bar over 85 % of its band, from the left: its whisker, in the middle
    # of the band, would stand off the middle of the bar.
    bar = base.mark_bar(width=alt.RelativeBandSize(band=1)).encode(
        opacity=alt.condition("datum.weak", alt.value(_PALE), alt.value(0.85)),
        y=alt.Y("value:Q", scale=scale, title=None, axis=alt.Axis(tickCount=5, format=".1f")),
        color=alt.Color(
            "series:N",
            sort=series,
            title=None,
            scale=alt.Scale(domain=series, range=_SERIES[: len(series)]),
            legend=alt.Legend(orient="top", columns=_ACROSS, labelLimit=_NAME),
        ),
        tooltip=_tooltip(),
    )
    whisker = base.mark_rule(strokeWidth=1.5, color=_WHISKER).encode(
        xOffset=alt.XOffset("series:N", sort=series, bandPosition=0.5),
        y=alt.Y("low:Q", scale=scale, title=None),
        y2="high:Q",
    )
    st.altair_chart((bar + whisker).properties(height=320), key=key, alt=description)


def _frame(bars: Sequence[Bar]) -> pd.DataFrame:
    rows = []
    for at, bar in enumerate(bars):
        value = bar.figure.value
        figure = bar.figure
        ends = figure.low, figure.high  # a figure without an interval has no whisker
        rows.append((at, bar.label, bar.series, value, *ends, figure.text(), figure.n, figure.weak))
    names = ["at", "label", "series", "value", "low", "high", "figure", "n", "weak"]
    return pd.DataFrame(rows, columns=names)


def _tooltip() -> list[alt.Tooltip]:
    return [alt.Tooltip(name) for name in ("label:N", "series:N", "figure:N", "n:Q")]
