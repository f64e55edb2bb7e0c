"""Asking for a submission that is locked, and giving it back to its person or declining to.

Asking is a message in the item's thread, marked as such, and so is declining, which answers it.
Both are read by who asked and by who may read others' labels alone (`annotation.work.threads`).
Giving back is a `Referral` that names the one submission: until its person has taken it back and
submitted anew, or kept it, it is theirs to change again, and they are shown nothing of the others'
(`annotation.work.discussions.Discussion.alone`). Of every task alike; nothing is overwritten.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy.orm import aliased
from sqlmodel import Session, col, select

from annotation.people.roles import Act, ProjectMember, annotator, may, require, require_item
from annotation.work.discussions import open_discussions
from annotation.work.submissions import checked_text, says_something, stands
from annotation.work.visibility import is_locked, is_settled, name_of
from errors import UserError, Where
from storage.db.columns import usable_id
from storage.db.workspace import Workspace
from storage.overlap import decided
from storage.projects import find_project
from storage.tables.core import Annotation, Item, Person, QuestionRow
from storage.tables.people import ASKED, DECLINED, Batch, BatchItem, Comment, Referral
from storage.tasks import NAME


@dataclass(frozen=True, slots=True)
class Request:
    """Somebody's request to have a submission of theirs back, which nobody has answered yet.

    `id` is the number of the message, `reason` what it says.
    """

    id: int
    item_id: int
    external_id: str
    task: str
    person_id: int
    person: str
    reason: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Declined:
    """How the last request for what stands was declined: when it was made, by whom, and why."""

    asked: datetime
    person: str
    reason: str


def ask_back(ws: Workspace, person_id: int, item_id: int, reason: str) -> int:
    """Ask for one's locked submission on an item back; return the id of the message.

    The same words again, while they wait, are the same request. Raises UserError for an unknown
    person or item, who does not annotate, a missing reason, where no submission of theirs stands
    that they could not take back themselves or that an adjudicator has decided on, while another
    request of theirs waits, and for the words of one that was declined.
    """
    text = stated(reason, "request_reason_missing")
    with ws.writing(item_id=item_id, person_id=person_id) as session:
        who = annotator(session, person_id)
        require_item(session, who, item_id)
        _refuse_free(session, person_id, item_id)
        for each in _open(session, who.project_id, item_id):
            if (each.person_id, each.reason) == (person_id, text):
                return each.id
            if each.person_id == person_id:
                raise UserError("request_waiting", item=each.external_id)
        if text in _declined_words(session, person_id, item_id):
            raise UserError("request_declined", Where(field="reason"))
        row = Comment(item_id=item_id, person_id=person_id, text=text, kind=ASKED, at=ws.clock())
        return _kept(session, row)


def requests(ws: Workspace, by: int) -> list[Request]:
    """Return what was asked for and nobody has answered, oldest first, of all tasks.

    Raises UserError for who may not give submissions back.
    """
    with ws.reading() as session:
        who = require(session, by, Act.GIVE_BACK)
        return _open(session, who.project_id)


def has_asked(session: Session, project_id: int, person_id: int, item_id: int) -> bool:
    """Return whether the person has asked for theirs back on the item and waits for an answer."""
    return any(each.person_id == person_id for each in _open(session, project_id, item_id))


def declined_last(session: Session, person_id: int, item_id: int) -> Declined | None:
    """Return how the person's last request on the item was declined; None if it was not.

    And None once they have submitted anew or kept their answer since they asked.
    """
    query = select(Comment).where(
        Comment.item_id == item_id, Comment.person_id == person_id, Comment.kind == ASKED
    )
    asked = session.exec(query.order_by(col(Comment.id).desc())).first()
    made = _made(session, person_id, item_id)
    if asked is None or made is None or made.at > asked.at:
        return None
    answer = (
        select(Comment.text, Person.name)
        .join(Person, col(Person.id) == Comment.person_id)
        .where(Comment.reply_to_id == asked.id, Comment.kind == DECLINED)
    )
    found = session.exec(answer.order_by(col(Comment.id))).first()
    return None if found is None else Declined(asked.at, found[1], found[0])


def give_back(ws: Workspace, by: int, item_id: int, person_id: int, reason: str) -> int:
    """Give a person their locked submission on an item back to change; return the row's id.

    Raises UserError for who may not, an unknown item, a missing reason, where no submission of the
    person stands, where they can take it back themselves, while the item is sent back already, once
    an adjudicator has decided on it, and for a person who could not answer again.
    """
    why = stated(reason, "give_back_reason_missing")
    with ws.writing(item_id=item_id) as session:
        who = require(session, by, Act.GIVE_BACK)
        require_item(session, who, item_id)
        if item_id in open_discussions(session, who.project_id, item_id):
            raise UserError("in_discussion")
        made = _refuse_free(session, usable_id(person_id), item_id, others=True)
        refuse_unanswerable(session, item_id, [person_id])
        return add_referral(session, who, item_id, why, [made], ws.clock())


def decline(ws: Workspace, by: int, request_id: int, reason: str) -> int:
    """Answer a request with why the submission stays; return the id of the message.

    Raises UserError for who may not, a missing reason, and a request that is not open (any more).
    """
    text = stated(reason, "decline_reason_missing")
    with ws.writing() as session:
        who = require(session, by, Act.GIVE_BACK)
        asked = next((e for e in _open(session, who.project_id) if e.id == request_id), None)
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
        return _kept(session, row)


def items_called(ws: Workspace, project_slug: str, name: str) -> list[tuple[int, str]]:
    """Return (id, task) of the items of a project that go by that name."""
    with ws.reading() as session:
        query = select(Item.id, Item.task).outerjoin(
            QuestionRow, col(QuestionRow.id) == Item.question_id
        )
        query = query.where(Item.project_id == find_project(session, project_slug).id)
        rows = session.exec(query.where(name == NAME).order_by(col(Item.id)))
        return [(number or 0, task) for number, task in rows]


def refuse_unanswerable(session: Session, item_id: int, person_ids: Collection[int]) -> None:
    """Raise UserError where one of the people could not submit the item again."""
    closed = (
        select(Batch.name)
        .join(BatchItem, col(BatchItem.batch_id) == Batch.id)
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
    """Send these submissions of the item back, or none to recall the last; return the row's id."""
    row = Referral(
        item_id=item_id,
        person_id=who.person_id,
        reason=reason,
        annotation_ids=annotation_ids,
        at=at,
    )
    session.add(row)
    session.flush()
    assert row.id is not None  # noqa: S101  (just flushed)
    return row.id


