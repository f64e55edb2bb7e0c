"""A project's annotations as records, in an order that depends only on their content.

Of tasks with a form: answers to fields, and decisions on them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Any

from sqlmodel import Session, col, select

from annotation.exchange.fields import (
    FIELDS,
    FORM_SUBMISSION,
    Field,
    decision_fields,
    record_of,
    time_of,
)
from annotation.exchange.shown_names import (
    FORMAT,
    TASK,
    ShownNames,
    batch_names,
    form_tasks,
    item_names,
    person_names,
    snapshot_hashes,
    units_by_id,
)
from annotation.forms.submissions import answers_in
from annotation.people.members import CASE_DRAFT
from annotation.work.carry_over import carries_draft_over, units_of, with_units_replaced
from normalization.grouping import grouped
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
    UndoneDecision,
)
from storage.tables.exchange import ImportedLabel, LabelFile
from storage.tables.people import (
    Batch,
    BatchEvent,
    BatchItem,
    BatchPerson,
    Comment,
    Confidence,
    Document,
    DocumentMigration,
    KnownAnswer,
    PersonEvent,
    Referral,
)
from storage.tasks import Task, of_task, rows_on_items

Record = dict[str, Any]
Numbers = dict[str, dict[int, int]]  # by type of record: the number of each row in the file
_Labels = dict[int, list[tuple[str, int, Any]]]


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


class TaskRecords:
    """The records of one task of a project."""

    def __init__(self, session: Session, project: ProjectView, task: str, numbers: Numbers) -> None:
        """Prepare the records of a task; `numbers` are those of earlier tasks in the file."""
        self._session, self._project, self._task = session, project, task
        self._of_task = of_task(project.id, task)
        self.items = item_names(session, project.id, task)
        self.people = person_names(session, project.id)
        self.snapshots = snapshot_hashes(session, project.id)
        self._batches = batch_names(session, project.id)
        self._numbers = numbers

    def number(self, table: Any, row_id: int | None) -> int | None:
        """Return the number by which records refer to a row; None for no row."""
        return None if row_id is None else self._numbers[str(table.__tablename__)][row_id]

    def _record(
        self, kind: str, row: Any, fields: tuple[Field, ...] | None = None, **given: Any
    ) -> Record:
        """Return a row as a record."""
        return {"type": kind, **record_of(self, fields or FIELDS[kind], row, **given)}

    def _rows(self, table: Any, *conditions: Any, query: Any = None) -> list[Any]:
        """Return a table's rows by id, giving them the next numbers for later references."""
        query = (select(table) if query is None else query).where(*conditions)
        rows = list(self._session.exec(query.order_by(col(table.id))))
        return self._numbered(table, rows)

    def _numbered(self, table: Any, rows: list[Any]) -> list[Any]:
        """Return these rows of a table, numbered on from those of it numbered before."""
        known = self._numbers.setdefault(table.__tablename__, {})
        known |= {row.id: at for at, row in enumerate(rows, len(known) + 1)}
        return rows

    def _rows_of_items(self, table: Any) -> list[Any]:
        """Return a table's rows on items of the task, by id, numbering them for references."""
        rows = self._session.exec(rows_on_items(table, self._of_task))
        return self._numbered(table, list(rows))

    def _records_of(self, kind: str, table: Any) -> Iterator[Record]:
        """Yield the records of a table that are its rows on items of the task."""
        for row in self._rows_of_items(table):
            yield self._record(kind, row)

    def _children(self, child: Any, parent: Any, key: Any, order: Any) -> dict[int, list[Any]]:
        """Return the child rows of each parent, in the given order."""
        query = select(child).join(parent, col(parent.id) == key)
        query = query.join(Item).where(self._of_task)
        rows = self._session.exec(query.order_by(col(order)))
        return grouped((getattr(row, key.key), row) for row in rows)

    def _migrations(self) -> Iterator[Record]:
        """Yield the migrations of submissions to newer document versions."""
        table = DocumentMigration
        here = table.project_id == self._project.id, table.task == self._task
        for row in self._rows(table, *here):
            yield self._record("migration", row)

    def _batch_records(self) -> Iterator[Record]:
        """Yield the records of a task's batches, and then of their events."""
        here = Batch.project_id == self._project.id, Batch.task == self._task
        for row in self._rows(Batch, *here):
            items = self._session.exec(
                select(BatchItem)
                .where(BatchItem.batch_id == row.id)
                .order_by(col(BatchItem.position))
            )
            people = self._session.exec(
                select(BatchPerson)
                .where(BatchPerson.batch_id == row.id)
                .order_by(col(BatchPerson.id))
            )
            yield self._record("batch", row) | {
                "items": [[self.items[e.item_id], e.position, e.calibration] for e in items],
                "people": [[self.people[e.person_id], time_of(e.added_at)] for e in people],
            }
        events = select(BatchEvent).join(Batch)
        for event in self._rows(BatchEvent, *here, query=events):
            known = self.people if event.kind == "people" else self.items
            payload = {
                key: [known[each] for each in value] if isinstance(value, list) else value
                for key, value in event.payload.items()
            }
            batch = self._batches[event.batch_id]
            yield self._record("batch_event", event, batch=batch, payload=payload)

    def _undone(self, table: Any) -> Iterator[Record]:
        """Yield the withdrawals of decisions; `table` is that of the decisions."""
        for row in self._rows_of_items(UndoneDecision):
            decision = self.number(table, row.adjudication_id or row.settlement_id)
            yield self._record("undone_decision", row, decision=decision)

    def _events(self) -> Iterator[Record]:
        """Yield the draft events, each with its item, person and payload."""
        rows = self._rows_of_items(DraftEvent)
        for row, payload in zip(rows, self._payloads(rows), strict=True):
            yield self._record("event", row, payload=payload)

    def _payloads(self, rows: list[DraftEvent]) -> Iterator[Record]:
        """Yield each act's payload with references by name or number."""
        raise NotImplementedError

    def _portable_payload(self, payload: Record, set_key: str) -> Record:
        """Return a payload with numbers for its candidate set (as `set_key`) and its migration."""
        said = dict(payload)
        if "candidate_set_id" in said:
            said[set_key] = self.number(CandidateSet, said.pop("candidate_set_id"))
        if "migration_id" in said:
            said["migration"] = self.number(DocumentMigration, said.pop("migration_id"))
        return said

    def _confidence(self) -> dict[int, int]:
        """Return the confidence of each submission that has one, by its id."""
        key = Confidence.annotation_id
        found = self._children(Confidence, Annotation, key, key)
        return {number: rows[0].value for number, rows in found.items()}

    def _comments_and_referrals(self) -> Iterator[Record]:
        """Yield the comments on items, and the referrals of them."""
        yield from self._records_of("comment", Comment)
        yield from self._records_of("referral", Referral)


