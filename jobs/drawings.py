"""Figures ready to be shown or written: the same data drawn as SVG or PNG, or told as CSV."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from errors import UserError, Where
from evaluation.figures.bars import Bar
from evaluation.figures.buckets import Curve
from evaluation.figures.sheets import (
    Sheet,
    as_csv,
    bar_sheet,
    curve_sheet,
    dataset_sheet,
    hit_sheet,
    neighbourhood_sheet,
)
from jobs.dataset_statistics import Statistics
from jobs.figures import HitReport, QuestionFigure
from storage.folders import published_file
from words import say

if TYPE_CHECKING:  # drawing brings matplotlib along, which takes a moment
    from evaluation.drawing.canvas import Look

ENDINGS = (".svg", ".png", ".csv")
_DRAWN = {".svg": "svg", ".png": "png"}


@dataclass(frozen=True, slots=True)
class Drawing:
    """A figure: its data as a table, and how it is drawn."""

    sheet: Sheet
    draw: Callable[[Look], bytes]

    def file(self, ending: str, mode: str = "light", language: str = "en") -> bytes:
        """Return the content of a file with this ending, one of ENDINGS.

        `mode` is light or dark. Raises UserError for another ending.
        """
        if ending == ".csv":
            return as_csv(self.sheet).encode()
        if ending not in _DRAWN:
            raise UserError("figure_ending", ending=ending)
        return self.draw(_look(mode, _DRAWN[ending], language))

    def write(self, path: Path, mode: str = "light", language: str = "en") -> None:
        """Write the file; its ending says as what.

        Raises UserError for another ending, and where the file cannot be written.
        """
        ending = path.suffix.lower()
        if ending not in ENDINGS:
            raise UserError("figure_ending", Where(file=str(path)), ending=ending)
        content = self.file(ending, mode, language)
        with published_file(path) as part:
            part.write_bytes(content)


def of_question(figure: QuestionFigure) -> Drawing:
    """Return the neighbourhood of a question in two panels."""

    def draw(look: Look) -> bytes:
        from evaluation.drawing.neighbourhood import neighbourhood_figure

        return neighbourhood_figure(figure.found, figure.question, figure.names, look)

    return Drawing(neighbourhood_sheet(figure.found, figure.names), draw)


def of_hits(report: HitReport) -> Drawing:
    """Return the hit rates of each graph as bars."""

    def draw(look: Look) -> bytes:
        from evaluation.drawing.bars import bar_chart

        return bar_chart(_hit_bars(report, look.language), look)

    return Drawing(hit_sheet(report.rates), draw)


def of_curves(curves: Sequence[Curve], measure: str) -> Drawing:
    """Return a measure against the likeness of question and gold."""

    def draw(look: Look) -> bytes:
        from evaluation.drawing.buckets import similarity_figure

        return similarity_figure(curves, measure, look)

    return Drawing(curve_sheet(curves), draw)


def of_bars(bars: Sequence[Bar]) -> Drawing:
    """Return runs as bars with their intervals."""

    def draw(look: Look) -> bytes:
        from evaluation.drawing.bars import bar_chart

        return bar_chart(bars, look)

    return Drawing(bar_sheet(bars), draw)


def of_statistics(found: Statistics) -> Drawing:
    """Return the histograms of cosines of each data set."""

    def draw(look: Look) -> bytes:
        from evaluation.drawing.histograms import histogram_figure

        return histogram_figure(found.datasets, look)

    return Drawing(dataset_sheet(found.datasets), draw)


def _look(mode: str, kind: str, language: str) -> Look:
    from evaluation.drawing.canvas import Look

    return Look("dark" if mode == "dark" else "light", "png" if kind == "png" else "svg", language)


def _hit_bars(report: HitReport, language: str) -> list[Bar]:
    return [
        Bar(say(f"drawing.{name}", language), say(f"drawing.graph_{rate.graph}", language), figure)
        for name in ("missed", "linked")
        for rate in report.rates
        for figure in [rate.missed if name == "missed" else rate.linked]
    ]
