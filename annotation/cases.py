"""Building the view of one case from its submissions.

People may have worked on different snapshots, when candidates were rebuilt between them. The case
is shown on the newest of these; units are matched by semantic id, which is stable across
snapshots, and a unit that the newest snapshot lacks is shown as it was when labelled.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlmodel import Session, col, select

from annotation import guideline
from annotation.case_views import CaseView, DecisionView, SideView
from annotation.codebook import Decision
from annotation.people import PersonView
from annotation.settling import Settled, causes
from annotation.showing import candidate_views, citation_views, shown_units
from annotation.submissions import Submission
from storage.columns import usable_id
from storage.tables import CandidateSet, Item, QuestionRow, UnitRow


def case_view(
    session: Session,
    item_id: int,
    submissions: Sequence[Submission],
    decision: Settled | None,
    extra: Sequence[int],
) -> CaseView:
    """Return the view of a case; units of its snapshot in `extra` are shown last."""
    candidates = session.get_one(CandidateSet, newest(submissions).candidate_set_id)
    question = session.exec(select(QuestionRow).join(Item).where(Item.id == item_id)).one()
    shown = _shown(session, submissions, decision, candidates.snapshot_id)
    more = units_in(session, candidates.snapshot_id, extra)
    units = shown_units(session, candidates.id or 0, [*dict.fromkeys([*shown.values(), *more])])
    sides = tuple(_side(each, shown) for each in submissions)
    return CaseView(
        item_id=item_id,
        external_id=question.external_id,
        question=question.text,
        answer=question.answer,
        language=question.language,
        causes=causes(submissions),
        citations=citation_views(session, candidates, units),
        sides=sides,
        candidates=candidate_views(candidates, units, question.text, {}),
        suggested=_accepted_by_all(sides),
        decision=None if decision is None else decision_view(decision, shown),
        annotation_ids=tuple(each.annotation_id for each in submissions),
        snapshot_id=candidates.snapshot_id,
        candidate_set_id=candidates.id or 0,
        guideline_version=guideline.version(),
    )


def decision_view(decision: Settled, shown: Mapping[str, int] | None = None) -> DecisionView:
    """Return the view of a decision, with the ids of the units that are `shown` for its own."""
    ids = (shown or {}).get
    return DecisionView(
        person=decision.person,
        at=decision.row.at,
        unit_ids=tuple(ids(each.semantic_id) or each.unit_id for each in decision.units),
        labels=tuple(each.label for each in decision.units),
        no_provision=decision.row.no_provision,
        reason=decision.row.reason,
    )


def newest(submissions: Sequence[Submission]) -> Submission:
    """Return the submission whose snapshot and candidates the case is shown on."""
    return max(submissions, key=lambda each: (each.snapshot_id, each.candidate_set_id))


def units_in(session: Session, snapshot_id: int, numbers: Sequence[int]) -> list[int]:
    """Return those of the unit ids that are in the snapshot, each once, in their order."""
    wanted = [usable_id(number) for number in numbers]
    query = select(UnitRow.id).where(
        UnitRow.snapshot_id == snapshot_id, col(UnitRow.id).in_(wanted)
    )
    here = set(session.exec(query))
    return [number for number in dict.fromkeys(wanted) if number in here]


def _shown(
    session: Session,
    submissions: Sequence[Submission],
    decision: Settled | None,
    snapshot_id: int,
) -> dict[str, int]:
    """Return the unit to show for each semantic id that somebody labelled or accepted."""
    known = {said.semantic_id: said.unit_id for each in submissions for said in each.labels}
    for unit in () if decision is None else decision.units:
        known.setdefault(unit.semantic_id, unit.unit_id)
    query = select(UnitRow.semantic_id, UnitRow.id).where(
        UnitRow.snapshot_id == snapshot_id, col(UnitRow.semantic_id).in_(sorted(known))
    )
    here = {semantic: number for semantic, number in session.exec(query) if number is not None}
    return {semantic: here.get(semantic, known[semantic]) for semantic in sorted(known)}


def _side(submission: Submission, shown: Mapping[str, int]) -> SideView:
    return SideView(
        person=PersonView(submission.person_id, submission.person, "annotator"),
        at=submission.at,
        seconds=submission.seconds,
        comment=submission.comment,
        flag=submission.flag,
        no_provision=submission.no_provision,
        decisions={shown[said.semantic_id]: said.label for said in submission.labels},
        taken_back=submission.taken_back,
    )


def _accepted_by_all(sides: Sequence[SideView]) -> tuple[int, ...]:
    accepted = [
        {unit for unit, said in side.decisions.items() if said == Decision.ACCEPT} for side in sides
    ]
    return tuple(sorted(set.intersection(*accepted)))
