"""Records of every task, and the numbering of rows: batches, known answers, acts, messages.

Import of records about labels that came from other tools.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from sqlmodel import Session, col, select

from annotation.exchange.finding import Finder
from annotation.exchange.lines import RecordReader
from annotation.exchange.shown_names import batch_names, item_names, person_names, snapshot_hashes
from storage.projects import ProjectView
from storage.tables.core import Annotation, CandidateSet, DraftEvent, Item, UndoneDecision
from storage.tables.exchange import ImportedLabel, LabelFile
from storage.tables.people import (
    Batch,
    BatchEvent,
    BatchItem,
    BatchPerson,
    Comment,
    Confidence,
    DocumentMigration,
    KnownAnswer,
    Referral,
)
from storage.tasks import of_task

Record = dict[str, Any]
Numbers = dict[str, dict[int, int]]  # by type of record: the number of each row in the file


class TaskRecords:
    """The records of one task of a project."""

    def __init__(self, session: Session, project: ProjectView, task: str, numbers: Numbers) -> None:
        """Prepare the records of a task; `numbers` are those of earlier tasks in the file."""
        self._session, self._project, self._task = session, project, task
        self._items = item_names(session, project.id, task)
        self._people = person_names(session, project.id)
        self._batches = batch_names(session, project.id)
        self._snapshots = snapshot_hashes(session, project.id)
        self._numbers = numbers

    def _rows_of_items(self, table: Any) -> list[Any]:
        """Return a table's rows on items of the task, by id, numbering them for references."""
        query = select(table).join(Item, col(Item.id) == table.item_id)
        query = query.where(of_task(self._project.id, self._task))
        return self._numbered(table, list(self._session.exec(query.order_by(col(table.id)))))

    def _numbered(self, table: Any, rows: list[Any]) -> list[Any]:
        """Give the rows the next numbers by which later records refer to them."""
        known = self._numbers.setdefault(table.__tablename__, {})
        known |= {row.id: at for at, row in enumerate(rows, len(known) + 1)}
        return rows

    def _number(self, table: Any, number: int | None) -> int | None:
        """Return the number by which records refer to a row; None for no row."""
        return None if number is None else self._numbers[str(table.__tablename__)][number]

    def _children(self, child: Any, parent: Any, key: Any, order: Any) -> dict[int, list[Any]]:
        """Return the child rows of each parent, in the given order."""
        query = select(child).join(parent, col(parent.id) == key)
        query = query.join(Item, col(Item.id) == parent.item_id)
        query = query.where(of_task(self._project.id, self._task))
        found: dict[int, list[Any]] = {}
        for row in self._session.exec(query.order_by(col(order))):
            found.setdefault(getattr(row, key.key), []).append(row)
        return found

    def _migrations(self) -> Iterator[Record]:
        """Yield the migrations of submissions to newer document versions."""
        here = (
            DocumentMigration.project_id == self._project.id,
            DocumentMigration.task == self._task,
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
                "at": time_of(row.at),
            }

    def _batch_records(self) -> Iterator[Record]:
        """Yield the records of a task's batches, and then of their events."""
        query = select(Batch).where(Batch.project_id == self._project.id, Batch.task == self._task)
        for row in list(self._session.exec(query.order_by(col(Batch.id)))):
            yield self._batch(row)
        events = select(BatchEvent).join(Batch, col(Batch.id) == BatchEvent.batch_id)
        events = events.where(Batch.project_id == self._project.id, Batch.task == self._task)
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
                "at": time_of(event.at),
            }

    def _batch(self, row: Batch) -> Record:
        """Return a batch with its items and people."""
        items = select(BatchItem).where(BatchItem.batch_id == row.id)
        people = select(BatchPerson).where(BatchPerson.batch_id == row.id)
        plain = ("name", "overlap", "sequence", "seed", "practice")
        return {
            "type": "batch",
            **{name: getattr(row, name) for name in plain},
            **{
                name: time_of(getattr(row, name))
                for name in ("deadline", "closed_at", "created_at")
            },
            "items": [
                [self._items[each.item_id], each.position, each.calibration]
                for each in self._session.exec(items.order_by(col(BatchItem.position)))
            ],
            "people": [
                [self._people[each.person_id], time_of(each.added_at)]
                for each in self._session.exec(people.order_by(col(BatchPerson.id)))
            ],
        }

    def _known_answers(self) -> Iterator[Record]:
        """Yield the known answers of calibration items."""
        for row in self._rows_of_items(KnownAnswer):
            yield {
                "type": "known_answer",
                "item": self._items[row.item_id],
                "answer": row.answer,
                "explanation": row.explanation,
                "supersedes": self._number(KnownAnswer, row.supersedes_id),
                "by": self._people.get(row.by_person_id or 0),
                "at": time_of(row.at),
            }

    def _undone(self, table: Any) -> Iterator[Record]:
        """Yield the withdrawn decisions of the table."""
        for row in self._rows_of_items(UndoneDecision):
            yield {
                "type": "undone_decision",
                "item": self._items[row.item_id],
                "person": self._people[row.person_id],
                "decision": self._number(table, row.adjudication_id or row.settlement_id),
                "reason": row.reason,
                "at": time_of(row.at),
            }

    def _events(self) -> Iterator[Record]:
        """Yield the draft events, each with its item, person and payload."""
        rows = self._rows_of_items(DraftEvent)
        for row, payload in zip(rows, self._payloads(rows), strict=True):
            yield {
                "type": "event",
                "item": self._items[row.item_id],
                "person": self._people[row.person_id],
                "kind": row.kind,
                "payload": payload,
                "undoes": self._number(DraftEvent, row.undoes_id),
                "at": time_of(row.at),
            }

    def _payloads(self, rows: list[DraftEvent]) -> Iterator[Record]:
        """Yield each act's payload with references by name or number."""
        raise NotImplementedError

    def _portable_payload(self, payload: Record, set_key: str) -> Record:
        """Return a payload with numbers for its candidate set (as `set_key`) and its migration."""
        said = dict(payload)
        if "candidate_set_id" in said:
            said[set_key] = self._number(CandidateSet, said.pop("candidate_set_id"))
        if "migration_id" in said:
            said["migration"] = self._number(DocumentMigration, said.pop("migration_id"))
        return said

    def _common_fields(
        self, table: Any, row: Any, said: Record, set_key: str = "candidates"
    ) -> Record:
        """Return the fields common to submissions and adjudications, with the answer `said`."""
        return {
            "item": self._items[row.item_id],
            "person": self._people[row.person_id],
            **said,
            "supersedes": self._number(table, row.supersedes_id),
            "snapshot": self._snapshots[row.snapshot_id],
            set_key: self._number(CandidateSet, row.candidate_set_id),
            "guideline_version": row.guideline_version,
            "codebook_version": row.codebook_version,
            "seconds": row.seconds,
            "at": time_of(row.at),
        }

    def _sure(self) -> dict[int, int]:
        """Return the confidence of submissions that have one."""
        key = Confidence.annotation_id
        found = self._children(Confidence, Annotation, key, key)
        return {number: rows[0].value for number, rows in found.items()}

    def _thread(self) -> Iterator[Record]:
        """Yield the comments on items."""
        for row in self._rows_of_items(Comment):
            yield {
                "type": "comment",
                "item": self._items[row.item_id],
                "person": self._people[row.person_id],
                "replies_to": self._number(Comment, row.reply_to_id),
                "text": row.text,
                **({"kind": row.kind} if row.kind else {}),
                "at": time_of(row.at),
            }
        for sent in self._rows_of_items(Referral):
            yield {
                "type": "referral",
                "item": self._items[sent.item_id],
                "person": self._people[sent.person_id],
                "reason": sent.reason,
                "submissions": [self._number(Annotation, each) for each in sent.annotation_ids],
                "at": time_of(sent.at),
            }


