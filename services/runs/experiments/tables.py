"""The tables of an experiment: some to be read, one with every number for other programs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from errors import UserError, Where
from evaluation.ranking.compare import MOST, Comparison
from evaluation.tables import ENDINGS, Table, written
from evaluation.tables import Cell as Value
from services.runs.experiments.results import ResultLine, Results
from services.runs.score_table import outside_counts, said_of, searched_notes
from services.runs.strata import Stratum
from storage.db.atomic_files import published_file

ALL = "all"
NOTE = (
    "[low, high]: 95 % percentile bootstrap. ▲ ▼: differs from the baseline by the paired "
    "randomisation test, p < .05 after Holm's correction over the lines."
)
NOT_SPLIT = (
    "No strata by {column}: its values among the questions number {count}, and 2 to {most} are "
    "needed."
)
_WIDE = ("line", "run", "stratum", "questions", "measure", "value", "low", "high", "n")
_TESTS = (
    *("difference", "difference_low", "difference_high", "p", "p_holm"),
    *("wins", "ties", "losses"),
)
_COST = ("fit_s", "search_ms_per_query", "index_bytes")
_SEARCHED = ("searched", "gold_units_not_searched", "questions_with_gold_not_searched")


def readable(results: Results, stratum: Stratum | None = None) -> Table:
    """Return the table to be read: a column per measure, and the cost.

    A figure is followed by its interval, and by ▲ or ▼ where it differs from the baseline
    (corrected p below .05). The baseline's own line is marked.
    """
    cost = () if stratum else ("fit s", "ms/query", "index MB")
    rows: list[tuple[Value, ...]] = []
    for line in results.lines:
        cells = line.cells(stratum)
        said = [said_of(cell) for cell in cells] or ["–"] * len(results.measures)
        rows.append(
            (_name(results, line), *said, line.n(stratum), *(() if stratum else _cost(line)))
        )
    return Table(("line", *results.measures, "n", *cost), tuple(rows), _title(results, stratum))


def not_split(results: Results) -> list[str]:
    """Return what is to be said of columns of the file that make no strata."""
    return [
        NOT_SPLIT.format(column=column, count=count, most=MOST)
        for column, count in results.whole.items()
    ]


def searched(results: Results, language: str = "en") -> list[str]:
    """Return what is to be said of what its runs searched, and of the gold that they did not."""
    return searched_notes([line.scores for line in results.lines if line.scores], language)


def every_number(results: Results) -> Table:
    """Return one row per line, stratum and measure, with all digits; None is what is not there."""
    rows = tuple(
        row
        for line in results.lines
        for stratum in (None, *results.strata)
        for row in _number_rows(results, line, stratum)
    )
    return Table((*_WIDE, *_TESTS, *_COST, *_SEARCHED), rows)


def as_file(results: Results, format_name: str) -> str:
    """Return the experiment in a format of `evaluation.tables`.

    CSV has every number, the others the tables to be read. Raises UserError for another format.
    """
    if format_name == "csv":
        return written(every_number(results), format_name)
    tables = [readable(results, stratum) for stratum in (None, *results.strata)]
    notes = (NOTE, *searched(results), *not_split(results))
    noted = Table(tables[0].head, tables[0].rows, tables[0].title, notes)
    return "\n".join(written(table, format_name) for table in (noted, *tables[1:]))


def export_experiment(results: Results, file: Path) -> str:
    """Write the experiment into a file in the format of its ending; return the format's name.

    Raises UserError for an ending of no format and a file that cannot be written.
    """
    formats = {ending: name for name, ending in ENDINGS.items()}
    ending = file.suffix.removeprefix(".").lower()
    if ending not in formats:
        known = ", ".join(f".{each}" for each in formats)
        raise UserError("experiment_ending", Where(file=str(file)), known=known)
    with published_file(file) as part:
        part.write_text(as_file(results, formats[ending]), encoding="utf-8")
    return formats[ending]


def _name(results: Results, line: ResultLine) -> str:
    label = line.line.label
    return f"{label} (baseline)" if label == results.experiment.baseline else label


def _title(results: Results, stratum: Stratum | None) -> str:
    if stratum is None:
        return f"{results.stored.name} ({results.questions} questions)"
    return f"{stratum[0]} = {stratum[1] or '–'} ({results.strata[stratum]} questions)"


def _number_rows(
    results: Results, line: ResultLine, stratum: Stratum | None
) -> Iterator[tuple[Value, ...]]:
    run = None if line.scores is None else line.scores.run_id
    named = ALL if stratum is None else "=".join(stratum)
    asked = results.questions if stratum is None else results.strata[stratum]
    cost = (line.cost.fit_s, line.cost.search_ms_per_query, line.cost.index_bytes)
    for cell in line.cells(stratum):
        figure = cell.figure
        yield (
            *(line.line.label, run, named, asked, figure.name),
            *(figure.value, figure.low, figure.high, figure.n),
            *_tests(cell.comparison),
            *cost,
            *_outside(line),
        )


def _outside(line: ResultLine) -> tuple[Value, ...]:
    """Return what the run searched, and how many gold units it did not, of how many questions."""
    if line.scores is None:
        return (None,) * len(_SEARCHED)
    return line.scores.line.searched.code, *outside_counts(line.scores)


def _tests(comparison: Comparison | None) -> tuple[Value, ...]:
    if comparison is None:
        return (None,) * len(_TESTS)
    difference, tally = comparison.difference, comparison.tally
    numbers = (difference.value, difference.low, difference.high, comparison.p, comparison.p_holm)
    return (*numbers, tally.wins, tally.ties, tally.losses)


def _cost(line: ResultLine) -> tuple[str, ...]:
    cost = line.cost
    size = None if cost.index_bytes is None else cost.index_bytes / 1e6
    return tuple(
        "–" if value is None else f"{value:.{digits}f}"
        for value, digits in ((cost.fit_s, 2), (cost.search_ms_per_query, 2), (size, 1))
    )
