"""Bring in labels that people gave in another tool, as if they gave them here.

A guide to the tool's file says what its words mean here, and who is who. The user gives it as a
JSON file, or answers a form that comes to the same::

    {"item": "question_id", "choices": "provisions", "comment": "why",
     "people": {"10": "Kim Ara"},
     "decisions": {"Article 1": {"unit": "act_article-1", "decision": "accept"},
                   "Nothing": {"no_provision": true}}}
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlmodel import select

from annotation.exchange.foreign import Fields, Foreign, read_labels
from annotation.mapping import commands as mapping_commands
from annotation.people.members import PersonView, list_people
from annotation.people.roles import Act, allow, may
from annotation.work import commands, queue_service
from annotation.work.submissions import Decision, checked_text, stands
from corpus.files.rows import read_text
from errors import UserError, Where
from normalization import composed_value
from storage.db.workspace import Workspace, together
from storage.law.corpus import load_items, required_snapshot, unit_ids
from storage.projects import find_project
from storage.tables.core import Annotation

GUIDE_BYTES = 16 * 1024**2


@dataclass(frozen=True, slots=True)
class Guide:
    """What the user said a file means: `people` and `decisions` by the tool's own words.

    A decision is (unit's semantic id, accept, reject or unsure), or None for "no provision".
    """

    fields: Fields
    people: Mapping[str, str]
    decisions: Mapping[str, tuple[str, str] | None]


def read_guide(path: Path) -> Guide:
    """Return the guide in a JSON file. Raises UserError for one that is not as described above."""
    where = Where(path.name)
    try:
        said: dict[str, Any] = composed_value(json.loads(read_text(path, path.name, GUIDE_BYTES)))
        named = {name: said.get(name, "") for name in ("item", "choices", "comment")}
        fields = Fields(**named)
        people = dict(said["people"])
        decisions = {name: _decision(each) for name, each in said["decisions"].items()}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise UserError("labels_guide", where) from error
    texts = (*named.values(), *people.values())
    if not (fields.item and fields.choices and all(isinstance(text, str) for text in texts)):
        raise UserError("labels_guide", where)
    return Guide(fields, people, decisions)


def _decision(said: Mapping[str, Any]) -> tuple[str, str] | None:
    if said.get("no_provision") is True and len(said) == 1:
        return None
    unit, decision = said["unit"], said["decision"]
    if not isinstance(unit, str) or decision not in list(Decision):
        raise ValueError(decision)
    return unit, str(decision)


@dataclass(frozen=True, slots=True)
class LabelsReport:
    """How many labels were submitted, left as drafts, set aside; `already` were there before."""

    submitted: int
    drafts: int
    skipped: int
    already: int


@dataclass(frozen=True, slots=True)
class LabelsPreview:
    """What an import would do, as far as can be told before; `refused` says why it would not."""

    report: LabelsReport
    refused: tuple[UserError, ...]


@dataclass(frozen=True, slots=True)
class _Known:
    """What a label may name: people by name, items and units by id; who submitted which item."""

    people: Mapping[str, PersonView]
    items: Mapping[str, int]
    units: Mapping[str, int]
    submitted: Set[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class _Job:
    """One label with everything that it names found in the project."""

    label: Foreign
    person_id: int
    item_id: int
    units: Mapping[str, str]
    no_provision: bool


def import_labels(
    ws: Workspace,
    project_slug: str,
    file: Path,
    tool: str,
    guide: Path | Guide,
    by: int | None = None,
) -> LabelsReport:
    """Bring in the labels of a file; what somebody has submitted here already is left alone.

    Everything is looked up before anything is kept, and all of it is kept or, where anything fails,
    nothing. The log tells the time of the import; the
    tool's own times are not taken over. Raises UserError, with the record, for who may not, for a
    question, person, choice or unit that is unknown, and for a label that decides nothing.
    """
    allow(ws, project_slug, by, Act.IMPORT_LABELS)
    said = guide if isinstance(guide, Guide) else read_guide(guide)
    labels = read_labels(file, tool, said.fields)
    known, seen = _known(ws, project_slug), set[tuple[int, int]]()
    jobs = [_found(label, said, known, seen) for label in labels]
    with together(ws) as inside:
        done = [_give(inside, job) for job in jobs]
    return _report(done)


def preview_labels(
    ws: Workspace,
    project_slug: str,
    file: Path,
    tool: str,
    guide: Guide,
    by: int | None = None,
) -> LabelsPreview:
    """Return what `import_labels` would do, with every label that it would refuse.

    What is found only while importing is not among them: an item without candidates or without a
    free slot in its batch. Raises UserError for who may not and for a file that cannot be read.
    """
    allow(ws, project_slug, by, Act.IMPORT_LABELS)
    known, seen = _known(ws, project_slug), set[tuple[int, int]]()
    done: list[str] = []
    refused: list[UserError] = []
    for label in read_labels(file, tool, guide.fields):
        try:
            job = _found(label, guide, known, seen)
        except UserError as error:
            refused.append(error)
            continue
        there = (job.person_id, job.item_id) in known.submitted
        done.append("already" if there else label.status)
    return LabelsPreview(_report(done), tuple(refused))


def _report(done: Sequence[str]) -> LabelsReport:
    names = ("submitted", "draft", "discarded", "already")
    return LabelsReport(*(done.count(name) for name in names))


def _known(ws: Workspace, project_slug: str) -> _Known:
    people = {each.name: each for each in list_people(ws, project_slug)}
    with ws.reading() as session:
        project = find_project(session, project_slug)
        items = {
            each.question.external_id: each.item_id for each in load_items(session, project.id)
        }
        units = unit_ids(session, required_snapshot(session, project).id)
        query = select(Annotation.person_id, Annotation.item_id).where(stands())
        submitted = {(person, item) for person, item in session.exec(query)}
    return _Known(people, items, units, submitted)


def _found(label: Foreign, guide: Guide, known: _Known, seen: set[tuple[int, int]]) -> _Job:
    person = known.people.get(guide.people.get(label.user, ""))
    if person is None or not person.active or not may(person.role, Act.ANNOTATE):
        raise UserError("labels_person", label.where, user=label.user)
    if label.item not in known.items:
        raise UserError("labels_item", label.where, item=label.item)
    key = person.id, known.items[label.item]
    if key in seen:
        raise UserError("labels_twice", label.where, item=label.item, user=label.user)
    seen.add(key)
    return _job(label, *key, guide, known.units)


def _job(
    label: Foreign, person_id: int, item_id: int, guide: Guide, units: Mapping[str, int]
) -> _Job:
    chosen: dict[str, str] = {}
    no_provision = False
    for choice in label.choices:
        if choice not in guide.decisions:
            raise UserError("labels_choice", label.where, choice=choice)
        decision = guide.decisions[choice]
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
    checked_text(label.comment, "comment", where=label.where)
    return _Job(label, person_id, item_id, chosen, no_provision)


def _give(ws: Workspace, job: _Job) -> str:
    """Do what the label says, act by act; an act that was done before is not done again."""
    at = (ws, job.person_id, job.item_id)
    view = queue_service.open_item(*at)
    if view.status == "submitted":
        return "already"
    listed = {candidate.semantic_id: candidate.unit_id for candidate in view.candidates}
    with ws.reading() as session:
        units = unit_ids(session, view.snapshot_id)
    for semantic, decision in job.units.items():
        if semantic not in units:  # a draft begun here speaks of older law
            raise UserError("labels_unit", job.label.where, unit=semantic)
        if semantic not in listed:
            mapping_commands.add_unit(*at, units[semantic])
        mapping_commands.label(*at, units[semantic], decision)
    if job.no_provision:
        mapping_commands.set_no_provision(*at, True)
    if job.label.comment:
        commands.set_comment(*at, job.label.comment)
    if job.label.status == "submitted":
        commands.submit(*at)
    elif job.label.status == "discarded":
        commands.skip(*at)
    return job.label.status
