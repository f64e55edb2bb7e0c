"""A person at work on an item inside a writing transaction: what the acts of every task need.

Who they are, whether there is room for them, their draft so far, the log, time on task, the row
of a submission. What may be said of an item, and what makes it fit to be submitted, is the task's.
All raise UserError for an unknown person or item, for a person of another project or role, for an
item of a batch that is closed or others', and for one without a free slot
(`annotation.work.slots`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlmodel import Session

from annotation.forms.registry import refuse_hidden, refuse_withdrawal
from annotation.guidelines.documents import held_versions
from annotation.people.authorization import ProjectMember
from annotation.work.confidence import keep_confidence
from annotation.work.draft import Draft, fold
from annotation.work.events import active_seconds, add_event, inserted_id, own_events
from annotation.work.locks import is_settled, refuse_locked
from annotation.work.open_item import note_opening
from annotation.work.slots import (
    SlotState,
    acquire_slot,
    load_slots,
    refuse,
    refuse_acts,
    release_slot,
    require_task,
)
from annotation.work.submissions import chain_head
from errors import UserError
from storage.db.workspace import Workspace
from storage.mapping.candidates import ShownSet, shown_set
from storage.tables.core import Annotation


@dataclass(frozen=True, slots=True)
class ItemWriter:
    """A person at work on an item inside a writing transaction."""

    session: Session
    who: ProjectMember
    room: SlotState
    item_id: int
    at: datetime
    draft: Draft
    candidates: ShownSet

    def write(
        self, kind: str, payload: dict[str, Any] | None = None, undoes_id: int | None = None
    ) -> int:
        """Log an act; return the id of its event."""
        where = (self.session, self.who.person_id, self.item_id)
        return add_event(*where, kind, self.at, payload, undoes_id)

    def submit(self, confidence: int | None) -> int:
        """Submit the draft as it is; return the id of the annotation, for the task's labels."""
        annotation_id = self._annotation("submit")
        keep_confidence(self.session, annotation_id, confidence)
        release_slot(self.session, self.who, self.room)  # the submission has the slot now
        return annotation_id

    def withdraw(self, *, amended: bool = False) -> None:
        """Take the submission back.

        Raises UserError once an adjudicator has decided on it, where its form refuses, and once all
        that the item takes were in, unless the law decided on was `amended`
        (`annotation.work.locks`).
        """
        if is_settled(self.session, self.item_id):
            raise UserError("item_settled")
        if not amended:
            refuse_locked(self.session, self.who.person_id, self.item_id)
        refuse_withdrawal(self)
        self._annotation("withdraw")

    def _annotation(self, kind: str) -> int:
        versions = held_versions(self.session, self.who.project_id, self.room.task)
        row = {
            "item_id": self.item_id,
            "person_id": self.who.person_id,
            "kind": kind,
            "no_provision": self.draft.no_provision,
            "comment": self.draft.comment,
            "flag": self.draft.flag,
            "supersedes_id": chain_head(self.session, self.who.person_id, self.item_id),
            "snapshot_id": self.candidates.snapshot_id,
            "candidate_set_id": self.candidates.id,
            "guideline_version": versions["guideline"],
            "codebook_version": versions["codebook"],
            "event_id": self.write(kind),
            "seconds": active_seconds(self.session, self.who.person_id, self.item_id, self.at),
            "at": self.at,
        }
        return inserted_id(self.session, Annotation, row)


@contextmanager
def drafting(
    ws: Workspace, person_id: int, item_id: int, tasks: Collection[str] | None = None
) -> Iterator[ItemWriter]:
    """Yield the pen for an act on the draft. Raises UserError for an item they have submitted."""
    with writing(ws, person_id, item_id, tasks) as pen:
        if pen.draft.status == "submitted":
            raise UserError("item_submitted")
        yield pen


@contextmanager
def writing(
    ws: Workspace, person_id: int, item_id: int, tasks: Collection[str] | None = None
) -> Iterator[ItemWriter]:
    """Yield the pen for an act on the item; all of it is saved when the block succeeds.

    `tasks` are those that the act is of; None is every task.
    """
    with ws.writing(item_id=item_id, person_id=person_id) as session:
        at = ws.clock()
        who, found = load_slots(session, person_id, item_id, at)
        require_task(found, tasks)
        refuse_hidden(session, who, found)
        draft = fold(own_events(session, person_id, item_id))
        refuse(found, begun=not draft.untouched)
        refuse_acts(found)
        set_id = draft.candidate_set_id or note_opening(session, person_id, item_id, at)
        candidates = shown_set(session, set_id)
        acquire_slot(session, who, found, at)
        yield ItemWriter(session, who, found, item_id, at, draft, candidates)


def end_skips(pen: ItemWriter) -> None:
    """Take back what set the item aside: it is taken up now."""
    now = fold(own_events(pen.session, pen.who.person_id, pen.item_id))
    while now.status == "skipped" and now.acts:
        pen.write("undo", undoes_id=now.acts[-1])
        now = fold(own_events(pen.session, pen.who.person_id, pen.item_id))
