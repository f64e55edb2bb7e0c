"""Sending a case back to its annotators, and recalling that. Both only ever add a row."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime

from sqlmodel import Session, col, select

from annotation.adjudication.decisions import causes, settled
from annotation.people.roles import Act, ProjectMember, adjudicator, may, require, require_item
from annotation.work.discussions import discussions
from annotation.work.submissions import Submission, checked_text, complete
from errors import UserError, Where
from storage.db.workspace import Workspace
from storage.tables.core import Person
from storage.tables.people import Batch, BatchItem, Referral


def refer(
    ws: Workspace,
    adjudicator_id: int,
    item_id: int,
    reason: str,
    annotation_ids: Sequence[int],
) -> int:
    """Send a case back to its annotators to be talked over; return the id of the row.

    `annotation_ids` are the submissions of the case shown. Raises UserError for anybody but an
    adjudicator, an unknown item, a missing reason, an item that is decided, in discussion already,
    not complete or without a cause, for submissions that are not those that stand, and where one
    of the annotators could not answer: in a closed batch, or who annotates no longer.
    """
    reason = checked_text(reason, "reason")
    if not reason:
        raise UserError("referral_reason_missing", Where(field="reason"))
    with ws.writing() as session:
        who = adjudicator(session, adjudicator_id)
        require_item(session, who, item_id)
        submissions = _case(session, who, item_id)
        if set(annotation_ids) != {each.annotation_id for each in submissions}:
            raise UserError("case_changed")
        refuse_unanswerable(session, item_id, [each.person_id for each in submissions])
        chosen = sorted(set(annotation_ids))
        return add_referral(session, who, item_id, reason, chosen, ws.clock())


def recall(ws: Workspace, adjudicator_id: int, item_id: int, reason: str = "") -> int:
    """End the open discussion of an item, which comes back as it stands; return the row's id.

    Raises UserError for who may not give submissions back, an unknown item, where no discussion is
    open, and for anybody but an adjudicator where it is of more than one person.
    """
    reason = checked_text(reason, "reason")
    with ws.writing() as session:
        who = require(session, adjudicator_id, Act.GIVE_BACK)
        require_item(session, who, item_id)
        found = discussions(session, who.project_id, item_id).get(item_id)
        if found is None or not found.open:
            raise UserError("not_in_discussion")
        if not found.alone:
            adjudicator(session, adjudicator_id)
        return add_referral(session, who, item_id, reason, [], ws.clock())


def _case(session: Session, who: ProjectMember, item_id: int) -> list[Submission]:
    """Return the submissions of an item that can be sent back."""
    if settled(session, who.project_id, item_id):
        raise UserError("referral_of_settled")
    found = discussions(session, who.project_id, item_id).get(item_id)
    if found is not None and found.open:
        raise UserError("in_discussion")
    submissions = complete(session, who.project_id, item_id).get(item_id, [])
    recalled = found is not None and found.unanswered(submissions)
    if not submissions or not (causes(submissions) or recalled):
        raise UserError("case_closed_to_you")
    return submissions


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
