"""Tables of an experiment: readable ones, and one with every number for other programs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from evaluation.ranking.compare import COMPARED, MOST, comparison_numbers
from evaluation.tables import Cell as Value
from evaluation.tables import Table, format_of, written
from messages import say
from services.runs import costs, simple_baselines
from services.runs.experiments.results import ResultLine, Results
from services.runs.score_table import (
    READ,
    family_words,
    outside_counts,
    score_text,
    searched_notes,
    units_read,
    unscored_text,
)
from services.runs.strata import Stratum, value_in_words
from storage.db.atomic_files import published_file

ALL = "all"

_WIDE = ("line", "run", "stratum", "questions", "measure", "value", "low", "high", "n")
_TESTS = tuple(name for name in COMPARED if name != "pairs")
_NOISE = ("noise", "noise_nominal", "noise_effective", "linked_pairs", "linked_pairs_lost")
_MADE = ("resamples", "holm_over")
_SEARCHED = ("searched", "gold_units_not_searched", "questions_with_gold_not_searched", *READ)


def readable(
    results: Results, stratum: Stratum | None = None, language: str = "en", costed: bool = True
) -> Table:
    """Return the readable table: a column per measure, and if `costed` over all questions the cost.

    A figure is followed by its interval, and by ▲ or ▼ where it differs from the baseline
    (corrected p below .05). The baseline's line is marked. Where a line has noise, a column gives
    nominal and effective share of links lost. A stratum without gold gives one line of text.
    """
    if stratum is not None and unscored(results, stratum):
        return Table((), (), unscored_text(stratum, results.strata[stratum], language))
    lost = ("links lost",) if results.noisy and not stratum else ()
    cost = () if stratum or not costed else tuple(head for head, _ in costs.COLUMNS.values())
    rows: list[tuple[Value, ...]] = []
    for line in results.lines:
        label, cells = line.line.label, line.cells(stratum)
        base = label == results.experiment.baseline
        name = say("experiments.baseline", language, name=label) if base else label
        said = [score_text(cell) for cell in cells] or ["–"] * len(results.measures)
        noise = [links_lost(line) for _ in lost]
        known = costs.texts_of(line.cost) if line.scores else ("–",) * len(cost)
        rows.append((name, *said, line.n(stratum), *noise, *(known if cost else ())))
    head = ("line", *results.measures, "n", *lost, *cost)
    return Table(head, tuple(rows), _title(results, stratum))


def unscored(results: Results, stratum: Stratum | None) -> bool:
    """Return True if there are runs but no question in the stratum has gold."""
    return bool(results.columns) and not any(line.n(stratum) for line in results.lines)


def links_lost(line: ResultLine) -> str:
    """Format the links of a line lost to noise, ``–`` without noise."""
    return "; ".join(each.text for each in line.noise) or "–"


def inference_words(results: Results, language: str) -> str:
    """Describe how its intervals and corrected p-values were computed."""
    made = results.experiment.inference
    family = family_words(made.family, language)
    return say("experiments.note", language, resamples=f"{made.resamples:,}", family=family)


def cost_notes(results: Results, language: str = "en") -> list[str]:
    """Return notes on its cost columns; empty where no model was called."""
    return costs.cost_notes(((line.line.label, line.cost) for line in results.lines), language)


def table_notes(results: Results, language: str = "en") -> list[str]:
    """Return what one must know to read its tables: intervals, noise, coverage, models, strata."""
    named = [  # of what a file varies only the method as written says what it reranks with
        (line.line.label, line.line.spec if line.line.kind == "method" else {}, run.line.cost)
        for line in results.lines
        if (run := line.scores)
    ]
    return [
        inference_words(results, language),
        *([say("experiments.lost_note", language)] if results.noisy else []),
        *searched_notes(results.runs(), language),
        *(
            say("experiments.not_split", language, column=column, count=count, most=MOST)
            for column, count in results.whole.items()
        ),
        *costs.asking_notes(named, language),
    ]


def every_number(results: Results) -> Table:
    """Return one row per line, stratum and measure, at full precision; None is absent."""
    rows = tuple(
        row
        for line in results.lines
        for stratum in (None, *results.strata)
        for row in _number_rows(results, line, stratum)
    )
    head = (*_WIDE, *_TESTS, *costs.NUMBERS, *_SEARCHED, *_NOISE, *simple_baselines.NUMBERS, *_MADE)
    return Table(head, rows)


def as_file(results: Results, format_name: str) -> str:
    """Format the experiment in a format of `evaluation.tables`.

    CSV has every number, the others the readable tables. Raises UserError for another format.
    """
    if format_name == "csv":
        return written(every_number(results), format_name)
    first, *others = tables_to_read(results)
    notes = [*table_notes(results), *cost_notes(results)]
    if labels := "; ".join(line.line.label for line in results.lines if line.scores is None):
        notes.append(say("experiments.not_run", lines=labels))
    noted = replace(first, notes=tuple(notes))
    return "\n".join(written(table, format_name) for table in (noted, *others))


def tables_to_read(results: Results) -> Iterator[Table]:
    """Yield the readable table and those against simple baselines, overall and per stratum."""
    for stratum in (None, *results.strata):
        yield readable(results, stratum)
        yield from against_simple(results, stratum)


def tables_to_print(results: Results, language: str = "en") -> Iterator[Table]:
    """Yield the same tables for one page, without repeating explanations.

    Simple baselines are defined under the first table against one only. A stratum without a value
    is named in words.
    """
    explained = False
    for stratum in (None, *results.strata):
        table = readable(results, stratum)
        value = value_in_words(stratum, language) if stratum is not None else ""
        if stratum is not None and table.head:
            told = {"column": stratum[0], "value": value, "count": results.strata[stratum]}
            table = replace(table, title=say("significance.stratum_head", language, **told))
        simple = against_simple(results, stratum, value, explained)
        yield table
        yield from simple
        explained = explained or bool(simple)


def against_simple(
    results: Results, stratum: Stratum | None = None, value: str = "", explained: bool = False
) -> tuple[Table, ...]:
    """Return the tables of differences to the strongest and weakest simple baseline.

    `value` is the display name of the stratum's value; `explained` if simple baselines have been
    defined already.
    """
    columns, runs = results.columns.get(stratum, ()), results.runs(stratum)
    tables = simple_baselines.simple_tables(columns, runs, "line", explained=explained)
    if stratum is None:
        return tables
    named = f"{stratum[0]} = {value or stratum[1] or '–'}"
    return tuple(replace(each, title=f"{each.title}, {named}") for each in tables)


def export_experiment(results: Results, file: Path) -> str:
    """Write the experiment to a file in the format of its ending; return the format's name.

    Raises UserError for an unknown ending and a file that cannot be written.
    """
    kind = format_of(file)
    with published_file(file) as part:
        part.write_text(as_file(results, kind), encoding="utf-8")
    return kind


def _title(results: Results, stratum: Stratum | None) -> str:
    """Return the title of a stratum's table with its number of questions."""
    if stratum is None:
        return f"{results.stored.name} ({results.questions} questions)"
    return f"{stratum[0]} = {stratum[1] or '–'} ({results.strata[stratum]} questions)"


