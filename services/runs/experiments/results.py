"""Results of an experiment: figures, tests against the baseline and cost per line.

Nothing is stored: all is derived from the runs and the current gold set.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from typing import Any

from annotation.people.members import people_in
from annotation.people.roles import Act, reading_as
from construction.experiments.lines import Experiment, ExperimentMethod
from construction.experiments.reading import parse
from evaluation.ranking.compare import Comparison, columns, strata
from retrieval.core.model import Spec
from retrieval.graph.noise import noise_in
from services.gold.gold_set import GoldSet, gold_set
from services.runs.costs import RunCost
from services.runs.experiments.running import stored_experiment
from services.runs.significance import (
    Cell,
    MeasureColumn,
    RunScores,
    Significance,
    compare_runs,
)
from services.runs.strata import Stratum, query_columns
from storage.db.columns import view_of
from storage.db.workspace import Workspace
from storage.law.corpus import snapshot_by_id
from storage.runs.experiments import (
    ExperimentView,
    RecordView,
    experiment_lines,
    list_experiments,
    records_of,
)


@dataclass(frozen=True, slots=True)
class Listed:
    """An experiment in the list; `done` lines have a run. `by` is "" for the operator."""

    number: int
    name: str
    at: datetime
    by: str
    snapshot_id: int
    done: int


@dataclass(frozen=True, slots=True)
class LinksLost:
    """Share of citation links that noise of one kind removed for a line's method.

    `nominal` is the share of linked pairs of units that the file asks for. Of `pairs` linked pairs
    `lost` are removed, summed over parts that follow different edges. Both are None without a run,
    and for a run of a version that did not count.
    """

    kind: str
    nominal: float
    pairs: int | None = None
    lost: int | None = None

    @property
    def effective(self) -> float | None:
        """Share of the pairs actually lost; None where unknown or nothing is linked."""
        return self.lost / self.pairs if self.pairs and self.lost is not None else None

    @property
    def text(self) -> str:
        """Nominal and effective share with their counts, e.g. ``10 % → 10.1 % (8/79)``."""
        nominal = f"{100 * self.nominal:g} % →"
        if self.effective is None:
            return f"{nominal} –"
        return f"{nominal} {100 * self.effective:.1f} % ({self.lost}/{self.pairs})"


@dataclass(frozen=True, slots=True)
class ResultLine:
    """A line of the experiment with its results; `scores` is None while it has no run.

    `scores` are called as the line, `strata` holds its figures by column and value, in the order of
    the measures, `noise` the links lost to noise.
    """

    line: ExperimentMethod
    scores: RunScores | None
    strata: Mapping[Stratum, tuple[Cell, ...]]
    cost: RunCost
    environment: Mapping[str, Any]
    noise: tuple[LinksLost, ...]

    def cells(self, stratum: Stratum | None = None) -> tuple[Cell, ...]:
        """Return its figures over all questions or a stratum; empty without a run."""
        if stratum is not None:
            return self.strata.get(stratum, ())
        return () if self.scores is None else self.scores.cells

    def n(self, stratum: Stratum | None = None) -> int:
        """Return the number of questions behind its figures."""
        return max((cell.figure.n for cell in self.cells(stratum)), default=0)


@dataclass(frozen=True, slots=True)
class Results:
    """An experiment with the figures of its lines, in the order of its file.

    `gold` is the gold set, `questions` counts its questions, `strata` those of each stratum.
    `whole` holds the columns of the file that make no strata, with their number of values: one, or
    more than `evaluation.ranking.compare.MOST`. `columns` hold, over all questions (None) and per
    stratum, the baselines; `compared` all runs, None without any. `environments` are the distinct
    ones that its runs were computed in.
    """

    stored: ExperimentView
    experiment: Experiment
    snapshot: str
    lines: tuple[ResultLine, ...]
    questions: int
    strata: Mapping[Stratum, int]
    whole: Mapping[str, int]
    gold: GoldSet
    columns: Mapping[Stratum | None, tuple[MeasureColumn, ...]] = field(default_factory=dict)
    compared: Significance | None = None

    def runs(self, stratum: Stratum | None = None) -> list[RunScores]:
        """Return the runs of its lines, named as those, with a stratum's figures (None: all)."""
        return [
            replace(each.scores, cells=each.cells(stratum)) for each in self.lines if each.scores
        ]

    @property
    def measures(self) -> tuple[str, ...]:
        """Keys of the measures, in the order of the cells."""
        return tuple(repr(measure) for measure in self.experiment.measures)

    def gains(self, measure: str) -> Iterator[tuple[str, str, Comparison]]:
        """Yield (line, base, comparison) for each line built on another, if both are compared."""
        runs = {each.line.label: each.scores.run_id for each in self.lines if each.scores}
        for each in self.lines:
            base = next((b for b in self.lines if b.line.spec == each.line.spec.get("base")), None)
            pair = (runs.get(base.line.label) if base else None, runs.get(each.line.label))
            if base and self.compared and pair[0] and pair[1]:
                found = self.compared.pairs(measure, (pair[0], pair[1]))
                if pair[1] in found.get(pair[0], {}):
                    yield each.line.label, base.line.label, found[pair[0]][pair[1]]

    @property
    def missing(self) -> int:
        """Number of lines without a run."""
        return sum(line.scores is None for line in self.lines)

    @property
    def noisy(self) -> bool:
        """Whether any line adds noise to the citation graph."""
        return any(line.noise for line in self.lines)

    @property
    def stale(self) -> bool:
        """Whether a run lacks questions of the project, or its method learnt from other gold."""
        lines = [line.scores.line for line in self.lines if line.scores]
        return any(line.lacking or line.learnt_otherwise for line in lines)

    @property
    def environments(self) -> list[Mapping[str, Any]]:
        """Distinct environments that its runs were computed in."""
        known = [line.environment for line in self.lines if line.environment]
        return [each for at, each in enumerate(known) if each not in known[:at]]


