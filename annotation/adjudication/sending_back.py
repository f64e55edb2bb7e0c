"""Sending a case back to its annotators, and recalling it. Both only add a row."""

from __future__ import annotations

from collections.abc import Sequence

from sqlmodel import Session

from annotation.adjudication.giving_back import add_referral, refuse_unanswerable
from annotation.adjudication.tasks import sender_of
from annotation.people.roles import Act, adjudicator, require, require_item
from annotation.work.discussions import SubmissionLike, discussions, open_discussions
from annotation.work.submissions import checked_text
from annotation.work.visibility import is_settled
from errors import UserError, Where
from storage.db.workspace import Workspace
from storage.tables.core import Item


def refer(
    ws: Workspace,
    adjudicator_id: int,
    item_id: int,
    reason: str,
    annotation_ids: Sequence[int],
) -> int:
    """Send a case back to its annotators for discussion; return the id of the row.

    `annotation_ids` are the submissions of the case shown. Raises UserError for anybody but an
    adjudicator, an unknown item, a missing reason, an item that is decided, in discussion already,
    not complete or not disputed, for submissions that are not the current ones, and if one of the
    annotators could not answer: in a closed batch, or no longer an annotator.
    """
    reason = checked_text(reason, "reason")
    if not reason:
        raise UserError("referral_reason_missing", Where(field="reason"))
    with ws.writing() as session:
        who = adjudicator(session, adjudicator_id)
        submissions = _case(session, require_item(session, who, item_id))
        if set(annotation_ids) != {submission.annotation_id for submission in submissions}:
            raise UserError("case_changed")
        refuse_unanswerable(session, item_id, [submission.person_id for submission in submissions])
        chosen = sorted(set(annotation_ids))
        return add_referral(session, who, item_id, reason, chosen, ws.clock())


def recall(ws: Workspace, adjudicator_id: int, item_id: int, reason: str = "") -> int:
    """Recall the open discussion of an item; return the row's id.

    Raises UserError for a person who may not give submissions back, an unknown item, without an
    open discussion, and for anybody but an adjudicator if several people discuss.
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


def to_send(ws: Workspace, adjudicator_id: int, item_id: int) -> dict[int, str]:
    """Return the authors' names of the submissions that :func:`refer` would send back, by id.

    Raises UserError as :func:`refer` does for the item.
    """
    with ws.reading() as session:
        item = require_item(session, adjudicator(session, adjudicator_id), item_id)
        return {each.annotation_id: each.person for each in _case(session, item)}


def _case(session: Session, item: Item) -> Sequence[SubmissionLike]:
    """Return the submissions of an item that can be sent back; raise UserError if it cannot."""
    item_id = item.id or 0
    if is_settled(session, item_id):
        raise UserError("referral_of_settled")
    if item_id in open_discussions(session, item.project_id, item_id):
        raise UserError("in_discussion")
    submissions, causes = sender_of(item.task).in_dispute(session, item)
    if not submissions or not causes:
        raise UserError("case_closed_to_you")
    return submissions
