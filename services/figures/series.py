"""Data of a project's figures: neighbourhoods, hit rates, curves and bars of runs.

All reveal gold, so they require permission to see scores. `progress` is called with (units done,
units) where a method is fitted first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from annotation.people.roles import Act, allow, reading_as
from corpus.graph.model import EdgeType, Origin
from corpus.long_work import Progress
from errors import UserError
from evaluation.figures.buckets import WIDTH, Bar, Curve, HitRate, QuestionHits, curve, hit_rate
from evaluation.figures.neighbourhood import Neighbourhood, neighbourhood, units_of
from evaluation.ranking.scoring import Measure, too_deep_notes
from messages import say
from services.figures.dataset_statistics import USUAL, Likening, project_likeness
from services.figures.figure_data import STANDARD, FigureData, View, figure_inputs
from services.gold.gold_set import GoldSet, GoldSize
from services.gold.search_coverage import NotSearched
from services.runs.rows import RunName, named_runs
from services.runs.scoring import ScoredRun, require_scores, score_run
from storage.db.workspace import Workspace
from storage.law.passages import Levels, passages_by_id

GRAPHS = ("explicit", "cosine", "matched")
MOST_RUNS = 6  # as many distinguishable colours
MOST_BARS = 24  # runs whose measures stand in rows
_MOST_MATCHED = 500  # maximum of matched neighbours per unit, for hubs


@dataclass(frozen=True, slots=True)
class HitReport:
    """Hit rates of three graphs: citations, nearest neighbours, and matched neighbours.

    In the matched graph a unit has as many nearest neighbours as citations, so that neither reaches
    more by leading to more units. `questions` counts those of `gold` with gold units among those
    searched, which are of `levels`; `outside` is the other gold. `walked` are the edge types of the
    citation graph and, where not all are walked, their origins.
    """

    rates: tuple[HitRate, ...]
    questions: int
    gold: GoldSize
    levels: Levels
    outside: NotSearched
    walked: tuple[EdgeType | Origin, ...]


@dataclass(frozen=True, slots=True)
class QuestionFigure:
    """The neighbourhood of a question; `names` are display names of its units.

    The units are of `levels`; `not_searched` counts the question's gold units outside them, and
    `gold` is the gold set.
    """

    external_id: str
    question: str
    found: Neighbourhood
    names: Mapping[str, str]
    levels: Levels
    not_searched: int
    gold: GoldSize


@dataclass(frozen=True, slots=True)
class ChosenRuns:
    """What must be told of runs in a figure: the depth of each, and which are retired."""

    depths: tuple[int | None, ...]
    retired: tuple[int, ...]

    def notes(self, measures: Sequence[str], language: str) -> list[str]:
        """Return notes on measures deeper than a run, and on retired runs."""
        retired = (say("figure_report.retired", language, run=run) for run in self.retired)
        return [*too_deep_notes(measures, self.depths, language), *retired]


@dataclass(frozen=True, slots=True)
class RunCurves:
    """Scores of runs against the similarity of question and gold, on the gold set `gold`."""

    curves: tuple[Curve, ...]
    gold: GoldSize
    runs: ChosenRuns


@dataclass(frozen=True, slots=True)
class RunBars:
    """Measures of runs as bars; `gold` are the gold sets, one per snapshot of the runs."""

    bars: tuple[Bar, ...]
    gold: tuple[GoldSize, ...]
    runs: ChosenRuns


def hit_rates(
    ws: Workspace,
    project_slug: str,
    view: View = STANDARD,
    snapshot_id: int | None = None,
    *,
    gold: str = "",
    by: int | None = None,
    progress: Progress | None = None,
) -> HitReport:
    """Return how often one step from a question's seeds reaches a gold unit, per graph.

    `by` is None for the operator. Raises UserError for `by` who may not see scores, and as
    `services.figures.figure_data.figure_inputs` does.
    """
    allow(ws, project_slug, by, Act.SEE_SCORES)
    base, on, queries = figure_inputs(ws, project_slug, view, snapshot_id, progress, gold)
    searched = {
        query: frozenset(unit for unit in units if unit not in base.outside.units)
        for query, units in on.qrels.items()
    }
    wanted = [query for query, units in searched.items() if units]
    seeds = base.seeds([queries[query] for query in wanted])
    asked = [QuestionHits(each, seeds[each], searched[each]) for each in wanted]
    every = sorted({seed for each in seeds.values() for seed in each})
    graphs = _neighbour_graphs(base, every)
    rates = tuple(hit_rate(name, asked, graphs[name]) for name in GRAPHS)
    return HitReport(rates, len(wanted), on.size, base.levels, base.outside, view.walked)


def question_figure(
    ws: Workspace,
    project_slug: str,
    external_id: str,
    view: View = STANDARD,
    snapshot_id: int | None = None,
    *,
    gold: str = "",
    by: int | None = None,
    progress: Progress | None = None,
) -> QuestionFigure:
    """Return the neighbourhood of a question of a gold set.

    Raises UserError for a question outside it, for `by` who may not see scores, and as
    `services.figures.figure_data.figure_inputs` does.
    """
    allow(ws, project_slug, by, Act.SEE_SCORES)
    base, on, queries = figure_inputs(ws, project_slug, view, snapshot_id, progress, gold)
    if external_id not in queries:
        raise UserError("figure_question", question=external_id)
    query, corpus = queries[external_id], base.dense.corpus
    seeds = base.seeds([query])[external_id]
    wanted = [unit for unit in on.qrels[external_id] if unit in corpus.positions]
    cosine, explicit = base.nearest(seeds, view.neighbours), base.cited(seeds)
    units = units_of(seeds, wanted, cosine, explicit)
    vectors = base.dense.vectors[[corpus.positions[unit] for unit in units]]
    asked = base.dense.encode([query])[0]
    found = neighbourhood(seeds, wanted, cosine, explicit, vectors, asked)
    return QuestionFigure(
        external_id=external_id,
        question=query.text,
        found=found,
        names=_titles(ws, on, units),
        levels=base.levels,
        not_searched=len(base.outside.questions.get(external_id, ())),
        gold=on.size,
    )


def similarity_curves(
    ws: Workspace,
    run_ids: Sequence[int],
    measure: Measure,
    width: float = WIDTH,
    how: Likening = USUAL,
    *,
    gold: str = "",
    by: int | None = None,
    progress: Progress | None = None,
) -> RunCurves:
    """Return a measure of runs as a function of the similarity of question and gold.

    All over the questions that each run was asked. Raises UserError for no run, more than
    MOST_RUNS, unknown ones, runs of several projects or snapshots, an unknown gold set, a width not
    in (0, 1], and for `by` who may not see scores.
    """
    if not 0 < width <= 1:
        raise UserError("figure_width", value=width)
    scored = _scored_runs(ws, run_ids, by, [measure], gold)
    if len({(one.project_slug, one.run.key.snapshot_id) for one in scored}) > 1:
        raise UserError("figure_snapshots")
    first = scored[0]
    common = set.intersection(*(set(one.evaluation.table) for one in scored))
    cosines = project_likeness(ws, first.project_slug, first.gold, how, progress)
    alike = {each.question: each.query_gold for each in cosines if each.query_gold is not None}
    names, runs = _chosen(ws, scored, by)
    key, curves = repr(measure), list[Curve]()
    for one in scored:
        values = {query: one.evaluation.table[query][key] for query in sorted(common)}
        curves.append(curve(names[one.run.id], alike, values, width))
    return RunCurves(tuple(curves), first.gold.size, runs)


def run_bars(
    ws: Workspace,
    run_ids: Sequence[int],
    measures: Sequence[Measure],
    *,
    gold: str = "",
    by: int | None = None,
) -> RunBars:
    """Return a bar per measure and run, runs in the order given.

    Raises UserError for no run, more than MOST_BARS, unknown ones, runs of several projects, an
    unknown gold set, and for `by` who may not see scores.
    """
    scored = _scored_runs(ws, run_ids, by, measures, gold, MOST_BARS)
    names, runs = _chosen(ws, scored, by)
    bars = tuple(
        Bar(figure.name, names[one.run.id], figure) for one in scored for figure in one.figures
    )
    return RunBars(bars, tuple(dict.fromkeys(one.gold.size for one in scored)), runs)


def _chosen(
    ws: Workspace, scored: Sequence[ScoredRun], by: int | None
) -> tuple[dict[int, str], ChosenRuns]:
    """Return all names of the project's runs by id, and depth and retirement of those scored."""
    known = {each.run_id: each for each in run_names(ws, scored[0].project_slug, by=by)}
    retired = tuple(one.run.id for one in scored if known[one.run.id].marks.retired)
    depths = tuple(one.evaluation.depth for one in scored)
    return {run: each.name for run, each in known.items()}, ChosenRuns(depths, retired)


