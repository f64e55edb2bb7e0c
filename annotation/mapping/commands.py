"""The acts that only citation mapping has; for those of every task see `annotation.work.commands`.

Each is saved before it returns. All raise UserError for an unknown unit, for all that
`annotation.work.commands` refuses, and if the draft has changed since `basis`.

Rules of citation mapping: the content of an item, validation, labels, migration.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from sqlmodel import Session, col, select

from annotation.law import mapped_units
from annotation.mapping.candidate_views import Mark, candidate_views, citation_views, shown_units
from annotation.mapping.evidence import evidence_in
from annotation.people.roles import annotator, require_item
from annotation.work.carry_over import carried_over, outrun
from annotation.work.commands import (
    ANYTHING,
    Basis,
    ItemWriter,
    drafting,
    end_skips,
    refuse_other,
    refuse_revision,
    writing,
)
from annotation.work.draft import Draft, fold, own_events
from annotation.work.rules import AGAIN, SAME, Fate, Opened, Step, TakenOver, TaskRules, Why
from annotation.work.submissions import (
    Decision,
    add_labels,
    checked_confidence,
    evidence_of,
    labels_of,
)
from annotation.work.visibility import is_settled
from errors import UserError, Where
from storage.db.columns import usable_id
from storage.db.workspace import Workspace
from storage.law.corpus import id_in_use
from storage.law.counterparts import newest_set_on
from storage.tables.core import (
    Annotation,
    CandidateRow,
    CandidateSet,
    Item,
    Project,
    QuestionRow,
    UnitRow,
)
from storage.tasks import Task

NO_PROVISION = "no_provision"
ANSWERS = (*(str(each) for each in Decision), NO_PROVISION)  # answers that can be migrated


class CitationMapping(TaskRules):
    """Rules of citation mapping: which provisions does the official answer rest on?"""

    task: Task = Task.CITATION_MAPPING

    def content(self, at: Opened) -> dict[str, Any]:
        """Return the question, its candidates, and the changes of the law since."""
        session, draft, item_id = at.session, at.draft, at.room.item_id
        candidates = session.get_one(CandidateSet, at.set_id)
        question = session.exec(select(QuestionRow).join(Item).where(Item.id == item_id)).one()
        units = shown_units(session, candidates.id or 0, draft.added)
        open_to_change = draft.status != "submitted" or not is_settled(session, item_id)
        return {
            "external_id": question.external_id,
            "question": question.text,
            "answer": question.answer,
            "language": question.language,
            "citations": citation_views(session, candidates, units),
            "candidates": candidate_views(
                candidates, units, question.text, draft.decisions, _amendment_marks(draft)
            ),
            "snapshot_id": candidates.snapshot_id,
            "candidate_set_id": candidates.id or 0,
            "no_provision": draft.no_provision,
            "evidence": {unit: each["spans"] for unit, each in sorted(draft.evidence.items())},
            "asks_evidence": session.get_one(Project, at.who.project_id).evidence,
            "dropped": draft.dropped,
            "outrun": open_to_change and outrun(session, at.who.project_id, draft, candidates),
        }

    def validate(self, writer: Opened) -> None:
        """Raise UserError for a draft without decision, or with "no provision" and accepts.

        A decision is an accepted or unsure unit, or "no provision".
        """
        said, nothing = {*writer.draft.decisions.values()}, writer.draft.no_provision
        if nothing and Decision.ACCEPT in said:
            raise UserError("accept_beside_none")
        if not (nothing or said & {Decision.ACCEPT, Decision.UNSURE}):
            raise UserError("nothing_decided")

    def store_labels(self, writer: Opened, annotation_id: int) -> None:
        """Store the decision on each unit."""
        said, evidence = writer.draft.decisions, writer.draft.evidence
        add_labels(writer.session, annotation_id, sorted(said.items()), evidence)

    def migrated(
        self, session: Session, step: Step, submissions: Iterable[Annotation]
    ) -> dict[int, TakenOver]:
        """Return each submission, by id, as migrated to a later version of the guideline."""
        answers = _changed_answers(step.answers)
        rows = {row.id or 0: row for row in submissions}
        labels = labels_of(session, [*rows])
        return {
            number: _migrate_labels(row, labels.get(number, {}), answers, row.item_id in step.items)
            for number, row in rows.items()
        }

    def store_taken(self, session: Session, annotation_id: int, after: TakenOver) -> None:
        """Store the decision on each unit of a migrated submission."""
        session.flush()
        made = session.get_one(Annotation, annotation_id)
        before = evidence_of(session, made.supersedes_id or 0).items()
        kept = {unit: each for unit, each in before if after.said.get(unit) == Decision.ACCEPT}
        add_labels(session, annotation_id, sorted(after.said.items()), kept)


def _amendment_marks(draft: Draft) -> dict[int, tuple[Mark, str]]:
    """Return the amendment marks of units in an item restarted on newer law."""
    marks: dict[int, tuple[Mark, str]] = dict.fromkeys(draft.brought, ("brought", ""))
    marks |= dict.fromkeys(draft.amended, ("amended", ""))
    return marks | {unit: ("moved", label) for unit, label in draft.former.items()}


def _changed_answers(answers: Mapping[str, str]) -> dict[str, str]:
    """Return the answers that change; raise UserError for an unknown one."""
    for answer, becomes in answers.items():
        others = () if answer == NO_PROVISION else ANSWERS[:-1]
        if answer not in ANSWERS or becomes not in (SAME, AGAIN, *others):
            said = f"{answer} = {becomes}"
            raise UserError("migration_answer", Where(field="answers"), said=said)
    return {old: new for old, new in answers.items() if new not in (SAME, old)}


def _migrate_labels(
    row: Annotation, labels: Mapping[int, str], answers: Mapping[str, str], again: bool
) -> TakenOver:
    """Return a mapping submission under a new guideline, its decisions replaced by `answers`.

    `again`: its item is among those that are to be answered again in any case.
    """
    after = {unit: answers.get(said, said) for unit, said in labels.items()}
    nothing = row.no_provision and NO_PROVISION not in answers
    why = [Why("said", each) for each in ANSWERS if each in labels.values() and each in answers]
    why = [each for each in why if answers[each.field] == AGAIN]
    if nothing != row.no_provision:
        why.append(Why("said", NO_PROVISION))
    said = set(after.values())
    decides = nothing or bool(said & {Decision.ACCEPT, Decision.UNSURE})
    if not why and (not decides or (nothing and Decision.ACCEPT in said)):
        why.append(Why("unfit"))
    if again:
        why.append(Why("item"))
    kept = {unit: label for unit, label in after.items() if label != AGAIN}
    told = {old: None if new == AGAIN else new for old, new in sorted(answers.items())}
    fate: Fate = "again" if why else "same" if labels == after else "mapped"
    return TakenOver(fate, kept, {"answers": told}, nothing, tuple(why))


RULES = CitationMapping()


_TASKS = (Task.CITATION_MAPPING,)
_DECIDING = ("label", "add")  # kinds of events that decide on a unit


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
        _require_listed(writer, unit_id)
        if (now := writer.draft.decisions.get(unit_id)) != decision:
            refuse_other(writer, basis, now, *_DECIDING, unit_id=unit_id)
            said = {"unit_id": unit_id, "decision": None if decision is None else str(decision)}
            kept = writer.draft.evidence.get(unit_id) if decision == Decision.ACCEPT else None
            writer.write("label", said | ({"evidence": kept} if kept else {}))


def mark(
    ws: Workspace,
    person_id: int,
    item_id: int,
    unit_id: int,
    spans: list[list[int]],
    basis: Basis = ANYTHING,
) -> None:
    """Mark the words of a listed unit that answer, as [start, end] offsets; accepts the unit.

    No span clears them. Raises UserError if the project does not ask for evidence, and for a span
    that is not of the unit's words. Its basis is the spans that were marked.
    """
    with drafting(ws, person_id, item_id, _TASKS) as writer:
        if not writer.session.get_one(Project, writer.who.project_id).evidence:
            raise UserError("evidence_not_asked")
        _require_listed(writer, unit_id)
        found = evidence_in(writer.session.get_one(UnitRow, unit_id).text, spans)
        now = writer.draft.evidence.get(unit_id)
        if now != found or writer.draft.decisions.get(unit_id) != Decision.ACCEPT:
            shown = [] if now is None else now["spans"]
            refuse_other(writer, basis, shown, *_DECIDING, unit_id=unit_id)
            said = {"unit_id": unit_id, "decision": str(Decision.ACCEPT)}
            writer.write("label", said if found is None else said | {"evidence": found})


def _require_listed(writer: ItemWriter, unit_id: int) -> None:
    """Raise UserError unless the unit is a candidate of the item or was added by the person."""
    listed = select(CandidateRow.id).where(
        CandidateRow.candidate_set_id == writer.set_id,
        CandidateRow.unit_id == usable_id(unit_id),
    )
    if unit_id not in writer.draft.added and writer.session.exec(listed).first() is None:
        raise UserError("unit_not_listed", unit=unit_id)


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
        if (now := writer.draft.decisions.get(unit_id)) != Decision.ACCEPT:
            refuse_other(writer, basis, now, *_DECIDING, unit_id=unit_id)
            writer.write("add", {"unit_id": unit_id})


def set_no_provision(
    ws: Workspace, person_id: int, item_id: int, value: bool, basis: Basis = ANYTHING
) -> None:
    """Set or clear "no provision of this corpus answers the question"."""
    with drafting(ws, person_id, item_id, _TASKS) as writer:
        if (now := writer.draft.no_provision) != bool(value):
            refuse_other(writer, basis, now, "no_provision")
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
    sure = checked_confidence(confidence)
    with drafting(ws, person_id, item_id, _TASKS) as writer:
        refuse_revision(writer, revision)
        RULES.validate(writer)
        draft, listed = writer.draft, _listed_units(writer)
        resolved = [each for each in writer.candidates.citations if each["status"] == "resolved"]
        cited = {target["unit"] for citation in resolved for target in citation["targets"]}
        open_ = {
            number: label
            for number, semantic_id, label in listed
            if semantic_id in cited and number not in draft.decisions
        }
        if open_ and not anyway:
            code = "cited_beside_none" if draft.no_provision else "cited_undecided"
            names = ", ".join(open_.values())
            raise UserError(code, count=len(open_), names=names, unit=next(iter(open_)))
        writer.submit(sure)
        return Counter(draft.decisions.get(number or 0, "") for number, *_ in listed)


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


def _listed_units(writer: ItemWriter) -> list[tuple[int | None, str, str]]:
    """Return (id, semantic id, label) of the candidates by rank, then of the units added."""
    query = select(UnitRow.id, UnitRow.semantic_id, UnitRow.label)
    ranked = query.join(CandidateRow)
    ranked = ranked.where(CandidateRow.candidate_set_id == writer.set_id)
    listed = list(writer.session.exec(ranked.order_by(col(CandidateRow.rank))))
    more = [each for each in writer.draft.added if each not in {number for number, *_ in listed}]
    if more:
        added = {row[0]: row for row in writer.session.exec(query.where(col(UnitRow.id).in_(more)))}
        listed += [added[number] for number in more]
    return listed


def _newer_candidates(writer: ItemWriter) -> CandidateSet:
    """Return the newest candidates of the law in use. Raises UserError if the draft is on that law.

    Also if it has no candidates.
    """
    project_id = writer.session.get_one(Item, writer.room.item_id).project_id
    in_use = id_in_use(writer.session, project_id)
    if in_use is None or in_use == writer.candidates.snapshot_id:
        raise UserError("nothing_to_recheck")
    set_id = newest_set_on(writer.session, writer.room.item_id, in_use)
    if set_id is None:
        raise UserError("candidates_missing")
    return writer.session.get_one(CandidateSet, set_id)


def _compare_before_writing(ws: Workspace, person_id: int, item_id: int) -> None:
    """Compute and cache the comparison of two differing laws before the write lock is taken."""
    with ws.reading() as session:
        who = annotator(session, person_id)
        require_item(session, who, item_id)
        draft = fold(own_events(session, person_id, item_id))
        in_use = id_in_use(session, who.project_id)
        bound = session.get(CandidateSet, draft.candidate_set_id or 0)
        if bound is not None and in_use is not None and bound.snapshot_id != in_use:
            mapped_units(ws, bound.snapshot_id, in_use)
