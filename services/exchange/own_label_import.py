"""Labels that people gave in another tool, given here as answers of a project's own task.

A guide says which field of the tool each field of the task comes from, what the tool's values mean,
and who is who::

    {"item": "id", "people": {"10": "Kim Ara"}, "comment": "note",
     "fields": {"relevance": {"from": "rating", "values": {"high": 3, "none": 0}},
                "evidence": {"from": "parts", "column": "provision"},
                "why": {"from": "why"}}}

Every label is looked up and checked before any is kept; each is then stored in a transaction of its
own with where it came from, so that a stopped import goes on when it is run again.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from sqlmodel import Session, col, select

from annotation.exchange.foreign import STATUS
from annotation.exchange.foreign_tools import SHAPE_ERRORS, Given, Value, records
from annotation.forms.form import answered_here
from annotation.people.members import PersonView, list_people
from annotation.people.roles import Act, allow, may
from annotation.tasks.own import OwnForm, own_form
from annotation.tasks.spec import YES, FieldSpec, Kind
from annotation.work.draft import fold, own_events
from annotation.work.submissions import checked_text
from corpus.files.rows import read_text
from errors import UserError, Where
from normalization import composed, composed_value
from normalization.hashing import file_hash, json_hash
from services.exchange.label_import import LabelsRefusedError, file_row_id
from services.exchange.label_lookup import GUIDE_BYTES, LabelsReport
from storage.db.workspace import Workspace
from storage.projects import find_project
from storage.tables.core import Item
from storage.tables.exchange import ImportedLabel, LabelFile
from storage.tables.tasks import TaskSubject
from storage.tasks import of_task

_MAX_USER_LENGTH = 320  # stored length of a user's name


@dataclass(frozen=True, slots=True)
class FieldGuide:
    """Where a field comes from: the tool's field, its values in ours, the column of spans."""

    source: str
    values: Mapping[str, Any] = field(default_factory=dict)
    column: str = ""


@dataclass(frozen=True, slots=True)
class OwnGuide:
    """What a file of another tool means for an own task."""

    item: str
    people: Mapping[str, str]
    fields: Mapping[str, FieldGuide]
    comment: str = ""


@dataclass(frozen=True, slots=True)
class _Label:
    """A label whose item and person are known, with its answers in stored form."""

    person_id: int
    item_id: int
    answers: Mapping[str, Any]
    comment: str
    status: str
    source_user: str
    made_at: datetime | None
    where: Where

    @property
    def digest(self) -> str:
        return json_hash([self.status, dict(self.answers), self.comment])


def read_own_guide(path: Path) -> OwnGuide:
    """Read a guide from a JSON file. Raises UserError for a file not as described above."""
    try:
        content = composed_value(json.loads(read_text(path, path.name, GUIDE_BYTES)))
        fields = {
            str(name): FieldGuide(each["from"], each.get("values", {}), each.get("column", ""))
            for name, each in content["fields"].items()
        }
        guide = OwnGuide(
            content["item"], dict(content["people"]), fields, content.get("comment", "")
        )
        texts = [guide.item, guide.comment, *guide.people.values()]
        texts += [text for each in fields.values() for text in (each.source, each.column)]
        if not fields or not all(isinstance(text, str) for text in texts):
            raise ValueError(path)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise UserError("labels_guide", Where(path.name)) from error
    return guide


def import_own_labels(
    ws: Workspace,
    project_slug: str,
    task: str,
    file: Path,
    tool: str,
    guide: OwnGuide,
    by: int | None = None,
    *,
    leave_out: bool = False,
) -> LabelsReport:
    """Import the labels of a file as answers of an own task.

    Items that the person has begun here, and labels that are there already, are left alone and
    counted. Raises UserError for `by` without permission, for an unknown task or tool, for a file
    that cannot be read, and, unless `leave_out`, for labels that do not fit.
    """
    allow(ws, project_slug, by, Act.IMPORT_LABELS)
    refused: list[UserError] = []
    with ws.reading() as session:
        project = find_project(session, project_slug)
        look_up = _Lookup(ws, session, project.id, project_slug, task, guide)
        labels = list(look_up.labels(file, tool, refused))
        states = {(each.person_id, each.item_id): look_up.state(each) for each in labels}
    if refused and not leave_out:
        raise LabelsRefusedError(refused)
    counts = Counter(states.values())
    new = [each for each in labels if states[each.person_id, each.item_id] == "new"]
    about = LabelFile(
        project_id=project.id,
        tool=tool,
        name=composed(file.name),
        sha256=file_hash(file),
        guide_sha256=json_hash([task, asdict(guide)]),
        labels=len(new),
        by_person_id=by,
        at=ws.clock(),
    )
    for label in new:
        if label.status != "discarded":
            _store(ws, about, label)
    done = Counter(each.status for each in new)
    return LabelsReport(
        submitted=done["submitted"],
        drafts=done["draft"],
        skipped=done["discarded"],
        already=counts["already"],
        begun=counts["begun"],
        refused=tuple(refused),
    )


