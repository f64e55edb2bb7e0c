"""Look-up of a whole label file in the project, before anything is stored.

Everything that a label names must exist in the project, or the label is refused with the reason.

Guide to a label file of another tool: the meaning of its choices, and its people.

The user gives it as a JSON file, or answers a form that comes to the same::

    {"item": "question_id", "choices": "provisions", "comment": "why",
     "people": {"10": "Kim Ara"}, "unit_ids": "accept",
     "decisions": {"Article 1": {"unit": "act_article-1", "decision": "accept"},
                   "Nothing": {"no_provision": true}}}
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from sqlmodel import Session

from annotation.exchange.foreign import Fields, Foreign, read_labels
from annotation.exchange.label_states import Known, load_known, load_states
from annotation.exchange.label_writing import Job, Planner
from annotation.people.members import PersonView, list_people
from annotation.people.roles import Act, allow, may
from annotation.work.submissions import Decision, checked_text
from corpus.files.rows import read_text
from errors import UserError, Where
from normalization import composed, composed_value
from normalization.hashing import file_hash, json_hash
from storage.db.workspace import Workspace
from storage.law.corpus import load_items, required_snapshot, unit_ids
from storage.projects import find_project
from storage.tables.exchange import LabelFile

GUIDE_BYTES = 16 * 1024**2


@dataclass(frozen=True, slots=True)
class Guide:
    """The meaning of a label file: `people` and `decisions` by the tool's own words.

    A decision is (unit's semantic id, accept, reject or unsure), or None for "no provision". A
    choice outside `decisions` that is itself the semantic id of a unit means `unit_ids` of that
    unit, if set; any other choice is an error.
    """

    fields: Fields
    people: Mapping[str, str]
    decisions: Mapping[str, tuple[str, str] | None]
    unit_ids: str = ""

    @property
    def sha256(self) -> str:
        """Hash of the whole content."""
        fields = [self.fields.item, self.fields.choices, self.fields.comment]
        said = [fields, dict(self.people), dict(self.decisions), self.unit_ids]
        return json_hash(said)

    def means(self, choice: str, units: Mapping[str, int]) -> tuple[str, str] | None:
        """Return the decision for a choice. Raises KeyError for an undefined one."""
        if choice in self.decisions:
            return self.decisions[choice]
        if self.unit_ids and choice in units:
            return choice, self.unit_ids
        raise KeyError(choice)


def read_guide(path: Path, unit_ids_mean: str = "") -> Guide:
    """Read a guide from a JSON file; `unit_ids_mean` is the default for unit ids.

    Raises UserError for a file not as described above.
    """
    where = Where(path.name)
    try:
        said: dict[str, Any] = composed_value(json.loads(read_text(path, path.name, GUIDE_BYTES)))
        named = {name: said.get(name, "") for name in ("item", "choices", "comment")}
        fields = Fields(**named)
        people = dict(said["people"])
        unit_ids_mean = said.get("unit_ids", unit_ids_mean)
        listed = said.get("decisions", {}) if unit_ids_mean else said["decisions"]
        decisions = {name: _decision(each) for name, each in listed.items()}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise UserError("labels_guide", where) from error
    texts = (*named.values(), *people.values())
    if not (fields.item and fields.choices and all(isinstance(text, str) for text in texts)):
        raise UserError("labels_guide", where)
    if unit_ids_mean not in ("", *Decision):
        raise UserError("labels_guide", Where(path.name, field="unit_ids"))
    return Guide(fields, people, decisions, unit_ids_mean)


def _decision(said: Mapping[str, Any]) -> tuple[str, str] | None:
    if said.get("no_provision") is True and len(said) == 1:
        return None
    unit, decision = said["unit"], said["decision"]
    if not isinstance(unit, str) or decision not in list(Decision):
        raise ValueError(decision)
    return unit, str(decision)


_AT_ONCE = 500  # labels per look-up


@dataclass(frozen=True, slots=True)
class LabelsReport:
    """Numbers of labels submitted, left as drafts, discarded; `already` existed before.

    `changed` are those among the first three that replaced an earlier file's. `begun` were skipped
    because their person has begun the question here. `refused` were left out as requested, with
    errors. `waiting` are those that a stopped import has not reached.
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
        """Number of labels imported, or to import."""
        return self.submitted + self.drafts + self.skipped

    def as_dict(self) -> dict[str, Any]:
        """Return it as JSON values."""
        counts = {name: getattr(self, name) for name in LabelsReport.__slots__ if name != "refused"}
        return counts | {"refused": [each.as_dict() for each in self.refused]}


@dataclass(frozen=True, slots=True)
class LabelImport:
    """A looked-up file: the expected report, and the labels to import.

    Nothing is stored yet. `report` counts what would be imported, with every unfit label; `file` is
    the file's row.
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
    """Return what importing a file would do, without changing anything.

    Raises UserError for `by` without permission, and for a file or guide that cannot be read. Unfit
    labels are in the report: of another shape than the tool's, with an unknown question, person,
    choice or unit, deciding nothing, or for a question without room or with final answers.
    """
    allow(ws, project_slug, by, Act.IMPORT_LABELS)
    said = guide if isinstance(guide, Guide) else read_guide(guide)
    labels = read_labels(file, tool, said.fields)
    names = _names(ws, project_slug)
    seen, refused, jobs = set[tuple[int, int]](), list(labels.unread), list[Job]()
    for label in labels.read:
        try:
            jobs.append(_job_of_label(label, said, names, seen))
        except UserError as error:
            refused.append(error)
    with ws.reading() as session:
        project = find_project(session, project_slug)
        known = load_known(session, project.id)
        wanted, report = _labels_to_import(jobs, known)
        fit, unfit = _fitting(session, project.id, wanted, ws)
    refused = sorted([*refused, *unfit], key=_sort_key)
    counted = _counts(fit, known)
    about = LabelFile(
        project_id=project.id,
        tool=tool,
        name=composed(file.name),
        sha256=file_hash(file),
        guide_sha256=said.sha256,
        labels=len(fit),
        by_person_id=by,
        at=ws.clock(),
    )
    whole = replace(report, **counted, refused=tuple(refused))
    return LabelImport(project_slug, about, tuple(fit), whole, by)


def _sort_key(error: UserError) -> tuple[int, str]:
    field = error.where.field or ""
    number = field.strip("[]")
    return error.where.line or (int(number) if number.isdigit() else 0), field


def _labels_to_import(jobs: Iterable[Job], known: Known) -> tuple[list[Job], LabelsReport]:
    """Return the labels to import, and the numbers of those skipped."""
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
    """Return the labels that could be imported now, and the errors of the others."""
    fit, unfit = list[Job](), list[UserError]()
    planner = Planner(session, project_id)
    for place in range(0, len(jobs), _AT_ONCE):
        some = jobs[place : place + _AT_ONCE]
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
    """People by name, items and units by id, that a label may refer to."""

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


def _job_of_label(
    label: Foreign, guide: Guide, names: _Names, jobs_seen: set[tuple[int, int]]
) -> Job:
    person = names.people.get(guide.people.get(label.user, ""))
    if person is None or not person.active or not may(person.role, Act.ANNOTATE):
        raise UserError("labels_person", label.where, user=label.user)
    if label.item not in names.items:
        raise UserError("labels_item", label.where, item=label.item)
    key = person.id, names.items[label.item]
    if key in jobs_seen:
        raise UserError("labels_twice", label.where, item=label.item, user=label.user)
    jobs_seen.add(key)
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
        said=json_hash([label.status, no_provision, chosen, comment]),
        source_user=label.user,
        made_at=label.made_at,
        where=label.where,
    )
