"""Bar charts, similarity curves, forest plots of differences, and learning curves.

Forest plot of differences between methods: dots with intervals and a line at zero.

Figure of a learning curve: loss on the left, share of correct first tokens on the right.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from evaluation.drawing.canvas import (
    PLAIN,
    Look,
    Paper,
    drawn,
    filled,
    inches,
    printable_line,
    quiet,
    short,
)
from evaluation.figure import Figure
from evaluation.figures.buckets import Bar, Curve
from evaluation.figures.datasets import BINS, PAIRS, Description, Pair
from messages import say

_NAME = 60  # characters of a series' name in the legend
_HEIGHT = 3.4
_WIDTH, _PER_BAR, _WIDEST = 4.2, 0.34, 16.0


def bar_chart(bars: Sequence[Bar], look: Look = PLAIN) -> bytes:
    """Return the bar chart as a file; a figure without a value is drawn as a dash.

    Groups and series are in order of first occurrence. The axis begins at 0 (below if a
    bound is negative) and ends at 1 unless a value exceeds it.
    """
    return drawn(*_chart_parts(bars, look))


def bar_paper(bars: Sequence[Bar], look: Look = PLAIN) -> Paper:
    """Return the chart of `bar_chart` as a matplotlib figure."""
    return filled(*_chart_parts(bars, look))


def _chart_parts(
    bars: Sequence[Bar], look: Look
) -> tuple[tuple[float, float], Look, Callable[[Any], None]]:
    """Return the size of the chart, its look, and its drawing function."""
    groups = list(dict.fromkeys(bar.group for bar in bars))
    series = list(dict.fromkeys(bar.series for bar in bars))
    widest = max((inches(group) for group in groups), default=0)
    each = max(_PER_BAR * (len(series) + 1), widest + _PER_BAR / 2)
    wide = min(_WIDEST, max(_WIDTH, 1.2 + each * len(groups)))
    return (wide, _HEIGHT), look, lambda paper: _draw(paper, bars, groups, series, look)


def _draw(
    paper: Any, bars: Sequence[Bar], groups: list[str], series: list[str], look: Look
) -> None:
    axes, width = paper.add_subplot(), 0.8 / max(1, len(series))
    for place, name in enumerate(series):
        mine = [bar for bar in bars if bar.series == name and bar.figure.value is not None]
        at = [groups.index(bar.group) + (place - (len(series) - 1) / 2) * width for bar in mine]
        colour = look.theme.series[place % len(look.theme.series)]
        values = [bar.figure.value for bar in mine]
        label = (
            printable_line(short(name, _NAME)) or " "
        )  # matplotlib omits empty labels from the legend
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
        # A legend entry's mark and n take an inch more than its text.
        side_by_side = sum(inches(short(name, _NAME)) + 1.1 for name in series)
        fits = side_by_side < paper.get_figwidth()
        paper.legend(loc="outside upper left", ncols=len(series) if fits else 1)


def _named(group: str, bars: Sequence[Bar]) -> str:
    """Return the group's label with the n of its bars: one number, or the range."""
    counts = sorted(bar.figure.n for bar in bars if bar.group == group)
    said = f"{counts[0]}" if counts[0] == counts[-1] else f"{counts[0]} … {counts[-1]}"
    return f"{printable_line(group)}\nn={said}"


def whisker(axes: Any, x: float, figure: Figure, colour: str) -> None:
    """Draw a figure's interval at `x`, if it has one."""
    if figure.low is not None and figure.high is not None:
        axes.vlines(x, figure.low, figure.high, color=colour, linewidth=1.2, alpha=0.8)


def bounds(figures: Sequence[Figure]) -> tuple[float, float]:
    """Return the limits of an axis for these figures."""
    told = [
        value
        for figure in figures
        for value in (figure.value, figure.low, figure.high)
        if value is not None
    ]
    low, high = min([0.0, *told]), max([0.0, *told])
    return low * 1.05, 1.0 if 0.55 < high <= 1.0 else max(high * 1.12, 0.05)


_SIZE = (7.6, 4.4)
_APART = 0.012  # horizontal distance of the points of two curves in one bucket, in axis units
_MARKERS = "osD^vP"


