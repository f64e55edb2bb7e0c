"""A project's annotations as records, in an order that depends only on their content.

Of tasks with a form: answers to fields, and decisions on them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from sqlmodel import Session, col, select

from annotation.exchange.shown_names import FORMAT, TASK, ShownNames, form_tasks, units_by_id
from annotation.exchange.task_records import (
    IMPORTED_LABEL,
    LABEL_FILE,
    Numbers,
    Record,
    TaskRecords,
    time_of,
)
from annotation.forms.submissions import answers_in
from annotation.people.members import CASE_DRAFT
from annotation.work.carry_over import carries_draft_over, units_of, with_units_replaced
from storage.projects import ProjectView
from storage.tables.core import (
    Adjudication,
    AdjudicationLabel,
    Annotation,
    AnnotationLabel,
    CandidateRow,
    CandidateSet,
    CandidateWay,
    DraftEvent,
    Item,
    Person,
    Settlement,
)
from storage.tables.exchange import ImportedLabel, LabelFile
from storage.tables.people import (
    Batch,
    Comment,
    Document,
    DocumentMigration,
    KnownAnswer,
    PersonEvent,
    Referral,
)
from storage.tasks import Task, of_task


def records(
    session: Session, project: ProjectView, tasks: Collection[str] | None = None
) -> Iterator[Record]:
    """Yield a head, then every record of the project, each after those it refers to.

    Citation mapping comes first, then the form tasks (of `tasks`) that somebody has begun.
    """
    numbers: Numbers = {}
    yield {"type": "annotations", "format": FORMAT, "task": TASK, "overlap": project.overlap}
    yield from MappingRecords(session, project, TASK, numbers).all()
    for task in form_tasks(session, project.id):
        if (tasks is None or task in tasks) and is_begun(session, project.id, task):
            yield from FormRecords(session, project, task, numbers).all()


class MappingRecords(TaskRecords):
    """The records of citation mapping, and the project's people and documents."""

    def all(self) -> Iterator[Record]:
        """Yield every record, each after those it refers to."""
        yield from self._persons()
        yield from self._documents()
        yield from self._migrations()
        yield from self._candidates()
        yield from self._batch_records()
        yield from self._known_answers()
        yield from self._events()
        yield from self._submissions()
        yield from self._labels()
        yield from self._adjudications()
        yield from self._undone(Adjudication)
        yield from self._thread()

    def _names(self, children: dict[int, list[Any]]) -> dict[int, tuple[str, int]]:
        """Return statute and label of every unit in the child rows."""
        ids = (each.unit_id for mine in children.values() for each in mine)
        return units_by_id(self._session, ids)

    def _persons(self) -> Iterator[Record]:
        """Yield the people of the project."""
        here = select(Person).where(Person.project_id == self._project.id)
        for row in self._session.exec(here.order_by(col(Person.id))):
            said = {"name": row.name, "role": row.role, "active": row.active}
            yield {"type": "person", **said, "created_at": time_of(row.created_at)}
        events = select(PersonEvent).join(Person, col(Person.id) == PersonEvent.person_id)
        kept = Person.project_id == self._project.id, PersonEvent.kind != CASE_DRAFT
        events = events.where(*kept)
        for event in self._session.exec(events.order_by(col(PersonEvent.id))):
            yield {
                "type": "person_event",
                "person": self._people[event.person_id],
                "kind": event.kind,
                "payload": event.payload,
                "by": self._people.get(event.by_person_id or 0),
                "at": time_of(event.at),
            }

    def _documents(self) -> Iterator[Record]:
        """Yield the versions of guideline and codebook."""
        query = select(Document).where(Document.project_id == self._project.id)
        for row in self._session.exec(query.order_by(col(Document.id))):
            yield {
                "type": "document",
                "kind": row.kind,
                "number": row.number,
                "language": row.language,
                "text": row.text,
                "note": row.note,
                "by": self._people.get(row.by_person_id or 0),
                "at": time_of(row.at),
                **({"task": row.task} if row.task != TASK else {}),
            }

    def _candidates(self) -> Iterator[Record]:
        """Yield the candidate sets, each with ranked units and the methods that found them."""
        rows = self._rows_of_items(CandidateSet)
        key = CandidateRow.candidate_set_id
        suggested = self._children(CandidateRow, CandidateSet, key, CandidateRow.rank)
        names = self._names(suggested)
        set_id = CandidateWay.candidate_set_id
        ways = self._children(CandidateWay, CandidateSet, set_id, CandidateWay.id)
        for row in rows:
            mine = suggested.get(row.id, [])
            way = next(iter(ways.get(row.id, [])), None)
            yield {
                "type": "candidates",
                "item": self._items[row.item_id],
                "snapshot": self._snapshots[row.snapshot_id],
                "method": row.method,
                "spec": None if way is None else way.spec,
                "in_place_of": None if way is None else way.in_place_of,
                "citations": row.citations,
                "units": [
                    {"unit": names[each.unit_id][0], "rank": each.rank, "why": each.why}
                    for each in mine
                ],
                "at": time_of(row.created_at),
            }

    def _payloads(self, rows: list[DraftEvent]) -> Iterator[Record]:
        """Yield the payloads of draft events with semantic ids instead of database ids."""
        named = {row.payload["unit_id"] for row in rows if "unit_id" in row.payload}
        carried = (units_of(row.payload) for row in rows if carries_draft_over(row.payload))
        units = units_by_id(self._session, named.union(*carried))
        for row in rows:
            payload = dict(row.payload)
            if "unit_id" in payload:
                semantic, snapshot = units[payload.pop("unit_id")]
                payload |= {"unit": semantic, "snapshot": self._snapshots[snapshot]}
            if carries_draft_over(payload):
                payload = with_units_replaced(payload, lambda unit: units[int(unit)][0])
            yield self._portable_payload(payload, "candidates")

    def _submissions(self) -> Iterator[Record]:
        """Yield the submissions with their labels by unit."""
        rows = self._rows_of_items(Annotation)
        key = AnnotationLabel.annotation_id
        labels = self._children(AnnotationLabel, Annotation, key, AnnotationLabel.id)
        sure = self._sure()
        names = self._names(labels)
        for row in rows:
            mine = labels.get(row.id, [])
            yield {
                "type": "submission",
                "kind": row.kind,
                **self._common_fields(Annotation, row, {"no_provision": row.no_provision}),
                "event": self._number(DraftEvent, row.event_id),
                "comment": row.comment,
                "flag": row.flag,
                "labels": [[names[each.unit_id][0], each.label] for each in mine],
                **_evidence({names[each.unit_id][0]: each.evidence for each in mine}),
                "confidence": sure.get(row.id),
            }

    def _labels(self) -> Iterator[Record]:
        """Yield the files and origins of imported labels."""
        files = select(LabelFile).where(LabelFile.project_id == self._project.id)
        rows = list(self._session.exec(files.order_by(col(LabelFile.id))))
        for row in self._numbered(LabelFile, rows):
            yield {
                "type": "label_file",
                **{name: getattr(row, name) for name in LABEL_FILE},
                "labels": row.labels,
                "by": self._people.get(row.by_person_id or 0),
                "at": time_of(row.at),
            }
        for label in self._rows_of_items(ImportedLabel):
            ends = label.first_event_id, label.event_id
            yield {
                "type": "imported_label",
                "file": self._number(LabelFile, label.label_file_id),
                "item": self._items[label.item_id],
                "person": self._people[label.person_id],
                "made_at": time_of(label.made_at),
                **{name: getattr(label, name) for name in IMPORTED_LABEL},
                "events": [self._number(DraftEvent, each) for each in ends],
            }

    def _adjudications(self) -> Iterator[Record]:
        """Yield the adjudicators' decisions with their labels by unit."""
        rows = self._rows_of_items(Adjudication)
        key = AdjudicationLabel.adjudication_id
        labels = self._children(AdjudicationLabel, Adjudication, key, AdjudicationLabel.id)
        names = self._names(labels)
        for row in rows:
            mine = labels.get(row.id, [])
            yield {
                "type": "adjudication",
                **self._common_fields(Adjudication, row, {"no_provision": row.no_provision}),
                "reason": row.reason,
                "submissions": [self._number(Annotation, each) for each in row.annotation_ids],
                "units": [
                    {
                        "unit": names[each.unit_id][0],
                        "snapshot": self._snapshots[names[each.unit_id][1]],
                    }
                    for each in mine
                ],
                **_evidence({names[each.unit_id][0]: each.evidence for each in mine}),
            }