def stated(reason: str, missing: str) -> str:
    """Return a reason; raise UserError under the code `missing` where it says nothing."""
    text = checked_text(reason, "reason")
    if not says_something(text):
        raise UserError(missing, Where(field="reason"))
    return text


def _declined_words(session: Session, person_id: int, item_id: int) -> set[str]:
    """Return what the person's requests on the item said that were declined."""
    answer = aliased(Comment)
    query = (
        select(Comment.text)
        .join(answer, col(answer.reply_to_id) == Comment.id)
        .where(Comment.item_id == item_id, Comment.person_id == person_id)
        .where(Comment.kind == ASKED, answer.kind == DECLINED)
    )
    return set(session.exec(query))


def _made(session: Session, person_id: int, item_id: int) -> Annotation | None:
    """Return the person's submission that stands on the item."""
    query = select(Annotation).where(
        Annotation.item_id == item_id, Annotation.person_id == person_id, stands()
    )
    return session.exec(query).first()


def _kept(session: Session, row: Comment) -> int:
    session.add(row)
    session.flush()
    return row.id or 0


def _refuse_free(session: Session, person_id: int, item_id: int, *, others: bool = False) -> int:
    """Return the id of the submission that stands; raise UserError unless it is locked."""
    made = _made(session, person_id, item_id)
    item = name_of(session, item_id)
    if made is None:
        raise UserError("not_submitted", item=item)
    if is_settled(session, item_id):
        raise UserError("referral_of_settled" if others else "item_settled")
    if not is_locked(session, person_id, item_id):
        raise UserError("not_locked", item=item)
    return made.id or 0


def _open(session: Session, project_id: int, item_id: int | None = None) -> list[Request]:
    """Return the requests nobody has answered: by declining, giving back, deciding, or answering.

    A later one of the same person takes the place of theirs before it.
    """
    query = (
        select(Comment, NAME, Item.task, Person.name)
        .join(Item, col(Item.id) == Comment.item_id)
        .outerjoin(QuestionRow, col(QuestionRow.id) == Item.question_id)
        .join(Person, col(Person.id) == Comment.person_id)
        .where(Item.project_id == project_id, Comment.kind == ASKED, ~decided())
        .order_by(col(Comment.id))
    )
    if item_id is not None:
        query = query.where(Item.id == item_id)
    found: dict[tuple[int, int], Request] = {}
    for row, name, task, person in session.exec(query).all():
        key = row.item_id, row.person_id
        found.pop(key, None)
        if not _answered(session, row):
            where = row.id or 0, row.item_id, name, task
            found[key] = Request(*where, row.person_id, person, row.text, row.at)
    return sorted(found.values(), key=lambda each: each.id)


def _answered(session: Session, asked: Comment) -> bool:
    declined = select(Comment.id).where(Comment.reply_to_id == asked.id, Comment.kind == DECLINED)
    if session.exec(declined).first() is not None:
        return True
    made = _made(session, asked.person_id, asked.item_id)
    if made is None or made.at > asked.at:
        return True
    sent = select(Referral).where(Referral.item_id == asked.item_id, Referral.at >= asked.at)
    return any(made.id in row.annotation_ids for row in session.exec(sent))
