"""Comparison of runs with the strongest and weakest simple baseline: tables, notes, numbers.

A paper that tests its method against one simple baseline has chosen which. Here both extremes are
given per measure, with tests corrected among themselves, apart from those against the chosen
baseline (`services.runs.significance`). Simple methods: `retrieval.core.registry.SIMPLE`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from evaluation.ranking.compare import Comparison, comparison_numbers
from evaluation.reports.report import Kind, Marked, Section, Sheet, Value, Words
from evaluation.tables import Cell, Table
from messages import say
from services.runs.significance import Cell as Score
from services.runs.significance import MeasureColumn, RunScores

BETTER, WORSE = "▲", "▼"
WHICH = ("strongest", "weakest")
_PARTS = ("difference", "low", "high", "pairs", "p", "p_holm")
NUMBERS = tuple(
    name for which in WHICH for name in (f"{which}_simple", *(f"{which}_{each}" for each in _PARTS))
)
"""The columns of a table of numbers that `numbers` fills."""


def mark_of(comparison: Comparison | None) -> str:
    """Return ▲ or ▼ for a significantly better or worse comparison, else ""."""
    return {1: BETTER, -1: WORSE, 0: ""}[0 if comparison is None else comparison.verdict]


def difference_text(comparison: Comparison | None) -> str:
    """Format a difference, e.g. ``0.051 [0.010, 0.093] ▲``; a dash for the baseline itself."""
    if comparison is None:
        return "–"
    parts = (comparison.difference.text(), mark_of(comparison))
    return " ".join(part for part in parts if part)


def kinds(columns: Sequence[MeasureColumn]) -> tuple[str, ...]:
    """Return the simple baselines present: both of `WHICH`, ``only`` one, or none."""
    found = [column for column in columns if column.strongest is not None]
    if not found:
        return ()
    return WHICH if any(each.strongest != each.weakest for each in found) else ("only",)


def against(score: Score, kind: str) -> Comparison | None:
    """Return the cell's comparison with the simple baseline of that kind."""
    return score.weakest if kind == "weakest" else score.strongest


def simple_tables(
    columns: Sequence[MeasureColumn],
    runs: Sequence[RunScores],
    head: str,
    language: str = "en",
    explained: bool = False,
) -> tuple[Table, ...]:
    """Return a table of differences per simple baseline, by run and measure.

    Empty for fewer than two runs, and where none is simple. The first has the note that
    names the baselines, and defines them unless `explained`. `head` heads the first column.
    """
    if len({run.run_id for run in runs}) < 2:
        return ()
    names = (head, *(column.measure for column in columns))
    tables = [
        Table(
            names,
            tuple(
                (run.label, *(difference_text(against(cell, kind)) for cell in run.cells))
                for run in runs
            ),
            say(f"significance.simple_{kind}", language),
            (simple_note(columns, runs, language, explained),) if not at else (),
        )
        for at, kind in enumerate(kinds(columns))
    ]
    return tuple(tables)


def simple_section(
    column: MeasureColumn, place: int, runs: Sequence[RunScores], language: str
) -> Section | None:
    """Return each run's differences from the simple baselines on one measure; None below two runs.

    None for fewer than two runs; without rows where none of them is simple.
    """
    runs = [replace(run, cells=run.cells[place : place + 1]) for run in runs]
    if len({run.run_id for run in runs}) < 2:
        return None
    words, found = Words("significance", language), kinds([column])
    rows = [_simple_row(run, found) for run in runs] if found else []
    note = simple_note([column], runs, language)
    return Section(
        "simple",
        f"{words('simple_head')} · {column.measure}",
        Sheet.of(
            rows,
            words,
            {f"p_{kind}": Kind.P for kind in found},
            {"line": say("experiments.column_line", language)},
        ),
        lead="" if found else note,
        notes=(note,) if found else (),
    )


def _simple_row(run: RunScores, found: Sequence[str]) -> dict[str, Value]:
    row: dict[str, Value] = {"line": run.label}
    for kind in found:
        test = against(run.cells[0], kind)
        row[f"simple_{kind}"] = Marked(test.difference, mark_of(test)) if test else None
        row[f"p_{kind}"] = test.p_holm if test else None
    return row


def simple_note(
    columns: Sequence[MeasureColumn],
    runs: Sequence[RunScores],
    language: str = "en",
    explained: bool = False,
) -> str:
    """Return a note naming the strongest and weakest simple baseline per measure, or none.

    Unless `explained` it also defines simple baselines and why both are given.
    """
    if not kinds(columns):
        return say("significance.simple_none", language)
    which = "; ".join(_baseline_texts(columns, runs, language))
    key = "significance.simple_which" if explained else "significance.simple_note"
    return say(key, language, which=which)


def _baseline_texts(
    columns: Sequence[MeasureColumn], runs: Sequence[RunScores], language: str
) -> Iterator[str]:
    """Yield, by measure, the strongest and weakest simple baseline with their figures."""
    by_run = {run.run_id: run for run in reversed(runs)}
    for place, column in enumerate(columns):
        ends = [by_run.get(run or 0) for run in (column.strongest, column.weakest)]
        told = {
            name: f"{run.label} ({run.cells[place].figure.value:.3f})"
            for name, run in zip(WHICH, ends, strict=True)
            if run is not None
        }
        if len(told) == len(WHICH):
            figures = {run.cells[place].figure.value for run in ends if run is not None}
            only, tied = column.strongest == column.weakest, len(figures) == 1
            key = "which_only" if only else "which_tied" if tied else "which_both"
            yield say(f"significance.{key}", language, measure=column.measure, **told)


def numbers(
    column: MeasureColumn, score: Score, names: Mapping[int, str] | None = None
) -> tuple[Cell, ...]:
    """Return the cells of NUMBERS: each simple baseline, by number or name, and its test."""
    row: list[Cell] = []
    for run, comparison in (
        (column.strongest, score.strongest),
        (column.weakest, score.weakest),
    ):
        row.append(run if names is None or run is None else names.get(run))
        row += comparison_numbers(comparison)[: len(_PARTS)]
    return tuple(row)
