"""Acts on an item that every task has: comment, flag, skip, submit, undo, withdraw.

Each function is one act, saved before it returns. Callers pass ids only; everything is read inside
the writing transaction, so simultaneous acts are serialized. All raise UserError for what
`annotation.work.commands` refuses, and if the draft has changed since `basis`.

Write access to one item in a transaction, shared by the acts of all tasks.

It checks the person and their slot, loads the draft, logs events, measures time on task and writes
submission rows; valid answers are the task's business. All raise UserError for an unknown person or
item, a person of another project or role, an item of a closed batch or one of others, and one
without a free slot (`annotation.work.slots`).

A person may have one item open in two windows. Each act sends what its screen showed of the value
that it changes (`Basis.was`) or of the whole draft (`Basis.revision`); if that is out of date, the
act changes nothing and the error names the current value.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any

from sqlalchemy import insert
from sqlmodel import col

from annotation.guidelines.documents import held_versions
from annotation.work.draft import Event, active_seconds, add_event, fold, own_events
from annotation.work.open_item import note_opening
from annotation.work.rules import Opened, rules_of
from annotation.work.slots import acquire_slot, admit, refuse, release_slot
from annotation.work.submissions import (
    chain_head,
    checked_confidence,
    checked_text,
    fit_text,
    keep_confidence,
)
from annotation.work.visibility import is_settled, refuse_locked
from errors import UserError
from storage.db.workspace import Workspace
from storage.tables.core import Annotation, CandidateSet

_ADD_ANNOTATION: Any = insert(Annotation.__table__).returning(col(Annotation.id))  # type: ignore[attr-defined]

UNSAID: Any = object()
"""Placeholder for a basis that was not sent."""


@dataclass(frozen=True, slots=True)
class Basis:
    """The basis of an act: the value shown (`was`), or the draft's `revision`."""

    was: Any = UNSAID
    revision: str | None = None


ANYTHING = Basis()
"""The basis of an act that applies whatever the draft is, as on the command line."""


class ChangedElsewhereError(UserError):
    """Another window of the same person changed the draft: `now` is the value, `at` the time."""

    def __init__(self, code: str, now: Any, at: datetime) -> None:
        self.now, self.at = now, at
        super().__init__(code, time=f"{at:%Y-%m-%d %H:%M} UTC")


class DecidedMeanwhileError(UserError):
    """Somebody decided on the case after it was opened; `now` is the id of their decision."""

    def __init__(self, person: str, at: datetime, said: str, now: Any) -> None:
        self.now = now
        time = f"{at:%Y-%m-%d %H:%M} UTC"
        super().__init__("decided_meanwhile", person=person, time=time, said=said)


