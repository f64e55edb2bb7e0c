"""The thread of an item: what its people say to each other, blind until they have submitted.

An annotator reads others' messages on an item while a submission of theirs stands on it, and at no
other time: whoever has yet to submit, and whoever has withdrawn, owes the item and reads only what
they wrote themselves; save while an item was sent back to them (`annotation.referrals`). Whoever
may read others' labels reads all. Nothing is edited or removed.

Whoever withdraws after others have written could have read it. `annotation.submissions` counts
that for the adjudicator, from the times of both.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, exists, func, or_, true
from sqlmodel import Session, col, select

from annotation.draft import fold
from annotation.events import own_events
from annotation.leases import come, refuse
from annotation.referrals import open_discussions
from annotation.roles import Act, may
from annotation.standing import Standing, require, require_item
from annotation.submissions import stands
from annotation.texts import checked_text, says_something
from errors import UserError, Where
from storage.columns import usable_id
from storage.people_tables import Comment, PersonEvent
from storage.tables import Annotation, Item, Person
from storage.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Message:
    """One message: who wrote it, in which role, when, and what.

    `person` is a name, `role` what they were in the project then. `reply_to` is the id of the
    message answered; None for none, and for one that the reader does not see.
    """

    id: int
    person_id: int
    person: str
    role: str
    text: str
    reply_to: int | None
    at: datetime


def say(ws: Workspace, person_id: int, item_id: int, text: str, reply_to: int | None = None) -> int:
    """Add a message to the thread of an item; return its id.

    The same words again, with nothing written in between, are the same message: a screen that
    could not hear the answer sends again. Raises UserError for a text that is too long or shows
    nothing, a reply to a message that the person does not see on this item, an unknown person or
    item, and for an annotator who could not open the item either (`annotation.leases`).
    """
    text = checked_text(text, "message")
    if not says_something(text):
        raise UserError("message_empty", Where(field="message"))
    with ws.writing(item_id=item_id, person_id=person_id) as session:
        who = require(session, person_id, Act.COMMENT)
        require_item(session, who, item_id)
        _refuse_strangers(session, who, item_id, ws.clock())
        _require_seen(session, who, item_id, reply_to)
        same = _said_last(session, who, item_id, text, reply_to)
        if same is not None:
            return same
        row = Comment(
            item_id=item_id, person_id=person_id, reply_to_id=reply_to, text=text, at=ws.clock()
        )
        session.add(row)
        session.flush()
        assert row.id is not None  # noqa: S101  (just flushed)
        return row.id


def thread(ws: Workspace, person_id: int, item_id: int) -> tuple[Message, ...]:
    """Return the messages on an item that the person may read now, oldest first.

    Of others', none while the person owes the item. Raises UserError for an unknown person or item.
    """
    with ws.reading() as session:
        who = require(session, person_id, Act.COMMENT)
        require_item(session, who, item_id)
        return _messages(session, item_id, _seen_by(session, who))


def thread_in(session: Session, item_id: int) -> tuple[Message, ...]:
    """Return all messages on an item, oldest first: for views of who may read others' labels."""
    return _messages(session, item_id, true())


def counts(session: Session, who: Standing, item_id: int | None = None) -> dict[int, int]:
    """Return how many messages the person may read on each item that has any; or on one alone."""
    query = (
        select(Comment.item_id, func.count())
        .join(Item, col(Item.id) == Comment.item_id)
        .where(Item.project_id == who.project_id, _seen_by(session, who))
        .group_by(col(Comment.item_id))
    )
    if item_id is not None:
        query = query.where(Comment.item_id == item_id)
    return dict(session.exec(query).all())


def _seen_by(session: Session, who: Standing) -> ColumnElement[bool]:
    """Return the condition that the person may read a `Comment`.

    Who has withdrawn an answer to change it in an open discussion goes on reading.
    """
    if may(who.role, Act.READ_OTHERS_LABELS):
        return true()
    submitted = exists().where(
        col(Annotation.item_id) == col(Comment.item_id),
        col(Annotation.person_id) == who.person_id,
        stands(),
    )
    talks = open_discussions(session, who.project_id)
    mine = [item for item, each in talks.items() if who.person_id in each.people]
    discussed = col(Comment.item_id).in_(mine)
    return or_(col(Comment.person_id) == who.person_id, submitted, discussed)


def _messages(session: Session, item_id: int, seen: ColumnElement[bool]) -> tuple[Message, ...]:
    query = (
        select(Comment, Person.name, Person.role)
        .join(Person, col(Person.id) == Comment.person_id)
        .where(Comment.item_id == item_id, seen)
        .order_by(col(Comment.id))
    )
    rows = session.exec(query).all()
    here = {row.id for row, _, _ in rows}
    changes = _changes(session, {row.person_id for row, _, _ in rows})
    return tuple(
        Message(
            id=row.id or 0,
            person_id=row.person_id,
            person=name,
            role=_role_then(changes.get(row.person_id, ()), row.at, role),
            text=row.text,
            reply_to=row.reply_to_id if row.reply_to_id in here else None,
            at=row.at,
        )
        for row, name, role in rows
    )


def _changes(session: Session, people: Iterable[int]) -> dict[int, list[PersonEvent]]:
    """Return the changes of role of these people, oldest first."""
    query = select(PersonEvent).where(
        col(PersonEvent.person_id).in_(sorted(people)), PersonEvent.kind == "role"
    )
    found: dict[int, list[PersonEvent]] = {}
    for row in session.exec(query.order_by(col(PersonEvent.id))):
        found.setdefault(row.person_id, []).append(row)
    return found


def _role_then(changes: Iterable[PersonEvent], at: datetime, now: str) -> str:
    """Return the role at that time of somebody who has the role `now`."""
    later = next((each for each in changes if each.at > at), None)
    return now if later is None else str(later.payload["before"])


def _refuse_strangers(session: Session, who: Standing, item_id: int, now: datetime) -> None:
    if may(who.role, Act.ANNOTATE):
        draft = fold(own_events(session, who.person_id, item_id))
        _, found = come(session, who.person_id, item_id, now)
        refuse(found, begun=not draft.untouched)


def _require_seen(session: Session, who: Standing, item_id: int, reply_to: int | None) -> None:
    """Refuse a reply to what is not there; what the person does not see is not there for them."""
    if reply_to is None:
        return
    query = select(Comment.id).where(
        Comment.id == usable_id(reply_to), Comment.item_id == item_id, _seen_by(session, who)
    )
    if session.exec(query).first() is None:
        raise UserError("message_unknown", Where(field="reply"))


def _said_last(
    session: Session, who: Standing, item_id: int, text: str, reply_to: int | None
) -> int | None:
    """Return the newest message that the person sees if it is theirs and says just this."""
    query = select(Comment).where(Comment.item_id == item_id, _seen_by(session, who))
    query = query.order_by(col(Comment.id).desc())
    last = session.exec(query.limit(1)).first()
    if last is None or (last.person_id, last.text) != (who.person_id, text):
        return None
    return last.id if last.reply_to_id == reply_to else None
