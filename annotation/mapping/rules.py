"""Citation mapping as a task: what is shown of its items, and what a submission of it is."""

from __future__ import annotations

from typing import Any, ClassVar

from sqlmodel import select

from annotation.mapping.candidate_views import (
    Mark,
    candidate_views,
    citation_views,
    shown_units,
)
from annotation.work.carry_over import outrun
from annotation.work.draft import Draft
from annotation.work.rules import ItemContext, Opened, TaskRules
from annotation.work.submissions import Decision, add_labels
from annotation.work.visibility import is_settled
from errors import UserError
from storage.tables.core import CandidateSet, Item, QuestionRow
from storage.tasks import Task


class CitationMapping(TaskRules):
    """Which provisions does the official answer rest on?"""

    task: ClassVar[Task] = Task.CITATION_MAPPING

    def content(self, at: Opened) -> dict[str, Any]:
        """Return the question, what is suggested, and what became of the law since."""
        session, draft, item_id = at.session, at.draft, at.room.item_id
        candidates = session.get_one(CandidateSet, draft.candidate_set_id)
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
                candidates, units, question.text, draft.decisions, _marks(draft)
            ),
            "snapshot_id": candidates.snapshot_id,
            "candidate_set_id": candidates.id or 0,
            "no_provision": draft.no_provision,
            "dropped": draft.dropped,
            "outrun": open_to_change and outrun(session, at.who.project_id, draft, candidates),
        }

    def validate(self, writer: ItemContext) -> None:
        """Raise UserError for a draft that decides nothing, or accepts beside "no provision".

        It decides something where a unit is accepted or unsure, or there is no provision.
        """
        draft = writer.draft
        accepted, unsure = draft.units(Decision.ACCEPT), draft.units(Decision.UNSURE)
        if accepted and draft.no_provision:
            raise UserError("accept_beside_none")
        if not (accepted or unsure or draft.no_provision):
            raise UserError("nothing_decided")

    def store_labels(self, writer: ItemContext, annotation_id: int) -> None:
        """Store the decision on each unit."""
        add_labels(writer.session, annotation_id, sorted(writer.draft.decisions.items()))


def _marks(draft: Draft) -> dict[int, tuple[Mark, str]]:
    """Return how the units of an item taken up again are marked."""
    marks: dict[int, tuple[Mark, str]] = dict.fromkeys(draft.brought, ("brought", ""))
    marks |= dict.fromkeys(draft.amended, ("amended", ""))
    return marks | {unit: ("moved", label) for unit, label in draft.former.items()}


RULES = CitationMapping()
