"""Write access to one item in a transaction: what the acts of every task need.

Who they are, whether there is room for them, their draft so far, the log, time on task, the row
of a submission. What may be said of an item, and what makes it fit to be submitted, is the task's.
All raise UserError for an unknown person or item, for a person of another project or role, for an
item of a batch that is closed or others', and for one without a free slot
(`annotation.work.slots`).

A person may have one item open in two windows. Each act of a window says what its screen showed of
just that which it changes (`Basis.was`), or of the whole draft (`Basis.revision`); an act that was
made from something else than what the draft says now replaces nothing, and tells what that is.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any

from sqlmodel import Session

from annotation.guidelines.documents import held_versions
from annotation.people.roles import ProjectMember
from annotation.work.draft import (
    Draft,
    Event,
    active_seconds,
    add_event,
    fold,
    inserted_id,
    own_events,
)
from annotation.work.open_item import note_opening
from annotation.work.rules import admit, rules_of
from annotation.work.slots import (
    SlotState,
    acquire_slot,
    refuse,
    refuse_acts,
    release_slot,
)
from annotation.work.submissions import chain_head, keep_confidence
from annotation.work.visibility import is_settled, refuse_locked
from errors import UserError
from storage.db.workspace import Workspace
from storage.tables.core import Annotation, CandidateSet

UNSAID: Any = object()
"""In place of what an act was made from: it is not said."""


@dataclass(frozen=True, slots=True)
class Basis:
    """What an act was made from: what the screen `was` saying, or the `revision` of the draft."""

    was: Any = UNSAID
    revision: str | None = None


ANYTHING = Basis()
"""The basis of an act that is to hold whatever was said before it, as on the command line."""


class ChangedElsewhereError(UserError):
    """Another window of the person said something else: `now` is what, `at` is when."""

    def __init__(self, code: str, now: Any, at: datetime) -> None:
        self.now, self.at = now, at
        super().__init__(code, time=f"{at:%Y-%m-%d %H:%M} UTC")


class DecidedMeanwhileError(UserError):
    """Somebody decided on a case since it was opened; `now` names what they decided."""

    def __init__(self, person: str, at: datetime, said: str, now: Any) -> None:
        self.now = now
        time = f"{at:%Y-%m-%d %H:%M} UTC"
        super().__init__("decided_meanwhile", person=person, time=time, said=said)


@dataclass(frozen=True)
class ItemWriter:
    """Write access to one item for one person, in a transaction."""

    session: Session
    who: ProjectMember
    room: SlotState
    item_id: int
    at: datetime
    draft: Draft
    set_id: int

    @cached_property
    def candidates(self) -> CandidateSet:
        """What the item showed when the draft was begun."""
        return self.session.get_one(CandidateSet, self.set_id)

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

        Raises UserError once an adjudicator has decided on it, where its task refuses, and once all
        that the item takes were in, unless the law decided on was `amended`
        (`annotation.work.visibility`).
        """
        if is_settled(self.session, self.item_id):
            raise UserError("item_settled")
        if not amended:
            refuse_locked(self.session, self.who.person_id, self.item_id)
        rules_of(self.room.task).withdrawn(self.session, self.item_id)
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
            "candidate_set_id": self.set_id,
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
    """Yield write access for an act on the draft. Raises UserError for a submitted item."""
    with writing(ws, person_id, item_id, tasks) as writer:
        if writer.draft.status == "submitted":
            raise UserError("item_submitted")
        yield writer


@contextmanager
def writing(
    ws: Workspace, person_id: int, item_id: int, tasks: Collection[str] | None = None
) -> Iterator[ItemWriter]:
    """Yield write access for an act on the item; all of it is saved when the block succeeds.

    `tasks` are those that the act is of; None is every task.
    """
    with ws.writing(item_id=item_id, person_id=person_id) as session:
        at = ws.clock()
        who, found = admit(session, person_id, item_id, at, tasks)
        draft = fold(own_events(session, person_id, item_id))
        refuse(found, begun=not draft.untouched)
        refuse_acts(found)
        set_id = draft.candidate_set_id or note_opening(session, person_id, item_id, at)
        acquire_slot(session, who, found, at)
        yield ItemWriter(session, who, found, item_id, at, draft, set_id)


def end_skips(writer: ItemWriter) -> None:
    """Take back what set the item aside: it is taken up now."""
    now = fold(own_events(writer.session, writer.who.person_id, writer.item_id))
    while now.status == "skipped" and now.acts:
        writer.write("undo", undoes_id=now.acts[-1])
        now = fold(own_events(writer.session, writer.who.person_id, writer.item_id))


def refuse_other(
    writer: ItemWriter,
    basis: Basis,
    now: Any,
    about: Callable[[Event], bool],
    as_kept: Callable[[Any], Any] = lambda was: was,
) -> None:
    """Raise UserError where the draft says something else than the act was made from.

    `now` is what it says of that which the act changes, `about` tells the events that say it, and
    `as_kept` makes of what a screen has sent what is kept of it.
    """
    refuse_revision(writer, basis.revision)
    if basis.was is UNSAID or basis.was == now or as_kept(basis.was) == now:
        return
    raise ChangedElsewhereError("changed_elsewhere", now, _when(writer, about))


def refuse_revision(writer: ItemWriter, revision: str | None) -> None:
    """Raise UserError where the draft has another revision than this one; None is any."""
    if revision is not None and revision != writer.draft.revision:
        raise UserError("draft_changed")


def refuse_unseen(writer: ItemWriter, revision: str | None) -> None:
    """Raise UserError, with the act on top, where an undo would take back another than was seen."""
    if revision is None or revision == writer.draft.revision:
        return
    last = next(each for each in _log(writer) if each.id == writer.draft.acts[-1])
    raise ChangedElsewhereError("undo_elsewhere", {"kind": last.kind, **last.payload}, last.at)


def _when(writer: ItemWriter, about: Callable[[Event], bool]) -> datetime:
    """Return when that was last said or taken back, else when anything was done on the item."""
    log = _log(writer)
    known = {each.id: each for each in log}
    for event in reversed(log):
        meant = known.get(event.undoes_id or 0, event)
        if about(meant):
            return event.at
    return log[-1].at


def _log(writer: ItemWriter) -> list[Event]:
    return own_events(writer.session, writer.who.person_id, writer.item_id)


def acts_of(kind: str) -> Callable[[Event], bool]:
    """Return which events are of this kind, for :func:`refuse_other`."""
    return lambda event: event.kind == kind
