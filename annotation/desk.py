"""An annotator's desk: their queue, and an item with their own draft.

Every query here is filtered by the person: of others it reads how many submissions an item has
and how many work on it, and nothing that they say.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from sqlalchemy import ColumnElement
from sqlmodel import Session, col, select

from annotation import threads
from annotation.carrying import outrun
from annotation.confidence import confidence_of
from annotation.documents import version_in
from annotation.draft import Draft, fold
from annotation.events import IDLE_CAP, add_event, latest_event, own_events
from annotation.leases import Room, come, hold, refuse
from annotation.packaged import KINDS
from annotation.queues import Line, lines, offered
from annotation.showing import candidate_views, citation_views, shown_units
from annotation.standing import Standing, annotator, require_item
from annotation.submissions import chain_head, stands
from annotation.views import ItemView, Mark, QueueEntry
from errors import UserError
from storage.candidates import newest_set_id
from storage.people_tables import Batch, BatchItem
from storage.tables import Adjudication, Annotation, CandidateSet, DraftEvent, Item, QuestionRow
from storage.workspace import Workspace


def queue(ws: Workspace, person_id: int) -> list[QueueEntry]:
    """Return the person's queue in order, with where each item stands for them."""
    with ws.reading() as session:
        who = annotator(session, person_id)
        query = (
            select(Item.id, QuestionRow.external_id, QuestionRow.text)
            .join(QuestionRow, col(QuestionRow.id) == Item.question_id)
            .where(Item.project_id == who.project_id)
        )
        asked = {item_id: (external, text) for item_id, external, text in session.exec(query)}
        said = threads.counts(session, who)
        return [
            QueueEntry(
                *(line.item_id, position, *asked[line.item_id], line.status),
                messages=said.get(line.item_id, 0),
                discuss=line.discuss,
            )
            for position, line in enumerate(lines(session, who, ws.clock()), 1)
        ]


def next_item(ws: Workspace, person_id: int, after: int | None = None) -> int | None:
    """Return the item to go on with, None when the person has nothing left to do.

    Without `after`, for somebody who comes back: the item they left open, else the draft they
    touched last, else the first one to do, else the first one skipped. With `after`, for somebody
    who leaves that item: the next draft or item to do behind it in the queue, going round; when
    there is none, the next skipped one. While the person has a practice round to do, only that.
    What was sent back to the person for discussion comes before all of these.
    """
    with ws.reading() as session:
        who = annotator(session, person_id)
        if after is not None:
            require_item(session, who, after)
            return _next_behind(lines(session, who, ws.clock(), after), after)
        line_up = offered(lines(session, who, ws.clock()))
        left = latest_event(session, person_id)
        return _resumed(line_up, None if left is None else left[0])


def open_item(ws: Workspace, person_id: int, item_id: int) -> ItemView:
    """Return the item with the person's own draft, and note that they have it open.

    The note is what binds the draft to the candidates shown and what active seconds are counted
    from; drawing the item again soon adds none. In a batch, opening also holds one of the item's
    slots for the person (`annotation.leases`). Raises UserError for an unknown person or item, one
    without candidates, one of a batch that is closed or others', and one without a free slot.
    """
    with ws.reading() as session:
        now = ws.clock()
        who, found = come(session, person_id, item_id, now)
        draft = fold(own_events(session, person_id, item_id))
        refuse(found, begun=not draft.untouched)
        if not (_needs_hold(found) or _needs_note(session, who, item_id, draft, now)):
            return _item_view(session, who, found, draft, now)
    with ws.writing(item_id=item_id, person_id=person_id) as session:
        now = ws.clock()
        who, found = come(
            session, person_id, item_id, now
        )  # again: only one of two can have the last slot
        refuse(found, begun=not draft.untouched)
        note_opening(session, who.person_id, item_id, now)
        if not found.mine:
            hold(session, who, found, now)
    with ws.reading() as session:
        draft = fold(own_events(session, person_id, item_id))
        return _item_view(session, who, found, draft, now)


def revision(ws: Workspace, person_id: int, item_id: int) -> str:
    """Return the revision of the person's own draft. Raises UserError for an unknown item."""
    with ws.reading() as session:
        require_item(session, annotator(session, person_id), item_id)
        return fold(own_events(session, person_id, item_id)).revision


def last_submitted(ws: Workspace, person_id: int) -> int | None:
    """Return the item whose submission this person can take back, the newest one; None if none."""
    with ws.reading() as session:
        who = annotator(session, person_id)
        settled = select(Adjudication.item_id)
        query = (
            select(Annotation.item_id)
            .where(Annotation.person_id == who.person_id, stands())
            .where(col(Annotation.item_id).not_in(settled), ~_closed())
            .order_by(col(Annotation.at).desc(), col(Annotation.id).desc())
        )
        return session.exec(query.limit(1)).first()


def last_left(ws: Workspace, person_id: int) -> int | None:
    """Return the item this person submitted or skipped last and may undo; None if none.

    For an undo pressed after the screen has moved on to the next item.
    """
    submitted = last_submitted(ws, person_id)
    with ws.reading() as session:
        line_up = lines(session, annotator(session, person_id), ws.clock())
        skipped = max((line.last_act for line in line_up if line.status == "skipped"), default=0)
        query = select(Annotation.event_id).where(
            Annotation.person_id == person_id, Annotation.item_id == submitted, stands()
        )
        if skipped > (session.exec(query).first() or 0):
            return session.exec(select(DraftEvent.item_id).where(DraftEvent.id == skipped)).one()
    return submitted


