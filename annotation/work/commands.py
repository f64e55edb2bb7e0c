"""The acts that every task has: comment, flag, skip, submit, undo, take back.

Each function is one act, saved whole before it returns. The screen passes ids only. Everything is
looked up inside the writing transaction that saves it, so two acts at the same moment happen one
after the other. All raise UserError for all that `annotation.work.item_session` refuses, and where
the draft says something else than the `basis` that the act was made from.
"""

from __future__ import annotations

from collections.abc import Callable

from annotation.work.item_session import (
    ANYTHING,
    Basis,
    ItemWriter,
    acts_of,
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
            refuse_other(writer, basis, writer.draft.comment, acts_of("comment"), fit_text)
            writer.write("comment", {"text": text})


def set_flag(
    ws: Workspace, person_id: int, item_id: int, reason: str, basis: Basis = ANYTHING
) -> None:
    """Flag the item as faulty in itself, with a reason; empty removes the flag."""
    reason = checked_text(reason, "flag")
    with drafting(ws, person_id, item_id) as writer:
        if writer.draft.flag != reason:
            refuse_other(writer, basis, writer.draft.flag, acts_of("flag"), fit_text)
            writer.write("flag", {"text": reason})


def skip(
    ws: Workspace, person_id: int, item_id: int, reason: str = "", basis: Basis = ANYTHING
) -> None:
    """Set the item aside until everything else is done. The draft is kept.

    Its basis is the reason for which it was skipped, None where it was not.
    """
    reason = checked_text(reason, "reason")
    with drafting(ws, person_id, item_id) as writer:
        now = writer.draft.skip_reason if writer.draft.status == "skipped" else None
        if now != reason:
            refuse_other(writer, basis, now, acts_of("skip"), fit_text)
            writer.write("skip", {"reason": reason})


def submit(
    ws: Workspace,
    person_id: int,
    item_id: int,
    confidence: int | None = None,
    revision: str | None = None,
    ask: Callable[[ItemWriter], None] = lambda _writer: None,
) -> int:
    """Submit the draft; return the id of the annotation.

    `confidence` is how sure the person is, 1 (guessing) to 5 (certain); None where they did not
    say. `revision` is that of the draft the person saw; None where nothing was shown to them. `ask`
    gets what would be submitted, and raises UserError for what a screen asks about first.
    Raises UserError, beyond what every act does, for another confidence, for a draft that says
    something else than the revision, and for what the task's rules refuse.
    """
    sure = checked_confidence(confidence)
    with drafting(ws, person_id, item_id) as writer:
        refuse_revision(writer, revision)
        rules = rules_of(writer.room.task)
        rules.validate(writer)
        ask(writer)
        annotation_id = writer.submit(sure)
        rules.store_labels(writer, annotation_id)
        rules.submitted(writer, annotation_id)
        return annotation_id


def undo(ws: Workspace, person_id: int, item_id: int, revision: str | None = None) -> None:
    """Take back the last act on the draft that stands; never a submission.

    `revision` is that of the draft the person saw. Raises UserError when there is no such act, for
    a draft that says something else, which names the act that would be taken back, and for an item
    they have submitted: that is taken back by :func:`take_back`.
    """
    with drafting(ws, person_id, item_id) as writer:
        if not writer.draft.acts:
            raise UserError("nothing_to_undo")
        refuse_unseen(writer, revision)
        writer.write("undo", undoes_id=writer.draft.acts[-1])


def take_back(ws: Workspace, person_id: int, item_id: int) -> None:
    """Take back the person's submission of this item; the draft is as it was when submitted.

    Raises UserError where they have not submitted it, and for what `ItemWriter.withdraw` refuses.
    """
    with writing(ws, person_id, item_id) as writer:
        if writer.draft.status != "submitted":
            raise UserError("nothing_to_take_back")
        writer.withdraw()
