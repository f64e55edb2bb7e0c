"""Histograms of cosines: a row for each kind of pair, a column for each data set."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from evaluation.drawing.canvas import PLAIN, Look, drawn, plain, quiet, short
from evaluation.figures.datasets import BINS, PAIRS, Description, Pair
from messages import say

_COLUMN, _ROW = 2.6, 2.1
_NAME = 32


def histogram_figure(datasets: Sequence[Description], look: Look = PLAIN) -> bytes:
    """Return the histograms of data sets side by side as a file, the mean as a dashed line.

    A kind of pair that no data set has is left out; a data set without it has an empty panel that
    says so.
    """
    rows = [pair for pair in PAIRS if any(each.cosines[pair].n for each in datasets)] or [PAIRS[0]]
    columns = max(1, len(datasets))
    size = (max(4.5, 0.7 + _COLUMN * columns), 0.5 + _ROW * len(rows))
    return drawn(size, look, lambda paper: _draw(paper, datasets, rows, columns, look))


def _draw(
    paper: Any, datasets: Sequence[Description], rows: Sequence[Pair], columns: int, look: Look
) -> None:
    panels = paper.subplots(len(rows), columns, squeeze=False, sharex=True)
    for row, pair in zip(panels, rows, strict=True):
        for axes, each in zip(row, datasets, strict=False):
            _panel(axes, each, pair, look)
        row[0].set_ylabel(say(f"drawing.{pair}", look.language))
    for axes, each in zip(panels[0], datasets, strict=False):
        axes.set_title(plain(short(each.name, _NAME)))
    paper.supxlabel(say("drawing.cosine_axis", look.language), fontsize=9)


def _panel(axes: Any, dataset: Description, pair: Pair, look: Look) -> None:
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
