"""What an annotator does: each function is one act, saved whole before it returns.

The screen passes ids only. Everything is looked up inside the writing transaction that saves it,
so two acts at the same moment happen one after the other. All raise UserError for an unknown unit,
for all that `annotation.work.item_session` refuses, and where the draft says something else than
the `basis` that the act was made from (`annotation.work.item_session`). Comment, flag, skip, undo
and take_back are of every task; the others are citation mapping's.
"""

from __future__ import annotations

from collections.abc import Callable

from sqlmodel import select

from annotation.law.unit_mapping import mapped_units
from annotation.people.authorization import annotator, require_item
from annotation.work.carry_over import carried_over, outrun
from annotation.work.draft import Draft, Event, fold, own_events
from annotation.work.item_session import (
    ANYTHING,
    Basis,
    ItemWriter,
    drafting,
    end_skips,
    refuse_other,
    refuse_revision,
    refuse_unseen,
    writing,
)
from annotation.work.locks import is_settled
from annotation.work.submissions import add_labels
from annotation.work.validation import Decision, checked_confidence, checked_text, fit_text
from errors import UserError, Where
from storage.db.columns import usable_id
from storage.db.workspace import Workspace
from storage.law.counterparts import newest_set_on
from storage.law.snapshot_use import id_in_use
from storage.tables.core import CandidateRow, CandidateSet, Item, UnitRow
from storage.tasks import Task

_MAPPING = (Task.CITATION_MAPPING,)


def label(
    ws: Workspace,
    person_id: int,
    item_id: int,
    unit_id: int,
    decision: str | None,
    basis: Basis = ANYTHING,
) -> None:
    """Accept, reject or be unsure of a unit on the list; None takes the decision back."""
    if decision is not None and decision not in list(Decision):
        raise UserError("decision_unknown", Where(field="decision"), decision=decision)
    with drafting(ws, person_id, item_id, _MAPPING) as pen:
        _require_listed(pen, unit_id)
        if pen.draft.decisions.get(unit_id) != decision:
            _refuse_other_label(pen, basis, unit_id)
            said = None if decision is None else str(decision)
            pen.write("label", {"unit_id": unit_id, "decision": said})


def add_unit(
    ws: Workspace, person_id: int, item_id: int, unit_id: int, basis: Basis = ANYTHING
) -> None:
    """Put another unit of the item's snapshot on the list, accepted."""
    with drafting(ws, person_id, item_id, _MAPPING) as pen:
        query = select(UnitRow.id).where(
            UnitRow.id == usable_id(unit_id), UnitRow.snapshot_id == pen.candidates.snapshot_id
        )
        if pen.session.exec(query).first() is None:
            raise UserError("unit_unknown", unit=unit_id)
        if pen.draft.decisions.get(unit_id) != Decision.ACCEPT:
            _refuse_other_label(pen, basis, unit_id)
            pen.write("add", {"unit_id": unit_id})


def set_no_provision(
    ws: Workspace, person_id: int, item_id: int, value: bool, basis: Basis = ANYTHING
) -> None:
    """Say, or take back, that no provision of this corpus answers the question."""
    with drafting(ws, person_id, item_id, _MAPPING) as pen:
        if (now := pen.draft.no_provision) != bool(value):
            refuse_other(pen, basis, now, _of("no_provision"))
            pen.write("no_provision", {"value": bool(value)})


def set_comment(
    ws: Workspace, person_id: int, item_id: int, text: str, basis: Basis = ANYTHING
) -> None:
    """Set the comment; empty removes it. At most 5,000 characters."""
    text = checked_text(text, "comment")
    with drafting(ws, person_id, item_id) as pen:
        if pen.draft.comment != text:
            refuse_other(pen, basis, pen.draft.comment, _of("comment"), fit_text)
            pen.write("comment", {"text": text})


def set_flag(
    ws: Workspace, person_id: int, item_id: int, reason: str, basis: Basis = ANYTHING
) -> None:
    """Flag the item as faulty in itself, with a reason; empty removes the flag."""
    reason = checked_text(reason, "flag")
    with drafting(ws, person_id, item_id) as pen:
        if pen.draft.flag != reason:
            refuse_other(pen, basis, pen.draft.flag, _of("flag"), fit_text)
            pen.write("flag", {"text": reason})


def skip(
    ws: Workspace, person_id: int, item_id: int, reason: str = "", basis: Basis = ANYTHING
) -> None:
    """Set the item aside until everything else is done. The draft is kept.

    Its basis is the reason for which it was skipped, None where it was not.
    """
    reason = checked_text(reason, "reason")
    with drafting(ws, person_id, item_id) as pen:
        now = pen.draft.skip_reason if pen.draft.status == "skipped" else None
        if now != reason:
            refuse_other(pen, basis, now, _of("skip"), fit_text)
            pen.write("skip", {"reason": reason})


