"""Acts on an item that every task has: comment, flag, skip, submit, undo, withdraw.

Each function is one act, saved before it returns. Callers pass ids only; everything is read inside
the writing transaction, so simultaneous acts are serialized. All raise UserError for what
`annotation.work.item_session` refuses, and if the draft has changed since `basis`.
"""

from __future__ import annotations

from annotation.work.item_session import (
    ANYTHING,
    Basis,
    drafting,
    refuse_other,
    refuse_revision,
    refuse_unseen,
    writing,
)
from annotation.work.rules import rules_of
from annotation.work.submissions import checked_confidence, checked_text, fit_text
from errors import UserError
from storage.db.workspace import Workspace


def set_comment(
    ws: Workspace, person_id: int, item_id: int, text: str, basis: Basis = ANYTHING
) -> None:
    """Set the comment; empty removes it. At most 5,000 characters."""
    text = checked_text(text, "comment")
    with drafting(ws, person_id, item_id) as writer:
        if writer.draft.comment != text:
            refuse_other(writer, basis, writer.draft.comment, "comment", as_kept=fit_text)
            writer.write("comment", {"text": text})


def set_flag(
    ws: Workspace, person_id: int, item_id: int, reason: str, basis: Basis = ANYTHING
) -> None:
    """Flag the item as faulty in itself, with a reason; empty removes the flag."""
    reason = checked_text(reason, "flag")
    with drafting(ws, person_id, item_id) as writer:
        if writer.draft.flag != reason:
            refuse_other(writer, basis, writer.draft.flag, "flag", as_kept=fit_text)
            writer.write("flag", {"text": reason})


def skip(
    ws: Workspace, person_id: int, item_id: int, reason: str = "", basis: Basis = ANYTHING
) -> None:
    """Skip the item until everything else is done; the draft is kept.

    Its basis is the reason of the earlier skip, None if it was not skipped.
    """
    reason = checked_text(reason, "reason")
    with drafting(ws, person_id, item_id) as writer:
        now = writer.draft.skip_reason if writer.draft.status == "skipped" else None
        if now != reason:
            refuse_other(writer, basis, now, "skip", as_kept=fit_text)
            writer.write("skip", {"reason": reason})


def submit(
    ws: Workspace,
    person_id: int,
    item_id: int,
    confidence: int | None = None,
    revision: str | None = None,
) -> int:
    """Submit the draft; return the id of the annotation.

    `confidence` is 1 (guessing) to 5 (certain), or None if not given. `revision` is that of the
    draft the person saw; None if none was shown. Raises UserError, beyond what every act does, for
    an invalid confidence, a draft with another revision, and what the task's rules refuse.
    """
    sure = checked_confidence(confidence)
    with drafting(ws, person_id, item_id) as writer:
        refuse_revision(writer, revision)
        rules_of(writer.room.task).validate(writer)
        return writer.submit(sure)


def undo(ws: Workspace, person_id: int, item_id: int, revision: str | None = None) -> None:
    """Undo the last act on the draft; never a submission.

    `revision` is that of the draft the person saw. Raises UserError if there is no act to undo, if
    the draft has changed since (naming the act that would be undone), and for a submitted item,
    which :func:`take_back` reopens.
    """
    with drafting(ws, person_id, item_id) as writer:
        if not writer.draft.acts:
            raise UserError("nothing_to_undo")
        refuse_unseen(writer, revision)
        writer.write("undo", undoes_id=writer.draft.acts[-1])


def take_back(ws: Workspace, person_id: int, item_id: int) -> None:
    """Withdraw the person's submission of this item; the draft is as it was when submitted.

    Raises UserError if there is none, and for what `ItemWriter.withdraw` refuses.
    """
    with writing(ws, person_id, item_id) as writer:
        if writer.draft.status != "submitted":
            raise UserError("nothing_to_take_back")
        writer.withdraw()
