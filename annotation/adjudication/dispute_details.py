"""The view of one case, built from its submissions.

People may have worked on different snapshots, and the law may have been amended since. The case is
shown on the snapshot in use if the item has candidates built from it, else on the newest that
somebody worked on. Units are matched by semantic id, and those amended since are marked; a unit
that the snapshot lacks is shown as labelled, read-only, and if it was moved, its new place is shown
too.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace

from sqlmodel import Session, col, select

from annotation.adjudication.decisions import CaseView, Settled, SideView
from annotation.adjudication.dispute_state import ItemCase, standing
from annotation.forms.disputes import Dispute
from annotation.guidelines.documents import version_in
from annotation.mapping.candidate_views import (
    CandidateView,
    Mark,
    candidate_views,
    citation_views,
    shown_units,
)
from annotation.people.members import PersonView
from annotation.people.roles import ProjectMember
from annotation.work.submissions import Decision, Submission
from normalization.hashing import text_hash
from storage.db.columns import usable_id, view_of
from storage.law.corpus import id_in_use, units_called
from storage.law.counterparts import counterparts, newest_set_on
from storage.tables.core import CandidateSet, Item, QuestionRow, UnitRow

Moves = Callable[[int, int], Mapping[str, str]]  # (old, new snapshot) → old semantic id → new


def case_view(
    session: Session, who: ProjectMember, dispute: Dispute, extra: Sequence[int], moves: Moves
) -> CaseView:
    """Return the view of a case; units of its snapshot in `extra` are shown last.

    `moves` maps units of one snapshot that another one has renumbered.
    """
    item_id, case = dispute.item_id, dispute.case
    submissions, decision = case.submissions, case.decision
    labelled = submissions[0].audited
    candidates = candidate_set_of(session, item_id, submissions)
    item = session.get_one(Item, item_id)
    question = session.get_one(QuestionRow, item.question_id)
    judged = _judged_units(session, case, candidates.snapshot_id)
    marks = _amendment_marks(session, judged, candidates.snapshot_id, moves)
    shown = _units_to_show(session, judged, candidates.snapshot_id)
    more = units_in(session, candidates.snapshot_id, [*marks, *extra])
    units = shown_units(session, candidates.id or 0, [*dict.fromkeys([*shown.values(), *more])])
    sides, earlier = _sides(who, case, shown)
    if labelled is not None:
        sides = (*sides, _source_side(candidates, labelled, shown))
    return CaseView(
        external_id=question.external_id,
        question=question.text,
        answer=question.answer,
        language=question.language,
        causes=dispute.causes,
        citations=citation_views(session, candidates, units),
        sides=sides,
        candidates=candidate_views(candidates, units, question.text, {}, marks),
        suggested=tuple(unit for unit in _accepted_by_all(sides) if unit not in marks),
        decision=None if decision is None else _with_units_shown(decision, shown),
        annotation_ids=tuple(each.annotation_id for each in submissions),
        snapshot_id=candidates.snapshot_id,
        candidate_set_id=candidates.id or 0,
        guideline_version=version_in(session, item.project_id),
        earlier=earlier,
        **standing(session, who.person_id, item_id, case, dispute.state),
    )


def candidate_set_of(
    session: Session, item_id: int, submissions: Sequence[Submission]
) -> CandidateSet:
    """Return the newest candidate set on the law in use, else that of the newest submission."""
    in_use = id_in_use(session, session.get_one(Item, item_id).project_id)
    set_id = None if in_use is None else newest_set_on(session, item_id, in_use)
    return session.get_one(CandidateSet, set_id or newest(submissions).candidate_set_id)


def _with_units_shown(decision: Settled, shown: Mapping[str, int]) -> Settled:
    """Return the decision with its units as they are shown, on newer law perhaps."""
    units = (replace(e, unit_id=shown.get(e.semantic_id) or e.unit_id) for e in decision.units)
    return replace(decision, units=tuple(units))


def newest(submissions: Sequence[Submission]) -> Submission:
    """Return the submission on the newest snapshot and candidate set."""
    return max(submissions, key=lambda each: (each.snapshot_id, each.candidate_set_id))


def units_in(session: Session, snapshot_id: int, unit_ids: Sequence[int]) -> list[int]:
    """Return the unit ids that are in the snapshot, deduplicated, in order."""
    wanted = [usable_id(number) for number in unit_ids]
    query = select(UnitRow.id).where(
        UnitRow.snapshot_id == snapshot_id, col(UnitRow.id).in_(wanted)
    )
    here = set(session.exec(query))
    return [number for number in dict.fromkeys(wanted) if number in here]


def _judged_units(session: Session, case: ItemCase, snapshot_id: int) -> dict[int, str]:
    """Return semantic ids by unit id: of units labelled, accepted by a decision, or the source's.

    Units that only the source of an audited question labels come last.
    """
    units = (
        [] if case.decision is None else [(u.unit_id, u.semantic_id) for u in case.decision.units]
    )
    made = [*case.earlier, *case.submissions]
    judged = dict(
        sorted(units + [(e.unit_id, e.semantic_id) for each in made for e in each.labels])
    )
    lacking = {*(case.submissions[0].audited or ())} - {*judged.values()}
    only = units_called(session, snapshot_id, lacking)
    return judged | {unit: semantic_id for semantic_id, unit in only.items()}


def _units_to_show(session: Session, judged: Mapping[int, str], snapshot_id: int) -> dict[str, int]:
    """Return the unit to show for each semantic id judged: the snapshot's, else that labelled."""
    known = {semantic_id: unit for unit, semantic_id in judged.items()}
    here = units_called(session, snapshot_id, known.keys())
    return {semantic: here.get(semantic, known[semantic]) for semantic in sorted(known)}


