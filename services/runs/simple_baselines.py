"""Comparison of runs with the strongest and weakest simple baseline: tables, notes, numbers.

A paper that tests its method against one simple baseline has chosen which. Here both extremes are
given per measure, with tests corrected among themselves, apart from those against the chosen
baseline (`services.runs.significance`). Simple methods: `retrieval.core.registry.SIMPLE`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from evaluation.ranking.compare import Comparison, comparison_numbers
from evaluation.reports.report import Kind, Marked, Section, Sheet, Value, Words
from evaluation.tables import Cell, Table
from messages import say
from services.runs.significance import Cell as Score
from services.runs.significance import MeasureColumn

BETTER, WORSE = "▲", "▼"
WHICH = ("strongest", "weakest")
_PARTS = ("difference", "low", "high", "pairs", "p", "p_holm")
NUMBERS = tuple(
    name for which in WHICH for name in (f"{which}_simple", *(f"{which}_{each}" for each in _PARTS))
)
"""The columns of a table of numbers that `numbers` fills."""


@dataclass(frozen=True, slots=True)
class ComparedLine:
    """A row of a table of runs: label, run id, and cells by measure.

    `run_id` is None, and `cells` are empty, for an experiment's line without a run.
    """

    label: str
    run_id: int | None
    cells: Sequence[Score]


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
    lines: Sequence[ComparedLine],
    head: str,
    language: str = "en",
    explained: bool = False,
) -> tuple[Table, ...]:
    """Return a table of differences per simple baseline, by line and measure.

    Empty where fewer than two lines have a run, or none is simple. The first has the note that
    names the baselines, and defines them unless `explained`. `head` heads the first column.
    """
    lines = [line for line in lines if line.run_id is not None]
    if len({line.run_id for line in lines}) < 2:
        return ()
    names = (head, *(column.measure for column in columns))
    tables = [
        Table(
            names,
            tuple(
                (line.label, *(difference_text(against(cell, kind)) for cell in line.cells))
                for line in lines
            ),
            say(f"significance.simple_{kind}", language),
            (simple_note(columns, lines, language, explained),) if not at else (),
        )
        for at, kind in enumerate(kinds(columns))
    ]
    return tuple(tables)


def simple_section(
    column: MeasureColumn, place: int, lines: Sequence[ComparedLine], language: str = "en"
) -> Section | None:
    """Return each line's differences on the measure at `place`, with tests.

    None where fewer than two lines have a run; without rows where none of them is simple.
    """
    lines = [
        ComparedLine(line.label, line.run_id, line.cells[place : place + 1])
        for line in lines
        if line.run_id is not None
    ]
    if len({line.run_id for line in lines}) < 2:
        return None
    words, found = Words("significance", language), kinds([column])
    rows = [_simple_row(line, found) for line in lines] if found else []
    note = simple_note([column], lines, language)
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


def _simple_row(line: ComparedLine, found: Sequence[str]) -> dict[str, Value]:
    row: dict[str, Value] = {"line": line.label}
    for kind in found:
        test = against(line.cells[0], kind)
        row[f"simple_{kind}"] = Marked(test.difference, mark_of(test)) if test else None
        row[f"p_{kind}"] = test.p_holm if test else None
    return row


def simple_note(
    columns: Sequence[MeasureColumn],
    lines: Sequence[ComparedLine],
    language: str = "en",
    explained: bool = False,
) -> str:
    """Return a note naming the strongest and weakest simple baseline per measure, or none.

    Unless `explained` it also defines simple baselines and why both are given.
    """
    if not kinds(columns):
        return say("significance.simple_none", language)
    which = "; ".join(_baseline_texts(columns, lines, language))
    key = "significance.simple_which" if explained else "significance.simple_note"
    return say(key, language, which=which)


def _baseline_texts(
    columns: Sequence[MeasureColumn], lines: Sequence[ComparedLine], language: str
) -> Iterator[str]:
    by_run = {line.run_id: line for line in reversed(lines)}
    for place, column in enumerate(columns):
        ends = [by_run.get(run) for run in (column.strongest, column.weakest)]
        told = {
            name: f"{line.label} ({line.cells[place].figure.value:.3f})"
            for name, line in zip(WHICH, ends, strict=True)
            if line is not None
        }
        if len(told) == len(WHICH):
            figures = {line.cells[place].figure.value for line in ends if line is not None}
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
