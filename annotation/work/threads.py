"""The discussion thread of an item, blind while its reader can still answer.

An annotator reads other annotators' messages on an item once it is complete and their own
submission counts, so that it cannot be withdrawn (`annotation.work.visibility`), and while it is
sent back for discussion (`annotation.work.discussions`). Messages of leads and adjudicators who
never answered the item they read while they have a current submission on it, or it was sent back to
them. Otherwise they read only their own. Whoever may read others' labels reads all. Nothing is
edited or removed.

A withdrawal request, its answer and all replies to either are visible only to who asked and to
those who may read others' labels: to the others it would reveal that somebody is unsure, and what
an adjudicator thinks of an answer (`annotation.adjudication.giving_back`).

Whoever withdraws after others have written may have read it. `annotation.work.submissions` counts
that for the adjudicator, from the times of both.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, bindparam, exists, func, or_, true
from sqlalchemy import select as rows_of
from sqlalchemy.orm import aliased
from sqlmodel import Session, col, select

from annotation.people.roles import MAY, Act, ProjectMember, may, require, require_item
from annotation.work.draft import fold, own_events
from annotation.work.slots import load_slots, refuse
from annotation.work.submissions import checked_text, full_items, is_current, says_something
from annotation.work.visibility import is_blind, reopened, sent_back_to
from errors import UserError, Where
from normalization.grouping import grouped
from storage.db.columns import usable_id, view_of
from storage.db.rows import add_row
from storage.db.workspace import Workspace
from storage.overlap import for_gold
from storage.tables.core import Annotation, Item, Person
from storage.tables.people import ASKED, DECLINED, Comment, PersonEvent


@dataclass(frozen=True, slots=True)
class Message:
    """A message: author, their role at the time, time and text.

    `reply_to` is the id of the message answered; None if there is none or the reader may not see
    it. `kind` marks a withdrawal request or its refusal (`annotation.adjudication.giving_back`);
    empty for plain messages.
    """

    id: int
    person_id: int
    person: str
    role: str
    text: str
    reply_to: int | None
    at: datetime
    kind: str = ""


def say(ws: Workspace, person_id: int, item_id: int, text: str, reply_to: int | None = None) -> int:
    """Add a message to the thread of an item; return its id.

    Repeating the last message adds none, since a screen resends after a lost response. Raises
    UserError for a text that is too long or has no visible character, a reply to a message that the
    person may not see on this item, an unknown person or item, and for an annotator who could not
    open the item either (`annotation.work.slots`).
    """
    text = checked_text(text, "message")
    if not says_something(text):
        raise UserError("message_empty", Where(field="message"))
    with ws.writing(item_id=item_id, person_id=person_id) as session:
        who = require(session, person_id, Act.COMMENT)
        require_item(session, who, item_id)
        _require_access(session, who, item_id, ws.clock())
        seen = _is_visible_to(session, who, item_id)
        _require_seen(session, seen, item_id, reply_to)
        query = select(Comment).where(Comment.item_id == item_id, seen)
        last = session.exec(query.order_by(col(Comment.id).desc()).limit(1)).first()
        said = (person_id, text, reply_to)
        if last is not None and (last.person_id, last.text, last.reply_to_id) == said:
            return last.id or 0
        row = Comment(
            item_id=item_id, person_id=person_id, reply_to_id=reply_to, text=text, at=ws.clock()
        )
        return add_row(session, row)


def thread(ws: Workspace, person_id: int, item_id: int) -> tuple[Message, ...]:
    """Return the messages on an item that the person may read now, oldest first.

    Raises UserError for an unknown person or item.
    """
    with ws.reading() as session:
        who = require(session, person_id, Act.COMMENT)
        require_item(session, who, item_id)
        return _messages(session, item_id, _is_visible_to(session, who, item_id))


def counts(session: Session, who: ProjectMember, item_id: int | None = None) -> dict[int, int]:
    """Return the number of messages the person may read, by item that has any."""
    asked = {"project_id": who.project_id, "item_id": item_id}
    if not session.execute(_any_comment(item_id is not None), asked).first():
        return {}  # most items have none, and the visibility condition is slow
    query = (
        select(Comment.item_id, func.count())
        .join(Item)
        .where(Item.project_id == who.project_id, _is_visible_to(session, who, item_id))
        .group_by(col(Comment.item_id))
    )
    if item_id is not None:
        query = query.where(Comment.item_id == item_id)
    return dict(session.exec(query).all())


@cache
def _any_comment(on_item: bool) -> Any:
    """Return the query whether the project, or the item, has a comment."""
    query = rows_of(col(Comment.id)).join(Item)
    query = query.where(col(Item.project_id) == bindparam("project_id"))
    return (query.where(col(Item.id) == bindparam("item_id")) if on_item else query).limit(1)


def _is_visible_to(
    session: Session, who: ProjectMember, item_id: int | None
) -> ColumnElement[bool]:
    """Return the SQL condition that the person may read a `Comment`; optionally of one item."""
    if not is_blind(who):
        return true()
    talks = sent_back_to(session, who, item_id)
    again = reopened(session, who, item_id, talks)
    here: list[ColumnElement[bool]] = [col(Item.project_id) == who.project_id]
    if item_id is not None:
        here.append(col(Item.id) == item_id)
    full = full_items(*here)
    told = and_(
        _submitted_by(who, for_gold()),
        col(Comment.item_id).in_(full),
        col(Comment.item_id).not_in(sorted(again)),
    )
    present = or_(_submitted_by(who), col(Comment.item_id).in_(sorted(talks)))
    together = sorted(item for item, talk in talks.items() if not talk.alone)
    open_ = or_(told, and_(_leads(), present), col(Comment.item_id).in_(together))
    return or_(
        col(Comment.person_id) == who.person_id,
        _answers_request_of(who),
        and_(open_, ~_of_others_requests(who, item_id)),
    )


def _answers_request_of(who: ProjectMember) -> ColumnElement[bool]:
    """Return the SQL condition that a `Comment` declines the person's withdrawal request."""
    asked = aliased(Comment)
    theirs = exists().where(
        col(asked.id) == col(Comment.reply_to_id), col(asked.person_id) == who.person_id
    )
    return and_(col(Comment.kind) == DECLINED, theirs)


