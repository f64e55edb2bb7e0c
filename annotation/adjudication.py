"""Settling differences: the queue of items that need it, one case, and the decision.

A case can be read only once all the submissions that its item takes are in.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import datetime
from functools import partial

from sqlmodel import Session, col, select

from annotation.case_views import CaseView, Cause, DecisionView, QueueEntry, SideView
from annotation.cases import case_view, decision_view, shown_on, units_in
from annotation.documents import version_in
from annotation.moved import moved
from annotation.settling import Settled, causes, settled
from annotation.standing import Standing, adjudicator, require_item
from annotation.submissions import Submission, complete
from annotation.texts import checked_text
from errors import UserError, Where
from storage.tables import Adjudication, AdjudicationLabel, CandidateSet, Item, QuestionRow
from storage.workspace import Workspace

__all__ = [
    "CaseView",
    "Cause",
    "DecisionView",
    "QueueEntry",
    "SideView",
    "decide",
    "open_case",
    "queue",
]


def queue(ws: Workspace, adjudicator_id: int) -> list[QueueEntry]:
    """Return the items that need or had an adjudicator, in the order of the project."""
    with ws.reading() as session:
        who = adjudicator(session, adjudicator_id)
        submitted = complete(session, who.project_id)
        decided = settled(session, who.project_id)
        query = (
            select(Item.id, QuestionRow.external_id, QuestionRow.text)
            .join(QuestionRow, col(QuestionRow.id) == Item.question_id)
            .where(Item.project_id == who.project_id)
            .order_by(col(Item.order))
        )
        waiting = [
            (item_id, external, text)
            for item_id, external, text in session.exec(query)
            if item_id in submitted and (item_id in decided or causes(submitted[item_id]))
        ]
        return [
            QueueEntry(item_id or 0, at, external, text, causes(submitted[item_id or 0]), made)
            for at, (item_id, external, text) in enumerate(waiting, 1)
            for made in [_seen(decided.get(item_id or 0))]
        ]


def open_case(
    ws: Workspace, adjudicator_id: int, item_id: int, extra: Sequence[int] = ()
) -> CaseView:
    """Return a case; `extra` units of its snapshot (found by search) are shown last.

    It is shown on the law in use where there are candidates from it (see `annotation.cases`).
    Raises UserError for anybody but an adjudicator, an unknown item, and an item that does not
    need an adjudicator or whose submissions are not all in.
    """
    with ws.reading() as session:
        who = adjudicator(session, adjudicator_id)
        require_item(session, who, item_id)
        submissions, decision = _case(session, who, item_id)
        return case_view(session, item_id, submissions, decision, extra, partial(moved, ws))


def decide(
    ws: Workspace,
    adjudicator_id: int,
    item_id: int,
    unit_ids: Sequence[int],
    no_provision: bool,
    reason: str,
    seconds: float,
    annotation_ids: Sequence[int] | None = None,
) -> int:
    """Save the decision on a case; return its id. A later decision supersedes it.

    `unit_ids` are the accepted units, of the snapshot that the case is shown on. `seconds` is how
    long the case was open. `annotation_ids`, from the case shown, refuses the decision if another
    submission has come in since. Raises UserError for all that `open_case` refuses, for units
    beside "no provision", for neither, for an unknown unit and for a missing reason.
    """
    reason = checked_text(reason, "reason")
    chosen = list(dict.fromkeys(unit_ids))
    _refuse_unfit(chosen, no_provision, reason, seconds)
    with ws.writing() as session:
        who = adjudicator(session, adjudicator_id)
        require_item(session, who, item_id)
        submissions, previous = _case(session, who, item_id)
        if annotation_ids is not None and set(annotation_ids) != _ids(submissions):
            raise UserError("case_changed")
        shown = shown_on(session, item_id, submissions)
        _refuse_unknown_units(session, shown, chosen)
        row = _row(
            *(session, shown, submissions, who, previous),
            *(bool(no_provision), reason, seconds, ws.clock()),
        )
        session.add(row)
        session.flush()
        assert row.id is not None  # noqa: S101  (just flushed)
        session.add_all(
            AdjudicationLabel(adjudication_id=row.id, unit_id=unit) for unit in sorted(chosen)
        )
        return row.id


def _seen(decision: Settled | None) -> DecisionView | None:
    return None if decision is None else decision_view(decision)


def _ids(submissions: Sequence[Submission]) -> set[int]:
    return {each.annotation_id for each in submissions}


def _case(session: Session, who: Standing, item_id: int) -> tuple[list[Submission], Settled | None]:
    submissions = complete(session, who.project_id, item_id).get(item_id, [])
    decision = settled(session, who.project_id, item_id).get(item_id)
    if not submissions or not (causes(submissions) or decision):
        raise UserError("case_closed_to_you")
    return submissions, decision


def _refuse_unfit(chosen: list[int], no_provision: bool, reason: str, seconds: float) -> None:
    if chosen and no_provision:
        raise UserError("accept_beside_none")
    if not chosen and not no_provision:
        raise UserError("case_undecided")
    if not reason:
        raise UserError("reason_missing", Where(field="reason"))
    if not math.isfinite(seconds) or seconds < 0:
        raise UserError("seconds_invalid", Where(field="seconds"), seconds=seconds)


def _refuse_unknown_units(session: Session, shown: CandidateSet, chosen: list[int]) -> None:
    here = set(units_in(session, shown.snapshot_id, chosen))
    for unit in chosen:
        if unit not in here:
            raise UserError("unit_unknown", unit=unit)


def _row(
    session: Session,
    shown: CandidateSet,
    submissions: list[Submission],
    who: Standing,
    previous: Settled | None,
    no_provision: bool,
    reason: str,
    seconds: float,
    at: datetime,
) -> Adjudication:
    return Adjudication(
        item_id=shown.item_id,
        person_id=who.person_id,
        no_provision=no_provision,
        reason=reason,
        annotation_ids=sorted(_ids(submissions)),
        supersedes_id=None if previous is None else previous.row.id,
        snapshot_id=shown.snapshot_id,
        candidate_set_id=shown.id or 0,
        guideline_version=version_in(session, who.project_id),
        codebook_version=version_in(session, who.project_id, "codebook"),
        seconds=seconds,
        at=at,
    )