class MappingRecords(TaskRecords):
    """The records of citation mapping, and the project's people and documents."""

    def all(self) -> Iterator[Record]:
        """Yield every record, each after those it refers to."""
        yield from self._persons()
        for row in self._rows(Document, Document.project_id == self._project.id):
            yield self._record("document", row)
        yield from self._migrations()
        yield from self._candidates()
        yield from self._batch_records()
        yield from self._records_of("known_answer", KnownAnswer)
        yield from self._events()
        yield from self._submissions()
        yield from self._imported_labels()
        yield from self._adjudications()
        yield from self._undone(Adjudication)
        yield from self._comments_and_referrals()

    def _labels_of(self, child: Any, parent: Any, key: Any, order: Any) -> _Labels:
        """Return the child rows of each parent that are about a unit, with its id and snapshot."""
        found = self._children(child, parent, key, order)
        ids = (row.unit_id for rows in found.values() for row in rows)
        names = units_by_id(self._session, ids)
        return {
            number: [(*names[row.unit_id], row) for row in rows] for number, rows in found.items()
        }

    def _persons(self) -> Iterator[Record]:
        """Yield the people of the project."""
        here = Person.project_id == self._project.id
        for row in self._rows(Person, here):
            yield self._record("person", row)
        events = select(PersonEvent).join(Person, col(Person.id) == PersonEvent.person_id)
        for row in self._rows(PersonEvent, here, PersonEvent.kind != CASE_DRAFT, query=events):
            yield self._record("person_event", row)

    def _candidates(self) -> Iterator[Record]:
        """Yield the candidate sets, each with ranked units and the methods that found them."""
        rows = self._rows_of_items(CandidateSet)
        key, set_id = CandidateRow.candidate_set_id, CandidateWay.candidate_set_id
        suggested = self._labels_of(CandidateRow, CandidateSet, key, CandidateRow.rank)
        ways = self._children(CandidateWay, CandidateSet, set_id, CandidateWay.id)
        for row in rows:
            way = next(iter(ways.get(row.id, [])), None)
            units = [
                {"unit": unit, "rank": each.rank, "why": each.why}
                for unit, _, each in suggested.get(row.id, ())
            ]
            yield self._record(
                "candidates",
                row,
                spec=way and way.spec,
                in_place_of=way and way.in_place_of,
                units=units,
            )

    def _payloads(self, rows: list[DraftEvent]) -> Iterator[Record]:
        """Yield the payloads of draft events with semantic ids instead of database ids."""
        named = {row.payload["unit_id"] for row in rows if "unit_id" in row.payload}
        carried = (units_of(row.payload) for row in rows if carries_draft_over(row.payload))
        units = units_by_id(self._session, named.union(*carried))
        for row in rows:
            payload = dict(row.payload)
            if "unit_id" in payload:
                semantic, snapshot = units[payload.pop("unit_id")]
                payload |= {"unit": semantic, "snapshot": self.snapshots[snapshot]}
            if carries_draft_over(payload):
                payload = with_units_replaced(payload, lambda unit: units[int(unit)][0])
            yield self._portable_payload(payload, "candidates")

    def _submissions(self) -> Iterator[Record]:
        """Yield the submissions with their labels by unit."""
        rows = self._rows_of_items(Annotation)
        key = AnnotationLabel.annotation_id
        labels = self._labels_of(AnnotationLabel, Annotation, key, AnnotationLabel.id)
        sure = self._confidence()
        for row in rows:
            mine = labels.get(row.id, ())
            yield {
                **self._record("submission", row),
                "labels": [[unit, each.label] for unit, _, each in mine],
                **_evidence(mine),
                "confidence": sure.get(row.id),
            }

    def _imported_labels(self) -> Iterator[Record]:
        """Yield the files and origins of imported labels."""
        for row in self._rows(LabelFile, LabelFile.project_id == self._project.id):
            yield self._record("label_file", row)
        for label in self._rows_of_items(ImportedLabel):
            ends = label.first_event_id, label.event_id
            events = [self.number(DraftEvent, each) for each in ends]
            yield self._record("imported_label", label, events=events)

    def _adjudications(self) -> Iterator[Record]:
        """Yield the adjudicators' decisions with their labels by unit."""
        rows = self._rows_of_items(Adjudication)
        key = AdjudicationLabel.adjudication_id
        labels = self._labels_of(AdjudicationLabel, Adjudication, key, AdjudicationLabel.id)
        for row in rows:
            mine = labels.get(row.id, ())
            units = [{"unit": unit, "snapshot": self.snapshots[law]} for unit, law, _ in mine]
            made = self._record("adjudication", row, decision_fields(Adjudication))
            yield {**made, "units": units, **_evidence(mine)}


