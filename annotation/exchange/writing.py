"""A project's annotations as records, in an order that depends on what they say alone."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from sqlmodel import Session, col, select

from annotation.exchange.references import (
    FORMAT,
    TASK,
    batch_names,
    item_names,
    person_names,
    snapshot_hashes,
    units_by_id,
)
from annotation.work.carry_over import takes_up, translated, units_of
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
)
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
from storage.tasks import of_task

Record = dict[str, Any]


def records(session: Session, project: ProjectView) -> Iterator[Record]:
    """Yield a head, then every record of the project's work, each after what it refers to."""
    yield {"type": "annotations", "format": FORMAT, "task": TASK, "overlap": project.overlap}
    yield from _Writer(session, project).all()


class _Writer:
    def __init__(self, session: Session, project: ProjectView) -> None:
        self._session, self._project = session, project
        self._items = item_names(session, project.id)
        self._people = person_names(session, project.id)
        self._batches = batch_names(session, project.id)
        self._snapshots = snapshot_hashes(session, project.id)
        self._numbers: dict[str, dict[int, int]] = {}

    def all(self) -> Iterator[Record]:
        yield from self._persons()
        yield from self._documents()
        yield from self._migrations()
        yield from self._candidates()
        yield from self._batch_records()
        yield from self._known_answers()
        yield from self._events()
        yield from self._submissions()
        yield from self._adjudications()
        yield from self._thread()

    def _of_items(self, table: Any) -> list[Any]:
        query = select(table).join(Item, col(Item.id) == table.item_id)
        query = query.where(of_task(self._project.id, TASK))
        return self._numbered(table, list(self._session.exec(query.order_by(col(table.id)))))

    def _numbered(self, table: Any, rows: list[Any]) -> list[Any]:
        self._numbers[table.__tablename__] = {row.id: at for at, row in enumerate(rows, 1)}
        return rows

    def _number(self, table: Any, number: int | None) -> int | None:
        return None if number is None else self._numbers[str(table.__tablename__)][number]

    def _children(self, child: Any, parent: Any, key: Any, order: Any) -> dict[int, list[Any]]:
        query = select(child).join(parent, col(parent.id) == key)
        query = query.join(Item, col(Item.id) == parent.item_id)
        query = query.where(of_task(self._project.id, TASK))
        found: dict[int, list[Any]] = {}
        for row in self._session.exec(query.order_by(col(order))):
            found.setdefault(getattr(row, key.key), []).append(row)
        return found

    def _names(self, children: dict[int, list[Any]]) -> dict[int, tuple[str, int]]:
        ids = (each.unit_id for mine in children.values() for each in mine)
        return units_by_id(self._session, ids)

    def _persons(self) -> Iterator[Record]:
        here = select(Person).where(Person.project_id == self._project.id)
        for row in self._session.exec(here.order_by(col(Person.id))):
            said = {"name": row.name, "role": row.role, "active": row.active}
            yield {"type": "person", **said, "created_at": _time(row.created_at)}
        events = select(PersonEvent).join(Person, col(Person.id) == PersonEvent.person_id)
        events = events.where(Person.project_id == self._project.id)
        for event in self._session.exec(events.order_by(col(PersonEvent.id))):
            yield {
                "type": "person_event",
                "person": self._people[event.person_id],
                "kind": event.kind,
                "payload": event.payload,
                "by": self._people.get(event.by_person_id or 0),
                "at": _time(event.at),
            }

    def _documents(self) -> Iterator[Record]:
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
                "at": _time(row.at),
            }

    def _migrations(self) -> Iterator[Record]:
        here = (
            DocumentMigration.project_id == self._project.id,
            DocumentMigration.task == TASK,
        )
        query = select(DocumentMigration).where(*here).order_by(col(DocumentMigration.id))
        for row in self._numbered(DocumentMigration, list(self._session.exec(query))):
            yield {
                "type": "migration",
                "kind": row.kind,
                "from": row.from_number,
                "to": row.to_number,
                "to_version": row.to_version,
                "answers": row.answers,
                "reason": row.reason,
                "by": self._people.get(row.by_person_id or 0),
                "at": _time(row.at),
            }

    def _candidates(self) -> Iterator[Record]:
        rows = self._of_items(CandidateSet)
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
                "at": _time(row.created_at),
            }

    def _batch_records(self) -> Iterator[Record]:
        query = select(Batch).where(Batch.project_id == self._project.id, Batch.task == TASK)
        for row in list(self._session.exec(query.order_by(col(Batch.id)))):
            yield self._batch(row)
        events = select(BatchEvent).join(Batch, col(Batch.id) == BatchEvent.batch_id)
        events = events.where(Batch.project_id == self._project.id, Batch.task == TASK)
        for event in self._session.exec(events.order_by(col(BatchEvent.id))):
            known = self._people if event.kind == "people" else self._items
            payload = {
                key: [known[each] for each in value] if isinstance(value, list) else value
                for key, value in event.payload.items()
            }
            yield {
                "type": "batch_event",
                "batch": self._batches[event.batch_id],
                "kind": event.kind,
                "payload": payload,
                "by": self._people.get(event.by_person_id or 0),
                "at": _time(event.at),
            }

    def _batch(self, row: Batch) -> Record:
        items = select(BatchItem).where(BatchItem.batch_id == row.id)
        people = select(BatchPerson).where(BatchPerson.batch_id == row.id)
        plain = ("name", "overlap", "sequence", "seed", "practice")
        return {
            "type": "batch",
            **{name: getattr(row, name) for name in plain},
            **{name: _time(getattr(row, name)) for name in ("deadline", "closed_at", "created_at")},
            "items": [
                [self._items[each.item_id], each.position, each.calibration]
                for each in self._session.exec(items.order_by(col(BatchItem.position)))
            ],
            "people": [
                [self._people[each.person_id], _time(each.added_at)]
                for each in self._session.exec(people.order_by(col(BatchPerson.id)))
            ],
        }

    def _known_answers(self) -> Iterator[Record]:
        for row in self._of_items(KnownAnswer):
            yield {
                "type": "known_answer",
                "item": self._items[row.item_id],
                "answer": row.answer,
                "explanation": row.explanation,
                "supersedes": self._number(KnownAnswer, row.supersedes_id),
                "by": self._people.get(row.by_person_id or 0),
                "at": _time(row.at),
            }

    def _events(self) -> Iterator[Record]:
        rows = self._of_items(DraftEvent)
        named = {row.payload["unit_id"] for row in rows if "unit_id" in row.payload}
        carried = (units_of(row.payload) for row in rows if takes_up(row.payload))
        units = units_by_id(self._session, named.union(*carried))
        for row in rows:
            payload = dict(row.payload)
            if "unit_id" in payload:
                semantic, snapshot = units[payload.pop("unit_id")]
                payload |= {"unit": semantic, "snapshot": self._snapshots[snapshot]}
            if takes_up(payload):
                payload = translated(payload, lambda unit: units[int(unit)][0])
            if "candidate_set_id" in payload:
                shown = self._number(CandidateSet, payload.pop("candidate_set_id"))
                payload["candidates"] = shown
            if "migration_id" in payload:
                made = self._number(DocumentMigration, payload.pop("migration_id"))
                payload["migration"] = made
            yield {
                "type": "event",
                "item": self._items[row.item_id],
                "person": self._people[row.person_id],
                "kind": row.kind,
                "payload": payload,
                "undoes": self._number(DraftEvent, row.undoes_id),
                "at": _time(row.at),
            }

    def _submissions(self) -> Iterator[Record]:
        rows = self._of_items(Annotation)
        key = AnnotationLabel.annotation_id
        labels = self._children(AnnotationLabel, Annotation, key, AnnotationLabel.id)
        sure = self._children(
            Confidence, Annotation, Confidence.annotation_id, Confidence.annotation_id
        )
        names = self._names(labels)
        for row in rows:
            mine = labels.get(row.id, [])
            yield {
                "type": "submission",
                "kind": row.kind,
                **self._decision(Annotation, row),
                "event": self._number(DraftEvent, row.event_id),
                "comment": row.comment,
                "flag": row.flag,
                "labels": [[names[each.unit_id][0], each.label] for each in mine],
                "confidence": next((each.value for each in sure.get(row.id, [])), None),
            }

    def _adjudications(self) -> Iterator[Record]:
        rows = self._of_items(Adjudication)
        key = AdjudicationLabel.adjudication_id
        labels = self._children(AdjudicationLabel, Adjudication, key, AdjudicationLabel.id)
        names = self._names(labels)
        for row in rows:
            mine = [each.unit_id for each in labels.get(row.id, [])]
            yield {
                "type": "adjudication",
                **self._decision(Adjudication, row),
                "reason": row.reason,
                "submissions": [self._number(Annotation, each) for each in row.annotation_ids],
                "units": [
                    {"unit": names[unit][0], "snapshot": self._snapshots[names[unit][1]]}
                    for unit in mine
                ],
            }

    def _decision(self, table: Any, row: Any) -> Record:
        """Return what submissions and adjudications have in common."""
        return {
            "item": self._items[row.item_id],
            "person": self._people[row.person_id],
            "no_provision": row.no_provision,
            "supersedes": self._number(table, row.supersedes_id),
            "snapshot": self._snapshots[row.snapshot_id],
            "candidates": self._number(CandidateSet, row.candidate_set_id),
            "guideline_version": row.guideline_version,
            "codebook_version": row.codebook_version,
            "seconds": row.seconds,
            "at": _time(row.at),
        }

    def _thread(self) -> Iterator[Record]:
        for row in self._of_items(Comment):
            yield {
                "type": "comment",
                "item": self._items[row.item_id],
                "person": self._people[row.person_id],
                "replies_to": self._number(Comment, row.reply_to_id),
                "text": row.text,
                **({"kind": row.kind} if row.kind else {}),
                "at": _time(row.at),
            }
        for sent in self._of_items(Referral):
            yield {
                "type": "referral",
                "item": self._items[sent.item_id],
                "person": self._people[sent.person_id],
                "reason": sent.reason,
                "submissions": [self._number(Annotation, each) for each in sent.annotation_ids],
                "at": _time(sent.at),
            }


def _time(at: datetime | None) -> str | None:
    return None if at is None else at.isoformat()
