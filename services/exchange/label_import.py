"""Bring in labels that people gave in another tool, as if they gave them here.

Labels come in set by set, each set in a transaction of its own, so that nobody waits long. Before
the first set everything is looked up, and a file with a label that does not fit brings nothing in.
An import that is stopped or killed leaves the sets that are in; each label remembers what it said,
so doing it again goes on where it was, and a file in which labels were changed changes these alone
(`docs/decisions/0063-labels-come-in-sets.md`).
"""

from __future__ import annotations

import hashlib
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from sqlmodel import Session, select

from annotation.exchange.foreign import Foreign, read_labels
from annotation.exchange.label_states import Known, load_known, load_states
from annotation.exchange.label_writing import Job, Planner, write_labels
from annotation.people.members import PersonView, list_people
from annotation.people.roles import Act, allow, may, require_by
from annotation.work.submissions import Decision, checked_text
from errors import UserError
from llm.batch import Progress, Stop
from normalization import composed
from services.background.estimate import Estimate
from services.background.tasks import BackgroundTask, TaskKind, Work, start
from services.exchange.label_guide import Guide, hash_of, read_guide
from storage.db.workspace import Workspace
from storage.law.corpus import load_items, required_snapshot, unit_ids
from storage.projects import find_project
from storage.tables.exchange import LabelFile

SET = 25  # labels in one transaction: others who save wait for no more
_LOOKED_UP = 500  # labels that are looked up at once before anything is kept
_PAUSE = 0.002  # seconds between two sets, in which who waits to save takes their turn

Report = Callable[[int, int], None]
Stopped = Callable[[], bool]


@dataclass(frozen=True, slots=True)
class LabelsReport:
    """How many labels were submitted, left as drafts, set aside; `already` were there before.

    `changed` are those among the first three that superseded what an earlier file had said.
    `begun` were left out because their person has begun on the question here. `refused` were left
    out as asked, with why. `waiting` are those that a stopped import has still to bring in.
    """

    submitted: int = 0
    drafts: int = 0
    skipped: int = 0
    already: int = 0
    changed: int = 0
    begun: int = 0
    refused: tuple[UserError, ...] = ()
    waiting: int = 0

    @property
    def new(self) -> int:
        """How many labels came in, or would."""
        return self.submitted + self.drafts + self.skipped

    def as_dict(self) -> dict[str, Any]:
        """Return it as JSON values."""
        counts = {name: getattr(self, name) for name in LabelsReport.__slots__ if name != "refused"}
        return counts | {"refused": [each.as_dict() for each in self.refused]}


class LabelsRefusedError(UserError):
    """Labels that do not fit, because of which a file was not brought in; it says the first."""

    def __init__(self, refused: Sequence[UserError]) -> None:
        first = refused[0]
        self.refused = tuple(refused)
        super().__init__(first.code, first.where, **first.params)

    def what(self, language: str = "en") -> str:
        """Say what is wrong with the first."""
        return self.refused[0].what(language)

    def remedy(self, language: str = "en") -> str:
        """Say what to do about it."""
        return self.refused[0].remedy(language)

    def as_dict(self) -> dict[str, object]:
        """Return the first, and how many there are."""
        more = [each.as_dict() for each in self.refused]
        return super().as_dict() | {"refused": more}


@dataclass(frozen=True, slots=True)
class LabelImport:
    """A file that was looked up whole: what it would come to, and what is to be brought in.

    Nothing has been kept yet. `report` counts what would come in, with every label that does not
    fit; `file` is what is remembered of the file.
    """

    project_slug: str
    file: LabelFile
    jobs: tuple[Job, ...]
    report: LabelsReport
    by: int | None


def look_up(
    ws: Workspace,
    project_slug: str,
    file: Path,
    tool: str,
    guide: Path | Guide,
    by: int | None = None,
) -> LabelImport:
    """Return what bringing in a file would do; nothing is changed.

    Raises UserError for who may not, and for a file or guide that cannot be read. Labels that do
    not fit are in the report: a question, person, choice or unit that is unknown, one that decides
    nothing, one whose question has no room for it or whose answers are final.
    """
    allow(ws, project_slug, by, Act.IMPORT_LABELS)
    said = guide if isinstance(guide, Guide) else read_guide(guide)
    labels = read_labels(file, tool, said.fields)
    names = _names(ws, project_slug)
    seen, refused, jobs = set[tuple[int, int]](), list[UserError](), list[Job]()
    for label in labels:
        try:
            jobs.append(_found(label, said, names, seen))
        except UserError as error:
            refused.append(error)
    with ws.reading() as session:
        project = find_project(session, project_slug)
        known = load_known(session, project.id)
        wanted, report = _sorted(jobs, known)
        fit, unfit = _fitting(session, project.id, wanted, ws)
    refused = sorted([*refused, *unfit], key=_place)
    counted = _counts(fit, known)
    about = LabelFile(
        project_id=project.id,
        tool=tool,
        name=composed(file.name),
        sha256=_file_hash(file),
        guide_sha256=said.sha256,
        labels=len(fit),
        by_person_id=by,
        at=ws.clock(),
    )
    whole = replace(report, **counted, refused=tuple(refused))
    return LabelImport(project_slug, about, tuple(fit), whole, by)