def _number_rows(
    results: Results, line: ResultLine, stratum: Stratum | None
) -> Iterator[tuple[Value, ...]]:
    """Yield a line's row of all numbers per measure in a stratum; none without a run."""
    run = None if line.scores is None else line.scores.run_id
    named = ALL if stratum is None else "=".join(stratum)
    asked = results.questions if stratum is None else results.strata[stratum]
    names = {each.run_id: each.label for each in reversed(results.runs())}
    columns = results.columns.get(stratum, ())
    for column, cell in zip(columns, line.cells(stratum), strict=bool(line.cells(stratum))):
        figure, (difference, low, high, _, *tests) = (
            cell.figure,
            comparison_numbers(cell.comparison),
        )
        yield (
            *(line.line.label, run, named, asked, figure.name),
            *figure.numbers(),
            *(difference, low, high, *tests),
            *costs.numbers_of(line.cost),
            *_searched_cells(line),
            *_noise_cells(line),
            *simple_baselines.numbers(column, cell, names),
            *(results.experiment.inference.resamples, results.experiment.inference.family.value),
        )


def _searched_cells(line: ResultLine) -> tuple[Value, ...]:
    """Return the levels searched, counts of gold not searched, and who read units."""
    if line.scores is None:
        return (None,) * len(_SEARCHED)
    return (
        line.scores.line.searched.code,
        *outside_counts(line.scores),
        *units_read(line.scores),
    )


def _noise_cells(line: ResultLine) -> tuple[Value, ...]:
    """Return the noise and its shares; several kinds or rates give only their names."""
    if len(line.noise) != 1:
        said = "; ".join(f"{each.kind} {each.nominal:g}" for each in line.noise) or None
        return (said, *(None,) * (len(_NOISE) - 1))
    (noise,) = line.noise
    return (noise.kind, noise.nominal, noise.effective, noise.pairs, noise.lost)
