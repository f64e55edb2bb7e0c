"""Disputes in citation mapping: the queue, one case, and the decision.

A case can be read only once its item is complete; for discussions see
`annotation.adjudication.tasks`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from sqlmodel import Session, col, select

from annotation.adjudication.decisions import CaseView, Cause, newest, reasons
from annotation.adjudication.dispute_details import candidate_set_of, case_view, units_in
from annotation.adjudication.dispute_state import ItemCase, case_reader
from annotation.forms.adjudication import refuse_other
from annotation.forms.disputes import Dispute, Disputes
from annotation.guidelines.documents import held_versions
from annotation.law import mapped_units
from annotation.mapping.evidence import evidence_in
from annotation.work.commands import UNSAID
from annotation.work.submissions import checked_reason, shared_evidence
from errors import UserError, Where
from normalization.hashing import text_hash
from storage.db.rows import add_row
from storage.db.workspace import Workspace
from storage.tables.core import Adjudication, AdjudicationLabel, UnitRow
from storage.tasks import Task


def queue(ws: Workspace, adjudicator_id: int) -> list[Dispute]:
    """Return the questions that need or had an adjudicator, in project order."""
    return DISPUTES.queue(ws, adjudicator_id)


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
        found = DISPUTES.require(session, who, item_id)
        return case_view(session, who, found, extra, partial(mapped_units, ws))


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
    evidence: Mapping[int, list[list[int]]] | None = None,
) -> int:
    """Store the decision on a case; return its id. A later decision supersedes it.

    `unit_ids` are the accepted units, of the snapshot that the case is shown on, `evidence` the
    spans of their words that answer; without it, what all who marked words there have in common.
    `seconds` is how long the case was open. `annotation_ids`, from the case shown, refuses the
    decision if another submission has come in since. `before` is the id of the decision on the
    screen, None for none: it refuses to replace any other decision. Raises UserError for all that
    `open_case` refuses, for units beside "no provision", for neither, for an unknown unit, for a
    missing reason, and while somebody is revising a submission that was sent back.
    """
    reason = checked_reason(reason)
    chosen = list(dict.fromkeys(unit_ids))
    _refuse_invalid(chosen, no_provision, seconds)
    with ws.writing() as session:
        who, _ = case_reader(session, adjudicator_id, item_id, ws.clock())
        case = DISPUTES.require(session, who, item_id).case
        if case.revising:
            raise UserError("case_revised", people=", ".join(case.waiting))
        if annotation_ids is not None and set(annotation_ids) != case.ids:
            raise UserError("case_changed")
        refuse_other(before, case.decision)
        shown = candidate_set_of(session, item_id, case.submissions)
        here = units_in(session, shown.snapshot_id, chosen)
        if unknown := [unit for unit in chosen if unit not in here]:
            raise UserError("unit_unknown", unit=unknown[0])
        row = Adjudication(
            item_id=item_id,
            person_id=who.person_id,
            no_provision=bool(no_provision),
            reason=reason,
            annotation_ids=sorted(case.ids),
            supersedes_id=newest(session, Adjudication, item_id),
            snapshot_id=shown.snapshot_id,
            candidate_set_id=shown.id or 0,
            **held_versions(session, who.project_id),
            seconds=seconds,
            at=ws.clock(),
        )
        number = add_row(session, row)
        words = _evidence(session, case, chosen, evidence or {})
        session.add_all(
            AdjudicationLabel(adjudication_id=number, unit_id=unit, evidence=words[unit])
            for unit in sorted(chosen)
        )
        return number


def _evidence(
    session: Session, case: ItemCase, chosen: Sequence[int], spans: Mapping[int, list[list[int]]]
) -> dict[int, Any]:
    """Return evidence by chosen unit: as given, else all markers' common words; None for none."""
    units = session.exec(select(UnitRow).where(col(UnitRow.id).in_(chosen))).all()
    found: dict[int, Any] = {}
    for unit in units:
        number = unit.id or 0
        if number in spans:
            found[number] = evidence_in(unit.text, spans[number])
        else:
            shared = shared_evidence(case.submissions).get(unit.semantic_id)
            kept = shared is not None and shared["sha256"] == text_hash(unit.text)
            found[number] = shared if kept else None
    return found


def _refuse_invalid(chosen: list[int], no_provision: bool, seconds: float) -> None:
    """Raise UserError for units beside "no provision", for neither, and for invalid seconds."""
    if chosen and no_provision:
        raise UserError("accept_beside_none")
    if not chosen and not no_provision:
        raise UserError("case_undecided")
    if not math.isfinite(seconds) or seconds < 0:
        raise UserError("seconds_invalid", Where(field="seconds"), seconds=seconds)


class MappingDisputes(Disputes):
    """Disputes of citation mapping: a decision has accepted `units` by id, or `no_provision`."""

    open_dispute = staticmethod(open_case)

    def causes(self, case: ItemCase) -> tuple[Cause, ...]:
        """Return why the question needs an adjudicator, as `reasons` does; empty if it does not."""
        return reasons(case.submissions, case.talk)

    def lists(self, case: ItemCase) -> bool:
        """Return True if a question is in the queue without a cause: it was ever sent back."""
        return case.talk is not None

    def decide(
        self,
        ws: Workspace,
        adjudicator_id: int,
        item_id: int,
        answers: Mapping[str, Any],
        reason: str,
        annotation_ids: Sequence[int] | None = None,
        before: Any = UNSAID,
        seconds: float = 0.0,
    ) -> int:
        """Store the decision in `answers` as :func:`decide` does; return 0, for no open part."""
        who = ws, adjudicator_id, item_id
        said = answers.get("units", ()), bool(answers.get("no_provision"))
        evidence = {int(unit): spans for unit, spans in answers.get("evidence", {}).items()}
        decide(*who, *said, reason, seconds, annotation_ids, before, evidence)
        return 0


DISPUTES = MappingDisputes(Task.CITATION_MAPPING)