def import_labels(
    ws: Workspace,
    project_slug: str,
    file: Path,
    tool: str,
    guide: Path | Guide,
    by: int | None = None,
    *,
    leave_out: bool = False,
) -> LabelsReport:
    """Bring in the labels of a file; what somebody has submitted here already is left alone.

    The log tells the time of the import; the tool's own times are kept beside it. Raises UserError,
    with the record, for all that `look_up` finds unfit, unless these are to be left out.
    """
    return bring_in(ws, look_up(ws, project_slug, file, tool, guide, by), leave_out=leave_out)


def bring_in(
    ws: Workspace,
    ready: LabelImport,
    report: Report = lambda _done, _total: None,
    stopped: Stopped = lambda: False,
    *,
    leave_out: bool = False,
) -> LabelsReport:
    """Bring in what was looked up, set by set; `report` hears how many labels are in.

    What came in is kept when `stopped` says so, or the process ends; looking it up again finds what
    is left. A label that does not fit any more is left out and reported. Raises UserError for who
    may not, and for labels that did not fit, unless these are to be left out.
    """
    allow(ws, ready.project_slug, ready.by, Act.IMPORT_LABELS)
    if ready.report.refused and not leave_out:
        raise LabelsRefusedError(ready.report.refused)
    total, done = len(ready.jobs), Counter[str]()
    refused = list(ready.report.refused)
    place = 0
    report(0, total)
    while place < total and not stopped():
        some = ready.jobs[place : place + SET]
        came, unfit = _bring_set(ws, ready, some)
        done.update(came)
        refused += unfit
        place += len(some)
        report(place, total)
        time.sleep(_PAUSE)
    return LabelsReport(
        submitted=done["submitted"],
        drafts=done["draft"],
        skipped=done["discarded"],
        changed=done["changed"],
        already=ready.report.already + done["already"],
        begun=ready.report.begun + done["begun"],
        refused=tuple(refused),
        waiting=total - place,
    )


def importing(ws: Workspace, ready: LabelImport, *, leave_out: bool = False) -> Work[LabelsReport]:
    """Return `bring_in` as work that is watched and can be stopped between two sets."""

    async def work(progress: Progress, stop: Stop) -> LabelsReport:
        estimate = Estimate()

        def told(done: int, total: int) -> None:
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
    """Begin `bring_in`, and return at once.

    Raises UserError for who may not, for labels that do not fit unless these are to be left out,
    and while labels are being brought into the project.
    """
    allow(ws, project_slug, by, TaskKind.LABELS.act)
    if ready.report.refused and not leave_out:
        raise LabelsRefusedError(ready.report.refused)
    work = importing(ws, ready, leave_out=leave_out)
    kind, total = TaskKind.LABELS, len(ready.jobs)
    return start(ws, project_slug, kind, work, name=ready.file.name, by=by, total=total)


def _bring_set(
    ws: Workspace, ready: LabelImport, jobs: Sequence[Job]
) -> tuple[Counter[str], list[UserError]]:
    """Bring in some labels in one transaction, as they stand in it."""
    came, unfit, plans = Counter[str](), list[UserError](), []
    with ws.writing() as session:
        at = ws.clock()
        project_id = find_project(session, ready.project_slug).id
        require_by(session, project_id, ready.by, Act.IMPORT_LABELS)
        states = load_states(session, {job.key for job in jobs}, at)
        planner = Planner(session, project_id)
        for job in jobs:
            fate = states.known.fate(job.key, job.said)
            if fate in ("already", "begun"):
                came[fate] += 1
                continue
            try:
                plans.append(planner.plan(job, states))
            except UserError as error:
                unfit.append(error)
                continue
            came[job.status] += 1
            came["changed"] += fate == "changed"
        if plans:
            file_id = _file_id(session, ready.file)
            write_labels(session, plans, states, planner.versions, file_id, at)
    return came, unfit