def run_names(ws: Workspace, project_slug: str, *, by: int | None = None) -> tuple[RunName, ...]:
    """Return the display names of the project's runs, newest first.

    Retired ones are included, as a figure may name one, though none is offered.
    """
    with reading_as(ws, project_slug, by, Act.SEE_SCORES) as (session, project, _):
        return named_runs(session, project.id)


def _neighbour_graphs(
    base: FigureData, units: Sequence[str]
) -> dict[str, Mapping[str, Sequence[str]]]:
    """Return graph → unit → neighbours: cited, nearest by cosine, and as many nearest as cited."""
    cited = base.cited(units)
    longest = min(_MOST_MATCHED, max((len(ends) for ends in cited.values()), default=0))
    near = base.nearest(units, max(longest, base.view.neighbours))
    return {
        "explicit": cited,
        "cosine": {unit: ends[: base.view.neighbours] for unit, ends in near.items()},
        "matched": {unit: ends[: len(cited.get(unit, ()))] for unit, ends in near.items()},
    }


def _titles(ws: Workspace, gold: GoldSet, units: Sequence[str]) -> dict[str, str]:
    """Return the title of each unit, its id where it has none."""
    with ws.reading() as session:
        passages = passages_by_id(session, gold.snapshot_id or 0, units)
    return {unit: passages[unit].title or unit for unit in units}


def _scored_runs(
    ws: Workspace,
    run_ids: Sequence[int],
    by: int | None,
    measures: Sequence[Measure],
    gold: str,
    limit: int = MOST_RUNS,
) -> list[ScoredRun]:
    """Return the runs with scores, all on the gold set of the first.

    Raises UserError for no run, too many, and runs of several projects.
    """
    wanted = list(dict.fromkeys(run_ids))
    if not 1 <= len(wanted) <= limit:
        raise UserError("figure_runs", count=len(wanted), limit=limit)
    for run in wanted:
        require_scores(ws, run, by)
    scored: list[ScoredRun] = []
    for run in wanted:
        scored.append(score_run(ws, run, measures, scored[0].gold.label if scored else gold))
    if len({one.project_slug for one in scored}) > 1:
        raise UserError("figure_snapshots")
    return scored
