"""A person's queue of a task, and an item of it with their own draft.

Every query is filtered by the person: of others it reads the number of submissions and leases,
never their labels.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from itertools import count
from typing import Any

from sqlalchemy import ColumnElement
from sqlmodel import Session, col, select

from annotation.guidelines.documents import held_versions
from annotation.mapping.candidate_views import CandidateView, CitationView
from annotation.people.roles import require
from annotation.work import threads
from annotation.work.belonging import QueueRow, begun_line, worked_on_now
from annotation.work.draft import Status, fold, latest_event, own_events
from annotation.work.open_item import (
    begun_under,
    line_up,
    migration_reason,
    opened,
    own_state,
    place_in,
    submitted_confidence,
)
from annotation.work.rules import Opened, rules_of
from annotation.work.slots import act_of, at_work
from annotation.work.submissions import LISTED, beginning, is_current
from storage.db.workspace import Workspace
from storage.overlap import decided
from storage.tables.core import Annotation, DraftEvent, Item, QuestionRow
from storage.tables.people import Batch, BatchItem
from storage.tasks import NAME, TITLE, Task, beginning_of, of_task


@dataclass(frozen=True, slots=True)
class QueueEntry:
    """An item in a person's queue; `position` counts from 1 in its batch, or among those in none.

    `messages` counts those of its thread that the person may read. `discuss`: it was sent back and
    the person has yet to answer.
    """

    item_id: int
    position: int
    external_id: str
    question: str
    status: Status
    messages: int = 0
    discuss: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemView:
    """An item as the annotator sees it: its place in their queue, and their own draft.

    `position`, `total` and `done` count in the item's batch as far as it is in this person's queue,
    `open` in the whole queue; an item sent back to discuss is done and open. `outrun`: the material
    shown has changed since the draft was made, so the person can begin again on it; in citation
    mapping, the law in use is another one. `confidence` is that of the current submission, else
    None; `messages` counts those of the thread that they may read. `begun_under` are the versions
    of guideline and codebook that a draft was begun under, each empty if still current. `again`
    says why it is to be answered again: kind of document, version number, and the migration's
    reason. `revision` identifies the draft, so that only what was shown can be submitted. For
    `can_undo` to `discussed` see `annotation.work.open_item.OwnState`.

    Citation mapping has `question` and all down to `dropped`, the names of repealed units that had
    a decision; `evidence` has the spans marked in accepted units. A form task has a subject and
    `answers`; `shown` is what the draft was begun on.
    """

    item_id: int
    task: str
    external_id: str
    position: int
    total: int
    done: int
    comment: str
    flag: str
    skip_reason: str
    status: Status
    snapshot_id: int
    candidate_set_id: int
    guideline_version: str
    codebook_version: str
    begun_under: tuple[str, str]
    again: tuple[str, int, str] | None
    outrun: bool
    confidence: int | None
    messages: int
    revision: str
    can_undo: bool
    can_take_back: bool
    locked: bool
    asked: bool
    declined: tuple[datetime, str, str] | None
    sent_back: tuple[str, str, bool] | None
    discussed: bool
    question: str = ""
    answer: str = ""
    language: str = ""
    citations: tuple[CitationView, ...] = ()
    candidates: tuple[CandidateView, ...] = ()
    no_provision: bool = False
    evidence: Mapping[int, list[list[int]]] = field(default_factory=dict)
    asks_evidence: bool = False
    dropped: tuple[str, ...] = ()
    open: int = 0
    subject_id: int = 0
    title: str = ""
    answers: Mapping[str, Any] = field(default_factory=dict)
    shown: Mapping[str, Any] = field(default_factory=dict)


def queue(ws: Workspace, person_id: int, task: str = Task.CITATION_MAPPING) -> list[QueueEntry]:
    """Return the person's queue of a task in order, with the status of each item."""
    with ws.reading() as session:
        who = require(session, person_id, act_of(task))
        asked = item_names(session, who.project_id, task)
        said = threads.counts(session, who)
        positions: dict[int | None, Iterator[int]] = defaultdict(lambda: count(1))
        return [
            QueueEntry(
                *(line.item_id, next(positions[line.batch_id]), *asked[line.item_id], line.status),
                messages=said.get(line.item_id, 0),
                discuss=line.discuss,
            )
            for line in line_up(session, who, ws.clock(), task=task)
        ]


def item_names(session: Session, project_id: int, task: str) -> dict[int, tuple[str, str]]:
    """Return the name and title of each item of the task; for a question, its beginning."""
    query = (
        select(Item.id, NAME, beginning_of(TITLE, LISTED + 1))
        .outerjoin(QuestionRow)
        .where(of_task(project_id, task))
    )
    return {number or 0: (name, beginning(title)) for number, name, title in session.exec(query)}


