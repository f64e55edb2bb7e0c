"""Disputes on multiple-choice questions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlmodel import Session

from annotation.forms.disputes import FormCase, FormDisputes
from annotation.forms.submissions import FormSubmission
from annotation.mcq.solvability import Stage
from annotation.mcq.state import Dispute, McqView, mcq_view, state_of_case
from annotation.people.roles import ProjectMember
from storage.tables.core import Item
from storage.tasks import Task


class McqDisputes(FormDisputes):
    """MCQ disputes: a decision is a verdict with its fields, including the reason."""

    def causes(self, case: FormCase) -> tuple[Dispute, ...]:
        """Return why the question needs an adjudicator, or did before it was decided."""
        return state_of_case(case).disputes

    def question(self, session: Session, who: ProjectMember, item: Item) -> McqView:
        """Return the full question."""
        return mcq_view(session, who.project_id, item.subject_id or 0, Stage.DONE)

    def decided(
        self, answers: Mapping[str, Any], reason: str, sides: Sequence[FormSubmission]
    ) -> Mapping[str, Any]:
        """Return the decision with its reason as a form field."""
        return dict(answers) | ({"reason": reason} if reason.strip() else {})


DISPUTES = McqDisputes(Task.MCQ_SOLVABILITY)