class ItemWriter(Opened):
    """Write access to one item for one person, in a transaction."""

    @cached_property
    def candidates(self) -> CandidateSet:
        """The candidate set shown when the draft was begun."""
        return self.session.get_one(CandidateSet, self.set_id)

    def write(
        self, kind: str, payload: dict[str, Any] | None = None, undoes_id: int | None = None
    ) -> int:
        """Log an act; return the id of its event."""
        where = (self.session, self.who.person_id, self.room.item_id)
        return add_event(*where, kind, self.at, payload, undoes_id)

    def submit(self, confidence: int | None) -> int:
        """Submit the draft unchanged, with its labels; return the id of the annotation."""
        annotation_id = self._add_annotation("submit")
        keep_confidence(self.session, annotation_id, confidence)
        release_slot(self.session, self.who, self.room)  # the submission has the slot now
        rules = rules_of(self.session, self.who.project_id, self.room.task)
        rules.store_labels(self, annotation_id)
        rules.submitted(self, annotation_id)
        return annotation_id

    def withdraw(self, *, amended: bool = False) -> None:
        """Withdraw the submission.

        Raises UserError if an adjudicator has decided on it, if its task refuses, and once the item
        was complete, unless the law decided on was `amended` (`annotation.work.visibility`).
        """
        item_id = self.room.item_id
        if is_settled(self.session, item_id):
            raise UserError("item_settled")
        if not amended:
            refuse_locked(self.session, self.who.person_id, item_id)
        rules_of(self.session, self.who.project_id, self.room.task).withdrawn(self.session, item_id)
        self._add_annotation("withdraw")

    def _add_annotation(self, kind: str) -> int:
        """Add a submission or withdrawal (`kind`) of the draft, with its event; return its id."""
        person_id, item_id = self.who.person_id, self.room.item_id
        row = {
            "item_id": item_id,
            "person_id": person_id,
            "kind": kind,
            "no_provision": self.draft.no_provision,
            "comment": self.draft.comment,
            "flag": self.draft.flag,
            "supersedes_id": chain_head(self.session, person_id, item_id),
            "snapshot_id": self.candidates.snapshot_id,
            "candidate_set_id": self.set_id,
            **held_versions(self.session, self.who.project_id, self.room.task),
            "event_id": self.write(kind),
            "seconds": active_seconds(self.session, person_id, item_id, self.at),
            "at": self.at,
        }
        number: int = self.session.connection().execute(_ADD_ANNOTATION, row).scalar_one()
        return number


@contextmanager
def drafting(
    ws: Workspace, person_id: int, item_id: int, tasks: Container[str] | None = None
) -> Iterator[ItemWriter]:
    """Yield write access to a draft. Raises UserError for a submitted item."""
    with writing(ws, person_id, item_id, tasks) as writer:
        if writer.draft.status == "submitted":
            raise UserError("item_submitted")
        yield writer


@contextmanager
def writing(
    ws: Workspace, person_id: int, item_id: int, tasks: Container[str] | None = None
) -> Iterator[ItemWriter]:
    """Yield write access to an item, its slot leased; all is saved if the block succeeds.

    `tasks` are those that allow the act; None is every task.
    """
    with ws.writing(item_id=item_id, person_id=person_id) as session:
        at = ws.clock()
        who, found = admit(session, person_id, item_id, at, tasks)
        draft = fold(own_events(session, person_id, item_id))
        refuse(found, begun=not draft.untouched)
        set_id = draft.candidate_set_id or note_opening(session, person_id, item_id, at)
        acquire_slot(session, who, found, at)
        yield ItemWriter(session, who, found, draft, at, set_id)


def end_skips(writer: ItemWriter) -> None:
    """Undo the skips on top of the draft, since the item is worked on again."""
    now = fold(own_events(writer.session, writer.who.person_id, writer.room.item_id))
    while now.status == "skipped" and now.acts:
        writer.write("undo", undoes_id=now.acts[-1])
        now = fold(own_events(writer.session, writer.who.person_id, writer.room.item_id))


def refuse_other(
    writer: ItemWriter,
    basis: Basis,
    now: Any,
    *kinds: str,
    as_kept: Callable[[Any], Any] = lambda was: was,
    **part: Any,
) -> None:
    """Raise UserError if the draft's value differs from the act's basis.

    `now` is the current value, set by events of these `kinds` whose payload has the `part`;
    `as_kept` normalizes a value sent by a screen to its stored form.
    """
    refuse_revision(writer, basis.revision)
    if basis.was is UNSAID or basis.was == now or as_kept(basis.was) == now:
        return
    log = _events(writer)
    known = {each.id: each for each in log}
    at = log[-1].at
    for event in log:
        meant = known.get(event.undoes_id or 0, event)
        if meant.kind in kinds and part.items() <= meant.payload.items():
            at = event.at  # when it was last set or undone
    raise ChangedElsewhereError("changed_elsewhere", now, at)


def refuse_revision(writer: ItemWriter, revision: str | None) -> None:
    """Raise UserError if the draft's revision is not this one; None matches any."""
    if revision is not None and revision != writer.draft.revision:
        raise UserError("draft_changed")


