"""A person's queue of a task, and an item of it with their own draft.

Every query here is filtered by the person: of others it reads how many submissions an item has
and how many work on it, and nothing that they say.
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
from annotation.work.draft import Status, fold, latest_event, own_events
from annotation.work.open_item import (
    begun_under,
    given_back,
    line_up,
    opened,
    own_state,
    place_in,
    said_confidence,
)
from annotation.work.queues import QueueRow, worked_on_now
from annotation.work.rules import Opened, rules_of
from annotation.work.slots import act_of, at_work
from annotation.work.submissions import LISTED, beginning, stands
from storage.db.workspace import Workspace
from storage.overlap import decided
from storage.tables.core import Annotation, DraftEvent, Item, QuestionRow
from storage.tables.people import Batch, BatchItem
from storage.tasks import NAME, TITLE, Task, begun, of_task


@dataclass(frozen=True, slots=True)
class QueueEntry:
    """One item in a person's queue. `position` counts from 1 in its batch, or among those in none.

    `messages` are those of its thread that the person may read now. `discuss` says that it was sent
    back and waits for the person's answer.
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
    """An item as the person at work sees it: its place in their queue, and their own draft.

    `position`, `total` and `done` count in the item's batch as far as it is in this person's
    queue, `open` in all of the queue; one sent back to discuss is done and open. `outrun` says
    that what the item shows now is not what the draft was made on any more, so they can begin
    again on it: in citation mapping that the law in use is not what they decided on.
    `confidence` is what they said of the submission that stands, None if nothing or if none
    does; `messages` counts those of the thread that they may read now. `begun_under` are the
    versions of the guideline and of the codebook that a draft was begun under, each empty
    unless a newer one holds now. `again` says why it is to be answered again: the kind of
    document, the number of its version, and the reason of who took answers over. `revision`
    names what the draft says, for a submission of what was shown and nothing else. What the
    person can do about it all, from `can_undo` to `discussed`, is as in
    `annotation.work.open_item.OwnState`.

    Citation mapping has a `question` and all down to `dropped`, which names what was decided on
    that is gone since. A task with a form has a subject and the `answers`; `shown` is what the
    draft was begun on.
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
    dropped: tuple[str, ...] = ()
    open: int = 0
    subject_id: int = 0
    title: str = ""
    answers: Mapping[str, Any] = field(default_factory=dict)
    shown: Mapping[str, Any] = field(default_factory=dict)


def queue(ws: Workspace, person_id: int, task: str = Task.CITATION_MAPPING) -> list[QueueEntry]:
    """Return the person's queue of a task in order, with where each item stands for them."""
    with ws.reading() as session:
        who = require(session, person_id, act_of(task))
        asked = _named(session, who.project_id, task)
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


def _named(session: Session, project_id: int, task: str) -> dict[int, tuple[str, str]]:
    """Return the name and the title of each item of the task; of a question, how it begins."""
    query = (
        select(Item.id, NAME, begun(TITLE, LISTED + 1))
        .outerjoin(QuestionRow, col(QuestionRow.id) == Item.question_id)
        .where(of_task(project_id, task))
    )
    return {number or 0: (name, beginning(title)) for number, name, title in session.exec(query)}


def next_item(
    ws: Workspace,
    person_id: int,
    after: int | None = None,
    task: str = Task.CITATION_MAPPING,
) -> int | None:
    """Return the item of a task to go on with, None when the person has nothing left to do.

    Of the task of `after`, where that is named.

    Without `after`, for somebody who comes back: the item they left open, else the draft they
    touched last, else the first one to do, else the first one skipped. With `after`, for somebody
    who leaves that item: the next draft or item to do behind it in the queue, going round; when
    there is none, the next skipped one. While the person has a practice round to do, only that.
    What was sent back to the person for discussion comes before all of these.
    """
    with ws.reading() as session:
        if after is not None:
            who, item = at_work(session, person_id, after)
            return _next_behind(line_up(session, who, ws.clock(), after, item.task), after)
        who = require(session, person_id, act_of(task))
        now = worked_on_now(line_up(session, who, ws.clock(), task=task))
        left = latest_event(session, person_id)
        return _resumed(now, None if left is None else left[0])