class _Lookup:
    """The people, items and rows that the labels of a file may name, and the form of the task."""

    def __init__(
        self,
        ws: Workspace,
        session: Session,
        project_id: int,
        project_slug: str,
        task: str,
        guide: OwnGuide,
    ) -> None:
        self.session, self.guide = session, guide
        self.form: OwnForm = own_form(session, project_id, task)
        self.people: Mapping[str, PersonView] = {e.name: e for e in list_people(ws, project_slug)}
        query = select(Item, TaskSubject).outerjoin(
            TaskSubject, col(TaskSubject.id) == Item.subject_id
        )
        found = session.exec(query.where(of_task(project_id, task))).all()
        self.items = {str(item.external_id): (item, row) for item, row in found}
        unknown = sorted(guide.fields.keys() - self.form.whole.fields.keys())
        if unknown:
            known = ", ".join(self.form.spec.fields)
            raise UserError("own_field", Where(field="fields"), field=unknown[0], known=known)

    def labels(self, file: Path, tool: str, refused: list[UserError]) -> Iterator[_Label]:
        """Yield the labels that fit; the errors of the others go to `refused`."""
        seen: set[tuple[int, int]] = set()
        for record in records(file, tool):
            if isinstance(record, UserError):
                refused.append(record)
                continue
            for given in record.given:
                try:
                    label = self._label(record.ids, given(), record.where)
                    if label is None:
                        continue
                    if (label.person_id, label.item_id) in seen:
                        name = str(record.ids[self.guide.item])
                        raise UserError("labels_twice", item=name, user=label.source_user)
                except UserError as error:
                    error.where = Where(record.where.file, record.where.line, error.where.field)
                    refused.append(error)
                except SHAPE_ERRORS:
                    refused.append(UserError("labels_shape", record.where, tool=tool))
                else:
                    seen.add((label.person_id, label.item_id))
                    yield label

    def _label(self, ids: Mapping[str, Any], given: Given, where: Where) -> _Label | None:
        name = str(ids[self.guide.item])
        person = self.people.get(self.guide.people.get(given.user, ""))
        if person is None or not person.active or not may(person.role, Act.ANNOTATE):
            raise UserError("labels_person", user=given.user)
        if name not in self.items:
            raise UserError("labels_item", item=name)
        item, subject = self.items[name]
        stated = [each.status for each in given.values.values() if each.status]
        word = stated[0] if stated else given.status
        if not word:
            return None
        status = STATUS[word]
        comment = given.values.get(self.guide.comment, Value()) if self.guide.comment else Value()
        text = checked_text("\n".join(map(str, comment.each)), "comment")
        answers: dict[str, Any] = {}
        if status != "discarded":
            row = {} if subject is None else subject.row
            answers = self._answers(item, row, given, status == "submitted")
        user, at = given.user, given.made_at
        return _Label(person.id, item.id or 0, answers, text, status, user, at, where)

    def _answers(
        self, item: Item, row: Mapping[str, str], given: Given, submitted: bool
    ) -> dict[str, Any]:
        """Return the answers in stored form, stage by stage; check that a submission is whole."""
        answers: dict[str, Any] = {}
        for stage in self.form.spec.reaching(self.guide.fields).stages:
            for each in stage.fields:
                source = self.guide.fields.get(each.key)
                value = given.values.get(source.source) if source else None
                if source is None or value is None or not value.each:
                    continue
                made = _value(each, source, value, row)
                kept = self.form.check_in(self.session, item, each.key, made, answers)
                if kept is not None:
                    answers[each.key] = kept
            if stage.seal and submitted:
                answers[stage.seal] = self.form.check(stage.seal, True, answers)
        if submitted:
            self.form.fit(answers)
        return answers

    def state(self, label: _Label) -> str:
        """Return new, already (imported before, or set aside) or begun (they work on it here)."""
        here = ImportedLabel.person_id == label.person_id, ImportedLabel.item_id == label.item_id
        query = select(ImportedLabel.said).where(*here).order_by(col(ImportedLabel.id).desc())
        if self.session.exec(query).first() == label.digest:
            return "already"
        draft = fold(own_events(self.session, label.person_id, label.item_id))
        return "new" if draft.untouched else "begun"


def _value(field: FieldSpec, source: FieldGuide, value: Value, row: Mapping[str, str]) -> Any:
    """Return a tool's value as an answer to a field, unchecked."""
    if field.kind is Kind.SPANS:
        text = row.get(source.column, "")
        return [
            {
                "column": source.column,
                "start": _characters(text, start, value),
                "end": _characters(text, end, value),
                "label": source.values.get(label, label),
            }
            for start, end, label in value.spans
        ]
    if field.kind is Kind.TEXT:
        return "\n".join(map(str, value.each))
    ours = [source.values.get(str(each), each) for each in value.each]
    if field.kind is Kind.UNITS:
        return {str(each): YES for each in ours}
    if field.kind in (Kind.CHOICES, Kind.TEXTS) or len(ours) != 1:
        return ours
    (one,) = ours
    is_number = field.kind in (Kind.SCALE, Kind.NUMBER) and isinstance(one, str)
    return int(one) if is_number and one.lstrip("-").isdigit() else one


def _characters(text: str, at: int, value: Value) -> int:
    """Return an offset of the tool in characters of the text."""
    if value.units == "characters":
        return at
    return len(text.encode("utf-16-le")[: 2 * at].decode("utf-16-le", "ignore"))


def _store(ws: Workspace, about: LabelFile, label: _Label) -> None:
    """Store a label as the acts of its person, and where it came from, in one transaction."""
    keep = label.answers, label.comment, label.status == "submitted"
    with answered_here(ws, label.person_id, label.item_id, *keep) as (session, first, last):
        session.add(
            ImportedLabel(
                label_file_id=file_row_id(session, about),
                item_id=label.item_id,
                person_id=label.person_id,
                place=label.where.field or f"{label.where.line}",
                source_user=label.source_user[:_MAX_USER_LENGTH],
                made_at=label.made_at,
                status=label.status,
                said=label.digest,
                first_event_id=first,
                event_id=last,
            )
        )
