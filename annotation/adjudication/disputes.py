"""Disputes in citation mapping: the queue, one case, and the decision.

A case can be read only once its item is complete; for discussions see
`annotation.adjudication.tasks`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Any

from sqlmodel import Session, col, select

from annotation.adjudication.decisions import (
    CaseView,
    Cause,
    DecisionView,
    QueueEntry,
    SideView,
    State,
    newest,
)
from annotation.adjudication.dispute_details import case_view, decision_view, shown_on, units_in
from annotation.adjudication.dispute_state import MappingDispute, case_reader, cases, own_answers
from annotation.adjudication.tasks import refuse_other
from annotation.guidelines.documents import held_versions
from annotation.law.unit_mapping import mapped_units
from annotation.people.roles import ProjectMember, adjudicator
from annotation.work.commands import UNSAID
from annotation.work.submissions import LISTED, Submission, beginning, checked_text
from errors import UserError, Where
from storage.db.workspace import Workspace
from storage.tables.core import Adjudication, AdjudicationLabel, Item, QuestionRow
from storage.tasks import beginning_of

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
    """Return the items that need or had an adjudicator, in project order."""
    with ws.reading() as session:
        who = adjudicator(session, adjudicator_id)
        found = cases(session, who.project_id)
        own = own_answers(session, who.person_id, list(found))
        query = (
            select(
                Item.id, QuestionRow.external_id, beginning_of(col(QuestionRow.text), LISTED + 1)
            )
            .join(QuestionRow, col(QuestionRow.id) == Item.question_id)
            .where(Item.project_id == who.project_id)
            .order_by(col(Item.order))
        )
        rows = [
            (number, external, beginning(text))
            for number, external, text in session.exec(query)
            if number in found
        ]
        return [
            _entry(at, (number or 0, external, text), found[number or 0], own.get(number or 0))
            for at, (number, external, text) in enumerate(rows, 1)
        ]


def open_case(
    ws: Workspace, adjudicator_id: int, item_id: int, extra: Sequence[int] = ()
) -> CaseView:
    """Return a case; `extra` units of its snapshot (found by search) are shown last.

    It is shown on the law in use if there are candidates from it (see
    `annotation.adjudication.dispute_details`). Raises UserError for anybody but an adjudicator, an
    unknown item, and an item that does not need an adjudicator or is not complete.
    """
    with ws.reading() as session:
        who, _ = case_reader(session, adjudicator_id, item_id, ws.clock())
        case = _case(session, who, item_id)
        return case_view(session, who, item_id, case, extra, partial(mapped_units, ws))


def decide(
    ws: Workspace,
    adjudicator_id: int,
    item_id: int,
    unit_ids: Sequence[int],
    no_provision: bool,
    reason: str,
    seconds: float,
    annotation_ids: Sequence[int] | None = None,
    before: Any = UNSAID,
) -> int:
    """Store the decision on a case; return its id. A later decision supersedes it.

    `unit_ids` are the accepted units, of the snapshot that the case is shown on. `seconds` is how
    long the case was open. `annotation_ids`, from the case shown, refuses the decision if another
    submission has come in since. `before` is the id of the decision on the screen, None for none:
    it refuses to replace any other decision. Raises UserError for all that `open_case` refuses, for
    units beside "no provision", for neither, for an unknown unit, for a missing reason, and while
    somebody is revising a submission that was sent back.
    """
    reason = checked_text(reason, "reason")
    chosen = list(dict.fromkeys(unit_ids))
    _refuse_invalid(chosen, no_provision, reason, seconds)
    with ws.writing() as session:
        who, _ = case_reader(session, adjudicator_id, item_id, ws.clock())
        case = _case(session, who, item_id)
        if case.revising:
            raise UserError("case_revised", people=", ".join(case.waiting))
        if annotation_ids is not None and set(annotation_ids) != case.ids:
            raise UserError("case_changed")
        _refuse_other(case, before)
        shown = shown_on(session, item_id, case.submissions)
        here = units_in(session, shown.snapshot_id, chosen)
        if unknown := [unit for unit in chosen if unit not in here]:
            raise UserError("unit_unknown", unit=unknown[0])
        versions = held_versions(session, who.project_id)
        row = Adjudication(
            item_id=item_id,
            person_id=who.person_id,
            no_provision=bool(no_provision),
            reason=reason,
            annotation_ids=sorted(case.ids),
            supersedes_id=newest(session, Adjudication, item_id),
            snapshot_id=shown.snapshot_id,
            candidate_set_id=shown.id or 0,
            guideline_version=versions["guideline"],
            codebook_version=versions["codebook"],
            seconds=seconds,
            at=ws.clock(),
        )
        session.add(row)
        session.flush()
        assert row.id is not None  # noqa: S101  (just flushed)
        session.add_all(
            AdjudicationLabel(adjudication_id=row.id, unit_id=unit) for unit in sorted(chosen)
        )
        return row.id


def _entry(
    at: int, row: tuple[int, str, str], case: MappingDispute, own: datetime | None
) -> QueueEntry:
    """Return a case's line in the queue."""
    item_id, external_id, question = row
    return QueueEntry(
        item_id=item_id,
        position=at,
        external_id=external_id,
        question=question,
        causes=case.causes,
        decision=None if case.decision is None else decision_view(case.decision),
        state=case.state,
        waiting=case.waiting,
        own=own,
    )