def _of_others_requests(who: ProjectMember, item_id: int | None) -> ColumnElement[bool]:
    """Return the SQL condition that a `Comment` is in the thread of somebody else's request.

    Directly, or to what was said in answer to it.
    """
    asked: Select[Any] = rows_of(col(Comment.id).label("id")).where(
        col(Comment.kind) == ASKED, col(Comment.person_id) != who.person_id
    )
    if item_id is not None:
        asked = asked.where(col(Comment.item_id) == item_id)
    branch = asked.cte("requests_of_others", recursive=True)
    reply = aliased(Comment)
    answers = select(col(reply.id)).join(branch, col(reply.reply_to_id) == branch.c.id)
    return col(Comment.id).in_(select(branch.union_all(answers).c.id))


def _submitted_by(who: ProjectMember, *conditions: ColumnElement[bool]) -> ColumnElement[bool]:
    """Return the SQL condition that the person has a current submission on a `Comment`'s item."""
    return exists().where(
        col(Annotation.item_id) == col(Comment.item_id),
        col(Annotation.person_id) == who.person_id,
        is_current(),
        *conditions,
    )


def _leads() -> ColumnElement[bool]:
    """Return the SQL condition that a `Comment`'s author may read labels and never answered."""
    writer, answers = aliased(Person), aliased(Annotation)
    sighted = exists().where(
        col(writer.id) == col(Comment.person_id), col(writer.role).in_(MAY[Act.READ_OTHERS_LABELS])
    )
    own = exists().where(
        col(answers.item_id) == col(Comment.item_id),
        col(answers.person_id) == col(Comment.person_id),
    )
    return and_(sighted, ~own)


def _messages(session: Session, item_id: int, visible: ColumnElement[bool]) -> tuple[Message, ...]:
    """Return the visible comments on an item, oldest first."""
    query = (
        select(Comment, Person.name, Person.role)
        .join(Person)
        .where(Comment.item_id == item_id, visible)
        .order_by(col(Comment.id))
    )
    rows = session.exec(query).all()
    here = {row.id for row, _, _ in rows}
    changes = _role_changes(session, {row.person_id for row, _, _ in rows})
    return tuple(
        view_of(
            Message,
            row,
            person=name,
            role=_role_at(changes.get(row.person_id, ()), row.at, role),
            reply_to=row.reply_to_id if row.reply_to_id in here else None,
        )
        for row, name, role in rows
    )


def _role_changes(session: Session, people: Iterable[int]) -> dict[int, list[PersonEvent]]:
    """Return the role changes of these people, oldest first."""
    query = select(PersonEvent).where(
        col(PersonEvent.person_id).in_(sorted(people)), PersonEvent.kind == "role"
    )
    rows = session.exec(query.order_by(col(PersonEvent.id)))
    return grouped((row.person_id, row) for row in rows)


def _role_at(changes: Iterable[PersonEvent], at: datetime, now: str) -> str:
    """Return the role at that time of somebody whose current role is `now`."""
    later = next((change for change in changes if change.at > at), None)
    return now if later is None else str(later.payload["before"])


def _require_access(session: Session, who: ProjectMember, item_id: int, now: datetime) -> None:
    """Raise UserError for an annotator who could not open the item; others always may."""
    if may(who.role, Act.ANNOTATE):
        draft = fold(own_events(session, who.person_id, item_id))
        _, found = load_slots(session, who.person_id, item_id, now)
        refuse(found, begun=not draft.untouched, looking=True)


def _require_seen(
    session: Session, visible: ColumnElement[bool], item_id: int, reply_to: int | None
) -> None:
    """Raise UserError for a reply to a message that the person may not see on the item."""
    if reply_to is None:
        return
    query = select(Comment.id).where(
        Comment.id == usable_id(reply_to),
        Comment.item_id == item_id,
        visible,
    )
    if session.exec(query).first() is None:
        raise UserError("message_unknown", Where(field="reply"))
