"""Comparison of runs: figures with intervals, and significance tests against a baseline.

Everything is on one gold set, over the questions that all compared runs rank, of a stratum or all.
Each run is tested against the baseline. p-values are corrected by Holm over exactly these tests,
within one measure unless all measures of the table are requested. Each run is also tested against
the strongest and the weakest simple baseline among the runs (`retrieval.core.registry.SIMPLE`):
beating the weakest means little, so both are reported. Those tests are a family of their own. Runs
of several snapshots can be compared: each is scored on the gold of its own. So can runs that
searched different levels: what a run did not search it has missed.

A run that lacks questions most runs rank, or of another snapshot than the one in use, is shown and
marked, over its own questions, but takes no part in tests, in the best of a column or among the
simple baselines, unless requested (`unlike`) or chosen as the baseline (`services.runs.scoring`).
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
from services.gold.gold_set import GoldSet, GoldSets
from services.gold.search_coverage import NotSearched
from services.runs.rows import RunLine, ScoredRuns, scored_runs
from services.runs.scoring import LeftOut, ScoredRun
from services.runs.strata import Stratum, gold_headed, query_columns, questions_of
from storage.db.workspace import ByDatabase, Workspace
from storage.gold import SPLIT, find_split
from storage.projects import find_project

_Tests = dict[int, dict[int, Comparison]]
"""Baseline → run → test."""


@dataclass(frozen=True, slots=True)
class MeasureColumn:
    """A measure over all compared runs, with its baselines and best runs.

    `baseline` is the run that the others are tested against, None where nothing is scored; `best`
    are the runs of the highest mean, empty where all are equal; `strongest` and `weakest` are the
    simple baselines of the highest and lowest mean, possibly the same run, None where none is
    scored.
    """

    measure: str
    baseline: int | None
    best: frozenset[int]
    strongest: int | None = None
    weakest: int | None = None


@dataclass(frozen=True, slots=True)
class Cell:
    """A run's mean by one measure, with its tests.

    `comparison` is with the baseline, None for the baseline itself and for runs not compared;
    `strongest` and `weakest` are with the simple baselines of the column.
    """

    figure: Figure
    comparison: Comparison | None
    strongest: Comparison | None = None
    weakest: Comparison | None = None


@dataclass(frozen=True, slots=True)
class RunScores:
    """A run with its figures; `cells` are in the order of the measures.

    `missing` counts the questions of the stratum with gold that it found nothing for (they score
    0). `not_searched` is the gold of these questions outside what it searched, None where that is
    unknown. `compared`: it takes part in the comparison. `depth` is its stored depth: a measure
    that looks deeper has no value.
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
        """The run's display name."""
        return self.line.label

    @property
    def n(self) -> int:
        """Number of questions behind its figures, the most of any measure."""
        return max((cell.figure.n for cell in self.cells), default=0)

    @property
    def stale(self) -> bool:
        """Whether it lacks questions, is on older law, or learnt from other gold."""
        return self.line.stale

    def is_tested(self, measure: str) -> bool:
        """Return True if the run is compared, and not too shallow for the measure's cut-off."""
        return self.compared and not too_deep([measure], self.depth)


