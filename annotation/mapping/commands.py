"""The acts that only citation mapping has; for those of every task see `annotation.work.commands`.

Each is saved before it returns. All raise UserError for an unknown unit, for all that
`annotation.work.item_session` refuses, and if the draft has changed since `basis`.
"""

from __future__ import annotations

from collections import Counter

from sqlmodel import select

from annotation.law.unit_mapping import mapped_units
from annotation.mapping.candidate_views import shown_units, units_named
from annotation.people.roles import annotator, require_item
from annotation.work import commands
from annotation.work.carry_over import carried_over, outrun
from annotation.work.draft import Event, fold, own_events
from annotation.work.item_session import (
    ANYTHING,
    Basis,
    ItemWriter,
    acts_of,
    drafting,
    end_skips,
    refuse_other,
    writing,
)
from annotation.work.submissions import Decision
from annotation.work.visibility import is_settled
from errors import UserError, Where
from storage.db.columns import usable_id
from storage.db.workspace import Workspace
from storage.law.corpus import id_in_use
from storage.law.counterparts import newest_set_on
from storage.tables.core import CandidateRow, CandidateSet, Item, UnitRow
from storage.tasks import Task

_TASKS = (Task.CITATION_MAPPING,)


def label(
    ws: Workspace,
    person_id: int,
    item_id: int,
    unit_id: int,
    decision: str | None,
    basis: Basis = ANYTHING,
) -> None:
    """Accept, reject or mark as unsure a listed unit; None clears the decision."""
    if decision is not None and decision not in list(Decision):
        raise UserError("decision_unknown", Where(field="decision"), decision=decision)
    with drafting(ws, person_id, item_id, _TASKS) as writer:
        listed = select(CandidateRow.id).where(
            CandidateRow.candidate_set_id == writer.set_id,
            CandidateRow.unit_id == usable_id(unit_id),
        )
        if unit_id not in writer.draft.added and writer.session.exec(listed).first() is None:
            raise UserError("unit_not_listed", unit=unit_id)
        if writer.draft.decisions.get(unit_id) != decision:
            _refuse_other_label(writer, basis, unit_id)
            said = None if decision is None else str(decision)
            writer.write("label", {"unit_id": unit_id, "decision": said})


def add_unit(
    ws: Workspace, person_id: int, item_id: int, unit_id: int, basis: Basis = ANYTHING
) -> None:
    """Add another unit of the item's snapshot to the list, accepted."""
    with drafting(ws, person_id, item_id, _TASKS) as writer:
        query = select(UnitRow.id).where(
            UnitRow.id == usable_id(unit_id), UnitRow.snapshot_id == writer.candidates.snapshot_id
        )
        if writer.session.exec(query).first() is None:
            raise UserError("unit_unknown", unit=unit_id)
        if writer.draft.decisions.get(unit_id) != Decision.ACCEPT:
            _refuse_other_label(writer, basis, unit_id)
            writer.write("add", {"unit_id": unit_id})


def set_no_provision(
    ws: Workspace, person_id: int, item_id: int, value: bool, basis: Basis = ANYTHING
) -> None:
    """Set or clear "no provision of this corpus answers the question"."""
    with drafting(ws, person_id, item_id, _TASKS) as writer:
        if (now := writer.draft.no_provision) != bool(value):
            refuse_other(writer, basis, now, acts_of("no_provision"))
            writer.write("no_provision", {"value": bool(value)})


def submit(
    ws: Workspace,
    person_id: int,
    item_id: int,
    confidence: int | None = None,
    revision: str | None = None,
    anyway: bool = False,
) -> Counter[str]:
    """Submit the draft; return the number of listed units per decision, "" for undecided.

    Unless `anyway`, raises UserError if the answer cites, resolved, a listed unit that is
    undecided; and as `annotation.work.commands.submit`.
    """
    kept = Counter[str]()

    def look(writer: ItemWriter) -> None:
        draft, session = writer.draft, writer.session
        units = shown_units(session, writer.set_id, draft.added)
        kept.update(draft.decisions.get(unit.id or 0, "") for unit, _, _ in units)
        cited = {
            name
            for citation in writer.candidates.citations
            if citation["status"] == "resolved"
            for name in units_named(citation)
        }
        undecided = (unit for unit, _, _ in units if unit.id not in draft.decisions)
        open_ = [unit for unit in undecided if unit.semantic_id in cited]
        if open_ and not anyway:
            names = ", ".join(unit.label for unit in open_)
            code = "cited_beside_none" if draft.no_provision else "cited_undecided"
            raise UserError(code, count=len(open_), names=names, unit=open_[0].id)

    commands.submit(ws, person_id, item_id, confidence, revision, look)
    return kept


def recheck(ws: Workspace, person_id: int, item_id: int) -> None:
    """Restart an item on the law in use, after an amendment of the law it was decided on.

    A current submission is withdrawn. The draft starts from the newest candidates of the snapshot
    in use: decisions on unchanged provisions are carried over, the rest has to be decided again.
    Raises UserError if the draft is on the law in use already, if no candidates have been built
    from it, for a submission on which an adjudicator has decided, and for one that is locked
    (`annotation.work.visibility`) and unaffected by the amendment.
    """
    _compare_before_writing(ws, person_id, item_id)
    with writing(ws, person_id, item_id, _TASKS) as writer:
        if writer.draft.status == "submitted" and is_settled(writer.session, item_id):
            raise UserError("item_settled")
        newer = _newer_candidates(writer)
        went = mapped_units(ws, writer.candidates.snapshot_id, newer.snapshot_id)
        if writer.draft.status == "submitted":
            where = writer.session, writer.who.project_id
            writer.withdraw(amended=outrun(*where, writer.draft, writer.candidates))
        end_skips(writer)
        writer.write("open", carried_over(writer.session, writer.draft, went, newer))


def _newer_candidates(writer: ItemWriter) -> CandidateSet:
    project_id = writer.session.get_one(Item, writer.item_id).project_id
    in_use = id_in_use(writer.session, project_id)
    if in_use is None or in_use == writer.candidates.snapshot_id:
        raise UserError("nothing_to_recheck")
    set_id = newest_set_on(writer.session, writer.item_id, in_use)
    if set_id is None:
        raise UserError("candidates_missing")
    return writer.session.get_one(CandidateSet, set_id)


def _compare_before_writing(ws: Workspace, person_id: int, item_id: int) -> None:
    """Compare the two laws before the write lock is taken, as it may take seconds."""
    with ws.reading() as session:
        who = annotator(session, person_id)
        require_item(session, who, item_id)
        draft = fold(own_events(session, person_id, item_id))
        in_use = id_in_use(session, who.project_id)
        bound = session.get(CandidateSet, draft.candidate_set_id or 0)
        if bound is not None and in_use is not None and bound.snapshot_id != in_use:
            mapped_units(ws, bound.snapshot_id, in_use)


def _refuse_other_label(writer: ItemWriter, basis: Basis, unit_id: int) -> None:
    def about(event: Event) -> bool:
        return event.kind in ("label", "add") and event.payload.get("unit_id") == unit_id

    refuse_other(writer, basis, writer.draft.decisions.get(unit_id), about)
