"""An annotator's desk: their queue, and an item with their own draft.

Every query here is filtered by the person: of others it reads how many submissions an item has
and how many work on it, and nothing that they say.
"""

from __future__ import annotations

from sqlalchemy import ColumnElement
from sqlmodel import Session, col, select

from annotation.guidelines.documents import held_versions
from annotation.mapping.candidate_views import candidate_views, citation_views, shown_units
from annotation.mapping.views import ItemView, Mark, QueueEntry
from annotation.people.authorization import require
from annotation.work import threads
from annotation.work.carry_over import outrun
from annotation.work.draft import Draft, fold, latest_event, own_events
from annotation.work.locks import is_settled
from annotation.work.open_item import (
    Opened,
    begun_under,
    given_back,
    line_up,
    opened,
    own_state,
    place_in,
    said_confidence,
)
from annotation.work.queues import QueueRow, worked_on_now
from annotation.work.slots import act_of, at_work
from annotation.work.submissions import stands
from annotation.work.validation import LISTED, beginning
from storage.db.workspace import Workspace
from storage.overlap import decided
from storage.tables.core import Annotation, CandidateSet, DraftEvent, Item, QuestionRow
from storage.tables.people import Batch, BatchItem
from storage.tasks import NAME, TITLE, Task, begun, of_task


def queue(ws: Workspace, person_id: int, task: str = Task.CITATION_MAPPING) -> list[QueueEntry]:
    """Return the person's queue of a task in order, with where each item stands for them."""
    with ws.reading() as session:
        who = require(session, person_id, act_of(task))
        asked = _named(session, who.project_id, task)
        said = threads.counts(session, who)
        return [
            QueueEntry(
                *(line.item_id, position, *asked[line.item_id], line.status),
                messages=said.get(line.item_id, 0),
                discuss=line.discuss,
            )
            for position, line in enumerate(line_up(session, who, ws.clock(), task=task), 1)
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


def open_item(ws: Workspace, person_id: int, item_id: int) -> ItemView:
    """Return the item with the person's own draft, and note that they have it open.

    The note is what binds the draft to the candidates shown and what active seconds are counted
    from; drawing the item again soon adds none. In a batch, opening also holds one of the item's
    slots for the person (`annotation.work.slots`). Raises UserError for an unknown person or item,
    one without candidates, one of a batch that is closed or others', and one without a free slot.
    """
    with opened(ws, person_id, item_id, (Task.CITATION_MAPPING,)) as at:
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
    at = next(place for place, line in enumerate(queued) if line.item_id == here)
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
    item_id = found.item_id
    candidates = session.get_one(CandidateSet, draft.candidate_set_id)
    question = session.exec(select(QuestionRow).join(Item).where(Item.id == item_id)).one()
    units = shown_units(session, candidates.id or 0, draft.added)
    position, total, done = place_in(at)
    versions = held_versions(session, who.project_id, found.task)
    open_to_change = draft.status != "submitted" or not is_settled(session, item_id)
    return ItemView(
        item_id=item_id,
        external_id=question.external_id,
        position=position,
        total=total,
        done=done,
        question=question.text,
        answer=question.answer,
        language=question.language,
        citations=citation_views(session, candidates, units),
        candidates=candidate_views(
            candidates, units, question.text, draft.decisions, _marks(draft)
        ),
        no_provision=draft.no_provision,
        comment=draft.comment,
        flag=draft.flag,
        skip_reason=draft.skip_reason,
        **own_state(session, who, found, draft),
        status=draft.status,
        snapshot_id=candidates.snapshot_id,
        candidate_set_id=candidates.id or 0,
        guideline_version=versions["guideline"],
        codebook_version=versions["codebook"],
        begun_under=begun_under(draft, versions),
        again=given_back(draft),
        outrun=open_to_change and outrun(session, who.project_id, draft, candidates),
        dropped=draft.dropped,
        confidence=said_confidence(session, who, item_id, draft),
        messages=threads.counts(session, who, item_id).get(item_id, 0),
        revision=draft.revision,
    )


def _marks(draft: Draft) -> dict[int, tuple[Mark, str]]:
    """Return how the units of an item taken up again are marked."""
    marks: dict[int, tuple[Mark, str]] = dict.fromkeys(draft.brought, ("brought", ""))
    marks |= dict.fromkeys(draft.amended, ("amended", ""))
    return marks | {unit: ("moved", label) for unit, label in draft.former.items()}