def _case(session: Session, who: ProjectMember, item_id: int) -> MappingDispute:
    found = cases(session, who.project_id, item_id).get(item_id)
    if found is None:
        raise UserError("case_closed_to_you")
    return found


def _refuse_invalid(chosen: list[int], no_provision: bool, reason: str, seconds: float) -> None:
    if chosen and no_provision:
        raise UserError("accept_beside_none")
    if not chosen and not no_provision:
        raise UserError("case_undecided")
    if not reason:
        raise UserError("reason_missing", Where(field="reason"))
    if not math.isfinite(seconds) or seconds < 0:
        raise UserError("seconds_invalid", Where(field="seconds"), seconds=seconds)


def _refuse_other(case: MappingDispute, before: Any) -> None:
    made = case.decision
    if made is None:
        return  # a decision withdrawn since is not replaced
    said = ", ".join(unit.label for unit in made.units) or made.row.reason
    refuse_other(before, made.row.id, made.person, made.row.at, said)


class MappingDisputes:
    """Disputes of citation mapping, following the protocol of `annotation.adjudication.tasks`.

    A decision has accepted `units` by id, or `no_provision`.
    """

    queue = staticmethod(queue)
    open_dispute = staticmethod(open_case)

    @staticmethod
    def states(session: Session, project_id: int) -> dict[int, State]:
        """Return the state of each question of the queue."""
        return {item_id: case.state for item_id, case in cases(session, project_id).items()}

    @staticmethod
    def in_dispute(session: Session, item: Item) -> tuple[list[Submission], tuple[str, ...]]:
        """Return the submissions of a complete question, and why it needs an adjudicator."""
        case = cases(session, item.project_id, item.id).get(item.id or 0)
        if case is None or case.revising:
            return [], ()
        return case.submissions, case.causes

    @staticmethod
    def decide(
        ws: Workspace,
        adjudicator_id: int,
        item_id: int,
        answers: Mapping[str, Any],
        reason: str,
        annotation_ids: Sequence[int] | None = None,
        before: Any = UNSAID,
        seconds: float = 0.0,
    ) -> int:
        """Decide as :func:`decide` does, from `answers`; return 0 open parts."""
        who = ws, adjudicator_id, item_id
        said = answers.get("units", ()), bool(answers.get("no_provision"))
        decide(*who, *said, reason, seconds, annotation_ids, before)
        return 0


DISPUTES = MappingDisputes()
