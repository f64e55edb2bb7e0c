"""Disputes on researched questions: whether there is a passage, and where."""

from __future__ import annotations

from sqlmodel import Session

from annotation.forms.disputes import FormDisputes
from annotation.people.roles import ProjectMember
from annotation.research.authorities import Researched, question_in
from storage.tables.core import Item
from storage.tasks import Task


class ResearchDisputes(FormDisputes):
    """Research disputes: a decision names the gold passages; trails stay as submitted."""

    def question(self, session: Session, who: ProjectMember, item: Item) -> Researched:
        """Return the question as its researchers see it."""
        return question_in(session, who.project_id, item.subject_id or 0)


DISPUTES = ResearchDisputes(Task.RESEARCH)
