"""Tables beside figures, to be read and printed: figures with their intervals and n, and tests."""

from __future__ import annotations

from collections.abc import Sequence

from evaluation.figure import Figure
from evaluation.figures.buckets import Curve
from evaluation.figures.datasets import PAIRS, Description, Difference
from evaluation.tables import Cell, Table
from messages import say
from services.figures.dataset_statistics import Statistics
from services.figures.series import HitReport
from services.gold.search_coverage import levels_said

_LEAST_P = 0.001  # smaller ones are said to be so


def hit_tables(report: HitReport, language: str) -> tuple[Table, ...]:
    """Return the hit rates, a row for each graph."""
    head = ("figures.graph", "drawing.missed", "drawing.linked", "figures.reached")
    rows = tuple(
        (
            say(f"drawing.graph_{rate.graph}", language),
            *(_said(figure) for figure in (rate.missed, rate.linked, rate.reached)),
        )
        for rate in report.rates
    )
    notes = (say("figures.hits_note", language), *hit_notes(report, language))
    return (Table(_heads(head, language), rows, say("figures.tab.hits", language), notes),)


def hit_notes(report: HitReport, language: str) -> list[str]:
    """Return what is searched, and the gold that is left out for not being searched."""
    notes = [say("levels.searched_note", language, levels=levels_said(report.levels, language))]
    if report.outside.units:
        notes.append(say("levels.left_out_note", language, **report.outside.counted(language)))
    return notes


def curve_tables(curves: Sequence[Curve], measure: str, language: str) -> tuple[Table, ...]:
    """Return the curves, a row for each: its slope, and its figure in each bucket."""
    ranges = sorted({(bucket.low, bucket.high) for each in curves for bucket in each.buckets})
    head = (
        *_heads(("figures.runs", "figures.slope"), language),
        *(f"{low:.2g}–{high:.2g}" for low, high in ranges),
    )
    rows = tuple((each.name, _said(each.slope), *_in_buckets(each, ranges)) for each in curves)
    title = say("figures.similarity_title", language, measure=measure)
    return (Table(head, rows, title, (say("figures.similarity_note", language),)),)


def statistics_tables(found: Statistics, language: str) -> tuple[Table, ...]:
    """Return the data sets, a row for each, and the tests between them where there are any."""
    described = _described(found, language)
    return (described, _tested(found.differences, language)) if found.differences else (described,)


def _described(found: Statistics, language: str) -> Table:
    head = (
        *("figures.dataset", "figures.questions", "figures.without_gold", "figures.not_searched"),
        *("figures.gold_each", "drawing.query_gold", "drawing.gold_answer"),
    )
    rows = tuple(_row(each) for each in found.datasets)
    notes = (say("figures.datasets_note", language), *searched_in(found, language))
    return Table(_heads(head, language), rows, say("figures.statistics", language), notes)


def searched_in(found: Statistics, language: str) -> list[str]:
    """Return what is searched in each project: its corpus here."""
    return [
        say("figures.searched_in", language, name=name, levels=levels_said(levels, language))
        for name, levels in found.levels.items()
    ]


def _row(each: Description) -> tuple[Cell, ...]:
    cosines = (_said(each.cosines[pair]) for pair in PAIRS)
    counts = (each.questions, each.without_gold, each.not_searched)
    return (each.name, *counts, _said(each.gold), *cosines)


def _tested(tests: Sequence[Difference], language: str) -> Table:
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
            _p(each.p),
            _p(each.corrected),
        )
        for each in tests
    )
    notes = (say("figures.tests_note", language),)
    return Table(_heads(head, language), rows, say("figures.tests", language), notes)


def _in_buckets(curve: Curve, ranges: Sequence[tuple[float, float]]) -> list[str]:
    figures = {(bucket.low, bucket.high): bucket.figure for bucket in curve.buckets}
    return [_said(figures[each]) if each in figures else "–" for each in ranges]


def _heads(keys: Sequence[str], language: str) -> tuple[str, ...]:
    return tuple(say(key, language) for key in keys)


def _said(figure: Figure) -> str:
    return f"{figure.text()} (n={figure.n})"


def _p(value: float | None) -> str:
    if value is None:
        return "–"
    return f"< {_LEAST_P}" if value < _LEAST_P else f"{value:.3f}"
