"""Experiments: a file checked against the project, run line by line, and never run twice.

An experiment is what its file says, on one snapshot and one state of the gold. Each of its lines
is an ordinary run: what is there already is not computed again, so one that was stopped goes on
where it stopped, and one that nothing has changed for computes nothing.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import sha256

from annotation.roles import Act
from annotation.standing import allow
from construction.experiments.model import CURRENT, Experiment
from construction.experiments.reading import parse
from errors import UserError, Where
from jobs.gold_set import chosen_snapshot
from jobs.retrieve import Ground, ground, run_on
from jobs.strata import query_columns
from storage.corpus import SnapshotView, project_snapshots
from storage.experiments import (
    ExperimentLine,
    ExperimentView,
    experiment_by_number,
    keep_experiment,
    keep_line,
)
from storage.projects import find_project
from storage.runs import RunKey, find_run
from storage.workspace import Workspace

Progress = Callable[[int, int, str, int, int], None]
"""Called with lines done, lines, the label of the line at work, its questions done, questions.

When a line is done it is called with one line more and none of the questions of the next.
"""


class LinesFailedError(UserError):
    """Lines of an experiment that could not be run, with what went wrong; the others are stored."""

    SAID = 5  # reasons that are told; more of them is mostly one and the same

    def __init__(self, failed: Sequence[tuple[str, UserError]], lines: int, file: str | None):
        self.failed = tuple(failed)
        super().__init__("experiment_lines_failed", Where(file), count=len(failed), lines=lines)

    def what(self, language: str = "en") -> str:
        """Say how many lines failed, and what was wrong with the first of them."""
        told = [f"{label}: {error.what(language)}" for label, error in self.failed[: self.SAID]]
        return " ".join([super().what(language), *told])


@dataclass(frozen=True, slots=True)
class Plan:
    """An experiment that can run here: what it is on, and the run of each line that is there.

    `runs` holds, line by line, the id of the run, None where it is still to be made.
    """

    experiment: Experiment
    snapshot: SnapshotView
    gold_hash: str
    questions: int
    content_hash: str
    runs: tuple[int | None, ...]

    @property
    def missing(self) -> int:
        """How many lines are still to be run; lines that come to the same run count once each."""
        return sum(run is None for run in self.runs)


def check_experiment(
    ws: Workspace, project_slug: str, text: str, file: str | None = None, *, by: int | None = None
) -> Plan:
    """Return what running the experiment would do; nothing is computed or stored.

    `file` stands for the text in messages. Raises UserError with the line for what is wrong in it,
    for a snapshot or gold that is not there, a line that cannot be run here (no language model, no
    package), and for `by` (None: the operator) who may not run retrieval, or not have models run
    where a line that is still to be run asks one.
    """
    allow(ws, project_slug, by, Act.RUN_RETRIEVAL)
    return _plan(ws, project_slug, parse(text, file), file, by)[0]


def run_experiment(
    ws: Workspace,
    project_slug: str,
    text: str,
    file: str | None = None,
    *,
    by: int | None = None,
    progress: Progress | None = None,
) -> ExperimentView:
    """Run what of the experiment is not there yet; return it as it is stored.

    All lines are run on the gold as it stands when it begins. Raises UserError as
    `check_experiment` does, before anything is computed; and LinesFailedError, once all lines
    have had their turn, for those that could not be run.
    """
    allow(ws, project_slug, by, Act.RUN_RETRIEVAL)
    plan, on = _plan(ws, project_slug, parse(text, file), file, by)
    with ws.writing() as session:
        stored = keep_experiment(
            session,
            on.project.id,
            plan.experiment.name,
            text,
            snapshot_id=plan.snapshot.id,
            gold_hash=plan.gold_hash,
            content_hash=plan.content_hash,
            by=by,
            at=ws.clock(),
        )
    failed = _run_lines(on, plan, stored, by, progress)
    if failed:
        raise LinesFailedError(failed, len(plan.runs), file)
    return stored


def stored_experiment(
    ws: Workspace, project_slug: str, number: int, *, by: int | None = None
) -> ExperimentView:
    """Return an experiment of the project by its number.

    Raises UserError for an unknown one, and for `by` (None: the operator) who may not see scores.
    """
    allow(ws, project_slug, by, Act.SEE_SCORES)
    with ws.reading() as session:
        return experiment_by_number(session, find_project(session, project_slug).id, number)


def _plan(
    ws: Workspace, project_slug: str, experiment: Experiment, file: str | None, by: int | None
) -> tuple[Plan, Ground]:
    snapshot = _snapshot(ws, project_slug, experiment.corpus, file)
    on = ground(ws, project_slug, snapshot.id)
    if experiment.gold != CURRENT and not on.gold.hash.startswith(experiment.gold):
        where = Where(file, field="gold")
        raise UserError("experiment_gold_other", where, wanted=experiment.gold, now=on.gold.hash)
    _require_columns(on, experiment, file)
    keys = [_key(on, experiment, position, file) for position in range(len(experiment.lines))]
    with ws.reading() as session:
        runs = tuple(find_run(session, key) for key in keys)
    to_run = [line.spec for line, run in zip(experiment.lines, runs, strict=True) if run is None]
    if any(on.calls_models(spec) for spec in to_run):
        allow(ws, project_slug, by, Act.MAKE_ITEMS)
    plan = Plan(
        experiment=experiment,
        snapshot=snapshot,
        gold_hash=on.gold.hash,
        questions=len(on.gold.items),
        content_hash=_content_hash(experiment, snapshot, keys),
        runs=runs,
    )
    return plan, on


def _require_columns(on: Ground, experiment: Experiment, file: str | None) -> None:
    (rows,) = query_columns(on.ws, on.project.slug, on.gold)
    known = sorted({column for row in rows.values() for column in row})
    for column in experiment.strata:
        if column not in known:
            where = Where(file, field="strata")
            raise UserError("column_unknown", where, name=column, known=", ".join(known))


def _snapshot(ws: Workspace, project_slug: str, named: str, file: str | None) -> SnapshotView:
    if named == CURRENT:
        return chosen_snapshot(ws, project_slug)
    with ws.reading() as session:
        known = project_snapshots(session, find_project(session, project_slug))
    found = [each for each in known if str(each.id) == named or each.content_hash.startswith(named)]
    if len(found) != 1:
        raise UserError("experiment_corpus", Where(file, field="corpus"), value=named)
    return found[0]


def _key(on: Ground, experiment: Experiment, position: int, file: str | None) -> RunKey:
    line = experiment.lines[position]
    try:
        return on.key(line.spec, experiment.depth)
    except UserError as error:  # what only shows here: a package or a model that is not there
        raise UserError(error.code, Where(file, field=line.label), **error.params) from error


def _content_hash(experiment: Experiment, snapshot: SnapshotView, keys: list[RunKey]) -> str:
    """Return a hash of all that the figures depend on, versions of the methods among it."""
    said = [
        experiment.as_json(),
        snapshot.content_hash,
        [[key.method, dict(key.params), key.gold_hash] for key in keys],
    ]
    return sha256(json.dumps(said, sort_keys=True, ensure_ascii=False).encode()).hexdigest()


def _run_lines(
    on: Ground, plan: Plan, stored: ExperimentView, by: int | None, progress: Progress | None
) -> list[tuple[str, UserError]]:
    """Run every line; return those that could not be, by their labels, with what was wrong."""
    failed: list[tuple[str, UserError]] = []
    for position, line in enumerate(plan.experiment.lines):
        try:
            _run_line(on, plan.experiment, stored, position, by, progress)
        except UserError as error:  # of this line alone: the others may not need what it lacks
            failed.append((line.label, error))
        # Whoever stops it raises from here, as from within a line: then nothing more is run.
        if progress:
            progress(position + 1, len(plan.runs), line.label, 0, plan.questions)
    return failed


def _run_line(
    on: Ground,
    experiment: Experiment,
    stored: ExperimentView,
    position: int,
    by: int | None,
    progress: Progress | None,
) -> None:
    line, lines = experiment.lines[position], len(experiment.lines)

    def told(done: int, questions: int) -> None:
        if progress:
            progress(position, lines, line.label, done, questions)

    told(0, len(on.gold.items))
    run = run_on(on, line.spec, experiment.depth, by=by, progress=told, label=line.label)
    with on.ws.writing() as session:
        keep_line(session, stored.id, ExperimentLine(position, line.label, run))
