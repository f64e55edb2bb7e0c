"""Withdrawal requests for locked submissions: asking, giving back, declining.

A request is a marked message in the item's thread; so is a refusal, which replies to it. Both are
read only by who asked and by those who may read others' labels (`annotation.work.threads`). Giving
back is a `Referral` that names the one submission: until its author has withdrawn it and submitted
again, or kept it, they can change it, and they are shown nothing of the others'
(`annotation.work.discussions.Discussion.alone`). The same for every task; nothing is overwritten.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from sqlalchemy.orm import aliased
from sqlmodel import Session, col, func, select

from annotation.people.roles import Act, ProjectMember, annotator, may, require, require_item
from annotation.work.discussions import open_discussions
from annotation.work.submissions import checked_reason, is_current
from annotation.work.visibility import is_locked, is_settled, name_of
from errors import UserError, Where
from storage.db.columns import usable_id
from storage.db.rows import add_row
from storage.db.workspace import Workspace
from storage.overlap import decided
from storage.projects import find_project
from storage.tables.core import Annotation, Item, Person, QuestionRow
from storage.tables.people import ASKED, DECLINED, Batch, BatchItem, Comment, Referral
from storage.tasks import NAME


@dataclass(frozen=True, slots=True)
class Request:
    """A pending request to withdraw a locked submission.

    `id` is that of the message, `reason` its text.
    """

    id: int
    item_id: int
    external_id: str
    task: str
    person_id: int
    person: str
    reason: str
    at: datetime


class Declined(NamedTuple):
    """Refusal of the last request: time of the request, who declined, and why."""

    asked: datetime
    person: str
    reason: str


def ask_back(ws: Workspace, person_id: int, item_id: int, reason: str) -> int:
    """Request the person's locked submission on an item back; return the id of the message.

    Repeating a pending request adds none. Raises UserError for an unknown person or item, a person
    who does not annotate, a missing reason, without a locked current submission of theirs or once
    an adjudicator has decided on it, while another request of theirs is pending, and for the text
    of a declined one.
    """
    text = checked_reason(reason, "request_reason_missing")
    with ws.writing(item_id=item_id, person_id=person_id) as session:
        who = annotator(session, person_id)
        require_item(session, who, item_id)
        _require_locked(session, person_id, item_id)
        for each in _pending_requests(session, who.project_id, item_id):
            if (each.person_id, each.reason) == (person_id, text):
                return each.id
            if each.person_id == person_id:
                raise UserError("request_waiting", item=each.external_id)
        if text in {each.text for each, why, _ in _asked(session, person_id, item_id) if why}:
            raise UserError("request_declined", Where(field="reason"))
        row = Comment(item_id=item_id, person_id=person_id, text=text, kind=ASKED, at=ws.clock())
        return add_row(session, row)


def requests(ws: Workspace, by: int) -> list[Request]:
    """Return the pending requests of all tasks, oldest first.

    Raises UserError for a person who may not give submissions back.
    """
    with ws.reading() as session:
        who = require(session, by, Act.GIVE_BACK)
        return _pending_requests(session, who.project_id)


def has_asked(session: Session, project_id: int, person_id: int, item_id: int) -> bool:
    """Return True if the person has a pending request on the item."""
    return any(
        each.person_id == person_id for each in _pending_requests(session, project_id, item_id)
    )


def declined_last(session: Session, person_id: int, item_id: int) -> Declined | None:
    """Return the refusal of the person's last request on the item, None if it was not declined.

    Also None once they have submitted again or kept their answer since the request.
    """
    asked = _asked(session, person_id, item_id)
    made = _current_submission(session, person_id, item_id)
    if not asked or made is None:
        return None
    last, why, name = asked[-1]
    return None if not why or made.at > last.at else Declined(last.at, name, why)


def give_back(ws: Workspace, by: int, item_id: int, person_id: int, reason: str) -> int:
    """Unlock a person's submission on an item for them to change; return the referral's id.

    Raises UserError without permission, for an unknown item, a missing reason, without a current
    submission of the person, if they can withdraw it themselves, while the item is sent back
    already, once an adjudicator has decided on it, and for a person who could not answer again.
    """
    why = checked_reason(reason, "give_back_reason_missing")
    with ws.writing(item_id=item_id) as session:
        who = require(session, by, Act.GIVE_BACK)
        require_item(session, who, item_id)
        if item_id in open_discussions(session, who.project_id, item_id):
            raise UserError("in_discussion")
        made = _require_locked(session, usable_id(person_id), item_id, others=True)
        refuse_unanswerable(session, item_id, [person_id])
        return add_referral(session, who, item_id, why, [made], ws.clock())


def decline(ws: Workspace, by: int, request_id: int, reason: str) -> int:
    """Decline a withdrawal request with a reason; return the id of the message.

    Raises UserError without permission, for a missing reason, and for a request that is not
    pending.
    """
    text = checked_reason(reason, "decline_reason_missing")
    with ws.writing() as session:
        who = require(session, by, Act.GIVE_BACK)
        asked = next(
            (e for e in _pending_requests(session, who.project_id) if e.id == request_id), None
        )
        if asked is None:
            raise UserError("request_unknown", Where(field="request"))
        row = Comment(
            item_id=asked.item_id,
            person_id=by,
            reply_to_id=asked.id,
            text=text,
            kind=DECLINED,
            at=ws.clock(),
        )
        return add_row(session, row)


def items_called(ws: Workspace, project_slug: str, name: str) -> list[tuple[int, str]]:
    """Return (id, task) of the items of a project with that name."""
    with ws.reading() as session:
        query = select(Item.id, Item.task).outerjoin(
            QuestionRow, col(QuestionRow.id) == Item.question_id
        )
        query = query.where(Item.project_id == find_project(session, project_slug).id)
        rows = session.exec(query.where(name == NAME).order_by(col(Item.id)))
        return [(number or 0, task) for number, task in rows]


def refuse_unanswerable(session: Session, item_id: int, person_ids: Collection[int]) -> None:
    """Raise UserError if one of the people could not submit the item again."""
    closed = (
        select(Batch.name)
        .join(BatchItem)
        .where(BatchItem.item_id == item_id, col(Batch.closed_at).is_not(None))
    )
    batch = session.exec(closed).first()
    if batch is not None:
        raise UserError("referral_batch_closed", batch=batch)
    people = select(Person).where(col(Person.id).in_(sorted(person_ids)))
    for person in session.exec(people.order_by(col(Person.name))):
        if not person.active or not may(person.role, Act.ANNOTATE):
            raise UserError("referral_to_nobody", name=person.name)


def add_referral(
    session: Session,
    who: ProjectMember,
    item_id: int,
    reason: str,
    annotation_ids: list[int],
    at: datetime,
) -> int:
    """Add a referral of these submissions, of none to recall the last; return its id."""
    where = {"item_id": item_id, "person_id": who.person_id}
    sent = Referral(**where, reason=reason, annotation_ids=annotation_ids, at=at)
    return add_row(session, sent)


def _asked(session: Session, person_id: int, item_id: int) -> list[tuple[Comment, str, str]]:
    """Return the person's (request, why declined, by whom) on the item, oldest first; "" if not."""
    answer = aliased(Comment)
    declined = (col(answer.reply_to_id) == col(Comment.id)) & (col(answer.kind) == DECLINED)
    query = (
        select(Comment, func.coalesce(answer.text, ""), func.coalesce(Person.name, ""))
        .outerjoin(answer, declined)
        .outerjoin(Person)
        .where(Comment.item_id == item_id, Comment.person_id == person_id, Comment.kind == ASKED)
    )
    return list(session.exec(query.order_by(col(Comment.id))).all())


