"""A measure against lexical similarity: a point with its interval per bucket, and a line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from evaluation.drawing.bars import bounds, whisker
from evaluation.drawing.canvas import PLAIN, Look, drawn, plain, quiet, short
from evaluation.figures.buckets import Curve
from messages import say

_SIZE = (7.6, 4.4)
_NAME = 60
_APART = 0.012  # of the axis, between the points of two curves in one bucket
_MARKERS = "osD^vP"


def similarity_figure(curves: Sequence[Curve], measure: str, look: Look = PLAIN) -> bytes:
    """Return the curves as a file: one colour each, its slope in the legend.

    Numbers of questions stand below the axis, those of the first curve: curves drawn together are
    over the same questions.
    """
    return drawn(_SIZE, look, lambda paper: _draw(paper, curves, measure, look))


def _draw(paper: Any, curves: Sequence[Curve], measure: str, look: Look) -> None:
    axes = paper.add_subplot()
    for place, each in enumerate(curves):
        _curve(axes, each, place, len(curves), look)
    quiet(axes, look.theme)
    figures = [bucket.figure for each in curves for bucket in each.buckets]
    low, high = bounds(figures)
    axes.set_ylim(low - 0.02, high + (0.02 if high == 1.0 else 0))
    axes.set_ylabel(plain(measure))
    axes.set_xlabel(say("drawing.similarity", look.language))
    if curves:
        _ticks(axes, curves[0])
        paper.legend(loc="outside upper left")


def _curve(axes: Any, curve: Curve, place: int, count: int, look: Look) -> None:
    colour = look.theme.series[place % len(look.theme.series)]
    away = (place - (count - 1) / 2) * _APART
    at = [(bucket.low + bucket.high) / 2 + away for bucket in curve.buckets]
    values = [bucket.figure.value for bucket in curve.buckets]
    marker = _MARKERS[place % len(_MARKERS)]
    axes.plot(at, values, marker, color=colour, markersize=6, label=_named(curve, look.language))
    for x, bucket in zip(at, curve.buckets, strict=True):
        whisker(axes, x, bucket.figure, colour)
    if curve.start is not None and curve.slope.value is not None:
        ends = [curve.buckets[0].low, curve.buckets[-1].high]
        line = [curve.start + curve.slope.value * x for x in ends]
        axes.plot(ends, line, color=colour, linewidth=1.3, alpha=0.8)


def _named(curve: Curve, language: str) -> str:
    name = plain(short(curve.name, _NAME))
    if curve.slope.value is None:
        return name
    return f"{name}  {say('drawing.slope', language, slope=_signed(curve.slope.text()))}"


def _signed(text: str) -> str:
    return text.replace("-", "\N{MINUS SIGN}")


def _ticks(axes: Any, curve: Curve) -> None:
    """Write the range of each bucket below it, and how many questions it holds."""
    places = [(bucket.low + bucket.high) / 2 for bucket in curve.buckets]
    words = [f"{b.low:.2g}–{b.high:.2g}\nn={b.figure.n}" for b in curve.buckets]
    axes.set_xticks(places, words)
    axes.tick_params(axis="x", length=0)
