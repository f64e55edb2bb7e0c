"""Retrieval with multiple-choice questions as queries: gold are the two provisions of each.

Nothing is stored: the methods of an experiment's file search for each question, without its
options, and are scored at once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from annotation.people.roles import Act, allow, reading_as
from construction.experiments.reading import parse
from corpus.long_work import Progress
from errors import UserError, Where
from evaluation.figure import Figure
from evaluation.ranking.scoring import Measure, evaluate
from evaluation.reports.report import Chart, Report, Shape, Words
from retrieval.core.model import Query, Spec
from retrieval.core.registry import make
from services.gold.gold_set import chosen_snapshot
from services.gold.search_coverage import levels_in_words
from services.mcq.report import SCOPES, in_scope, require_scope
from services.mcq.views import standing_questions
from services.runs.experiments.running import each_once
from services.runs.methods.preparation import is_not_here, ready
from services.runs.retrieving import RunBasis, ground
from storage.db.workspace import Workspace
from storage.law.passages import Levels

DRAWN = 3  # measures in the picture


@dataclass(frozen=True, slots=True)
class McqRetrieval:
    """Figures of methods by line, in the order of the file, and the errors of unmet needs.

    `outside` counts questions that are left out, as a provision of theirs is not searched.
    """

    name: str
    measures: tuple[Measure, ...]
    figures: Mapping[str, Sequence[Figure]]
    lacking: Mapping[str, UserError]
    questions: int
    outside: int
    levels: Levels


def mcq_retrieval(
    ws: Workspace,
    project_slug: str,
    text: str,
    file: str | None = None,
    scope: str = SCOPES[0],
    *,
    by: int | None = None,
    progress: Progress | None = None,
) -> McqRetrieval:
    """Search with the methods of an experiment's text for the two provisions of each question.

    `scope` is that of `mcq_report`; `progress` is called with (lines done, lines). Raises UserError
    for errors in the text, an unknown scope, a project without such questions, for `by` who may not
    read others' labels or run retrieval, or not have models run where a method calls one, and where
    every method lacks something.
    """
    require_scope(scope)
    allow(ws, project_slug, by, Act.RUN_RETRIEVAL)
    experiment = parse(text, file)
    with reading_as(ws, project_slug, by, Act.READ_OTHERS_LABELS) as (session, project, _):
        asked = [q.item for q in standing_questions(session, project.id) if in_scope(q, scope)]
    on = ground(ws, project_slug, chosen_snapshot(ws, project_slug).id)
    pairs = {q.id: {q.pair.source.unit_id: 1, q.pair.target.unit_id: 1} for q in asked}
    gold = {
        name: pair for name, pair in pairs.items() if all(u in on.corpus.positions for u in pair)
    }
    if not gold:
        raise UserError("mcq_none", slug=project_slug)
    queries = [Query(q.id, q.query) for q in asked if q.id in gold]
    figures: dict[str, Sequence[Figure]] = {}
    lacking: dict[str, UserError] = {}
    for at, line in enumerate(experiment.lines):
        if progress:
            progress(at, len(experiment.lines))
        try:
            rankings = _rankings(on, line.spec, queries, experiment.depth, by)
        except UserError as error:
            if not is_not_here(error):
                raise
            lacking[line.label] = error
        else:
            figures[line.label] = evaluate(rankings, gold, experiment.measures).figures
    if not figures:
        raise next(iter(lacking.values()))
    counts = len(gold), len(asked) - len(gold)
    return McqRetrieval(experiment.name, experiment.measures, figures, lacking, *counts, on.levels)


def _rankings(
    on: RunBasis, spec: Spec, queries: Sequence[Query], depth: int, by: int | None
) -> dict[str, list[str]]:
    """Return the ranking of each query by a method, checking the right to call models."""
    if make(spec, on.using).calls_models:
        allow(on.ws, on.project.slug, by, Act.MAKE_ITEMS)
    hits = ready(on.ws, spec, on.corpus, on.using).search(queries, depth)
    return {name: [hit.unit_id for hit in found] for name, found in hits.items()}


def retrieval_report(found: McqRetrieval, language: str) -> Report:
    """Return the measures of each method, with what the others lack."""
    words = Words("mcq_retrieval", language)
    keys = [repr(measure) for measure in found.measures]
    rows = (
        {"line": line, **dict(zip(keys, figures, strict=True)), "n": found.questions}
        for line, figures in found.figures.items()
    )
    chart = Chart(Shape.FOREST, ("line",), tuple(keys[:DRAWN]), legend=words("score"))
    notes = [
        words("searched", levels=levels_in_words(found.levels, language), outside=found.outside)
    ]
    wrong = ((Where(field=line), error) for line, error in found.lacking.items())
    notes += each_once(wrong, language)
    facts = {"questions": found.questions, "outside": found.outside}
    lead = words("lead", count=found.questions)
    heads = {key: key for key in keys}
    section = words.section("rows", "title", rows, chart=chart, heads=heads)
    return Report("mcq_retrieval", found.name, (section,), lead, tuple(notes), facts)
