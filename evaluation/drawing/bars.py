"""Bars with their intervals, grouped: a figure per measure and method, as papers print them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from evaluation.drawing.canvas import PLAIN, Look, drawn, plain, quiet, short
from evaluation.figure import Figure
from evaluation.figures.bars import Bar

_NAME = 60  # characters of a series' name in the legend
_HEIGHT = 3.4
_WIDTH, _PER_BAR, _WIDEST = 4.2, 0.34, 16.0


def bar_chart(bars: Sequence[Bar], look: Look = PLAIN) -> bytes:
    """Return the bars as a file; a figure without a value leaves its place empty.

    Groups and series come in the order in which they are met. The axis begins at 0 (below where a
    bound lies there) and ends at 1 where nothing goes beyond.
    """
    groups = list(dict.fromkeys(bar.group for bar in bars))
    series = list(dict.fromkeys(bar.series for bar in bars))
    wide = min(_WIDEST, max(_WIDTH, 1.2 + _PER_BAR * len(groups) * (len(series) + 1)))
    return drawn((wide, _HEIGHT), look, lambda paper: _draw(paper, bars, groups, series, look))


def _draw(
    paper: Any, bars: Sequence[Bar], groups: list[str], series: list[str], look: Look
) -> None:
    axes, width = paper.add_subplot(), 0.8 / max(1, len(series))
    for place, name in enumerate(series):
        mine = [bar for bar in bars if bar.series == name and bar.figure.value is not None]
        at = [groups.index(bar.group) + (place - (len(series) - 1) / 2) * width for bar in mine]
        colour = look.theme.series[place % len(look.theme.series)]
        values = [bar.figure.value for bar in mine]
        axes.bar(at, values, width * 0.92, color=colour, label=_named(name, mine))
        for x, bar in zip(at, mine, strict=True):
            whisker(axes, x, bar.figure, look.theme.ink)
    quiet(axes, look.theme)
    axes.set_xticks(range(len(groups)), [plain(group) for group in groups])
    axes.tick_params(axis="x", length=0)
    axes.set_ylim(*bounds([bar.figure for bar in bars]))
    if series:
        paper.legend(loc="outside upper left", ncols=1 if len(series) > 3 else len(series))


def _named(name: str, bars: Sequence[Bar]) -> str:
    """Return the name with how many observations its bars rest on, where that is one number."""
    counts = {bar.figure.n for bar in bars}
    said = f"n={counts.pop()}" if len(counts) == 1 else ""
    return "  ".join(part for part in (plain(short(name, _NAME)), said) if part)


def whisker(axes: Any, x: float, figure: Figure, colour: str) -> None:
    """Draw a figure's interval at `x`; nothing where it has none."""
    if figure.low is not None and figure.high is not None:
        axes.vlines(x, figure.low, figure.high, color=colour, linewidth=1.2, alpha=0.8)


def bounds(figures: Sequence[Figure]) -> tuple[float, float]:
    """Return where an axis for these figures begins and ends."""
    told = [
        value
        for figure in figures
        for value in (figure.value, figure.low, figure.high)
        if value is not None
    ]
    low, high = min([0.0, *told]), max([0.0, *told])
    return low * 1.05, 1.0 if 0.55 < high <= 1.0 else max(high * 1.12, 0.05)