def similarity_figure(
    curves: Sequence[Curve], measure: str, look: Look = PLAIN, about: str = ""
) -> bytes:
    """Return the curves as a file: one colour each, its slope in the legend.

    `about`, below the axis, names what is compared.
    Numbers of questions are those of the first curve: curves drawn together are
    over the same questions.
    """
    return drawn(_SIZE, look, lambda paper: _draw_curves(paper, curves, measure, look, about))


def _draw_curves(paper: Any, curves: Sequence[Curve], measure: str, look: Look, about: str) -> None:
    axes = paper.add_subplot()
    for place, each in enumerate(curves):
        _draw_curve(axes, each, place, len(curves), look)
    quiet(axes, look.theme)
    figures = [bucket.figure for each in curves for bucket in each.buckets]
    low, high = bounds(figures)
    axes.set_ylim(low - 0.02, high + (0.02 if high == 1.0 else 0))
    axes.set_ylabel(printable_line(measure))
    axes.set_xlabel(f"{say('drawing.similarity', look.language)}\n{about}".rstrip())
    if curves:
        _label_buckets(axes, curves[0])
        paper.legend(loc="outside upper left")


def _draw_curve(axes: Any, curve: Curve, place: int, count: int, look: Look) -> None:
    colour = look.theme.series[place % len(look.theme.series)]
    away = (place - (count - 1) / 2) * _APART
    at = [(bucket.low + bucket.high) / 2 + away for bucket in curve.buckets]
    values = [bucket.figure.value for bucket in curve.buckets]
    marker = _MARKERS[place % len(_MARKERS)]
    axes.plot(
        at, values, marker, color=colour, markersize=6, label=_legend_label(curve, look.language)
    )
    for x, bucket in zip(at, curve.buckets, strict=True):
        whisker(axes, x, bucket.figure, colour)
    if curve.start is not None and curve.slope.value is not None:
        ends = [curve.buckets[0].low, curve.buckets[-1].high]
        line = [curve.start + curve.slope.value * x for x in ends]
        axes.plot(ends, line, color=colour, linewidth=1.3, alpha=0.8)


def _legend_label(curve: Curve, language: str) -> str:
    name = printable_line(short(curve.name, _NAME))
    if curve.slope.value is None:
        return name
    return f"{name}  {say('drawing.slope', language, slope=_signed(curve.slope.text()))}"


def _signed(text: str) -> str:
    return text.replace("-", "\N{MINUS SIGN}")


def _label_buckets(axes: Any, curve: Curve) -> None:
    """Label each bucket with its range and number of questions."""
    places = [(bucket.low + bucket.high) / 2 for bucket in curve.buckets]
    words = [f"{b.low:.2g}–{b.high:.2g}\nn={b.figure.n}" for b in curve.buckets]
    axes.set_xticks(places, words)
    axes.tick_params(axis="x", length=0)


_COLUMN, _ROW = 2.6, 2.1
_HISTOGRAM_NAME = 32


def histogram_figure(datasets: Sequence[Description], look: Look = PLAIN, about: str = "") -> bytes:
    """Return the histograms of data sets side by side as a file, the mean as a dashed line.

    A kind of pair that no data set has is left out; a data set without it has an empty panel with
    a note. `about`, below the axis, names what is compared.
    """
    rows = [pair for pair in PAIRS if any(each.cosines[pair].n for each in datasets)] or [PAIRS[0]]
    columns = max(1, len(datasets))
    size = (max(4.5, 0.7 + _COLUMN * columns), 0.5 + _ROW * len(rows))
    axis = f"{say('drawing.cosine_axis', look.language)}\n{about}".rstrip()
    return drawn(size, look, lambda paper: _draw_histograms(paper, datasets, rows, axis, look))


def _draw_histograms(
    paper: Any, datasets: Sequence[Description], rows: Sequence[Pair], axis: str, look: Look
) -> None:
    panels = paper.subplots(len(rows), max(1, len(datasets)), squeeze=False, sharex=True)
    for row, pair in zip(panels, rows, strict=True):
        for axes, each in zip(row, datasets, strict=False):
            _draw_histogram(axes, each, pair, look)
        row[0].set_ylabel(say(f"drawing.{pair}", look.language))
    for axes, each in zip(panels[0], datasets, strict=False):
        axes.set_title(printable_line(short(each.name, _HISTOGRAM_NAME)))
    paper.supxlabel(axis, fontsize=9)