def refuse_unseen(writer: ItemWriter, revision: str | None) -> None:
    """Raise UserError, naming the last act, if an undo would affect another act than was shown."""
    if revision is None or revision == writer.draft.revision:
        return
    last = next(each for each in _events(writer) if each.id == writer.draft.acts[-1])
    raise ChangedElsewhereError("undo_elsewhere", {"kind": last.kind, **last.payload}, last.at)


def _events(writer: ItemWriter) -> list[Event]:
    """Return the person's draft events on the item."""
    return own_events(writer.session, writer.who.person_id, writer.room.item_id)


def set_comment(
    ws: Workspace, person_id: int, item_id: int, text: str, basis: Basis = ANYTHING
) -> None:
    """Set the comment; empty removes it. At most 5,000 characters."""
    _set_text(ws, person_id, item_id, "comment", text, basis)


def set_flag(
    ws: Workspace, person_id: int, item_id: int, reason: str, basis: Basis = ANYTHING
) -> None:
    """Flag the item as faulty in itself, with a reason; empty removes the flag."""
    _set_text(ws, person_id, item_id, "flag", reason, basis)


def _set_text(
    ws: Workspace, person_id: int, item_id: int, kind: str, text: str, basis: Basis
) -> None:
    """Set a text of the draft, comment or flag."""
    text = checked_text(text, kind)
    with drafting(ws, person_id, item_id) as writer:
        now = getattr(writer.draft, kind)
        if now != text:
            refuse_other(writer, basis, now, kind, as_kept=fit_text)
            writer.write(kind, {"text": text})


def skip(
    ws: Workspace, person_id: int, item_id: int, reason: str = "", basis: Basis = ANYTHING
) -> None:
    """Skip the item until everything else is done; the draft is kept.

    Its basis is the reason of the earlier skip, None if it was not skipped.
    """
    reason = checked_text(reason, "reason")
    with drafting(ws, person_id, item_id) as writer:
        now = writer.draft.skip_reason if writer.draft.status == "skipped" else None
        if now != reason:
            refuse_other(writer, basis, now, "skip", as_kept=fit_text)
            writer.write("skip", {"reason": reason})


def submit(
    ws: Workspace,
    person_id: int,
    item_id: int,
    confidence: int | None = None,
    revision: str | None = None,
) -> int:
    """Submit the draft; return the id of the annotation.

    `confidence` is 1 (guessing) to 5 (certain), or None if not given. `revision` is that of the
    draft the person saw; None if none was shown. Raises UserError, beyond what every act does, for
    an invalid confidence, a draft with another revision, and what the task's rules refuse.
    """
    sure = checked_confidence(confidence)
    with drafting(ws, person_id, item_id) as writer:
        refuse_revision(writer, revision)
        rules_of(writer.session, writer.who.project_id, writer.room.task).validate(writer)
        return writer.submit(sure)


def undo(ws: Workspace, person_id: int, item_id: int, revision: str | None = None) -> None:
    """Undo the last act on the draft; never a submission.

    `revision` is that of the draft the person saw. Raises UserError if there is no act to undo, if
    the draft has changed since (naming the act that would be undone), and for a submitted item,
    which :func:`take_back` reopens.
    """
    with drafting(ws, person_id, item_id) as writer:
        if not writer.draft.acts:
            raise UserError("nothing_to_undo")
        refuse_unseen(writer, revision)
        writer.write("undo", undoes_id=writer.draft.acts[-1])


def take_back(ws: Workspace, person_id: int, item_id: int) -> None:
    """Withdraw the person's submission of this item; the draft is as it was when submitted.

    Raises UserError if there is none, and for what `ItemWriter.withdraw` refuses.
    """
    with writing(ws, person_id, item_id) as writer:
        if writer.draft.status != "submitted":
            raise UserError("nothing_to_take_back")
        writer.withdraw()
