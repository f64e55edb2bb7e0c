"""Runs side by side: figures with intervals, and whether each differs from a baseline.

Everything is over the same questions, those of a stratum or all. A run is compared with the
baseline on questions that both were asked; p-values are corrected by Holm within one measure, over
the runs compared. Runs of several snapshots may stand together: each is scored on the gold of its
own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from annotation.roles import Act
from annotation.standing import allow
from errors import UserError
from evaluation.compare import Comparison, Scores, best_of, compare
from evaluation.figure import Figure
from evaluation.interval import mean_figure
from evaluation.measures import LEADERBOARD, Measure
from evaluation.significance import TIE
from jobs.evaluate import ScoredRun, score_run
from jobs.gold_set import gold_set
from jobs.run_key import spec_of
from jobs.strata import Stratum, query_columns, questions_of
from retrieval.describe import describe
from storage.by_database import ByDatabase
from storage.experiments import records_of
from storage.projects import project_by_slug
from storage.runs import RunView, list_runs
from storage.workspace import Workspace


@dataclass(frozen=True, slots=True)
class MeasureColumn:
    """A measure over all runs: `baseline` is the run that the others are compared with, None where
    nothing is scored; `best` are the runs of the highest mean, none where they are all alike.
    """

    measure: str
    baseline: int | None
    best: frozenset[int]


@dataclass(frozen=True, slots=True)
class Cell:
    """A run's mean by one measure; `comparison` is with the baseline, None of the baseline."""

    figure: Figure
    comparison: Comparison | None


@dataclass(frozen=True, slots=True)
class RunScores:
    """A run's line; `cells` are in the order of the measures.

    `label` is what the run is called, `missing` counts the questions with gold that it found
    nothing for (they score 0), `stale` says that the gold has changed since it was made.
    """

    run_id: int
    label: str
    snapshot_id: int
    missing: int
    stale: bool
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Significance:
    """Runs compared, all over the questions of `stratum` where there is one.

    `questions` counts those that are settled; how many a figure rests on is its own n.
    """

    columns: tuple[MeasureColumn, ...]
    runs: tuple[RunScores, ...]
    questions: int
    stratum: Stratum | None

    def by_value(self, measure: str) -> tuple[RunScores, ...]:
        """Return the runs with the highest mean by one of the measures first.

        Equal ones stay in their order, unscored ones come last. Raises ValueError for a measure
        that is not among the columns.
        """
        place = [column.measure for column in self.columns].index(measure)
        values = {run.run_id: run.cells[place].figure.value for run in self.runs}
        return tuple(
            sorted(
                self.runs,
                key=lambda run: (values[run.run_id] is None, -(values[run.run_id] or 0.0)),
            )
        )


def compare_runs(
    ws: Workspace,
    project_slug: str,
    run_ids: Sequence[int] | None = None,
    measures: Sequence[Measure] = LEADERBOARD,
    *,
    baseline: int | None = None,
    stratum: Stratum | None = None,
    seed: int = 0,
    by: int | None = None,
) -> Significance:
    """Return the runs (all of the project, newest first, by default) with figures and tests.

    Without `baseline` each measure's best run is what the others are compared with; of equals it
    is the first given. Raises UserError for `by` (None: the operator) who may not see scores, a
    run or baseline that is not among the project's, and a column or value that there is not.
    """
    allow(ws, project_slug, by, Act.SEE_SCORES)
    chosen, labels = _chosen(ws, project_slug, run_ids, baseline)
    rows = query_columns(ws, project_slug, gold_set(ws, project_slug))
    among = None if stratum is None else questions_of(rows, stratum)
    scored = _scored(ws, project_slug, chosen, measures)
    keys = tuple((each.run.id, each.gold.hash) for each in scored)
    wanted = _Wanted(ByDatabase.of(ws), keys, tuple(measures), among, baseline, seed, scored)
    by_measure = _by_measure(wanted)
    return Significance(
        columns=tuple(column for column, _ in by_measure),
        runs=tuple(
            RunScores(
                run_id=each.run.id,
                label=labels[each.run.id],
                snapshot_id=each.run.key.snapshot_id,
                missing=sum(among is None or query in among for query in each.evaluation.missing),
                stale=each.stale,
                cells=tuple(cells[each.run.id] for _, cells in by_measure),
            )
            for each in scored
        ),
        questions=len(rows) if among is None else len(among),
        stratum=stratum,
    )


def _chosen(
    ws: Workspace, project_slug: str, run_ids: Sequence[int] | None, baseline: int | None
) -> tuple[list[RunView], dict[int, str]]:
    """Return the runs, each once, the baseline added where it is left out, and their labels."""
    project = project_by_slug(ws, project_slug)
    with ws.reading() as session:
        stored = {run.id: run for run in list_runs(session, project.id)}
        wanted = list(stored) if run_ids is None else list(dict.fromkeys(run_ids))
        if baseline is not None and baseline not in wanted:
            wanted.append(baseline)
        if unknown := [number for number in wanted if number not in stored]:
            raise UserError("run_unknown", run=unknown[0])
        records = records_of(session, wanted)
    labels = {
        number: (records[number].label if number in records else "")
        or describe(spec_of(stored[number].key))
        for number in wanted
    }
    return [stored[number] for number in wanted], labels


def _scored(
    ws: Workspace, project_slug: str, runs: Sequence[RunView], measures: Sequence[Measure]
) -> list[ScoredRun]:
    snapshots = sorted({run.key.snapshot_id for run in runs})
    golds = {number: gold_set(ws, project_slug, number) for number in snapshots}
    return [score_run(ws, run.id, golds[run.key.snapshot_id], measures) for run in runs]


@dataclass(frozen=True)
class _Wanted:
    """All that figures and tests depend on; `scored` follows from the rest."""

    source: ByDatabase
    runs: tuple[tuple[int, str], ...]
    measures: tuple[Measure, ...]
    among: frozenset[str] | None
    baseline: int | None
    seed: int
    scored: Sequence[ScoredRun] = field(compare=False)


@lru_cache(maxsize=16)
def _by_measure(wanted: _Wanted) -> tuple[tuple[MeasureColumn, dict[int, Cell]], ...]:
    return tuple(
        _measured(
            repr(measure),
            _scores(wanted.scored, repr(measure), wanted.among),
            wanted.baseline,
            wanted.seed,
        )
        for measure in wanted.measures
    )


def _scores(
    scored: Sequence[ScoredRun], measure: str, among: frozenset[str] | None
) -> dict[int, Scores]:
    """Return run → question → its value by `measure`, of the questions that count."""
    return {
        each.run.id: {
            query: row[measure]
            for query, row in each.evaluation.table.items()
            if among is None or query in among
        }
        for each in scored
    }


def _measured(
    measure: str, scores: dict[int, Scores], baseline: int | None, seed: int
) -> tuple[MeasureColumn, dict[int, Cell]]:
    against = best_of(scores) if baseline is None else baseline
    compared = {} if against is None else compare(scores, against, seed)
    cells = {
        run: Cell(mean_figure(measure, list(values.values())), compared.get(run))
        for run, values in scores.items()
    }
    return MeasureColumn(measure, against, _best(cells)), cells


def _best(cells: dict[int, Cell]) -> frozenset[int]:
    means = {run: cell.figure.value for run, cell in cells.items() if cell.figure.value is not None}
    highest = {run for run, value in means.items() if value > max(means.values()) - TIE}
    return frozenset(highest if len(highest) < len(means) else ())
