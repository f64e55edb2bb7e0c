"""Scores on the court case benchmarks in the reader's language: of one run, or of many methods.

Table of an experiment's methods scored on the court case benchmarks.

An experiment is run on a project's questions; here its lines are scored on the court cases: each
case of a group queries for the others of it, and a group counts once (paper LegalSearchLM, §4). No
run is stored. Lines with missing requirements are listed beside those that ran.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from annotation.people.roles import Act, allow
from construction.experiments.lines import Experiment, ExperimentMethod
from construction.experiments.reading import parse
from construction.stricter.benchmark import BenchmarkKind
from errors import UserError, Where
from evaluation.figure import Figure
from evaluation.ranking.scoring import too_deep
from evaluation.reports.report import Chart, Report, Section, Shape, Sheet, Value, Word, Words
from messages import say
from retrieval.core.registry import complete
from services.background.tasks import STOPPED
from services.runs.costs import Named, reading_notes
from services.runs.methods.preparation import is_not_here
from services.stricter.groups import Drawing, model_fact, model_note
from services.stricter.scoring import DEPTH, CaseScores, score_method
from storage.db.workspace import Workspace

Progress = Callable[[int, int, str, int, int], None]
"""Called with (lines done, lines, label of the current line, its queries done, queries)."""


@dataclass(frozen=True, slots=True)
class CaseLineScores:
    """A line of the file with its scores, or with the requirement it `lacks`."""

    line: ExperimentMethod
    scores: CaseScores | None
    lacks: UserError | None = None


@dataclass(frozen=True, slots=True)
class CaseTable:
    """All lines of an experiment's file, in order, scored on a project's court cases.

    `model` is the model whose tags form the stricter groups; "" for people's.
    """

    experiment: Experiment
    lines: tuple[CaseLineScores, ...]
    model: str


def score_experiment(
    ws: Workspace,
    project_slug: str,
    text: str,
    file: str | None = None,
    drawing: Drawing = Drawing(),  # noqa: B008 (frozen)
    progress: Progress | None = None,
    by: int | None = None,
) -> CaseTable:
    """Score every method of the file on both benchmarks.

    Raises UserError for `by` without permission (None is the operator), for errors in the file,
    such as a measure deeper than DEPTH, and where no line can run here.
    """
    allow(ws, project_slug, by, Act.RUN_RETRIEVAL)
    experiment = parse(text, file)
    deep = [
        each for each in experiment.measures if not each.cutoff or too_deep([repr(each)], DEPTH)
    ]
    if deep:
        where = Where(file, field="measures")
        raise UserError("experiment_depth", where, measure=repr(deep[0]), depth=DEPTH)
    lines: list[CaseLineScores] = []
    for at, line in enumerate(experiment.lines):

        def told(done: int, queries: int, at: int = at, label: str = line.label) -> None:
            """Report the progress of a line."""
            if progress:
                progress(at, len(experiment.lines), label, done, queries)

        about = ws, project_slug, line.spec, experiment.measures, drawing, told, by
        try:
            lines.append(CaseLineScores(line, score_method(*about)))
        except UserError as error:
            if error.code == STOPPED or not is_not_here(error):
                raise
            lacks = UserError(error.code, Where(file, line.at, line.label), **error.params)
            lines.append(CaseLineScores(line, None, lacks))
    if lines and lines[0].lacks and all(line.lacks for line in lines):
        raise lines[0].lacks
    return CaseTable(experiment, tuple(lines), drawing.model)


_ALL = "all"  # categories
_Lines = Mapping[str, CaseScores | None]


def scores_report(scored: CaseScores, language: str) -> Report:
    """Return a method's scores on the standard and the stricter benchmark, and by category."""
    words = Words("stricter.benchmark", language)
    unknown = {"queries": scored.unknown_queries, "cases": scored.unknown_cases}
    facts = {
        "method": scored.method,
        **model_fact(scored.model),
        "unknown": unknown,
        "queries": {kind.value: count for kind, count in scored.queries.items()},
        "missing": {kind.value: each.missing for kind, each in scored.scores.items()},
    }
    notes = [*model_note(scored.model, language), *scored.blank(language)]
    notes += [
        f"{say(f'stricter.kind.{kind}', language)}: {words('missing', count=len(each.missing))}"
        for kind, each in scored.scores.items()
        if each.missing
    ]
    notes += [
        words(f"unknown_{name}", count=f"{len(some):,}", some=some[0])
        for name, some in unknown.items()
        if some
    ]
    sections = _sections({scored.method: scored}, scored.method, language)
    return Report("stricter", words("evaluate"), sections, notes=tuple(notes), facts=facts)