def _draw_histogram(axes: Any, dataset: Description, pair: Pair, look: Look) -> None:
    theme, figure = look.theme, dataset.cosines[pair]
    quiet(axes, theme)
    axes.set_xlim(0, 1)
    if figure.value is None:
        words = say("drawing.nothing", look.language)
        axes.text(0.5, 0.5, words, ha="center", transform=axes.transAxes, color=theme.faint)
        axes.set_yticks([])
        return
    left = [n / BINS for n in range(BINS)]
    axes.bar(left, dataset.histograms[pair], 1 / BINS, align="edge", color=theme.series[0])
    axes.yaxis.get_major_locator().set_params(integer=True)
    axes.axvline(figure.value, color=theme.series[1], linestyle="--", linewidth=1.4)
    said = f"{figure.value:.3f}\nn={figure.n}"
    axes.text(0.97, 0.95, said, ha="right", va="top", transform=axes.transAxes, fontsize=8.5)


_WIDE, _DIFFERENCE_ROW, _ROOM = 6.4, 0.34, 1.1


@dataclass(frozen=True, slots=True)
class Difference:
    """One dot: its name, the series that colours it, and the mean difference."""

    name: str
    series: str
    figure: Figure


def difference_paper(rows: Sequence[Difference], label: str, look: Look = PLAIN) -> Paper:
    """Return a matplotlib figure with a row for each difference in the given order, n in its name.

    `label` is the axis label. A difference without a value is a dash on the line.
    """
    series = list(dict.fromkeys(row.series for row in rows))
    size = (_WIDE, _ROOM + _DIFFERENCE_ROW * max(1, len(rows)))
    return filled(size, look, lambda paper: _draw_differences(paper, rows, series, label, look))


def _draw_differences(
    paper: Any, rows: Sequence[Difference], series: list[str], label: str, look: Look
) -> None:
    axes = paper.add_subplot()
    axes.axvline(0, color=look.theme.faint, linewidth=1)
    for place, name in enumerate(series):
        colour = look.theme.series[place % len(look.theme.series)]
        mine = [(y, row.figure) for y, row in enumerate(rows) if row.series == name]
        known = [(y, figure) for y, figure in mine if figure.value is not None]
        values = [figure.value for _, figure in known]
        label_of = printable_line(short(name, _NAME)) or " "
        axes.plot(values, [y for y, _ in known], "o", color=colour, markersize=6, label=label_of)
        for y, figure in known:
            if figure.low is not None and figure.high is not None:
                axes.hlines(y, figure.low, figure.high, color=colour, linewidth=1.4, alpha=0.8)
        for y, figure in mine:
            if figure.value is None:
                axes.text(0, y, "–", ha="center", va="center", color=colour)
    quiet(axes, look.theme, "x")
    names = [f"{printable_line(short(row.name, _NAME))}  n={row.figure.n}" for row in rows]
    axes.set_yticks(range(len(rows)), names)
    axes.set_ylim(max(1, len(rows)) - 0.5, -0.5)
    axes.tick_params(axis="y", length=0)
    axes.set_xlabel(printable_line(label))
    if len(series) > 1:
        paper.legend(loc="outside upper left", ncols=min(3, len(series)))


Series = Mapping[str, Sequence[tuple[float, float]]]
"""Points (pairs read, value) of each series by its name."""


def learning_figure(
    loss: Series, first: Series, axis_labels: tuple[str, str, str], look: Look = PLAIN
) -> bytes:
    """Return the training loss and the share of correct first tokens, by pairs read, as a file.

    Without points of `first`, the share, the loss alone.

    `axis_labels` are the axis labels: pairs read, loss, correct first tokens.
    """
    panels = [(loss, axis_labels[1], None)] + (
        [(first, axis_labels[2], (0.0, 1.0))] if first else []
    )

    def draw(paper: Any) -> None:
        every = paper.subplots(1, len(panels), squeeze=False)[0]
        for axes, (series, name, span) in zip(every, panels, strict=True):
            for place, (label, points) in enumerate(series.items()):
                colour = look.theme.series[place % len(look.theme.series)]
                axes.plot(*zip(*points, strict=True), label=printable_line(label), color=colour)
            quiet(axes, look.theme, "y")
            axes.set_xlabel(printable_line(axis_labels[0]))
            axes.set_ylabel(printable_line(name))
            if span:
                axes.set_ylim(*span)
            axes.legend(frameon=False)

    return drawn((4.2 * len(panels), 3.0), look, draw)