def _evidence(marked: dict[str, Any]) -> Record:
    """Return the evidence of units as a field of a record, none if nothing was marked."""
    found = {unit: each for unit, each in marked.items() if each}
    return {"evidence": found} if found else {}


def is_begun(session: Session, project_id: int, task: str) -> bool:
    """Return True if a task has any work, or items made by work."""
    whole: Any
    for whole in (Batch, DocumentMigration):
        query = select(whole.id).where(whole.project_id == project_id, whole.task == task)
        if session.exec(query.limit(1)).first() is not None:
            return True
    tables: tuple[Any, ...] = (DraftEvent, KnownAnswer, Settlement, Comment, Referral)
    made = (Item,) if task == Task.OCR_VERIFICATION else ()  # corrections make these items
    for table in (*tables, *made):
        query = select(table.id).where(of_task(project_id, task)).limit(1)
        if table is not Item:
            query = query.join(Item, col(Item.id) == table.item_id)
        if session.exec(query).first() is not None:
            return True
    return False


class FormRecords(TaskRecords):
    """The records of one form task."""

    def all(self) -> Iterator[Record]:
        """Yield every record, each after those it refers to."""
        yield {"type": "task", "task": self._task}
        yield from self._migrations()
        yield from self._shown_records()
        yield from self._batch_records()
        yield from self._known_answers()
        yield from self._events()
        yield from self._submissions()
        yield from self._settlements()
        yield from self._undone(Settlement)
        yield from self._thread()

    def _shown_records(self) -> Iterator[Record]:
        """Yield the material shown, by item in queue order."""
        query = select(CandidateSet).join(Item, col(Item.id) == CandidateSet.item_id)
        query = query.where(of_task(self._project.id, self._task))
        query = query.order_by(col(Item.order), col(CandidateSet.id))
        names = ShownNames(self._session, self._project.id, self._task)
        for row in self._numbered(CandidateSet, list(self._session.exec(query))):
            shown = names.with_numbers(row.item_id, row.shown or {})
            if "correction" in shown:
                shown["correction"] = self._number(Annotation, shown["correction"])
            yield {
                "type": "shown",
                "item": self._items[row.item_id],
                "snapshot": self._snapshots[row.snapshot_id],
                "shown": shown,
            }

    def _payloads(self, rows: list[DraftEvent]) -> Iterator[Record]:
        """Yield the payloads of draft events with the names of what they refer to."""
        for row in rows:
            yield self._portable_payload(row.payload, "shown")

    def _submissions(self) -> Iterator[Record]:
        """Yield the submissions with their answers by field."""
        rows = self._rows_of_items(Annotation)
        answers = answers_in(self._session, of_task(self._project.id, self._task))
        sure = self._sure()
        for row in rows:
            yield {
                "type": "submission",
                "kind": row.kind,
                **self._common_fields(
                    Annotation, row, {"answers": answers.get(row.id, {})}, "shown"
                ),
                "event": self._number(DraftEvent, row.event_id),
                "comment": row.comment,
                "flag": row.flag,
                "confidence": sure.get(row.id),
            }

    def _settlements(self) -> Iterator[Record]:
        """Yield the adjudicators' decisions with their answers by field."""
        for row in self._rows_of_items(Settlement):
            yield {
                "type": "settlement",
                "item": self._items[row.item_id],
                "person": self._people[row.person_id],
                "answers": row.answers,
                "reason": row.reason,
                "supersedes": self._number(Settlement, row.supersedes_id),
                "submissions": [self._number(Annotation, each) for each in row.annotation_ids],
                "at": time_of(row.at),
            }