def _amendment_marks(
    session: Session, judged: Mapping[int, str], snapshot_id: int, moves: Moves
) -> dict[int, tuple[Mark, str]]:
    """Return (mark, former label) by id, of units changed and of moved units' successors."""
    marks: dict[int, tuple[Mark, str]] = {}
    query = select(UnitRow.id, UnitRow.snapshot_id).where(col(UnitRow.id).in_(sorted(judged)))
    worlds = dict(session.exec(query).all())
    for unit, each in counterparts(session, judged, snapshot_id).items():
        if each.same:
            continue
        successor = moves(worlds[unit], snapshot_id).get(each.semantic_id)
        if successor is not None:
            here = select(UnitRow.id).where(UnitRow.snapshot_id == snapshot_id)
            now = session.exec(here.where(UnitRow.semantic_id == successor)).one()
            marks[now or 0] = ("moved", each.label)
        if each.now is None:
            marks[unit] = ("gone", "")
        elif successor is None:
            marks[each.now] = ("amended", "")
    return marks


def _sides(
    who: ProjectMember, case: ItemCase, unit_ids: Mapping[str, int]
) -> tuple[tuple[SideView, ...], tuple[SideView, ...]]:
    """Return the current sides of a case, and the earlier ones that were sent back."""
    answered = frozenset[int]() if case.talk is None else case.talk.answered
    now, earlier = (
        [
            view_of(
                SideView,
                each,
                person=PersonView(each.person_id, each.person, "annotator"),
                decisions={unit_ids[said.semantic_id]: said.label for said in each.labels},
                evidence={unit_ids[e.semantic_id]: e.evidence for e in each.labels if e.evidence},
                own=each.person_id == who.person_id,
                answered=made is case.submissions and each.person_id in answered,
                source=False,
            )
            for each in made
        ]
        for made in (case.submissions, case.earlier)
    )
    # Withdrawals are counted up to now, so they say nothing about the submissions sent back.
    return tuple(now), tuple(replace(each, taken_back=0, read_before=0) for each in earlier)


def _source_side(
    candidates: CandidateSet, labelled: Collection[str], unit_ids: Mapping[str, int]
) -> SideView:
    """Return the labels of an audited question's source as one more side."""
    return SideView(
        person=PersonView(0, "source", "annotator"),
        at=candidates.created_at,
        seconds=None,
        comment="",
        flag="",
        no_provision=False,
        decisions={unit_ids[e]: Decision.ACCEPT for e in sorted(labelled) if e in unit_ids},
        taken_back=0,
        source=True,
    )


DECIDED = "decided"
Marked = tuple[str, list[list[int]]]  # a person's name, "" for the decision; spans


def marked_words(case: CaseView, unit: CandidateView) -> dict[str, Marked]:
    """Return (person, spans) of words marked in a unit's text as shown, by ``decided`` or side.

    Marks on another wording are left out; a side's key is its index as text.
    """
    before = {} if case.decision is None else {e.unit_id: e.evidence for e in case.decision.units}
    marked = {DECIDED: ("", before.get(unit.unit_id))}
    marked |= {
        str(at): (side.person.name, side.evidence.get(unit.unit_id))
        for at, side in enumerate(case.sides)
    }
    now = text_hash(unit.text)
    return {
        choice: (person, words["spans"])
        for choice, (person, words) in marked.items()
        if words is not None and words["sha256"] == now
    }


def _accepted_by_all(sides: Sequence[SideView]) -> tuple[int, ...]:
    """Return the ids of the units that every side accepted, ascending."""
    accepted = [
        {unit for unit, said in side.decisions.items() if said == Decision.ACCEPT} for side in sides
    ]
    return tuple(sorted(set.intersection(*accepted)))
