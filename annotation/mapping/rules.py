"""Rules of citation mapping: the content of an item, validation, labels, migration."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from sqlmodel import Session, col, select

from annotation.mapping.candidate_views import (
    Mark,
    candidate_views,
    citation_views,
    shown_units,
)
from annotation.work.carry_over import outrun
from annotation.work.draft import Draft
from annotation.work.rules import Opened, TaskRules
from annotation.work.submissions import Decision, add_labels
from annotation.work.taking_over import AGAIN, SAME, Fate, Step, TakenOver, Why
from annotation.work.visibility import is_settled
from errors import UserError, Where
from storage.tables.core import Annotation, AnnotationLabel, CandidateSet, Item, QuestionRow
from storage.tasks import Task

NO_PROVISION = "no_provision"
ANSWERS = (*(str(each) for each in Decision), NO_PROVISION)  # answers that can be migrated
_CHUNK = 500  # ids in one query


class CitationMapping(TaskRules):
    """Rules of citation mapping: which provisions does the official answer rest on?"""

    task: ClassVar[Task] = Task.CITATION_MAPPING

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
        add_labels(writer.session, annotation_id, sorted(writer.draft.decisions.items()))

    def taken_over(
        self, session: Session, step: Step, made: Iterable[Annotation]
    ) -> dict[int, TakenOver]:
        """Return each submission with its labels and "no provision" after migration."""
        answers = _changed_answers(step.answers)
        rows = {row.id or 0: row for row in made}
        labels = _labels(session, [*rows])
        return {
            number: _migrated(row, labels.get(number, {}), answers, row.item_id in step.items)
            for number, row in rows.items()
        }

    def store_taken(self, session: Session, annotation_id: int, after: TakenOver) -> None:
        """Store the decision on each unit of a migrated submission."""
        session.flush()
        add_labels(session, annotation_id, sorted(after.said.items()))


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


def _migrated(
    row: Annotation, before: Mapping[int, str], answers: Mapping[str, str], named: bool
) -> TakenOver:
    after = {unit: answers.get(said, said) for unit, said in before.items()}
    nothing = row.no_provision and NO_PROVISION not in answers
    why = [Why("said", each) for each in ANSWERS if each in before.values() and each in answers]
    why = [each for each in why if answers[each.field] == AGAIN]
    if nothing != row.no_provision:
        why.append(Why("said", NO_PROVISION))
    said = set(after.values())
    decides = nothing or bool(said & {Decision.ACCEPT, Decision.UNSURE})
    if not why and (not decides or (nothing and Decision.ACCEPT in said)):
        why.append(Why("unfit"))
    if named:
        why.append(Why("item"))
    kept = {unit: label for unit, label in after.items() if label != AGAIN}
    told = {old: None if new == AGAIN else new for old, new in sorted(answers.items())}
    fate: Fate = "again" if why else "same" if before == after else "mapped"
    return TakenOver(fate, kept, {"answers": told}, nothing, tuple(why))


def _labels(session: Session, ids: list[int]) -> dict[int, dict[int, str]]:
    found: dict[int, dict[int, str]] = {}
    for start in range(0, len(ids), _CHUNK):
        part = col(AnnotationLabel.annotation_id).in_(ids[start : start + _CHUNK])
        for row in session.exec(select(AnnotationLabel).where(part)):
            found.setdefault(row.annotation_id, {})[row.unit_id] = row.label
    return found


RULES = CitationMapping()
