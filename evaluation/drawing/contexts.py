"""Figure of accuracy by context, and of accuracy against retrieval quality.

On the left a row for each context, a dot with its interval for each model; on the right, for
two or more different runs, each run's retrieval score against the accuracy with its passages,
with a model's accuracy without context and with the gold as lines. A single run shows no relation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from evaluation.drawing.canvas import PLAIN, Look, drawn, inches, plain, quiet, short
from evaluation.figures.buckets import Bar, Point

_NAME = 46  # characters of a context's name
_LEGEND = 70  # characters of a series' name
_ROW, _LEAST = 0.34, 2.6  # inches: height of a dot's row, and minimum height of the figure
_DOTS, _SCATTER = 3.6, 4.2  # inches of each panel's width, without names
_POINT, _MIDDLE = 40, 0.45  # characters of a run's name, and where it changes its side
_MARKERS = "osD^vP"
_APART = 0.05  # minimum vertical distance of point names, as a share of the panel


@dataclass(frozen=True, slots=True)
class Level:
    """A horizontal line in the panel of runs: a series' accuracy under a context without a run."""

    series: str
    name: str
    value: float


def context_figure(
    bars: Sequence[Bar],
    points: Sequence[Point],
    levels: Sequence[Level],
    words: tuple[str, str],
    look: Look = PLAIN,
) -> bytes:
    """Return both panels as a file; with fewer than two different runs the first alone.

    `words` are the axis labels: accuracy, and the retrieval measure.
    """
    if len({point.across.value for point in points}) < 2:
        points = ()
    groups = list(dict.fromkeys(bar.group for bar in bars))
    series = list(dict.fromkeys(bar.series for bar in bars))
    rows = len(groups) * max(1, len(series))
    names = max((inches(short(plain(each), _NAME)) for each in groups), default=1.0)
    size = (
        names + _DOTS + (_SCATTER if points else 0),
        max(_LEAST, 1.1 + 0.22 * len(series) + _ROW * (0.45 * rows + 0.55 * len(groups))),
    )

    def draw(paper: Any) -> None:
        ratio = [names + _DOTS, _SCATTER] if points else [1]
        panels = paper.subplots(1, len(ratio), width_ratios=ratio, squeeze=False)[0]
        _draw_dots(panels[0], bars, groups, series, words[0], look)
        if points:
            _draw_scatter(panels[1], points, levels, series, words, look)
        if series:
            paper.legend(*panels[0].get_legend_handles_labels(), loc="outside upper left")

    return drawn(size, look, draw)


def _draw_dots(
    axes: Any, bars: Sequence[Bar], groups: list[str], series: list[str], name: str, look: Look
) -> None:
    apart = 0.7 / max(1, len(series))
    for place, each in enumerate(series):
        mine = [bar for bar in bars if bar.series == each and bar.figure.value is not None]
        at = [groups.index(b.group) + (place - (len(series) - 1) / 2) * apart for b in mine]
        values = [bar.figure.value for bar in mine]
        style = _series_style(place, look)
        label = plain(short(each, _LEGEND)) or " "
        axes.plot(values, at, linestyle="none", label=label, markersize=6, clip_on=False, **style)
        for bar, y in zip(mine, at, strict=True):
            if bar.figure.low is not None:
                axes.hlines(y, bar.figure.low, bar.figure.high, color=style["color"], linewidth=1.6)
    quiet(axes, look.theme, "x")
    axes.set_yticks(range(len(groups)), [_row_label(group, bars) for group in groups])
    axes.tick_params(axis="y", length=0)
    axes.set_ylim(len(groups) - 0.5, -0.5)
    axes.set_xlim(0, 1)
    axes.set_xlabel(plain(name))


def _row_label(group: str, bars: Sequence[Bar]) -> str:
    ns = sorted({bar.figure.n for bar in bars if bar.group == group})
    said = f"n={ns[0]}" if len(ns) == 1 else f"n={ns[0]}…{ns[-1]}"
    return f"{short(plain(group), _NAME)}\n{said}"


def _draw_scatter(
    axes: Any,
    points: Sequence[Point],
    levels: Sequence[Level],
    series: list[str],
    words: tuple[str, str],
    look: Look,
) -> None:
    named: list[tuple[float, float, str, bool]] = []
    for place, name in enumerate(series):
        style = _series_style(place, look)
        for level in (each for each in levels if each.series == name):
            axes.axhline(level.value, color=style["color"], linewidth=1, linestyle="--", alpha=0.7)
            named.append((1.0, level.value, level.name, True))
        for point in (each for each in points if each.series == name):
            _draw_point(axes, point, style)
            x = point.across.value or 0.0
            named.append((x, point.up.value or 0.0, point.name, x > _MIDDLE))
    _label_points(axes, named)
    quiet(axes, look.theme, "both")
    axes.set_xlim(0, 1)
    axes.set_ylim(0, 1)
    axes.set_xlabel(plain(words[1]))
    axes.set_ylabel(plain(words[0]))


def _draw_point(axes: Any, point: Point, style: dict[str, Any]) -> None:
    x, y = point.across, point.up
    axes.plot([x.value], [y.value], markersize=6, clip_on=False, **style)
    if x.low is not None:
        axes.hlines(y.value, x.low, x.high, color=style["color"], linewidth=1, alpha=0.6)
    if y.low is not None:
        axes.vlines(x.value, y.low, y.high, color=style["color"], linewidth=1, alpha=0.6)


def _label_points(axes: Any, named: Sequence[tuple[float, float, str, bool]]) -> None:
    """Write each name beside its point, moved up if another is there already."""
    taken: list[tuple[float, bool]] = []
    for x, y, name, right in sorted(set(named), key=lambda each: (each[1], each[0], each[2])):
        height = y + 0.01
        for other, side in taken:
            if side == right and abs(other - height) < _APART:
                height = other + _APART
        taken.append((height, right))
        axes.annotate(
            short(plain(name), _POINT),
            (x, height),
            xytext=(-5 if right else 5, 0),
            textcoords="offset points",
            ha="right" if right else "left",
            fontsize=7.5,
            annotation_clip=False,
        )


def _series_style(place: int, look: Look) -> dict[str, Any]:
    colours = look.theme.series
    return {"color": colours[place % len(colours)], "marker": _MARKERS[place % len(_MARKERS)]}