@dataclass(frozen=True, slots=True)
class Significance:
    """Compared runs, over the questions of `stratum` if given.

    The number of questions behind a figure is its own n; `inference` holds the number of resamples
    of the intervals and the family of Holm's correction. `retired` counts retired runs left out;
    `unlike`: runs that lack questions or are of other snapshots are compared too. `split` is the
    version of the split where the stratum is a part of it. `gold` is the gold set for the snapshot
    in use. `ground` counts its questions that all compared runs rank, None where each ranks the
    same. `without_text` is the gold that only a heading can find.
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
    request: _Wanted | None = field(default=None, repr=False, compare=False)

    @property
    def measures(self) -> tuple[str, ...]:
        """Keys of the measures, in column order."""
        return tuple(column.measure for column in self.columns)

    @property
    def left_out(self) -> dict[LeftOut, int]:
        """Number of runs not compared, by reason; a run counts under each of its reasons."""
        out = [run.line.left_out for run in self.runs if not run.compared]
        counts = {why: sum(why in each for each in out) for why in LeftOut}
        return {why: count for why, count in counts.items() if count}

    @property
    def tested(self) -> int:
        """Number of runs that take part in the tests."""
        return sum(run.compared for run in self.runs)

    @property
    def untested(self) -> bool:
        """Whether fewer than two runs are tested, which `unlike` would change."""
        out = (set(run.line.left_out) for run in self.runs if not run.compared)
        few = self.scored and len(self.runs) > 1 and self.tested < 2
        return few and not self.unlike and any(out)

    @property
    def scored(self) -> bool:
        """Whether any figure rests on a question, or all measures are too deep."""
        deep = all(too_deep(self.measures, run.depth) == self.measures for run in self.runs)
        return deep or any(cell.figure.n for run in self.runs for cell in run.cells)

    def pairs(self, measure: str, runs: tuple[int, ...]) -> dict[int, dict[int, Comparison]]:
        """Return baseline → run → test of every two of these runs, corrected over all of them.

        Runs that take no part in the tests of the measure are left out.
        """
        return {} if self.request is None else _pairs(self.request, measure, runs)

    def by_value(self, measure: str) -> tuple[RunScores, ...]:
        """Return the runs by descending mean of a measure.

        Ties keep their order, unscored runs come later, runs not compared last. Raises ValueError
        for a measure that is not among the columns.
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
    """Return the settings of intervals and correction.

    Raises UserError for an invalid number of resamples or family of comparisons.
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
    inference: Inference = USUAL,
    by: int | None = None,
    with_retired: bool = False,
    unlike: bool = False,
    gold: str | GoldSets = "",
) -> Significance:
    """Compare runs of a project (default: all but retired ones, newest first).

    Without `baseline` the others are tested against each measure's best run, the first given of
    ties. `unlike` runs, which lack questions or are of another snapshot, are compared on request;
    `gold` is that of `gold_sets`, the widest by default. Raises UserError for `by` (None: the
    operator) who may not see scores, a run or baseline of another project, and an unknown column,
    value or gold set.
    """
    allow(ws, project_slug, by, Act.SEE_SCORES)
    wanted = run_ids if run_ids is None or baseline is None else [*run_ids, baseline]
    found = scored_runs(ws, project_slug, measures, wanted, with_retired=with_retired, gold=gold)
    if baseline is not None and all(line.run_id != baseline for line, _ in found.runs):
        raise UserError("run_unknown", run=baseline)
    compared = frozenset(
        line.run_id
        for line, _ in found.runs
        if unlike or line.run_id == baseline or not line.left_out
    )
    common = _common_questions(found, compared)
    among = _questions_per_run(
        _in_stratum(ws, project_slug, found, stratum), found, compared, common
    )
    qrels = found.golds.in_use.qrels
    request = _Wanted(
        source=ByDatabase.of(ws),
        runs=tuple((each.run.identity, each.gold.hash) for _, each in found.runs),
        measures=tuple(map(repr, measures)),
        among=among,
        compared=compared,
        simple=frozenset(line.run_id for line, _ in found.runs if line.simple),
        baseline=baseline,
        inference=inference,
        scored=[each for _, each in found.runs],
    )
    by_measure = _by_measure(request)
    return Significance(
        columns=tuple(column for column, _ in by_measure),
        runs=tuple(
            RunScores(
                line=line,
                missing=sum(those is None or query in those for query in line.missing),
                cells=tuple(cells[line.run_id] for _, cells in by_measure),
                not_searched=_not_searched_among(line, those),
                compared=line.run_id in compared,
                depth=each.evaluation.depth,
            )
            for (line, each), those in zip(found.runs, among, strict=True)
        ),
        stratum=stratum,
        inference=inference,
        retired=found.retired,
        unlike=unlike,
        split=_split_version(ws, project_slug, stratum),
        gold=found.golds.in_use,
        ground=None if common is None else sum(bool(qrels.get(query)) for query in common),
        without_text=gold_headed(ws, project_slug, found.golds.in_use),
        request=request,
    )


def _common_questions(scored_runs: ScoredRuns, compared: frozenset[int]) -> frozenset[str] | None:
    """Return the questions that all compared runs rank; None where all rank the same.

    Those that the models of one of them were trained on are not among them.
    """
    ranked = {
        frozenset(each.asked) - each.trained
        for line, each in scored_runs.runs
        if line.run_id in compared
    }
    return frozenset.intersection(*ranked) if len(ranked) > 1 else None


def _questions_per_run(
    strata: Sequence[frozenset[str] | None],
    scored_runs: ScoredRuns,
    compared: frozenset[int],
    common: frozenset[str] | None,
) -> tuple[frozenset[str] | None, ...]:
    """Return the questions that count per run (None: all): of compared runs those that all rank."""
    return tuple(
        those
        if common is None or line.run_id not in compared
        else common
        if those is None
        else common & those
        for those, (line, _) in zip(strata, scored_runs.runs, strict=True)
    )


def _split_version(ws: Workspace, project_slug: str, stratum: Stratum | None) -> int | None:
    """Return the version of the split where the stratum is a part of it, else None."""
    if stratum is None or stratum[0] != SPLIT:
        return None
    with ws.reading() as session:
        found = find_split(session, find_project(session, project_slug).id)
    return None if found is None else found.number


def _not_searched_among(line: RunLine, those: frozenset[str] | None) -> NotSearched | None:
    """Return the gold that a run did not search, of the questions `those` (None: all)."""
    if line.not_searched is None or those is None:
        return line.not_searched
    return line.not_searched.among(those)


def _in_stratum(
    ws: Workspace, project_slug: str, scored_runs: ScoredRuns, stratum: Stratum | None
) -> tuple[frozenset[str] | None, ...]:
    """Return the stratum's questions by the gold of each run, None: all."""
    if stratum is None:
        return (None,) * len(scored_runs.runs)
    rows = query_columns(ws, project_slug, *scored_runs.golds.all)
    by_gold = dict(zip(map(id, scored_runs.golds.all), questions_of(rows, stratum), strict=True))
    return tuple(by_gold[id(each.gold)] for _, each in scored_runs.runs)


