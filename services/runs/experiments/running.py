"""Experiments: checked against the project and run line by line; existing runs are reused.

An experiment is its file on one snapshot; its figures are on the gold in use. Each line is an
ordinary run: existing runs are not recomputed, so a stopped experiment resumes, and an unchanged
one computes nothing. Lines are asked questions added since; only those that learn from gold depend
on it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from sqlmodel import Session

from annotation.people.roles import Act, allow, reading_as
from construction.experiments.lines import CURRENT, Experiment, ExperimentMethod
from construction.experiments.reading import parse
from errors import Problems, UserError, Where
from evaluation.ranking.compare import columns
from normalization.hashing import text_hash
from retrieval.core.registry import make
from services.background.tasks import STOPPED
from services.gold.gold_set import chosen_snapshot, gold_named, require_judged
from services.runs.methods.preparation import is_not_here
from services.runs.retrieving import RunBasis, ground, run_on
from services.runs.strata import no_column, query_columns
from storage.db.workspace import Workspace
from storage.law.corpus import SnapshotView, project_snapshots
from storage.projects import find_project
from storage.runs.experiments import (
    ExperimentLine,
    ExperimentView,
    experiment_by_number,
    experiment_lines,
    keep_experiment,
    keep_line,
    list_experiments,
)
from storage.runs.run_store import RunKey
from storage.tables.runs import ExperimentRow

Progress = Callable[[int, int, str, int, int], None]
"""Called with (lines done, lines, label of the current line, its questions done, questions).