def table_report(table: CaseTable, language: str) -> Report:
    """Return the scores of every line of an experiment's file on each benchmark."""
    words, name = Words("stricter.table", language), table.experiment.name
    lacking = [(each.line.label, each.lacks) for each in table.lines if each.lacks is not None]
    facts = {
        "name": name,
        **model_fact(table.model),
        "lacking": {label: lacks.as_dict() for label, lacks in lacking},
    }
    # Rules that stood in for a language model are told of.
    ran: list[Named] = [
        (each.line.label, complete(each.line.spec), {}) for each in table.lines if each.scores
    ]
    notes = [*model_note(table.model, language), *reading_notes(ran, language)]
    notes += [
        words("lacking", name=label, reason=f"{lacks.what(language)} {lacks.remedy(language)}")
        for label, lacks in lacking
    ]
    lines = {each.line.label: each.scores for each in table.lines}
    sections = _sections(lines, name, language)
    return Report("stricter_table", name, sections, notes=tuple(notes), facts=facts)


def _sections(lines: _Lines, name: str, language: str) -> tuple[Section, ...]:
    """Return a section for each benchmark; one line alone is drawn by category."""
    words = Words("stricter.scores", language)
    ran = [scored for scored in lines.values() if scored]
    chart: dict[str, Any] = {"labels": ("category",)}
    if len(lines) > 1:
        chart = {"labels": ("line",), "only": ("category", _ALL)}
    sections = []
    for kind, queries in ran[0].queries.items() if ran else ():
        measures = tuple(figure.name for figure in ran[0].scores[kind].figures)
        model = (
            ran[0].model if kind.least > 1 else ""
        )  # whose tags form the groups, if not people's
        rows: list[dict[str, Value]] = []
        for line, scored in lines.items():
            for category, figures in _by_category(scored, kind, words):
                by_name = {figure.name: figure for figure in figures}
                row: dict[str, Value] = {"line": line, "category": category}
                row |= {name: by_name.get(name) for name in measures}
                row["groups"] = max((figure.n for figure in figures), default=0)
                rows.append(row | ({"tags_of": model} if model else {}))
        sheet = Sheet.of(rows, words, heads=dict(zip(measures, measures, strict=True)))
        title = words(kind.value, name=name, count=queries)
        lead = _best(lines, kind, words)
        drawn = Chart(Shape.FOREST, values=measures, legend=words("score"), **chart)
        shape = drawn if lead else None  # a run may be too short for every measure
        sections.append(Section(kind.value, title, sheet, lead, shape, (words("note"),)))
    return tuple(sections)


def _by_category(
    scored: CaseScores | None, kind: BenchmarkKind, words: Words
) -> Iterator[tuple[Word, tuple[Figure, ...]]]:
    """Yield the scores in total, none for a line that did not run, then by category."""
    every = Word(_ALL, words("every"))
    if scored is None:
        yield every, ()
        return
    yield every, scored.scores[kind].figures
    for key, figures in scored.scores[kind].by_category.items():
        label = scored.labels.get(key, {})
        yield Word(key, label.get(words.language) or next(iter(label.values()), key)), figures


def _best(lines: _Lines, kind: BenchmarkKind, words: Words) -> str:
    """Return the sentence on the best line by the first measure with values; "" without any."""
    found = [
        (figure.value, line, figure)
        for line, scored in lines.items()
        for figure in (scored.scores[kind].figures if scored else ())
        if figure.value is not None
    ]
    if not found:
        return ""
    measure = found[0][2].name
    of_it = [each for each in found if each[2].name == measure]
    _, line, figure = max(of_it, key=lambda each: each[0])
    told = {"line": line, "measure": measure, "figure": figure.text(), "n": figure.n}
    return words("best" if len(of_it) > 1 else "alone", **told)