def time_of(at: datetime | None) -> str | None:
    """Return a time as in records, in ISO 8601."""
    return None if at is None else at.isoformat()


LABEL_FILE = ("tool", "name", "sha256", "guide_sha256")
IMPORTED_LABEL = ("place", "source_user", "status", "said")
"""Text fields, named alike in records and tables."""

_STATES = ("submitted", "draft", "discarded")
_ENDS = 2


def add_label_file(reader: Finder, line: RecordReader) -> None:
    """Add an imported file."""
    texts: dict[str, Any] = {name: line.text(name) for name in LABEL_FILE}
    reader.keep(
        LabelFile(
            project_id=reader.project.id,
            labels=line.number("labels"),
            by_person_id=reader.by(line),
            at=line.time("at"),
            **texts,
        )
    )


def add_imported_label(reader: Finder, line: RecordReader) -> None:
    """Add a label's origin; its first and last event must be its person's on its item."""
    item_id, person_id = reader.item(line), reader.person(line)
    ids = [reader.earlier(line, DraftEvent, each, "events") for each in line.members("events")]
    made = [reader.session.get_one(DraftEvent, each) for each in ids]
    strange = any((each.item_id, each.person_id) != (item_id, person_id) for each in made)
    if len(ids) != _ENDS or ids[0] > ids[-1] or strange:
        line.refuse("exchange_field", "events")
    line.one_of("status", *_STATES)
    texts: dict[str, Any] = {name: line.text(name) for name in IMPORTED_LABEL}
    reader.keep(
        ImportedLabel(
            label_file_id=reader.earlier(line, LabelFile, line.number("file"), "file"),
            item_id=item_id,
            person_id=person_id,
            made_at=line.maybe_time("made_at"),
            first_event_id=ids[0],
            event_id=ids[1],
            **texts,
        )
    )
