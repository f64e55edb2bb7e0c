"""Table of an experiment's methods scored on the court case benchmarks.

An experiment is run on a project's questions; here its lines are scored on the court cases: each
case of a group queries for the others of it, and a group counts once (paper LegalSearchLM, §4). No
run is stored. Lines with missing requirements are listed beside those that ran.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from annotation.people.roles import Act, allow
from construction.experiments.lines import Experiment, ExperimentMethod
from construction.experiments.reading import parse
from errors import UserError, Where
from evaluation.ranking.scoring import too_deep
from services.background.tasks import STOPPED
from services.runs.methods.preparation import is_not_here
from services.stricter.groups import Drawing
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
    model: str = ""


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
    """Return a callback for the progress of one line."""

    def told(done: int, queries: int) -> None:
        """Report the progress of a line."""
        if progress:
            progress(at, lines, label, done, queries)

    return told
