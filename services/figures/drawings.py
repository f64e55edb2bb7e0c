"""Figures ready to be shown or written: drawn as SVG or PNG, their data as CSV, tables to print."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from errors import UserError
from evaluation.figures.buckets import Bar, Curve
from evaluation.figures.sheets import (
    bar_sheet,
    curve_sheet,
    dataset_sheet,
    hit_sheet,
    neighbourhood_sheet,
)
from evaluation.tables import Table, written
from messages import say
from services.figures.dataset_statistics import Statistics
from services.figures.series import HitReport, QuestionFigure
from services.figures.tables import curve_tables, hit_tables, statistics_tables
from storage.db.atomic_files import published_file

if TYPE_CHECKING:  # drawing brings matplotlib along, which takes a moment
    from evaluation.drawing.canvas import Look

DRAWN = (".svg", ".png")
DATA = ".csv"
PRINTED = {".md": "markdown", ".tex": "latex"}


@dataclass(frozen=True, slots=True)
class Drawing:
    """A figure: its data, how it is drawn, and the tables to be printed in a language, if any."""

    data: Table
    draw: Callable[[Look], bytes]
    tables: Callable[[str], tuple[Table, ...]] | None = None

    @property
    def endings(self) -> tuple[str, ...]:
        """The endings of the files that there are of it."""
        return endings(self.tables is not None)

    def file(self, ending: str, mode: str = "light", language: str = "en") -> bytes:
        """Return the content of a file with this ending, one of `endings`.

        `mode` is light or dark. Raises UserError for another ending.
        """
        check_ending(ending, self.tables is not None)
        if ending in DRAWN:
            return self.draw(_look(mode, ending, language))
        if ending == DATA or self.tables is None:
            return written(self.data, "csv").encode()
        return "\n".join(written(each, PRINTED[ending]) for each in self.tables(language)).encode()

    def write(self, path: Path, mode: str = "light", language: str = "en") -> None:
        """Write the file; its ending says as what.

        Raises UserError for another ending, and where the file cannot be written.
        """
        content = self.file(path.suffix.lower(), mode, language)
        with published_file(path) as part:
            part.write_bytes(content)


def endings(tables: bool) -> tuple[str, ...]:
    """Return the endings of the files of a figure, with or without tables to be printed."""
    return (*DRAWN, DATA, *(PRINTED if tables else ()))


def check_ending(ending: str, tables: bool) -> None:
    """Raise UserError for an ending that no file of such a figure has."""
    if ending not in endings(tables):
        raise UserError("figure_ending", ending=ending, known=", ".join(endings(tables)))


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

    return Drawing(hit_sheet(report.rates), draw, lambda language: hit_tables(report, language))


def of_curves(curves: Sequence[Curve], measure: str) -> Drawing:
    """Return a measure against the likeness of question and gold."""

    def draw(look: Look) -> bytes:
        from evaluation.drawing.bars import similarity_figure

        return similarity_figure(curves, measure, look)

    return Drawing(
        curve_sheet(curves), draw, lambda language: curve_tables(curves, measure, language)
    )


def of_bars(bars: Sequence[Bar]) -> Drawing:
    """Return runs as bars with their intervals."""

    def draw(look: Look) -> bytes:
        from evaluation.drawing.bars import bar_chart

        return bar_chart(bars, look)

    return Drawing(bar_sheet(bars), draw)


def of_statistics(found: Statistics) -> Drawing:
    """Return the histograms of cosines of each data set."""

    def draw(look: Look) -> bytes:
        from evaluation.drawing.bars import histogram_figure

        return histogram_figure(found.datasets, look)

    return Drawing(
        dataset_sheet(found.datasets), draw, lambda language: statistics_tables(found, language)
    )


def _look(mode: str, kind: str, language: str) -> Look:
    from evaluation.drawing.canvas import Look

    return Look("dark" if mode == "dark" else "light", "png" if kind == ".png" else "svg", language)


def _hit_bars(report: HitReport, language: str) -> list[Bar]:
    return [
        Bar(say(f"drawing.{name}", language), say(f"drawing.graph_{rate.graph}", language), figure)
        for name in ("missed", "linked")
        for rate in report.rates
        for figure in [rate.missed if name == "missed" else rate.linked]
    ]