def _file_id(session: Session, file: LabelFile) -> int:
    """Return the row of a file, made when its first labels come in."""
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


def _file_hash(file: Path) -> str:
    with file.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()


def _place(error: UserError) -> tuple[int, str]:
    field = error.where.field or ""
    number = field.strip("[]")
    return error.where.line or (int(number) if number.isdigit() else 0), field


def _sorted(jobs: Iterable[Job], known: Known) -> tuple[list[Job], LabelsReport]:
    """Return the labels to be brought in, and how many are left alone."""
    fates = [(job, known.fate(job.key, job.said)) for job in jobs]
    counts = Counter(fate for _, fate in fates)
    wanted = [job for job, fate in fates if fate in ("new", "changed")]
    return wanted, LabelsReport(already=counts["already"], begun=counts["begun"])


def _counts(jobs: Sequence[Job], known: Known) -> dict[str, int]:
    by = Counter(job.status for job in jobs)
    changed = sum(known.fate(job.key, job.said) == "changed" for job in jobs)
    return {
        "submitted": by["submitted"],
        "drafts": by["draft"],
        "skipped": by["discarded"],
        "changed": changed,
    }


def _fitting(
    session: Session, project_id: int, jobs: Sequence[Job], ws: Workspace
) -> tuple[list[Job], list[UserError]]:
    """Return the labels that could come in now, and why others could not."""
    fit, unfit = list[Job](), list[UserError]()
    planner = Planner(session, project_id)
    for place in range(0, len(jobs), _LOOKED_UP):
        some = jobs[place : place + _LOOKED_UP]
        states = load_states(session, {job.key for job in some}, ws.clock())
        for job in some:
            try:
                planner.plan(job, states)
            except UserError as error:
                unfit.append(error)
            else:
                fit.append(job)
    return fit, unfit


@dataclass(frozen=True, slots=True)
class _Names:
    """What a label may name: people by name, items and units by id."""

    people: Mapping[str, PersonView]
    items: Mapping[str, int]
    units: Mapping[str, int]


def _names(ws: Workspace, project_slug: str) -> _Names:
    people = {each.name: each for each in list_people(ws, project_slug)}
    with ws.reading() as session:
        project = find_project(session, project_slug)
        items = {
            each.question.external_id: each.item_id for each in load_items(session, project.id)
        }
        units = unit_ids(session, required_snapshot(session, project).id)
    return _Names(people, items, units)


def _found(label: Foreign, guide: Guide, names: _Names, seen: set[tuple[int, int]]) -> Job:
    person = names.people.get(guide.people.get(label.user, ""))
    if person is None or not person.active or not may(person.role, Act.ANNOTATE):
        raise UserError("labels_person", label.where, user=label.user)
    if label.item not in names.items:
        raise UserError("labels_item", label.where, item=label.item)
    key = person.id, names.items[label.item]
    if key in seen:
        raise UserError("labels_twice", label.where, item=label.item, user=label.user)
    seen.add(key)
    return _job(label, *key, guide, names.units)


def _job(
    label: Foreign, person_id: int, item_id: int, guide: Guide, units: Mapping[str, int]
) -> Job:
    chosen: dict[str, str] = {}
    no_provision = False
    for choice in label.choices:
        try:
            decision = guide.means(choice, units)
        except KeyError:
            raise UserError("labels_choice", label.where, choice=choice) from None
        if decision is None:
            no_provision = True
            continue
        unit, said = decision
        if unit not in units:
            raise UserError("labels_unit", label.where, unit=unit)
        if chosen.setdefault(unit, said) != said:
            raise UserError("labels_both", label.where, unit=unit)
    said_of = set(chosen.values())
    decides = no_provision or said_of & {Decision.ACCEPT, Decision.UNSURE}
    if label.status == "submitted" and not decides:
        raise UserError("labels_empty", label.where, item=label.item)
    if no_provision and Decision.ACCEPT in said_of:
        raise UserError("accept_beside_none", label.where)
    comment = checked_text(label.comment, "comment", where=label.where)
    return Job(
        person_id=person_id,
        item_id=item_id,
        units=chosen,
        no_provision=no_provision,
        comment=comment,
        status=label.status,
        said=hash_of([label.status, no_provision, chosen, comment]),
        source_user=label.user,
        made_at=label.made_at,
        where=label.where,
    )
