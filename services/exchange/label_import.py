"""Import of labels given in another tool, as if given here.

Labels are imported in sets, each in its own transaction, so that nobody waits long. Everything is
looked up before the first set, and a file with an unfit label imports nothing. An interrupted
import keeps the sets done; each label stores its content, so a repeated import continues, and a
file with changed labels changes these alone (`docs/decisions/0063-labels-come-in-sets.md`).

Label files of other tools imported into a project.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from sqlalchemy import func
from sqlmodel import Session, col, select

from annotation.exchange.label_states import load_states
from annotation.exchange.label_writing import (
    FormJob,
    Job,
    Label,
    Planner,
    origin_row,
    write_labels,
)
from annotation.forms.form import answered_here
from annotation.people.roles import Act, allow, reading_as, writing_as
from annotation.work.draft import fold, own_events
from errors import UserError, Where
from llm.batch import Progress, Stop
from messages import say
from normalization.grouping import grouped
from services.background.tasks import BackgroundTask, Estimate, TaskKind, Work, start
from services.exchange.label_guides import FormGuide, Guide
from services.exchange.label_lookup import LabelImport, LabelsReport, look_up
from storage.db.workspace import Workspace
from storage.law.corpus import required_snapshot, units_called
from storage.tables.core import Person
from storage.tables.exchange import ImportedLabel, LabelFile
from storage.tasks import Task

SET = 25  # labels per transaction, which bounds the wait of others who save
_MOST_KINDS = 10  # kinds of mistakes listed one per line
_PAUSE = 0.002  # seconds between two sets, for others waiting to save

Report = Callable[[int, int], None]
Stopped = Callable[[], bool]


class LabelsRefusedError(UserError):
    """Labels that do not fit, so that a file was not imported.

    Its code and its place in ``--json`` are those of the first; its text sums up all of them.
    """

    def __init__(self, refused: Sequence[UserError]) -> None:
        first = refused[0]
        self.refused = tuple(refused)
        alone = len(refused) == 1
        super().__init__(
            first.code, first.where if alone else Where(first.where.file), **first.params
        )

    def what(self, language: str = "en") -> str:
        """Describe a single mistake, or the number of mistakes with one line each."""
        if len(self.refused) == 1:
            return self.refused[0].what(language)
        head = say("exchange.labels_refused", language, count=len(self.refused))
        return "\n".join([head, *refused_lines(self.refused, language)])

    def remedy(self, language: str = "en") -> str:
        """Return the remedies per kind of mistake, the most frequent first."""
        kinds = Counter(each.remedy(language) for each in self.refused)
        return " ".join(remedy for remedy, _ in kinds.most_common())

    def as_dict(self) -> dict[str, object]:
        """Return the first error with the list of all."""
        more = [each.as_dict() for each in self.refused]
        return more[0] | {"refused": more}


def refused_lines(refused: Sequence[UserError], language: str = "en") -> list[str]:
    """Return a line, with count and first place, for each of the ten most frequent mistakes.

    The file is not repeated, and at most ten are listed before the rest is counted.
    """
    found = grouped((each.what(language), each) for each in refused)
    ranked = sorted(found.items(), key=lambda kind: -len(kind[1]))  # stable: then as in the file
    lines = [_kind_line(what, errors, language) for what, errors in ranked[:_MOST_KINDS]]
    if rest := ranked[_MOST_KINDS:]:
        labels = sum(len(errors) for _, errors in rest)
        lines.append(say("exchange.labels_refused_more", language, count=len(rest), labels=labels))
    return [f"  {line}" for line in lines]


def _kind_line(what: str, errors: Sequence[UserError], language: str) -> str:
    """Return how many labels were refused for one reason, as text."""
    place = Where(None, errors[0].where.line, errors[0].where.field).render(language)
    key = "exchange.labels_refused_kind" if place else "exchange.labels_refused_count"
    return f"{what} {say(key, language, count=len(errors), place=place)}"


def import_labels(
    ws: Workspace,
    project_slug: str,
    file: Path,
    tool: str,
    guide: Path | Guide | FormGuide,
    by: int | None = None,
    *,
    task: str = Task.CITATION_MAPPING,
    leave_out: bool = False,
) -> LabelsReport:
    """Import the labels of a file; items the person has submitted here are skipped.

    The log has the time of the import; the tool's own times are stored beside it. Raises UserError,
    with the record, for all that `look_up` finds unfit, unless `leave_out`.
    """
    ready = look_up(ws, project_slug, file, tool, guide, by, task)
    return bring_in(ws, ready, leave_out=leave_out)


def bring_in(
    ws: Workspace,
    ready: LabelImport,
    report: Report = lambda _done, _total: None,
    stopped: Stopped = lambda: False,
    *,
    leave_out: bool = False,
) -> LabelsReport:
    """Import looked-up labels, set by set; `report` gets (labels done, in all).

    Sets done are kept when `stopped` returns True, or the process ends; another look-up finds the
    rest. A label that no longer fits is left out and reported. Raises UserError for `by` without
    permission, and for labels that did not fit, unless `leave_out`.
    """
    allow(ws, ready.project_slug, ready.by, Act.IMPORT_LABELS)
    if ready.report.refused and not leave_out:
        raise LabelsRefusedError(ready.report.refused)
    total, refused = len(ready.jobs), list(ready.report.refused)
    done = Counter(already=ready.report.already, begun=ready.report.begun)
    place = 0
    report(0, total)
    while place < total and not stopped():
        some = ready.jobs[place : place + SET]
        came, unfit = _import_set(ws, ready, some)
        done.update(came)
        refused += unfit
        place += len(some)
        report(place, total)
        time.sleep(_PAUSE)
    return LabelsReport.of(done, refused, total - place)


def importing(ws: Workspace, ready: LabelImport, *, leave_out: bool = False) -> Work[LabelsReport]:
    """Wrap `bring_in` as background work that can be stopped between two sets."""

    async def work(progress: Progress, stop: Stop) -> LabelsReport:
        """Import the labels in the background, estimating the time left."""
        estimate = Estimate()

        def told(done: int, total: int) -> None:
            """Set the progress and the estimated time left."""
            progress.where["left"] = estimate.left(done, total) or "–"
            progress.done, progress.total = done, total

        return bring_in(ws, ready, told, stop.is_set, leave_out=leave_out)

    return work


def start_import(
    ws: Workspace,
    project_slug: str,
    ready: LabelImport,
    leave_out: bool = False,
    by: int | None = None,
) -> BackgroundTask[LabelsReport]:
    """Start `bring_in` in the background.

    Raises UserError for `by` without permission, for labels that do not fit unless `leave_out`, and
    while labels are being imported into the project.
    """
    allow(ws, project_slug, by, TaskKind.LABELS.act)
    if ready.report.refused and not leave_out:
        raise LabelsRefusedError(ready.report.refused)
    work = importing(ws, ready, leave_out=leave_out)
    return start(ws, project_slug, TaskKind.LABELS, work, name=ready.file.name, by=by)


def _import_set(
    ws: Workspace, ready: LabelImport, jobs: Sequence[Label]
) -> tuple[Counter[str], list[UserError]]:
    """Import one set of labels; return counts by effect, and errors of those that no longer fit."""
    came, unfit = _import_decisions(ws, ready, [each for each in jobs if isinstance(each, Job)])
    for job in jobs:
        if isinstance(job, FormJob):
            try:
                came[_import_answers(ws, ready, job)] += 1
            except UserError as error:
                error.where = Where(job.where.file, job.where.line, job.where.field)
                unfit.append(error)
    return came, unfit


def _import_answers(ws: Workspace, ready: LabelImport, job: FormJob) -> str:
    """Import a form label unless begun here or discarded; return its status, or ``begun``."""
    if job.status == "discarded":
        return job.status
    with ws.reading() as session:
        if not fold(own_events(session, *job.key)).untouched:
            return "begun"
    done = job.status == "submitted"
    with answered_here(ws, *job.key, job.answers, job.comment, done) as (session, first, last):
        row = origin_row(job, file_row_id(session, ready.file), first, last)
        session.add(ImportedLabel(**row))
    return job.status


def _import_decisions(
    ws: Workspace, ready: LabelImport, jobs: Sequence[Job]
) -> tuple[Counter[str], list[UserError]]:
    """Import citation mapping labels in one transaction; return as `_import_set`."""
    came, unfit = Counter[str](), list[UserError]()
    if not jobs:
        return came, unfit
    who = ready.project_slug, ready.by, Act.IMPORT_LABELS
    with writing_as(ws, *who) as (session, project, _):
        at = ws.clock()
        states = load_states(session, {job.key for job in jobs}, at)
        planner = Planner(session, project.id)
        plans = [plan for _, plan in planner.sort_out(jobs, states, came, unfit) if plan]
        if plans:
            file_id = file_row_id(session, ready.file)
            write_labels(session, plans, states, planner.versions, file_id, at)
    return came, unfit


def file_row_id(session: Session, file: LabelFile) -> int:
    """Return the id of a file's stored row, adding the row if there is none."""
    same = (
        LabelFile.project_id == file.project_id,
        LabelFile.tool == file.tool,
        LabelFile.sha256 == file.sha256,
        LabelFile.guide_sha256 == file.guide_sha256,
    )
    found = session.exec(select(LabelFile.id).where(*same)).first()
    if found is None:
        row = LabelFile(**file.model_dump(exclude={"id"}))
        session.add(row)
        session.flush()
        found = row.id
    assert found is not None  # noqa: S101  (it has been stored)
    return found