def _evidence(labels: Iterable[tuple[str, int, Any]]) -> Record:
    """Return the evidence of units as a field of a record, none if nothing was marked."""
    found = {unit: each.evidence for unit, _, each in labels if each.evidence}
    return {"evidence": found} if found else {}


def is_begun(session: Session, project_id: int, task: str) -> bool:
    """Return True if a task has any work, or items made by work."""
    whole: tuple[Any, ...] = (Batch, DocumentMigration)
    on_items: tuple[Any, ...] = (DraftEvent, KnownAnswer, Settlement, Comment, Referral)
    queries = [
        *(
            select(each.id).where(each.project_id == project_id, each.task == task)
            for each in whole
        ),
        *(select(each.id).join(Item).where(of_task(project_id, task)) for each in on_items),
    ]
    if task == Task.OCR_VERIFICATION:  # corrections make these items
        queries.append(select(Item.id).where(of_task(project_id, task)))
    return any(session.exec(query.limit(1)).first() is not None for query in queries)


class FormRecords(TaskRecords):
    """The records of one form task."""

    def all(self) -> Iterator[Record]:
        """Yield every record, each after those it refers to."""
        yield {"type": "task", "task": self._task}
        yield from self._migrations()
        yield from self._shown_records()
        yield from self._batch_records()
        yield from self._records_of("known_answer", KnownAnswer)
        yield from self._events()
        yield from self._submissions()
        for row in self._rows_of_items(Settlement):
            yield self._record("settlement", row, decision_fields(Settlement))
        yield from self._undone(Settlement)
        yield from self._comments_and_referrals()

    def _shown_records(self) -> Iterator[Record]:
        """Yield the material shown, by item in queue order."""
        query = select(CandidateSet).join(Item)
        query = query.where(self._of_task).order_by(col(Item.order), col(CandidateSet.id))
        names = ShownNames(self._session, self._project.id, self._task)
        for row in self._numbered(CandidateSet, list(self._session.exec(query))):
            shown = names.with_numbers(row.item_id, row.shown or {})
            if "correction" in shown:
                shown["correction"] = self.number(Annotation, shown["correction"])
            yield self._record("shown", row, shown=shown)

    def _payloads(self, rows: list[DraftEvent]) -> Iterator[Record]:
        """Yield the payloads of draft events with the names of what they refer to."""
        for row in rows:
            yield self._portable_payload(row.payload, "shown")

    def _submissions(self) -> Iterator[Record]:
        """Yield the submissions with their answers by field."""
        rows = self._rows_of_items(Annotation)
        answers, sure = answers_in(self._session, self._of_task), self._confidence()
        for row in rows:
            made = self._record("submission", row, FORM_SUBMISSION, answers=answers.get(row.id, {}))
            yield {**made, "confidence": sure.get(row.id)}
