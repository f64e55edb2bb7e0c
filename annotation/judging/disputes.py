"""Disputed ratings of models' answers that nobody has reviewed."""

from __future__ import annotations

from sqlmodel import Session

from annotation.forms.disputes import FormDisputes
from annotation.forms.submissions import form_submissions
from annotation.judging.answer_views import BlindCase, blind_in
from annotation.people.roles import ProjectMember
from storage.tables.core import Item
from storage.tasks import Task


class RatingDisputes(FormDisputes):
    """Rating disputes, adjudicated blind; reviewed answers need no decision."""

    def question(self, session: Session, who: ProjectMember, item: Item) -> BlindCase:
        """Return the answer without its author and verdicts."""
        return blind_in(session, who, item.subject_id or 0)

    def done(self, session: Session, project_id: int) -> frozenset[int]:
        """Return the reviewed answers: their consensus counts."""
        reviews = form_submissions(session, project_id, Task.JUDGE_REVIEW).values()
        return frozenset(each.subject_id for made in reviews for each in made)


DISPUTES = RatingDisputes(Task.ANSWER_RATING)