def note_opening(session: Session, person_id: int, item_id: int, at: datetime) -> int:
    """Log that the item was opened with its newest candidate set; return that set's id."""
    newest = newest_set_id(session, item_id)
    if newest is None:
        raise UserError("candidates_missing")
    project_id = session.get_one(Item, item_id).project_id
    versions = {f"{kind}_version": version_in(session, project_id, kind) for kind in KINDS}
    payload = {"candidate_set_id": newest} | versions
    add_event(session, person_id, item_id, "open", at, payload)
    return newest


def is_settled(session: Session, item_id: int) -> bool:
    """Return whether an adjudicator has decided on the item."""
    query = select(Adjudication.id).where(Adjudication.item_id == item_id).limit(1)
    return session.exec(query).first() is not None


def _needs_note(session: Session, who: Standing, item_id: int, draft: Draft, now: datetime) -> bool:
    latest = latest_event(session, who.person_id)
    if draft.candidate_set_id is None or latest is None or latest[0] != item_id:
        return True
    if draft.untouched and newest_set_id(session, item_id) != draft.candidate_set_id:
        return True
    return now - latest[1] >= IDLE_CAP


def _next_behind(line_up: list[Line], here: int) -> int | None:
    at = next(place for place, line in enumerate(line_up) if line.item_id == here)
    others = [line for line in line_up if line.item_id != here]
    now = {line.item_id for line in offered(line_up)}
    round_trip = [line for line in others[at:] + others[:at] if line.item_id in now]
    for line in round_trip:
        if line.discuss:
            return line.item_id
    for wanted in (("draft", "todo"), ("skipped",)):
        for line in round_trip:
            if line.status in wanted:
                return line.item_id
    return None


def _resumed(line_up: list[Line], left: int | None) -> int | None:
    for line in line_up:
        if line.discuss:  # they stand first
            return line.item_id
        if line.item_id == left and line.status in ("draft", "todo"):
            return left
    drafts = [line for line in line_up if line.status == "draft"]
    if drafts:
        return max(drafts, key=lambda line: line.last_act).item_id
    for wanted in ("todo", "skipped"):
        for line in line_up:
            if line.status == wanted:
                return line.item_id
    return None


def _needs_hold(found: Room) -> bool:
    return found.leased and not found.mine and found.until is None


def _closed() -> ColumnElement[bool]:
    """Return the condition that the item of an `Annotation` is in a closed batch."""
    query = select(BatchItem.id).join(Batch, col(Batch.id) == BatchItem.batch_id)
    closed = col(Batch.closed_at).is_not(None)
    return query.where(BatchItem.item_id == Annotation.item_id, closed).exists()


def _can_undo(session: Session, found: Room, draft: Draft) -> bool:
    if found.closed or not found.given:
        return False
    if draft.status == "submitted":
        return not is_settled(session, found.item_id)
    return bool(draft.acts)


def _item_view(
    session: Session, who: Standing, found: Room, draft: Draft, now: datetime
) -> ItemView:
    item_id = found.item_id
    candidates = session.get_one(CandidateSet, draft.candidate_set_id)
    question = session.exec(select(QuestionRow).join(Item).where(Item.id == item_id)).one()
    units = shown_units(session, candidates.id or 0, draft.added)
    line_up = lines(session, who, now, item_id)
    versions = {kind: version_in(session, who.project_id, kind) for kind in KINDS}
    open_to_change = draft.status != "submitted" or not is_settled(session, item_id)
    return ItemView(
        item_id=item_id,
        external_id=question.external_id,
        position=next(n for n, line in enumerate(line_up, 1) if line.item_id == item_id),
        total=len(line_up),
        done=sum(line.status == "submitted" for line in line_up),
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
        can_undo=_can_undo(session, found, draft),
        status=draft.status,
        snapshot_id=candidates.snapshot_id,
        candidate_set_id=candidates.id or 0,
        guideline_version=versions["guideline"],
        codebook_version=versions["codebook"],
        begun_under=_begun_under(draft, versions),
        again=_again(draft),
        outrun=open_to_change and outrun(session, who.project_id, draft, candidates),
        dropped=draft.dropped,
        confidence=_confidence(session, who, item_id, draft),
        messages=threads.counts(session, who, item_id).get(item_id, 0),
        revision=draft.revision,
    )


def _confidence(session: Session, who: Standing, item_id: int, draft: Draft) -> int | None:
    if draft.status != "submitted":
        return None
    made = chain_head(session, who.person_id, item_id) or 0
    return confidence_of(session, [made]).get(made)


def _again(draft: Draft) -> tuple[str, int, str] | None:
    if draft.again is None:
        return None
    said = draft.again
    return said["document"], int(said["to"].partition("-")[0]), said["reason"]


def _begun_under(draft: Draft, versions: Mapping[str, str]) -> tuple[str, str]:
    """Return guideline and codebook version of a draft in progress that are not current any more.

    Empty where there is nothing newer.
    """
    if draft.status not in ("draft", "skipped"):
        return "", ""
    old = [draft.versions.get(kind, "") for kind in KINDS]
    now = [versions[kind] for kind in KINDS]
    guideline, codebook = (was if was != new else "" for was, new in zip(old, now, strict=True))
    return guideline, codebook


def _marks(draft: Draft) -> dict[int, tuple[Mark, str]]:
    """Return how the units of an item taken up again are marked."""
    marks: dict[int, tuple[Mark, str]] = dict.fromkeys(draft.brought, ("brought", ""))
    marks |= dict.fromkeys(draft.amended, ("amended", ""))
    return marks | {unit: ("moved", label) for unit, label in draft.former.items()}