@dataclass(frozen=True, slots=True)
class ImportedLabelFile:
    """An imported file with its first importer and time; `by` is None for the operator.

    `came` of its `labels` are imported; fewer where an import was interrupted, or where a label no
    longer fitted.
    """

    tool: str
    name: str
    sha256: str
    labels: int
    came: int
    at: datetime
    by: str | None


def imported_files(
    ws: Workspace, project_slug: str, by: int | None = None
) -> tuple[ImportedLabelFile, ...]:
    """Return the imported files, newest first. Raises UserError without permission."""
    with reading_as(ws, project_slug, by, Act.IMPORT_LABELS) as (session, project, _):
        counts = select(ImportedLabel.label_file_id, func.count()).group_by(
            col(ImportedLabel.label_file_id)
        )
        came = dict(session.exec(counts).all())
        query = (
            select(LabelFile, Person.name)
            .outerjoin(Person)
            .where(LabelFile.project_id == project.id)
            .order_by(col(LabelFile.id).desc())
        )
        return tuple(
            ImportedLabelFile(
                *(row.tool, row.name, row.sha256, row.labels), came.get(row.id or 0, 0), row.at, who
            )
            for row, who in session.exec(query)
        )


def unit_choices(
    ws: Workspace, project_slug: str, choices: Iterable[str], by: int | None = None
) -> Collection[str]:
    """Return the choices that are ids of units of the law in use.

    Raises UserError for `by` who may not import labels, and for a project without law.
    """
    with reading_as(ws, project_slug, by, Act.IMPORT_LABELS) as (session, project, _):
        snapshot = required_snapshot(session, project)
        return frozenset(units_called(session, snapshot.id, frozenset(choices)))
