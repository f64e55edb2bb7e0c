"""Table of an experiment's methods scored on the court case benchmarks.

An experiment is run on a project's questions; here its lines are scored on the court cases: each
case of a group queries for the others of it, and a group counts once (paper LegalSearchLM, §4). No
run is stored. Lines with missing requirements are listed beside those that ran.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from annotation.people.roles import Act, allow
from construction.experiments.lines import Experiment, ExperimentMethod
from construction.experiments.reading import parse
from construction.stricter.benchmark import BenchmarkKind
from errors import UserError, Where
from evaluation.figure import Figure
from evaluation.ranking.scoring import Scores, too_deep
from evaluation.tables import Cell, Table, format_of, written
from messages import say
from retrieval.core.registry import complete
from services.background.tasks import STOPPED
from services.runs.costs import Named, reading_notes
from services.runs.methods.preparation import is_not_here
from services.stricter.groups import Drawing
from services.stricter.scoring import DEPTH, CaseScores, score_method
from storage.db.atomic_files import published_file
from storage.db.workspace import Workspace

ALL = "all"
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
    model: str = ""

    @property
    def measures(self) -> tuple[str, ...]:
        """Keys of the measures."""
        return tuple(repr(measure) for measure in self.experiment.measures)

    @property
    def queries(self) -> Mapping[BenchmarkKind, int]:
        """Number of queries per benchmark; empty where no line ran."""
        return next((line.scores.queries for line in self.lines if line.scores), {})


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
        told = _progress_of_line(progress, at, len(experiment.lines), line.label)
        lines.append(_score_line(ws, project_slug, experiment, line, drawing, told, file, by))
    if lines and lines[0].lacks and all(line.lacks for line in lines):
        raise lines[0].lacks
    return CaseTable(experiment, tuple(lines), drawing.model)


def _score_line(
    ws: Workspace,
    project_slug: str,
    experiment: Experiment,
    line: ExperimentMethod,
    drawing: Drawing,
    on_progress: Callable[[int, int], None],
    file: str | None,
    by: int | None,
) -> CaseLineScores:
    try:
        scores = score_method(
            *(ws, project_slug, line.spec, experiment.measures, drawing, on_progress),
            by=by,
        )
    except UserError as error:
        if error.code == STOPPED or not is_not_here(error):
            raise
        told_of = UserError(error.code, Where(file, line.at, line.label), **error.params)
        return CaseLineScores(line, None, told_of)
    return CaseLineScores(line, scores)


def _progress_of_line(
    progress: Progress | None, at: int, lines: int, label: str
) -> Callable[[int, int], None]:
    def told(done: int, queries: int) -> None:
        if progress:
            progress(at, lines, label, done, queries)

    return told


def case_tables(table: CaseTable, language: str = "en") -> Iterator[Table]:
    """Yield the readable table per benchmark: a row per method, a column per measure."""
    for kind, queries in table.queries.items():
        rows = tuple(_row(line.line.label, _figures(line, kind, table)) for line in table.lines)
        title = say(f"stricter.table.{kind}", language, name=table.experiment.name, count=queries)
        notes = (
            say("stricter.table.note", language),
            *([tags_note(table.model, language)] if kind.least > 1 and table.model else []),
            *_reading_notes(table, language),
            *_lacking_notes(table, language),
        )
        head = (say("stricter.table.line", language), *table.measures, "n")
        yield Table(head, rows, title, notes)


def tags_note(model: str, language: str = "en") -> str:
    """Return the note that stricter groups come from a model's tags."""
    return say("stricter.from_model", language, model=model)


def _row(label: str, figures: Sequence[Figure]) -> tuple[Cell, ...]:
    """Return a table row: figures, and the number of groups behind them."""
    return (label, *(each.text() for each in figures), max(each.n for each in figures))


def every_case_number(table: CaseTable) -> Table:
    """Return one row per line, benchmark, category and measure; None is absent."""
    rows: list[tuple[Cell, ...]] = []
    for line in table.lines:
        for kind, scores in (line.scores.scores if line.scores else {}).items():
            by_category = {ALL: scores.figures, **scores.by_category}
            whose = f"{kind} (tags of {table.model})" if kind.least > 1 and table.model else kind
            rows += [
                (line.line.label, str(whose), category, *_numbers(figure))
                for category, figures in by_category.items()
                for figure in figures
            ]
    head = ("line", "benchmark", "category", "measure", "value", "low", "high", "groups")
    return Table(head, tuple(rows))


def case_table_file(table: CaseTable, format_name: str, language: str = "en") -> str:
    """Format the table in a format of `evaluation.tables`; CSV has every number."""
    if format_name == "csv":
        return written(every_case_number(table), format_name)
    return "\n".join(written(each, format_name) for each in case_tables(table, language))


def export_case_table(table: CaseTable, file: Path) -> str:
    """Write the table to a file in the format of its ending; return the format's name.

    Raises UserError for an unknown ending and a file that cannot be written.
    """
    kind = format_of(file)
    with published_file(file) as part:
        part.write_text(case_table_file(table, kind), encoding="utf-8")
    return kind


def _numbers(figure: Figure) -> tuple[Cell, ...]:
    return figure.name, figure.value, figure.low, figure.high, figure.n


def _figures(line: CaseLineScores, kind: BenchmarkKind, table: CaseTable) -> tuple[Figure, ...]:
    found: Scores | None = line.scores.scores.get(kind) if line.scores else None
    if found is None:
        return tuple(Figure(measure, None, 0) for measure in table.measures)
    return found.figures


def _reading_notes(table: CaseTable, language: str) -> list[str]:
    """Note the lines for which rules stood in for a language model."""
    ran: list[Named] = [
        (each.line.label, complete(each.line.spec), {}) for each in table.lines if each.scores
    ]
    return reading_notes(ran, language)


def _lacking_notes(table: CaseTable, language: str) -> list[str]:
    return [
        say(
            "stricter.table.lacking",
            language,
            name=line.line.label,
            reason=f"{line.lacks.what(language)} {line.lacks.remedy(language)}",
        )
        for line in table.lines
        if line.lacks
    ]
