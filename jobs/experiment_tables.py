"""The tables of an experiment: one to be read, one with every number for other programs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from evaluation.compare import Comparison
from jobs.experiment_results import ResultLine, Results
from jobs.significance import Cell
from jobs.strata import Stratum

ALL = "all"
BETTER, WORSE = "▲", "▼"
_WIDE = ("line", "run", "stratum", "questions", "measure", "value", "low", "high", "n")
_TESTS = (
    *("difference", "difference_low", "difference_high", "p", "p_holm"),
    *("wins", "ties", "losses"),
)
_COST = ("fit_s", "search_ms_per_query", "index_bytes")

Row = tuple[str, ...]
Value = str | float | int | None


def readable(results: Results, stratum: Stratum | None = None) -> tuple[Row, list[Row]]:
    """Return head and rows of the table to be read: a column per measure, and the cost.

    A figure is followed by its interval, and by ▲ or ▼ where it differs from the baseline
    (corrected p below .05). The baseline's own line is marked.
    """
    head = ("", *results.measures, "n", *(() if stratum else ("fit s", "ms/query", "index MB")))
    rows = []
    for line in results.lines:
        cells = _cells(line, stratum)
        name = line.line.label
        marked = f"{name} (baseline)" if name == results.experiment.baseline else name
        said = [_said(cell) for cell in cells] or ["–"] * len(results.measures)
        count = str(max((cell.figure.n for cell in cells), default=0))
        rows.append((marked, *said, count, *(() if stratum else _cost(line))))
    return head, rows


def every_number(results: Results) -> tuple[Row, list[tuple[Value, ...]]]:
    """Return head and rows with one row per line, stratum and measure; None is not there."""
    rows = [
        row
        for line in results.lines
        for stratum in (None, *results.strata)
        for row in _number_rows(results, line, stratum)
    ]
    return (*_WIDE, *_TESTS, *_COST), rows


def _number_rows(
    results: Results, line: ResultLine, stratum: Stratum | None
) -> Iterator[tuple[Value, ...]]:
    run = None if line.scores is None else line.scores.run_id
    named = ALL if stratum is None else "=".join(stratum)
    asked = results.questions if stratum is None else results.strata[stratum]
    cost = (line.cost.fit_s, line.cost.search_ms_per_query, line.cost.index_bytes)
    for cell in _cells(line, stratum):
        figure = cell.figure
        yield (
            *(line.line.label, run, named, asked, figure.name),
            *(figure.value, figure.low, figure.high, figure.n),
            *_tests(cell.comparison),
            *cost,
        )


def _cells(line: ResultLine, stratum: Stratum | None) -> Sequence[Cell]:
    if stratum is not None:
        return line.strata.get(stratum, ())
    return () if line.scores is None else line.scores.cells


def _said(cell: Cell) -> str:
    verdict = 0 if cell.comparison is None else cell.comparison.verdict
    return cell.figure.text() + {1: f" {BETTER}", -1: f" {WORSE}", 0: ""}[verdict]


def _tests(comparison: Comparison | None) -> tuple[Value, ...]:
    if comparison is None:
        return (None,) * len(_TESTS)
    difference, tally = comparison.difference, comparison.tally
    numbers = (difference.value, difference.low, difference.high, comparison.p, comparison.p_holm)
    return (*numbers, tally.wins, tally.ties, tally.losses)


def _cost(line: ResultLine) -> Row:
    cost = line.cost
    size = None if cost.index_bytes is None else cost.index_bytes / 1e6
    return tuple(
        "–" if value is None else f"{value:.{digits}f}"
        for value, digits in ((cost.fit_s, 2), (cost.search_ms_per_query, 2), (size, 1))
    )
