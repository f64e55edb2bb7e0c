"""What was done under a task with a form, as records: answers to fields, and decisions on them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sqlmodel import Session, col, select

from annotation.exchange.shown_names import ShownNames
from annotation.exchange.task_records import Record, TaskRecords, time_of
from annotation.forms.submissions import answers_in
from storage.tables.core import Annotation, CandidateSet, DraftEvent, Item, Settlement
from storage.tables.people import Batch, Comment, DocumentMigration, KnownAnswer, Referral
from storage.tasks import Task, of_task


def is_begun(session: Session, project_id: int, task: str) -> bool:
    """Return whether there is anything under a task that people did, or that follows from it."""
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
    """What was done under one task that has a form."""

    def all(self) -> Iterator[Record]:
        """Yield every record, each after what it refers to."""
        yield {"type": "task", "task": self._task}
        yield from self._migrations()
        yield from self._shown()
        yield from self._batch_records()
        yield from self._known_answers()
        yield from self._events()
        yield from self._submissions()
        yield from self._settlements()
        yield from self._undone(Settlement)
        yield from self._thread()

    def _shown(self) -> Iterator[Record]:
        """Yield what items showed, item by item in the order of the queue."""
        query = select(CandidateSet).join(Item, col(Item.id) == CandidateSet.item_id)
        query = query.where(of_task(self._project.id, self._task))
        query = query.order_by(col(Item.order), col(CandidateSet.id))
        names = ShownNames(self._session, self._project.id, self._task)
        for row in self._numbered(CandidateSet, list(self._session.exec(query))):
            shown = names.named(row.item_id, row.shown or {})
            if "correction" in shown:
                shown["correction"] = self._number(Annotation, shown["correction"])
            yield {
                "type": "shown",
                "item": self._items[row.item_id],
                "snapshot": self._snapshots[row.snapshot_id],
                "shown": shown,
            }

    def _payloads(self, rows: list[DraftEvent]) -> Iterator[Record]:
        for row in rows:
            yield self._said(row.payload, "shown")

    def _submissions(self) -> Iterator[Record]:
        rows = self._of_items(Annotation)
        answers = answers_in(self._session, of_task(self._project.id, self._task))
        sure = self._sure()
        for row in rows:
            yield {
                "type": "submission",
                "kind": row.kind,
                "item": self._items[row.item_id],
                "person": self._people[row.person_id],
                "answers": answers.get(row.id, {}),
                "supersedes": self._number(Annotation, row.supersedes_id),
                "snapshot": self._snapshots[row.snapshot_id],
                "shown": self._number(CandidateSet, row.candidate_set_id),
                "guideline_version": row.guideline_version,
                "codebook_version": row.codebook_version,
                "seconds": row.seconds,
                "at": time_of(row.at),
                "event": self._number(DraftEvent, row.event_id),
                "comment": row.comment,
                "flag": row.flag,
                "confidence": sure.get(row.id),
            }

    def _settlements(self) -> Iterator[Record]:
        for row in self._of_items(Settlement):
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