def _current_submission(session: Session, person_id: int, item_id: int) -> Annotation | None:
    """Return the person's current submission on the item, None if there is none."""
    query = select(Annotation).where(
        Annotation.item_id == item_id, Annotation.person_id == person_id, is_current()
    )
    return session.exec(query).first()


def _require_locked(session: Session, person_id: int, item_id: int, *, others: bool = False) -> int:
    """Return the current submission's id. UserError if none, not locked, or the item is decided.

    `others`: somebody else gives it back, so the error about a decision is worded for them.
    """
    made = _current_submission(session, person_id, item_id)
    item = name_of(session, item_id)
    if made is None:
        raise UserError("not_submitted", item=item)
    if is_settled(session, item_id):
        raise UserError("referral_of_settled" if others else "item_settled")
    if not is_locked(session, person_id, item_id):
        raise UserError("not_locked", item=item)
    return made.id or 0


def _pending_requests(
    session: Session, project_id: int, item_id: int | None = None
) -> list[Request]:
    """Return the pending requests: not declined, given back, decided or answered again.

    A later request of the same person replaces the earlier.
    """
    query = (
        select(Comment, NAME, Item.task, Person.name)
        .join(Item)
        .outerjoin(QuestionRow)
        .join(Person)
        .where(Item.project_id == project_id, Comment.kind == ASKED, ~decided())
        .order_by(col(Comment.id))
    )
    if item_id is not None:
        query = query.where(Item.id == item_id)
    found: dict[tuple[int, int], Request] = {}
    for row, name, task, person in session.exec(query).all():
        key = row.item_id, row.person_id
        found.pop(key, None)
        if not _is_request_answered(session, row):
            where = row.id or 0, row.item_id, name, task
            found[key] = Request(*where, row.person_id, person, row.text, row.at)
    return list(found.values())


def _is_request_answered(session: Session, request: Comment) -> bool:
    """Return True if it was declined or granted, or the person has withdrawn or submitted again."""
    declined = select(Comment.id).where(Comment.reply_to_id == request.id, Comment.kind == DECLINED)
    if session.exec(declined).first() is not None:
        return True
    made = _current_submission(session, request.person_id, request.item_id)
    if made is None or made.at > request.at:
        return True
    sent = select(Referral).where(Referral.item_id == request.item_id, Referral.at >= request.at)
    return any(made.id in row.annotation_ids for row in session.exec(sent))