def submit(
    ws: Workspace,
    person_id: int,
    item_id: int,
    confidence: int | None = None,
    revision: str | None = None,
) -> int:
    """Submit the draft; return the id of the annotation.

    `confidence` is how sure the person is, 1 (guessing) to 5 (certain); None where they did not
    say. `revision` is that of the draft the person saw; None where nothing was shown to them.
    Raises UserError, beyond what every act does, for another confidence, for a draft that says
    something else than the revision, for one that decides nothing (no unit accepted or unsure, and
    not "no provision") and for one that accepts a unit beside "no provision".
    """
    sure = checked_confidence(confidence)
    with drafting(ws, person_id, item_id, _MAPPING) as pen:
        refuse_revision(pen, revision)
        _refuse_unfit(pen.draft)
        annotation_id = pen.submit(sure)
        add_labels(pen.session, annotation_id, sorted(pen.draft.decisions.items()))
        return annotation_id


def undo(ws: Workspace, person_id: int, item_id: int, revision: str | None = None) -> None:
    """Take back the last act on the draft that stands; never a submission.

    `revision` is that of the draft the person saw. Raises UserError when there is no such act, for
    a draft that says something else, which names the act that would be taken back, and for an item
    they have submitted: that is taken back by :func:`take_back`.
    """
    with drafting(ws, person_id, item_id) as pen:
        if not pen.draft.acts:
            raise UserError("nothing_to_undo")
        refuse_unseen(pen, revision)
        pen.write("undo", undoes_id=pen.draft.acts[-1])


def take_back(ws: Workspace, person_id: int, item_id: int) -> None:
    """Take back the person's submission of this item; the draft is as it was when submitted.

    Raises UserError where they have not submitted it, and for what `Pen.withdraw` refuses.
    """
    with writing(ws, person_id, item_id) as pen:
        if pen.draft.status != "submitted":
            raise UserError("nothing_to_take_back")
        pen.withdraw()


def recheck(ws: Workspace, person_id: int, item_id: int) -> None:
    """Take an item up again on the law in use, after the law that it was decided on was amended.

    A submission that stands is withdrawn. The draft starts anew from the newest candidates of the
    snapshot in use: what was decided on provisions that say the same is carried over, the rest is
    to be decided again. Raises UserError where the draft is on the law in use already, where no
    candidates have been built from it, for a submission on which an adjudicator has decided, and
    for one that is locked (`annotation.work.locks`) and says nothing of what was amended.
    """
    _compare_before_writing(ws, person_id, item_id)
    with writing(ws, person_id, item_id, _MAPPING) as pen:
        if pen.draft.status == "submitted" and is_settled(pen.session, item_id):
            raise UserError("item_settled")
        newer = _newer_candidates(pen)
        went = mapped_units(ws, pen.candidates.snapshot_id, newer.snapshot_id)
        if pen.draft.status == "submitted":
            bound = pen.session.get_one(CandidateSet, pen.candidates.id)
            pen.withdraw(amended=outrun(pen.session, pen.who.project_id, pen.draft, bound))
        end_skips(pen)
        pen.write("open", carried_over(pen.session, pen.draft, went, newer))


def _newer_candidates(pen: ItemWriter) -> CandidateSet:
    project_id = pen.session.get_one(Item, pen.item_id).project_id
    in_use = id_in_use(pen.session, project_id)
    if in_use is None or in_use == pen.candidates.snapshot_id:
        raise UserError("nothing_to_recheck")
    set_id = newest_set_on(pen.session, pen.item_id, in_use)
    if set_id is None:
        raise UserError("candidates_missing")
    return pen.session.get_one(CandidateSet, set_id)


def _compare_before_writing(ws: Workspace, person_id: int, item_id: int) -> None:
    """Compare the two laws, which may take seconds, while others can still save."""
    with ws.reading() as session:
        who = annotator(session, person_id)
        require_item(session, who, item_id)
        draft = fold(own_events(session, person_id, item_id))
        in_use = id_in_use(session, who.project_id)
        bound = session.get(CandidateSet, draft.candidate_set_id or 0)
        if bound is not None and in_use is not None and bound.snapshot_id != in_use:
            mapped_units(ws, bound.snapshot_id, in_use)


def _refuse_other_label(pen: ItemWriter, basis: Basis, unit_id: int) -> None:
    def about(event: Event) -> bool:
        return event.kind in ("label", "add") and event.payload.get("unit_id") == unit_id

    refuse_other(pen, basis, pen.draft.decisions.get(unit_id), about)


def _of(kind: str) -> Callable[[Event], bool]:
    return lambda event: event.kind == kind


def _require_listed(pen: ItemWriter, unit_id: int) -> None:
    query = select(CandidateRow.id).where(
        CandidateRow.candidate_set_id == pen.candidates.id,
        CandidateRow.unit_id == usable_id(unit_id),
    )
    if unit_id not in pen.draft.added and pen.session.exec(query).first() is None:
        raise UserError("unit_not_listed", unit=unit_id)


def _refuse_unfit(draft: Draft) -> None:
    accepted, unsure = draft.units(Decision.ACCEPT), draft.units(Decision.UNSURE)
    if accepted and draft.no_provision:
        raise UserError("accept_beside_none")
    if not (accepted or unsure or draft.no_provision):
        raise UserError("nothing_decided")