@dataclass(frozen=True)
class _Wanted:
    """Cache key of all that figures and tests depend on; `scored` follows from the rest.

    `runs` pairs runs with gold, `among` holds the questions of each that count (None: all),
    `compared` the runs compared with each other, `simple` the simple baselines.
    """

    source: ByDatabase
    runs: tuple[tuple[str, str], ...]
    measures: tuple[str, ...]
    among: tuple[frozenset[str] | None, ...]
    compared: frozenset[int]
    simple: frozenset[int]
    baseline: int | None
    inference: Inference
    scored: Sequence[ScoredRun] = field(compare=False)

    def scores(self, measure: str) -> dict[int, Scores]:
        """Return run → question → value of `measure`, over the questions that count."""
        return {
            each.run.id: {
                query: row[measure]
                for query, row in each.evaluation.table.items()
                if among is None or query in among
            }
            for each, among in zip(self.scored, self.among, strict=True)
        }

    def tested(self, measure: str) -> dict[int, Scores]:
        """Return the scores of compared runs that are deep enough for the measure."""
        depths = {each.run.id: each.evaluation.depth for each in self.scored}
        return {
            run: each
            for run, each in self.scores(measure).items()
            if run in self.compared and not too_deep([measure], depths[run])
        }

    def baselines(self, scores: dict[int, Scores]) -> tuple[int | None, int | None, int | None]:
        """Return the baselines of a measure: chosen or best, strongest and weakest simple."""
        simple = {run: each for run, each in scores.items() if run in self.simple}
        chosen = best_of(scores) if self.baseline is None else self.baseline
        return chosen, best_of(simple), worst_of(simple)


@lru_cache(maxsize=16)
def _by_measure(request: _Wanted) -> tuple[tuple[MeasureColumn, dict[int, Cell]], ...]:
    """Return each measure's column with its baselines, and every run's cell with its tests.

    The tests against the baselines are one family, those against simple baselines another.
    """
    tested = [request.tested(measure) for measure in request.measures]
    baselines = [request.baselines(each) for each in tested]
    families = (
        [
            (each, tuple(dict.fromkeys(run for run in of if run in each)))
            for each, of in zip(tested, part, strict=True)
        ]
        for part in ([each[:1] for each in baselines], [each[1:] for each in baselines])
    )
    against, simple = (compare_each(each, inference=request.inference) for each in families)
    columns = zip(request.measures, baselines, against, simple, strict=True)
    return tuple(_column(request, *column) for column in columns)


@lru_cache(maxsize=16)
def _pairs(
    request: _Wanted, measure: str, runs: tuple[int, ...]
) -> dict[int, dict[int, Comparison]]:
    """Return the tests of every two of these runs, corrected as one family."""
    tested = request.tested(measure)
    chosen = {run: tested[run] for run in runs if run in tested}
    return compare_each([(chosen, list(chosen))], inference=request.inference)[0]


def _column(
    request: _Wanted,
    measure: str,
    baselines: tuple[int | None, int | None, int | None],
    compared: _Tests,
    simple: _Tests,
) -> tuple[MeasureColumn, dict[int, Cell]]:
    """Return a measure's column: its baselines, and a cell per run."""
    tests = [
        {} if base is None else family.get(base, {})
        for base, family in zip(baselines, (compared, simple, simple), strict=True)
    ]
    cells = {
        run: Cell(
            mean_figure(measure, list(values.values()), request.inference.resamples),
            *(against.get(run) for against in tests),
        )
        for run, values in request.scores(measure).items()
    }
    means = {
        run: cell.figure.value
        for run, cell in cells.items()
        if run in request.compared and cell.figure.value is not None
    }
    highest = {run for run, value in means.items() if value > max(means.values()) - TIE}
    best = frozenset(highest if len(highest) < len(means) else ())
    chosen, strongest, weakest = baselines
    return MeasureColumn(measure, chosen, best, strongest, weakest), cells