When a line is done it is called with one line more and none of the questions of the next.
"""


class LinesFailedError(UserError):
    """Failure of some lines of an experiment, with their errors; the others are stored.

    `number` is the experiment's.
    """

    def __init__(
        self,
        failed: Sequence[tuple[ExperimentMethod, UserError]],
        lines: int,
        file: str | None,
        number: int,
    ):
        self.failed = tuple(failed)
        self.number = number
        super().__init__("experiment_lines_failed", Where(file), count=len(failed), lines=lines)

    def what(self, language: str = "en") -> str:
        """Describe how many lines failed, and each distinct error once with its lines."""
        named = [(Where(None, line.at, line.label), error) for line, error in self.failed]
        return " ".join([super().what(language), *each_once(named, language)])

    def as_dict(self) -> dict[str, object]:
        """Return the error for ``--json`` output, with the number of the experiment."""
        return super().as_dict() | {"number": self.number}


def each_once(wrong: Iterable[tuple[Where, UserError]], language: str = "en") -> list[str]:
    """Describe each distinct error once with its remedy, after all its places.

    The file is named with the first place only.
    """
    places: dict[str, list[str]] = {}
    for where, error in wrong:
        some = places.setdefault(f"{error.what(language)} {error.remedy(language)}", [])
        place = Where(None, where.line, where.field) if some else where
        some.append(place.render(language))
    return [f"{'; '.join(some)}: {told}" for told, some in places.items()]


@dataclass(frozen=True, slots=True)
class ExperimentPlan:
    """A checked experiment: what it runs on, and the existing run of each line.

    `runs` holds per line the id of its run, None where still to be made; lines at positions
    `behind` have a run that lacks questions. `lacking` maps positions of lines to what they need
    and is not available on this machine or its servers.
    """

    experiment: Experiment
    on: RunBasis
    content_hash: str
    runs: tuple[int | None, ...]
    behind: frozenset[int]
    lacking: Mapping[int, UserError]

    @property
    def questions(self) -> int:
        """Number of questions of the project."""
        return len(self.on.queries)

    @property
    def missing(self) -> int:
        """Number of lines without a run, or whose run lacks questions; equal lines each count."""
        return sum(run is None or at in self.behind for at, run in enumerate(self.runs))


def check_experiment(
    ws: Workspace, project_slug: str, text: str, file: str | None = None, *, by: int | None = None
) -> ExperimentPlan:
    """Plan an experiment; computes and stores nothing.

    `file` names the text in errors. Missing requirements of lines, such as a model, are in the
    plan. Raises UserError with the line for errors in the text, for an unknown snapshot or gold
    set, and for `by` (None: the operator) who may not run retrieval, or not have models run where a
    line still to be run calls one.
    """
    allow(ws, project_slug, by, Act.RUN_RETRIEVAL)
    return _plan(ws, project_slug, parse(text, file), file, by)


def run_experiment(
    ws: Workspace,
    project_slug: str,
    text: str,
    file: str | None = None,
    *,
    by: int | None = None,
    progress: Progress | None = None,
) -> ExperimentView:
    """Run the lines of the experiment without a run or some questions; return it as stored.

    Methods that learn use the gold at the start. Raises UserError as `check_experiment` does, and,
    before anything is computed, where every line lacks a requirement; and LinesFailedError, after
    all lines were tried, for those that failed. Run again with the same text, it resumes with
    these.
    """
    allow(ws, project_slug, by, Act.RUN_RETRIEVAL)
    plan = _plan(ws, project_slug, parse(text, file), file, by)
    if len(plan.lacking) == len(plan.runs):
        raise plan.lacking[0]
    with ws.writing() as session:
        row = ExperimentRow(
            project_id=plan.on.project.id,
            number=0,  # the next, once it is kept
            name=plan.experiment.name,
            text=text,
            snapshot_id=plan.on.snapshot.id,
            gold_hash=plan.on.gold.hash,
            content_hash=plan.content_hash,
            by_person_id=by,
            at=ws.clock(),
        )
        stored = _resumable(session, plan, text) or keep_experiment(session, row)
    failed = _run_lines(plan, stored, by, progress)
    if failed:
        raise LinesFailedError(failed, len(plan.runs), file, stored.number)
    return stored


def stored_experiment(
    ws: Workspace, project_slug: str, number: int, *, by: int | None = None
) -> ExperimentView:
    """Return an experiment of the project by its number.

    Raises UserError for an unknown one, and for `by` (None: the operator) who may not see scores.
    """
    with reading_as(ws, project_slug, by, Act.SEE_SCORES) as (session, project, _):
        return experiment_by_number(session, project.id, number)


def _plan(
    ws: Workspace, project_slug: str, experiment: Experiment, file: str | None, by: int | None
) -> ExperimentPlan:
    """Return the plan of an experiment. Raises UserError as `check_experiment` does."""
    snapshot = _snapshot(ws, project_slug, experiment, file)
    where = Where(file, experiment.places.get("gold"), "gold")
    on = ground(ws, project_slug, snapshot.id, gold_named(experiment.gold, where) or "")
    require_judged(on.gold, project_slug)
    problems = Problems()
    (rows,) = query_columns(ws, project_slug, on.gold)
    known = {column for row in rows.values() for column in row}
    for column in experiment.strata:
        if column not in known:
            where = Where(file, experiment.places.get(f"strata.{column}"), "strata")
            problems.add(no_column(column, columns(rows), where))
    keys, lacking = _keys(on, experiment, file, problems)
    problems.refuse()
    with ws.reading() as session:
        runs = [None if key is None else on.stored(session, key) for key in keys]
    behind = {at for at, run in enumerate(runs) if run and run.questions < len(on.queries)}
    to_run = [
        line.spec
        for at, (line, key, run) in enumerate(zip(experiment.lines, keys, runs, strict=True))
        if key is not None and (run is None or at in behind)
    ]
    if any(make(spec, on.using).calls_models for spec in to_run):
        allow(ws, project_slug, by, Act.MAKE_ITEMS)
    ids = tuple(run.id if run else None for run in runs)
    content = _content_hash(experiment, snapshot, keys)
    return ExperimentPlan(experiment, on, content, ids, frozenset(behind), lacking)


def _snapshot(
    ws: Workspace, project_slug: str, experiment: Experiment, file: str | None
) -> SnapshotView:
    """Return the snapshot that an experiment names. Raises UserError unless it names one alone."""
    named = experiment.corpus
    if named == CURRENT:
        return chosen_snapshot(ws, project_slug)
    with ws.reading() as session:
        known = project_snapshots(session, find_project(session, project_slug))
    found = [each for each in known if str(each.id) == named or each.content_hash.startswith(named)]
    if len(found) != 1:
        where = Where(file, experiment.places.get("corpus"), "corpus")
        raise UserError("experiment_corpus", where, value=named)
    return found[0]


def _keys(
    on: RunBasis, experiment: Experiment, file: str | None, problems: Problems
) -> tuple[list[RunKey | None], dict[int, UserError]]:
    """Return the run key of each line, and the errors of lines that lack a requirement.

    Invalid combinations of parameters are added to the problems, with their line.
    """
    keys: list[RunKey | None] = []
    lacking: dict[int, UserError] = {}
    for position, line in enumerate(experiment.lines):
        key = None
        try:
            key = on.key(line.spec, experiment.depth)
        except UserError as error:  # what the file alone does not show
            told = UserError(error.code, Where(file, line.at, line.label), **error.params)
            if is_not_here(error):
                lacking[position] = told
            else:
                problems.add(told)
        keys.append(key)
    return keys, lacking


def _resumable(session: Session, plan: ExperimentPlan, text: str) -> ExperimentView | None:
    """Return a stored experiment of this text and snapshot that can be resumed, None if none.

    Each of its lines with a run must have the run that it would get now, as far as known. Its
    content hash may lack what a line lacked then; only where no line has a run yet must the hashes
    be equal, as nothing else identifies it.
    """
    now = dict(enumerate(plan.runs))
    for stored in list_experiments(session, plan.on.project.id):
        if stored.snapshot_id == plan.on.snapshot.id and stored.text == text:
            done = experiment_lines(session, stored.id)
            known = [line for line in done if line.position not in plan.lacking]
            if not done and stored.content_hash != plan.content_hash:
                continue
            if all(now.get(line.position) == line.run_id for line in known):
                return stored
    return None


def _content_hash(
    experiment: Experiment, snapshot: SnapshotView, keys: Sequence[RunKey | None]
) -> str:
    """Return a hash of all that the figures depend on, method versions included."""
    said = [
        experiment.as_json(),
        snapshot.content_hash,
        [key and [key.method, dict(key.params), key.gold_hash] for key in keys],
    ]
    return text_hash(json.dumps(said, sort_keys=True, ensure_ascii=False))


def _run_lines(
    plan: ExperimentPlan, stored: ExperimentView, by: int | None, progress: Progress | None
) -> list[tuple[ExperimentMethod, UserError]]:
    """Run and store every line; return the failed ones with their errors."""
    failed: list[tuple[ExperimentMethod, UserError]] = []
    report, depth = progress or (lambda *_: None), plan.experiment.depth
    for position, line in enumerate(plan.experiment.lines):
        told = partial(report, position, len(plan.runs), line.label)
        told(0, plan.questions)
        try:
            run = run_on(plan.on, line.spec, depth, by=by, progress=told, label=line.label)
            with plan.on.ws.writing() as session:
                keep_line(session, stored.id, ExperimentLine(position, line.label, run))
        except UserError as error:  # of this line alone: the others may not need what it lacks
            if error.code == STOPPED:
                raise
            failed.append((line, error))
        report(position + 1, len(plan.runs), line.label, 0, plan.questions)
    return failed