def experiment_list(ws: Workspace, project_slug: str, by: int | None = None) -> list[Listed]:
    """Return the project's experiments, newest first.

    Raises UserError for an unknown project and for `by` (None: the operator) who may not see
    scores.
    """
    with reading_as(ws, project_slug, by, Act.SEE_SCORES) as (session, project, _):
        names = {person.id: person.name for person in people_in(session, project.id)}
        stored = list_experiments(session, project.id)
        done = {each.id: len(experiment_lines(session, each.id)) for each in stored}
    return [
        view_of(Listed, each, by=names.get(each.by_person_id or 0, ""), done=done[each.id])
        for each in stored
    ]


def experiment_results(
    ws: Workspace, project_slug: str, number: int, by: int | None = None, gold: str = ""
) -> Results:
    """Return an experiment with its figures; lines without a run have none.

    On the named gold set, by default the one in its file or the widest. Every line is tested
    against the baseline of the file, or the best line while the baseline has no run, and against
    the strongest and weakest simple baseline among the lines. Raises UserError for an unknown
    experiment, and for `by` (None: the operator) who may not see scores.
    """
    stored = stored_experiment(ws, project_slug, number, by=by)
    experiment = parse(stored.text)
    with ws.reading() as session:
        runs = {line.position: line.run_id for line in experiment_lines(session, stored.id)}
        records = records_of(session, runs.values())
        snapshot = snapshot_by_id(session, stored.snapshot_id).name
    on = gold_set(ws, project_slug, stored.snapshot_id, gold or experiment.gold)
    sizes, whole = _strata_sizes(ws, project_slug, on, experiment)
    baseline = [line.label for line in experiment.lines].index(experiment.baseline)
    compare = partial(
        compare_runs,
        run_ids=list(runs.values()),
        measures=experiment.measures,
        baseline=runs.get(baseline),
        inference=experiment.inference,
        unlike=True,  # all its lines are on one snapshot
        gold=on.label,
    )
    wanted: list[Stratum | None] = [None, *sizes] if runs else []
    compared = {each: compare(ws, project_slug, stratum=each) for each in wanted}
    by_run = {each: {run.run_id: run for run in found.runs} for each, found in compared.items()}
    return Results(
        stored=stored,
        experiment=experiment,
        snapshot=snapshot,
        lines=tuple(
            _result_line(line, runs.get(position), by_run, records)
            for position, line in enumerate(experiment.lines)
        ),
        questions=len(on.items),
        strata=sizes,
        whole=whole,
        gold=on,
        columns={each: found.columns for each, found in compared.items()},
        compared=compared.get(None),
    )


def _strata_sizes(
    ws: Workspace, project_slug: str, gold: GoldSet, experiment: Experiment
) -> tuple[dict[Stratum, int], dict[str, int]]:
    """Return the number of questions per stratum, and of values per column that splits nothing."""
    (rows,) = query_columns(ws, project_slug, gold)
    splitting = columns(rows)
    found = {column: strata(rows, column) for column in experiment.strata}
    sizes = {
        (column, value): len(questions)
        for column, values in found.items()
        if column in splitting
        for value, questions in values.items()
    }
    whole = {column: len(values) for column, values in found.items() if column not in splitting}
    return sizes, whole


def _result_line(
    line: ExperimentMethod,
    run: int | None,
    compared: Mapping[Stratum | None, Mapping[int, RunScores]],
    records: Mapping[int, RecordView],
) -> ResultLine:
    """Return a line with the results of its run, if any; `compared` has runs by stratum and id."""
    number = run or 0  # no run has it
    record = records.get(number, RecordView())
    within = {each: scores[number].cells for each, scores in compared.items() if number in scores}
    scores = compared.get(None, {}).get(number)
    return ResultLine(
        line=line,
        scores=scores and replace(scores, line=replace(scores.line, label=line.label)),
        strata={each: cells for each, cells in within.items() if each is not None},
        cost=RunCost.of(record.cost),
        environment=record.environment,
        noise=_links_lost(line.spec, record.cost.get("noise") or ()),
    )


def _links_lost(spec: Spec, effects: Sequence[Mapping[str, Any]]) -> tuple[LinksLost, ...]:
    """Return the noise in the spec with its recorded effect."""
    found = []
    for kind, rate in noise_in(spec):
        counted = [each for each in effects if (each["kind"], each["rate"]) == (kind, rate)]
        known = (sum(each[name] for each in counted) for name in ("pairs", "lost"))
        found.append(LinksLost(kind, rate, *(known if counted else ())))
    return tuple(found)
