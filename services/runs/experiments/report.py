"""Report on an experiment: each measure of every line, over swept parameters, and the tests."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from construction.experiments.lines import sweeps
from evaluation.ranking.compare import comparison_cells
from evaluation.reports.report import Chart, Report, Section, Shape, Sheet, Words
from services.runs.experiments.results import Results
from services.runs.experiments.tables import inference_words
from services.runs.score_table import searched_notes
from services.runs.strata import Stratum


def experiment_report(results: Results, language: str) -> Report:
    """Return the report over all questions, the measures one behind the other."""
    words = Words("experiments", language)
    sections = (
        replace(each, name=f"{each.name}-{measure}", title=f"{each.title} · {measure}")
        for place, measure in enumerate(results.measures)
        for each in (
            *measure_sections(results, None, place, language),
            tests_section(results, None, place, words),
        )
    )
    notes = (
        results.gold.size.say(language),
        inference_words(results, language),
        *searched_notes(results.runs(), language),
    )
    facts = {"number": results.stored.number, "questions": results.questions}
    return Report("experiment", results.stored.name, tuple(sections), notes=notes, facts=facts)


def gains_report(results: Results, language: str = "en") -> Report:
    """Return each line's gain over the line that it builds on, by measure, each with its test."""
    words = Words("experiments", language)
    heads = {"p": "p", "n": "n", "difference": words("gain")}
    chart = Chart(Shape.FOREST, ("column_line",), ("difference",), zero=True)
    sections = []
    for measure in results.measures:
        rows = [
            {"column_line": line, "base": base, **comparison_cells(found)}
            for line, base, found in results.gains(measure)
        ]
        alone = [{name: row[name] for name in row if name != "p_holm"} for row in rows]
        title = words("gains_of", measure=measure)
        sheet = Sheet.of(alone, words, heads=heads)
        sections += [Section(f"gains-{measure}", title, sheet, chart=chart)] if rows else []
    notes = (results.gold.size.say(language), words("gains_note"))
    return Report("gains", results.stored.name, tuple(sections), notes=notes)


def measure_sections(
    results: Results, stratum: Stratum | None, place: int, language: str
) -> tuple[Section, ...]:
    """Return the measure at `place` of every line, behind its values over swept parameters."""
    words = Words("experiments", language)
    sections = (*_sweeps(results, stratum, place, words), _lines(results, stratum, place, words))
    return tuple(each for each in sections if each.drawn)


def _sweeps(
    results: Results, stratum: Stratum | None, place: int, words: Words
) -> Iterator[Section]:
    """Yield the curve of each swept parameter."""
    for sweep in sweeps(results.experiment):
        rows = [
            {"at": value, "column_line": results.lines[position].line.label, "figure": cell.figure}
            for value, position in sweep.points
            for cell in results.lines[position].cells(stratum)[place : place + 1]
        ]
        yield Section(
            f"sweep-{sweep.entry}-{sweep.path}",
            f"{sweep.entry} · {sweep.path}",
            Sheet.of(rows, words, heads={"at": sweep.path, "figure": results.measures[place]}),
            chart=Chart(Shape.LINE, ("at",), ("figure",)),
        )


def _lines(results: Results, stratum: Stratum | None, place: int, words: Words) -> Section:
    """Return each line's mean by the measure at `place`."""
    rows = [
        {
            "column_line": line.line.label,
            "entry": line.line.entry,
            "figure": cell.figure,
            "n": cell.figure.n,
        }
        for line in results.lines
        for cell in line.cells(stratum)[place : place + 1]
    ]
    heads = {"figure": results.measures[place], "entry": words("column_entry"), "n": "n"}
    chart = Chart(Shape.FOREST, ("column_line",), ("figure",), "entry")
    return words.section("lines", "chart", rows, chart=chart, heads=heads)


def tests_section(results: Results, stratum: Stratum | None, place: int, words: Words) -> Section:
    """Return each line's difference from the baseline on the measure at `place`, with its test."""
    rows = (
        {"column_line": line.line.label, **comparison_cells(cell.comparison)}
        for line in results.lines
        for cell in line.cells(stratum)[place : place + 1]
        if cell.comparison is not None
    )
    heads = {"p": "p", "p_holm": words("corrected"), "n": "n"}
    title = words("against", name=results.experiment.baseline)
    chart = Chart(Shape.FOREST, ("column_line",), ("difference",), zero=True)
    return Section("tests", title, Sheet.of(rows, words, heads=heads), chart=chart)