def open_item(ws: Workspace, person_id: int, item_id: int, task: str | None = None) -> ItemView:
    """Return the item with the person's own draft, and note that they have it open.

    The note is what binds the draft to the candidates shown and what active seconds are counted
    from; drawing the item again soon adds none. In a batch, opening also holds one of the item's
    slots for the person (`annotation.work.slots`). Raises UserError for an unknown person or item,
    or one of another `task` where one is named, one without candidates, one of a batch that is
    closed or others', and one without a free slot.
    """
    with opened(ws, person_id, item_id, None if task is None else (task,)) as at:
        return _item_view(at)


def revision(ws: Workspace, person_id: int, item_id: int) -> str:
    """Return the revision of the person's own draft. Raises UserError for an unknown item."""
    with ws.reading() as session:
        at_work(session, person_id, item_id)
        return fold(own_events(session, person_id, item_id)).revision


def last_submitted(ws: Workspace, person_id: int, task: str = Task.CITATION_MAPPING) -> int | None:
    """Return the item of a task whose submission this person can take back, the newest; or None."""
    with ws.reading() as session:
        who = require(session, person_id, act_of(task))
        query = (
            select(Annotation.item_id)
            .join(Item, col(Item.id) == Annotation.item_id)
            .where(Annotation.person_id == who.person_id, stands(), Item.task == task)
            .where(~decided(), ~_closed())
            .order_by(col(Annotation.at).desc(), col(Annotation.id).desc())
        )
        return session.exec(query.limit(1)).first()


def last_left(ws: Workspace, person_id: int, task: str = Task.CITATION_MAPPING) -> int | None:
    """Return the item of a task that this person submitted or skipped last and may undo; or None.

    For an undo pressed after the screen has moved on to the next item.
    """
    submitted = last_submitted(ws, person_id, task)
    with ws.reading() as session:
        who = require(session, person_id, act_of(task))
        now = line_up(session, who, ws.clock(), task=task)
        skipped = max((line.last_act for line in now if line.status == "skipped"), default=0)
        query = select(Annotation.event_id).where(
            Annotation.person_id == person_id, Annotation.item_id == submitted, stands()
        )
        if skipped > (session.exec(query).first() or 0):
            return session.exec(select(DraftEvent.item_id).where(DraftEvent.id == skipped)).one()
    return submitted


def _next_behind(queued: list[QueueRow], here: int) -> int | None:
    # An item that was sent back to somebody else is in the queue no more: then from its beginning.
    at = next((place for place, line in enumerate(queued) if line.item_id == here), 0)
    others = [line for line in queued if line.item_id != here]
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


def _resumed(queued: list[QueueRow], left: int | None) -> int | None:
    for line in queued:
        if line.discuss:  # they stand first
            return line.item_id
        if line.item_id == left and line.status in ("draft", "todo"):
            return left
    drafts = [line for line in queued if line.status == "draft"]
    if drafts:
        return max(drafts, key=lambda line: line.last_act).item_id
    for wanted in ("todo", "skipped"):
        for line in queued:
            if line.status == wanted:
                return line.item_id
    return None


def _closed() -> ColumnElement[bool]:
    """Return the condition that the item of an `Annotation` is in a closed batch."""
    query = select(BatchItem.id).join(Batch, col(Batch.id) == BatchItem.batch_id)
    closed = col(Batch.closed_at).is_not(None)
    return query.where(BatchItem.item_id == Annotation.item_id, closed).exists()


def _item_view(at: Opened) -> ItemView:
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
        guideline_version=versions["guideline"],
        codebook_version=versions["codebook"],
        begun_under=begun_under(draft, versions),
        again=given_back(draft),
        confidence=said_confidence(session, who, found.item_id, draft),
        messages=threads.counts(session, who, found.item_id).get(found.item_id, 0),
        revision=draft.revision,
        **own_state(session, who, found, draft),
        **rules_of(found.task).content(at),
    )
