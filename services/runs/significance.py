"""Runs side by side: figures with intervals, and whether each differs from a baseline.

Everything is on one gold set, and over the questions that all compared runs rank, those of a
stratum or all. A run is compared with the baseline. p-values are corrected by Holm over exactly
these tests, within one measure unless the reader asks for all measures of the table. Each run is
also compared with the strongest and the weakest simple baseline among the runs
(`retrieval.core.registry.SIMPLE`): to beat the weakest says little, and both are told so that
nobody has to guess which one a paper would have chosen. Those tests are a family of their own. Runs
of several snapshots may stand together: each is scored on the gold of its own. So may runs that
searched different levels: what a run did not search it has missed.

A run that lacks questions which most runs rank, or of another snapshot than the one in use, is
shown and marked, over its own questions, but takes no part in tests, in the best of a column and
among the simple baselines, unless that is asked for (`unlike`) or it is the baseline that somebody
chose (`services.runs.coverage`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from annotation.people.roles import Act, allow
from errors import UserError, Where
from evaluation.figure import FEWEST_RESAMPLES, MOST_RESAMPLES, Figure, mean_figure
from evaluation.ranking.compare import (
    USUAL,
    Comparison,
    Family,
    Inference,
    Scores,
    best_of,
    compare_each,
    worst_of,
)
from evaluation.ranking.scoring import LEADERBOARD, Measure, too_deep
from evaluation.significance import TIE
from services.gold.gold_set import GoldSet
from services.gold.search_coverage import NotSearched
from services.runs.coverage import LeftOut
from services.runs.rows import RunLine, ScoredRuns, scored_runs
from services.runs.scoring import ScoredRun
from services.runs.strata import Stratum, gold_headed, query_columns, questions_of
from storage.db.workspace import ByDatabase, Workspace
from storage.gold.splits import SPLIT, find_split
from storage.projects import project_by_slug

_Baselines = tuple[int | None, int | None, int | None]


@dataclass(frozen=True, slots=True)
class MeasureColumn:
    """A measure over all runs: `baseline` is the run that the others are compared with, None where
    nothing is scored; `best` are the runs of the highest mean, none where they are all alike;
    `strongest` and `weakest` the simple baselines of the highest and lowest mean, of which one may
    be both, None where none is scored. All are over the runs that are compared, by this measure.
    """

    measure: str
    baseline: int | None
    best: frozenset[int]
    strongest: int | None = None
    weakest: int | None = None


@dataclass(frozen=True, slots=True)
class Cell:
    """A run's mean by one measure; `comparison` is with the baseline, None of the baseline, and
    of a run that does not compare with it; `strongest` and `weakest` are those with the simple
    baselines of its column.
    """

    figure: Figure
    comparison: Comparison | None
    strongest: Comparison | None = None
    weakest: Comparison | None = None


@dataclass(frozen=True, slots=True)
class RunScores:
    """A run's line with its figures; `cells` are in the order of the measures.

    `missing` counts the questions of the stratum with gold that it found nothing for (they score
    0). `not_searched` is the gold of these questions outside what it searched, None where it does
    not say what that was. `compared` says whether it takes part in the comparison. `depth` is how
    deep it was kept: a figure that looks deeper has no value.
    """

    line: RunLine
    missing: int
    cells: tuple[Cell, ...]
    not_searched: NotSearched | None
    compared: bool
    depth: int | None = None

    @property
    def run_id(self) -> int:
        """The number of the run."""
        return self.line.run_id

    @property
    def label(self) -> str:
        """What the run is called."""
        return self.line.label

    @property
    def stale(self) -> bool:
        """Whether it lacks questions, is of other law, or learnt from other gold."""
        return self.line.stale

    def is_tested(self, measure: str) -> bool:
        """Whether it takes part in the comparison by a measure."""
        return self.compared and not too_deep([measure], self.depth)


@dataclass(frozen=True, slots=True)
class Significance:
    """Runs compared, all over the questions of `stratum` where there is one.

    How many questions a figure rests on is its own n; `inference` says by how many resamples its
    interval was drawn, and over which comparisons p-values were corrected. `retired` counts the
    runs that are not here as they are retired; `unlike` says that runs that lack questions and of
    other snapshots are held against the others too. `split` is the version of the division of gold
    where the stratum is a part of it. `gold` is the gold set, for the snapshot in use. `ground`
    counts its questions that all compared runs rank, None where each ranks the same. `without_text`
    is what of it only a heading can find.
    """

    columns: tuple[MeasureColumn, ...]
    runs: tuple[RunScores, ...]
    stratum: Stratum | None
    inference: Inference = USUAL
    retired: int = 0
    unlike: bool = False
    split: int | None = None
    gold: GoldSet = field(default_factory=lambda: GoldSet((), 0))
    ground: int | None = None
    without_text: NotSearched = field(default_factory=NotSearched)

    @property
    def measures(self) -> tuple[str, ...]:
        """The keys of the measures, in the order of the columns."""
        return tuple(column.measure for column in self.columns)

    @property
    def left_out(self) -> dict[LeftOut, int]:
        """How many runs are not held against the others, by why: each of its reasons counts."""
        out = [run.line.left_out for run in self.runs if not run.compared]
        counts = {why: sum(why in each for each in out) for why in LeftOut}
        return {why: count for why, count in counts.items() if count}

    @property
    def tested(self) -> int:
        """How many runs take part in the tests."""
        return sum(run.compared for run in self.runs)

    @property
    def untested(self) -> bool:
        """Whether no two runs are tested against one another, and a wish for `unlike` mends it."""
        out = (set(run.line.left_out) for run in self.runs if not run.compared)
        few = self.scored and len(self.runs) > 1 and self.tested < 2
        return few and not self.unlike and any(out)

    @property
    def scored(self) -> bool:
        """Whether any figure rests on a question, or all are too deep: a stratum may lack gold."""
        deep = all(too_deep(self.measures, run.depth) == self.measures for run in self.runs)
        return deep or any(cell.figure.n for run in self.runs for cell in run.cells)

    def by_value(self, measure: str) -> tuple[RunScores, ...]:
        """Return the runs with the highest mean by one of the measures first.

        Equal ones stay in their order, unscored ones come last, and after them those that do not
        compare with the others. Raises ValueError for a measure that is not among the columns.
        """
        place = [column.measure for column in self.columns].index(measure)
        values = {run.run_id: run.cells[place].figure.value for run in self.runs}
        return tuple(
            sorted(
                self.runs,
                key=lambda run: (
                    not run.compared,
                    values[run.run_id] is None,
                    -(values[run.run_id] or 0.0),
                ),
            )
        )


def inference_of(resamples: int, over: str) -> Inference:
    """Return how a table tells what is more than chance, from what somebody asked for.

    Raises UserError for a number of resamples, or a family of comparisons, that cannot be.
    """
    if not FEWEST_RESAMPLES <= resamples <= MOST_RESAMPLES:
        limits = {"low": f"{FEWEST_RESAMPLES:,}", "high": f"{MOST_RESAMPLES:,}"}
        raise UserError("resamples_range", Where(field="resamples"), said=resamples, **limits)
    if over not in list(Family):
        raise UserError("holm_unknown", Where(field="holm_over"), said=over)
    return Inference(resamples, Family(over))


def compare_runs(
    ws: Workspace,
    project_slug: str,
    run_ids: Sequence[int] | None = None,
    measures: Sequence[Measure] = LEADERBOARD,
    *,
    baseline: int | None = None,
    stratum: Stratum | None = None,
    seed: int = 0,
    inference: Inference = USUAL,
    by: int | None = None,
    with_retired: bool = False,
    unlike: bool = False,
    gold: str = "",
) -> Significance:
    """Return the runs (all of the project but retired ones, newest first) with figures and tests.

    Without `baseline` each measure's best run is what the others are compared with; of equals it
    is the first given; of runs that do not compare, those to which no gold was added are compared.
    `unlike` runs, which lack questions or are of another snapshot, are compared on request;
    `gold` names the gold set, the widest by default.
    Raises UserError for `by` (None: the operator) who may not see scores, a run or baseline that is
    not among the project's, and a column, value or gold set that there is not.
    """
    allow(ws, project_slug, by, Act.SEE_SCORES)
    wanted = run_ids if run_ids is None or baseline is None else [*run_ids, baseline]
    found = scored_runs(ws, project_slug, measures, wanted, with_retired=with_retired, gold=gold)
    compared = _compared(found, _known(found, baseline), unlike)
    common = _common(found, compared)
    among = _among(_in_stratum(ws, project_slug, found, stratum), found, compared, common)
    by_measure = _by_measure(
        _Wanted(
            source=ByDatabase.of(ws),
            runs=tuple((each.run.identity, each.gold.hash) for _, each in found.runs),
            measures=tuple(map(repr, measures)),
            among=among,
            compared=compared,
            simple=frozenset(line.run_id for line, _ in found.runs if line.simple),
            baseline=baseline,
            seed=seed,
            inference=inference,
            scored=[each for _, each in found.runs],
        )
    )
    return Significance(
        columns=tuple(column for column, _ in by_measure),
        runs=tuple(
            RunScores(
                line=line,
                missing=sum(those is None or query in those for query in line.missing),
                cells=tuple(cells[line.run_id] for _, cells in by_measure),
                not_searched=_outside(line, those),
                compared=line.run_id in compared,
                depth=each.evaluation.depth,
            )
            for (line, each), those in zip(found.runs, among, strict=True)
        ),
        stratum=stratum,
        inference=inference,
        retired=found.retired,
        unlike=unlike,
        split=_split(ws, project_slug, stratum),
        gold=found.golds.in_use,
        ground=None if common is None else _with_gold(common, found.golds.in_use),
        without_text=gold_headed(ws, project_slug, found.golds.in_use),
    )


def _with_gold(questions: frozenset[str], gold: GoldSet) -> int:
    return sum(bool(gold.qrels.get(query)) for query in questions)


def _common(found: ScoredRuns, compared: frozenset[int]) -> frozenset[str] | None:
    """Return the questions that all compared runs rank; None where each ranks the same."""
    ranked = {frozenset(each.asked) for line, each in found.runs if line.run_id in compared}
    return frozenset.intersection(*ranked) if len(ranked) > 1 else None


def _among(
    strata: Sequence[frozenset[str] | None],
    found: ScoredRuns,
    compared: frozenset[int],
    common: frozenset[str] | None,
) -> tuple[frozenset[str] | None, ...]:
    """Return the questions that count of each run: of a compared one those that all rank."""
    return tuple(
        those
        if common is None or line.run_id not in compared
        else common
        if those is None
        else common & those
        for those, (line, _) in zip(strata, found.runs, strict=True)
    )


def _split(ws: Workspace, project_slug: str, stratum: Stratum | None) -> int | None:
    """Return which version of the division a part is of; None for any other stratum."""
    if stratum is None or stratum[0] != SPLIT:
        return None
    project = project_by_slug(ws, project_slug)
    with ws.reading() as session:
        found = find_split(session, project.id)
    return None if found is None else found.number


def _known(found: ScoredRuns, baseline: int | None) -> int | None:
    """Return the baseline. Raises UserError where it is none of the runs."""
    if baseline is not None and all(line.run_id != baseline for line, _ in found.runs):
        raise UserError("run_unknown", run=baseline)
    return baseline


def _compared(found: ScoredRuns, baseline: int | None, unlike: bool) -> frozenset[int]:
    """Return the runs that are compared.

    Runs that lack questions or of another snapshot are among them only where that is asked for, or
    as the baseline itself.
    """
    return frozenset(
        line.run_id
        for line, _ in found.runs
        if unlike or line.run_id == baseline or not line.left_out
    )


def _outside(line: RunLine, those: frozenset[str] | None) -> NotSearched | None:
    """Return the gold that a run did not search, of the questions that count (None: all)."""
    if line.not_searched is None or those is None:
        return line.not_searched
    return line.not_searched.among(those)


def _in_stratum(
    ws: Workspace, project_slug: str, found: ScoredRuns, stratum: Stratum | None
) -> tuple[frozenset[str] | None, ...]:
    """Return the questions of the stratum by the gold of each run, None: all."""
    if stratum is None:
        return (None,) * len(found.runs)
    rows = query_columns(ws, project_slug, *found.golds.all)
    by_gold = dict(zip(map(id, found.golds.all), questions_of(rows, stratum), strict=True))
    return tuple(by_gold[id(each.gold)] for _, each in found.runs)


@dataclass(frozen=True)
class _Wanted:
    """All that figures and tests depend on; `scored` follows from the rest.

    `runs` says which run on which gold, `among` which questions of each count, None: all;
    `compared` are the runs that are held against each other, `simple` the simple baselines.
    """

    source: ByDatabase
    runs: tuple[tuple[str, str], ...]
    measures: tuple[str, ...]
    among: tuple[frozenset[str] | None, ...]
    compared: frozenset[int]
    simple: frozenset[int]
    baseline: int | None
    seed: int
    inference: Inference
    scored: Sequence[ScoredRun] = field(compare=False)


@lru_cache(maxsize=16)
def _by_measure(wanted: _Wanted) -> tuple[tuple[MeasureColumn, dict[int, Cell]], ...]:
    scores = [_scores(wanted, measure) for measure in wanted.measures]
    tried = [_tried(wanted, *each) for each in zip(wanted.measures, scores, strict=True)]
    baselines = [_baselines(wanted, each) for each in tried]
    against = _tests(wanted, tried, [each[:1] for each in baselines])
    simple = _tests(wanted, tried, [each[1:] for each in baselines])
    columns = zip(wanted.measures, scores, baselines, against, simple, strict=True)
    return tuple(_column(*column, wanted) for column in columns)


def _tests(
    wanted: _Wanted,
    tried: Sequence[dict[int, Scores]],
    baselines: Sequence[tuple[int | None, ...]],
) -> list[dict[int, dict[int, Comparison]]]:
    """Return by measure how the runs differ from its baselines: tests that are read together."""
    families = [
        (each, tuple(dict.fromkeys(run for run in of if run in each)))
        for each, of in zip(tried, baselines, strict=True)
    ]
    return compare_each(families, wanted.seed, inference=wanted.inference)


def _tried(wanted: _Wanted, measure: str, scores: dict[int, Scores]) -> dict[int, Scores]:
    """Return the scores of the runs that compare with the others and are deep enough."""
    depths = {each.run.id: each.evaluation.depth for each in wanted.scored}
    return {
        run: each
        for run, each in scores.items()
        if run in wanted.compared and not too_deep([measure], depths[run])
    }


def _baselines(wanted: _Wanted, scores: dict[int, Scores]) -> _Baselines:
    """Return what the runs are compared with by a measure: chosen or best, strongest, weakest."""
    simple = {run: each for run, each in scores.items() if run in wanted.simple}
    chosen = best_of(scores) if wanted.baseline is None else wanted.baseline
    return chosen, best_of(simple), worst_of(simple)


def _scores(wanted: _Wanted, measure: str) -> dict[int, Scores]:
    """Return run → question → its value by `measure`, of the questions that count."""
    return {
        each.run.id: {
            query: row[measure]
            for query, row in each.evaluation.table.items()
            if among is None or query in among
        }
        for each, among in zip(wanted.scored, wanted.among, strict=True)
    }


def _column(
    measure: str,
    scores: dict[int, Scores],
    baselines: _Baselines,
    compared: dict[int, dict[int, Comparison]],
    simple: dict[int, dict[int, Comparison]],
    wanted: _Wanted,
) -> tuple[MeasureColumn, dict[int, Cell]]:
    families = (compared, simple, simple)
    tests = [
        {} if base is None else family.get(base, {})
        for base, family in zip(baselines, families, strict=True)
    ]
    cells = {
        run: Cell(
            _mean(measure, values, wanted.inference), *(against.get(run) for against in tests)
        )
        for run, values in scores.items()
    }
    best = _best({run: cell for run, cell in cells.items() if run in wanted.compared})
    against, strongest, weakest = baselines
    return MeasureColumn(measure, against, best, strongest, weakest), cells


def _mean(measure: str, values: Scores, inference: Inference) -> Figure:
    return mean_figure(measure, list(values.values()), inference.resamples)


def _best(cells: dict[int, Cell]) -> frozenset[int]:
    means = {run: cell.figure.value for run, cell in cells.items() if cell.figure.value is not None}
    highest = {run for run, value in means.items() if value > max(means.values()) - TIE}
    return frozenset(highest if len(highest) < len(means) else ())
