"""Bars with their intervals, grouped: a figure per measure and method, as papers print them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from evaluation.drawing.canvas import PLAIN, Look, drawn, inches, plain, quiet, short
from evaluation.figure import Figure
from evaluation.figures.bars import Bar

_NAME = 60  # characters of a series' name in the legend
_HEIGHT = 3.4
_WIDTH, _PER_BAR, _WIDEST = 4.2, 0.34, 16.0


def bar_chart(bars: Sequence[Bar], look: Look = PLAIN) -> bytes:
    """Return the bars as a file; a figure without a value is a dash at its place.

    Groups and series come in the order in which they are met. The axis begins at 0 (below where a
    bound lies there) and ends at 1 where nothing goes beyond.
    """
    groups = list(dict.fromkeys(bar.group for bar in bars))
    series = list(dict.fromkeys(bar.series for bar in bars))
    widest = max((inches(group) for group in groups), default=0)
    each = max(_PER_BAR * (len(series) + 1), widest + _PER_BAR / 2)
    wide = min(_WIDEST, max(_WIDTH, 1.2 + each * len(groups)))
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
        label = plain(short(name, _NAME)) or " "  # matplotlib leaves out what has no name
        axes.bar(at, values, width * 0.92, color=colour, label=label)
        for x, bar in zip(at, mine, strict=True):
            whisker(axes, x, bar.figure, look.theme.ink)
        for bar in bars:
            if bar.series == name and bar.figure.value is None:
                x = groups.index(bar.group) + (place - (len(series) - 1) / 2) * width
                axes.text(x, 0, "–", ha="center", va="bottom", color=colour)
    quiet(axes, look.theme)
    axes.set_xticks(range(len(groups)), [_named(group, bars) for group in groups])
    axes.set_xlim(-0.5, max(0, len(groups) - 1) + 0.5)
    axes.tick_params(axis="x", length=0)
    axes.set_ylim(*bounds([bar.figure for bar in bars]))
    if series:
        # A name, its mark and its n take an inch more than its letters.
        side_by_side = sum(inches(short(name, _NAME)) + 1.1 for name in series)
        fits = side_by_side < paper.get_figwidth()
        paper.legend(loc="outside upper left", ncols=len(series) if fits else 1)


def _named(group: str, bars: Sequence[Bar]) -> str:
    """Return the group with how many observations its bars rest on: one number, or the range."""
    counts = sorted(bar.figure.n for bar in bars if bar.group == group)
    said = f"{counts[0]}" if counts[0] == counts[-1] else f"{counts[0]} … {counts[-1]}"
    return f"{plain(group)}\nn={said}"


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
