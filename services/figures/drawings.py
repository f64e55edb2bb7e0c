"""Figures as SVG or PNG, with their data as CSV and printable tables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from corpus.graph.model import EdgeType, Origin
from errors import UserError
from evaluation.figure import Figure
from evaluation.figures.buckets import Bar, Curve
from evaluation.figures.datasets import PAIRS, Description, Difference
from evaluation.figures.sheets import (
    bar_sheet,
    curve_sheet,
    dataset_sheet,
    hit_sheet,
    neighbourhood_sheet,
)
from evaluation.tables import Cell, Table, p_text, written
from messages import say
from services.figures.dataset_statistics import USUAL, Likening
from services.gold.search_coverage import levels_said
from storage.db.atomic_files import published_file

if TYPE_CHECKING:
    from evaluation.drawing.canvas import Look
    from services.figures.dataset_statistics import Statistics
    from services.figures.series import HitReport, QuestionFigure, RunCurves


def hit_tables(report: HitReport, language: str) -> tuple[Table, ...]:
    """Return the hit rates, a row per graph."""
    head = ("figures.graph", "drawing.missed", "drawing.linked", "figures.reached")
    rows = tuple(
        (
            say(f"drawing.graph_{rate.graph}", language),
            *(_figure_text(figure) for figure in (rate.missed, rate.linked, rate.reached)),
        )
        for rate in report.rates
    )
    notes = (say("figures.hits_note", language), *hit_notes(report, language))
    return (Table(_heads(head, language), rows, say("figures.tab.hits", language), notes),)


def edge_words(edge: EdgeType | Origin, language: str) -> str:
    """Return the display name of an edge type or edge origin."""
    of = "corpus.edge" if isinstance(edge, EdgeType) else "parameter_choice.origins"
    return say(f"{of}.{edge.value}", language)


def hit_notes(report: HitReport, language: str) -> list[str]:
    """Return notes on the gold set, the edges walked, and gold outside the search."""
    walked = ", ".join(edge_words(each, language) for each in report.walked)
    notes = [
        report.gold.say(language),
        say("figures.walked", language, edges=walked),
        say("levels.searched_note", language, levels=levels_said(report.levels, language)),
    ]
    if report.outside.units:
        notes.append(say("levels.left_out_note", language, **report.outside.counted(language)))
    return notes


def curve_tables(
    run_curves: RunCurves, measure: str, language: str, how: Likening
) -> tuple[Table, ...]:
    """Return the curves, a row each: slope, and figure per bucket."""
    curves = run_curves.curves
    ranges = sorted({(bucket.low, bucket.high) for each in curves for bucket in each.buckets})
    head = (
        *_heads(("figures.runs", "figures.slope"), language),
        *(f"{low:.2g}–{high:.2g}" for low, high in ranges),
    )
    rows = tuple(
        (each.name, _figure_text(each.slope), *_bucket_cells(each, ranges)) for each in curves
    )
    title = say("figures.similarity_title", language, measure=measure)
    notes = (
        say("figures.similarity_note", language),
        how.say(language),
        run_curves.gold.say(language),
    )
    return (Table(head, rows, title, notes),)


def statistics_tables(statistics: Statistics, language: str) -> tuple[Table, ...]:
    """Return the data sets, a row each, and the tests between them if any."""
    described = _dataset_table(statistics, language)
    return (
        (described, _test_table(statistics.differences, language))
        if statistics.differences
        else (described,)
    )


def _dataset_table(statistics: Statistics, language: str) -> Table:
    head = (
        *("figures.dataset", "figures.questions", "figures.without_gold", "figures.not_searched"),
        *("figures.gold_each", "drawing.query_gold", "drawing.gold_answer"),
    )
    rows = tuple(_dataset_row(each) for each in statistics.datasets)
    notes = (
        say("figures.datasets_note", language),
        statistics.how.say(language),
        *(f"{name}: {gold.say(language)}" for name, gold in statistics.gold.items()),
        *searched_in(statistics, language),
    )
    return Table(_heads(head, language), rows, say("figures.statistics", language), notes)


def searched_in(statistics: Statistics, language: str) -> list[str]:
    """Return notes on the levels searched in each project."""
    return [
        say("figures.searched_in", language, name=name, levels=levels_said(levels, language))
        for name, levels in statistics.levels.items()
    ]


def _dataset_row(each: Description) -> tuple[Cell, ...]:
    cosines = (_figure_text(each.cosines[pair]) for pair in PAIRS)
    counts = (each.questions, each.without_gold, each.not_searched)
    return (each.name, *counts, _figure_text(each.gold), *cosines)


def _test_table(tests: Sequence[Difference], language: str) -> Table:
    head = (
        *("figures.between", "figures.cosine_of", "figures.test", "figures.statistic"),
        *("figures.p", "figures.p_holm"),
    )
    rows = tuple(
        (
            f"{each.left} – {each.right}",
            say(f"drawing.{each.pair}", language),
            say(f"figures.test_{each.test}", language),
            "–" if each.statistic is None else f"{each.statistic:.3f}",
            p_text(each.p),
            p_text(each.corrected),
        )
        for each in tests
    )
    notes = (say("figures.tests_note", language),)
    return Table(_heads(head, language), rows, say("figures.tests", language), notes)


def _bucket_cells(curve: Curve, ranges: Sequence[tuple[float, float]]) -> list[str]:
    figures = {(bucket.low, bucket.high): bucket.figure for bucket in curve.buckets}
    return [_figure_text(figures[each]) if each in figures else "–" for each in ranges]


def _heads(keys: Sequence[str], language: str) -> tuple[str, ...]:
    return tuple(say(key, language) for key in keys)


def _figure_text(figure: Figure) -> str:
    return f"{figure.text()} (n={figure.n})"


DRAWN = (".svg", ".png")
DATA = ".csv"
PRINTED = {".md": "markdown", ".tex": "latex"}


@dataclass(frozen=True, slots=True)
class Drawing:
    """A figure: its data, its drawing function, and its printable tables, if any."""

    data: Table
    draw: Callable[[Look], bytes]
    tables: Callable[[str], tuple[Table, ...]] | None = None

    @property
    def endings(self) -> tuple[str, ...]:
        """File endings available for it."""
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
        """Write the file in the format of its ending.

        Raises UserError for another ending, and where the file cannot be written.
        """
        content = self.file(path.suffix.lower(), mode, language)
        with published_file(path) as part:
            part.write_bytes(content)


def endings(tables: bool) -> tuple[str, ...]:
    """Return the file endings of a figure, with or without printable tables."""
    return (*DRAWN, DATA, *(PRINTED if tables else ()))


def check_ending(ending: str, tables: bool) -> None:
    """Raise UserError for an ending that such a figure does not have."""
    if ending not in endings(tables):
        raise UserError("figure_ending", ending=ending, known=", ".join(endings(tables)))


def of_question(figure: QuestionFigure) -> Drawing:
    """Draw the neighbourhood of a question in two panels."""

    def draw(look: Look) -> bytes:
        from evaluation.drawing.neighbourhood import neighbourhood_figure

        return neighbourhood_figure(figure.found, figure.question, figure.names, look)

    return Drawing(neighbourhood_sheet(figure.found, figure.names), draw)


def of_hits(report: HitReport) -> Drawing:
    """Draw the hit rates of each graph as bars."""

    def draw(look: Look) -> bytes:
        from evaluation.drawing.bars import bar_chart

        return bar_chart(_hit_bars(report, look.language), look)

    return Drawing(hit_sheet(report.rates), draw, lambda language: hit_tables(report, language))


def of_curves(curves: RunCurves, measure: str, how: Likening = USUAL) -> Drawing:
    """Draw a measure against the similarity of question and gold, computed as `how` says."""

    def draw(look: Look) -> bytes:
        from evaluation.drawing.bars import similarity_figure

        return similarity_figure(curves.curves, measure, look, how.say(look.language))

    def tables(language: str) -> tuple[Table, ...]:
        return curve_tables(curves, measure, language, how)

    return Drawing(curve_sheet(curves.curves), draw, tables)


def of_bars(bars: Sequence[Bar]) -> Drawing:
    """Draw runs as bars with intervals."""

    def draw(look: Look) -> bytes:
        from evaluation.drawing.bars import bar_chart

        return bar_chart(bars, look)

    return Drawing(bar_sheet(bars), draw)


def of_statistics(statistics: Statistics) -> Drawing:
    """Draw the cosine histograms of each data set."""

    def draw(look: Look) -> bytes:
        from evaluation.drawing.bars import histogram_figure

        return histogram_figure(statistics.datasets, look, statistics.how.say(look.language))

    return Drawing(
        dataset_sheet(statistics.datasets),
        draw,
        lambda language: statistics_tables(statistics, language),
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