def next_item(
    ws: Workspace,
    person_id: int,
    after: int | None = None,
    task: str = Task.CITATION_MAPPING,
) -> int | None:
    """Return the id of the item to work on next, None if nothing is left.

    If `after` is given, the task is that of `after`.

    Without `after`, for somebody who returns: the item they left open, else the draft they touched
    last, else the first to do, else the first skipped. With `after`, for somebody who leaves that
    item: the next draft or item to do behind it in the queue, wrapping around; else the next
    skipped one. During a practice round, only its items. Items sent back for discussion come first.
    """
    with ws.reading() as session:
        if after is not None:
            who, item = at_work(session, person_id, after)
            return _next_after(line_up(session, who, ws.clock(), after, item.task), after)
        who = require(session, person_id, act_of(task))
        now = worked_on_now(line_up(session, who, ws.clock(), task=task))
        left = latest_event(session, person_id)
        return _item_to_resume(now, None if left is None else left[0])


def open_item(ws: Workspace, person_id: int, item_id: int, task: str | None = None) -> ItemView:
    """Return the item with the person's own draft, and log the opening.

    The event binds the draft to the candidates shown and starts the active seconds; rendering the
    item again soon adds none. In a batch, opening also leases a slot (`annotation.work.slots`).
    Raises UserError for an unknown person or item, an item of another task than `task` if given,
    one without candidates, one of a batch that is closed or others', and one without a free slot.
    """
    with opened(ws, person_id, item_id, None if task is None else (task,)) as at:
        return _item_view(at)


def revision(ws: Workspace, person_id: int, item_id: int) -> str:
    """Return the revision of the person's own draft. Raises UserError for an unknown item."""
    with ws.reading() as session:
        at_work(session, person_id, item_id)
        return fold(own_events(session, person_id, item_id)).revision


def last_submitted(ws: Workspace, person_id: int, task: str = Task.CITATION_MAPPING) -> int | None:
    """Return the item id of the person's newest submission, None if none.

    Not one that is decided or in a closed batch; it may be locked (`annotation.work.visibility`).
    """
    with ws.reading() as session:
        who = require(session, person_id, act_of(task))
        query = (
            select(Annotation.item_id)
            .join(Item)
            .where(Annotation.person_id == who.person_id, is_current(), Item.task == task)
            .where(~decided(), ~_in_closed_batch())
            .order_by(col(Annotation.at).desc(), col(Annotation.id).desc())
        )
        return session.exec(query.limit(1)).first()


def last_undoable(ws: Workspace, person_id: int, task: str = Task.CITATION_MAPPING) -> int | None:
    """Return the id of the item skipped or submitted last, as in `last_submitted`, or None.

    For an undo after the screen has moved on to the next item.
    """
    submitted = last_submitted(ws, person_id, task)
    with ws.reading() as session:
        who = require(session, person_id, act_of(task))
        now = line_up(session, who, ws.clock(), task=task)
        skipped = max((line.last_act for line in now if line.status == "skipped"), default=0)
        query = select(Annotation.event_id).where(
            Annotation.person_id == person_id, Annotation.item_id == submitted, is_current()
        )
        if skipped > (session.exec(query).first() or 0):
            return session.exec(select(DraftEvent.item_id).where(DraftEvent.id == skipped)).one()
    return submitted


def _next_after(queued: list[QueueRow], item_id: int) -> int | None:
    """Return the id of the next item with work after this one, from the front if need be."""
    # An item sent back to somebody else has left the queue: then start from its beginning.
    at = next((place for place, line in enumerate(queued) if line.item_id == item_id), 0)
    others = [line for line in queued if line.item_id != item_id]
    now = {line.item_id for line in worked_on_now(queued)}
    round_trip = [line for line in others[at:] + others[:at] if line.item_id in now]
    for line in round_trip:
        if line.discuss:
            return line.item_id
    for wanted in (("draft", "todo"), ("skipped",)):
        for line in round_trip:
            if line.status in wanted:
                return line.item_id
    return None


def _item_to_resume(queued: list[QueueRow], last_item: int | None) -> int | None:
    """Return the id of the item to open: a discussion, the last one, a draft, or the next to do."""
    begun = begun_line(queued, last_item)
    if begun is not None:
        return begun[0].item_id
    left = (line for status in ("todo", "skipped") for line in queued if line.status == status)
    return next((line.item_id for line in left), None)


def _in_closed_batch() -> ColumnElement[bool]:
    """Return the SQL condition that the item of an `Annotation` is in a closed batch."""
    query = select(BatchItem.id).join(Batch)
    closed = col(Batch.closed_at).is_not(None)
    return query.where(BatchItem.item_id == Annotation.item_id, closed).exists()


def _item_view(at: Opened) -> ItemView:
    """Return the open item as its annotator sees it."""
    session, who, found, draft = at.session, at.who, at.room, at.draft
    versions = held_versions(session, who.project_id, found.task)
    position, total, done, waits = place_in(at)
    return ItemView(
        item_id=found.item_id,
        task=found.task,
        position=position,
        total=total,
        done=done,
        open=waits,
        comment=draft.comment,
        flag=draft.flag,
        skip_reason=draft.skip_reason,
        status=draft.status,
        **versions,
        begun_under=begun_under(draft, versions),
        again=migration_reason(draft),
        confidence=submitted_confidence(session, who, found.item_id, draft),
        messages=threads.counts(session, who, found.item_id).get(found.item_id, 0),
        revision=draft.revision,
        **own_state(session, who, found, draft),
        **rules_of(session, who.project_id, found.task).content(at),
    )
