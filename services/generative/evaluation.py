"""Evaluation of a trained model on the court case benchmarks and on the questions.

Court cases are scored as `services.stricter.scoring` does: P@5 and recall by standard and by
stricter group (LegalSearchLM, section 4). Questions are answered by ordinary runs, which are stored
and appear on the leaderboard; differences are tested against the last of the methods beside it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from annotation.people.roles import Act, allow
from corpus.long_work import Progress
from errors import UserError
from evaluation.ranking.scoring import Measure
from retrieval.core.model import Spec
from retrieval.dense.model_files import trained_about
from services.gold.gold_set import chosen_snapshot, required_gold
from services.runs.retrieving import retrieve
from services.runs.significance import Significance, compare_runs
from services.stricter.groups import Drawing
from services.stricter.scoring import MEASURES as CASE_MEASURES
from services.stricter.scoring import CaseScores, score_method
from storage.db.workspace import Workspace

METHOD = "legalsearchlm"
QUESTION_MEASURES = (Measure("Recall", 10), Measure("Recall", 100), Measure("P", 5))
BESIDE: tuple[Spec, ...] = ({"method": "bm25"},)
_LACKING = ("case_benchmark_empty", "no_gold", "gold_waits", "gold_amended", "corpus_missing")


_READ = 512  # default query length in tokens


@dataclass(frozen=True, slots=True)
class Evaluated:
    """Scores of a model: on court cases by method, on questions by run; None if not evaluated."""

    cases: tuple[CaseScores, ...] | None
    questions: Significance | None


def spec_of(model: Path, **parameters: object) -> dict[str, object]:
    """Return the method spec for the model in a folder."""
    return {"method": METHOD, "model": str(model.resolve()), **parameters}


def evaluate_cases(
    ws: Workspace,
    project_slug: str,
    specs: Sequence[Spec],
    measures: Sequence[Measure] = CASE_MEASURES,
    drawing: Drawing = Drawing(),  # noqa: B008 (frozen)
    *,
    by: int | None = None,
    progress: Progress | None = None,
) -> tuple[CaseScores, ...]:
    """Score each method on the standard and the stricter benchmark.

    Raises UserError as `services.stricter.scoring.score_method` does.
    """
    where = ws, project_slug
    return tuple(score_method(*where, spec, measures, drawing, progress, by) for spec in specs)


def evaluate_questions(
    ws: Workspace,
    project_slug: str,
    specs: Sequence[Spec],
    *,
    by: int | None = None,
    progress: Progress | None = None,
) -> Significance:
    """Run each method on the questions, and compare the runs with the last one.

    Raises UserError as `services.runs.retrieving.retrieve` does, and where no question has gold.
    """
    allow(ws, project_slug, by, Act.RUN_RETRIEVAL)
    used = chosen_snapshot(ws, project_slug).id
    required_gold(ws, project_slug, used, "")  # fail before running anything
    runs = [retrieve(ws, project_slug, spec, by=by, progress=progress) for spec in specs]
    return compare_runs(
        ws,
        project_slug,
        list(dict.fromkeys(runs)),
        QUESTION_MEASURES,
        baseline=runs[-1],
        by=by,
    )


def evaluate(
    ws: Workspace,
    project_slug: str,
    model: Path,
    on: str = "all",
    baselines: Sequence[Spec] = BESIDE,
    decoding: Mapping[str, object] | None = None,
    drawing: Drawing = Drawing(),  # noqa: B008 (frozen)
    *,
    by: int | None = None,
    progress: Progress | None = None,
) -> Evaluated:
    """Evaluate the model in a folder beside other methods, on ``cases``, ``questions`` or ``all``.

    `decoding` are further parameters of the method, such as ``beam``; `drawing` is of the queries
    of court cases. With ``all`` a project
    without grouped court cases, or without questions with gold, is evaluated on what it has. Raises
    UserError where it has neither, and as the evaluations do.
    """
    read = trained_about(model).get("source", 0)  # source length in training
    parameters = {"query_tokens": read} if isinstance(read, int) and read > _READ else {}
    specs = [spec_of(model, **(parameters | dict(decoding or {}))), *baselines]
    cases, questions, lacking = None, None, list[UserError]()
    if on in ("all", "cases"):
        try:
            asked = CASE_MEASURES, drawing
            cases = evaluate_cases(ws, project_slug, specs, *asked, by=by, progress=progress)
        except UserError as error:
            lacking.append(_missing_data(error, on))
    if on in ("all", "questions"):
        try:
            questions = evaluate_questions(ws, project_slug, specs, by=by, progress=progress)
        except UserError as error:
            lacking.append(_missing_data(error, on))
    if cases is None and questions is None:
        raise lacking[0]
    return Evaluated(cases, questions)


def _missing_data(error: UserError, on: str) -> UserError:
    """Return an error about missing data if `on` is ``all``; raise any other."""
    if on != "all" or error.code not in _LACKING:
        raise error
    return error
