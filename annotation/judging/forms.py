"""The forms for rating an answer, and for reviewing its judges.

A rating says whether the answer is correct, without knowledge of its author and judges; one that
nobody can rate is skipped or flagged, so there is no third grade. A review gives the true grade
(consensus), the judge's error, and the reason. The direction of an error follows from the
consensus: an incorrect answer can only be overestimated. A review of an error names at least one
category of the codebook and explains in words what misled the judge, as the report of errors is
made of these.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Any

from sqlmodel import Session

from annotation.forms.form import Answers
from annotation.tasks.form import DeclaredForm
from annotation.tasks.reading import packaged
from annotation.tasks.spec import StageSpec
from errors import UserError, Where
from storage.tables.core import Item
from storage.tasks import Task

RATING = "rating"  # the form's only field


class Rating(StrEnum):
    """A person's rating of an answer."""

    CORRECT = "correct"
    INCORRECT = "incorrect"


def found_correct(answers: Answers, field: str = RATING) -> bool | None:
    """Return whether the person finds the answer correct; None if they gave no rating."""
    said = answers.get(field)
    return None if said is None else said == Rating.CORRECT


RATING_FORM = DeclaredForm(packaged(Task.ANSWER_RATING))


CONSENSUS, ESTIMATE, CATEGORIES, RATIONALE = "consensus", "estimate", "categories", "rationale"
FIELDS = (CONSENSUS, ESTIMATE, CATEGORIES, RATIONALE)


class Estimate(StrEnum):
    """The judge's error, relative to the consensus."""

    OVER = "over"  # judged an incorrect answer correct
    UNDER = "under"  # judged a correct answer incorrect
    FAIR = "fair"


# The consensus that each direction of error requires.
_CONSENSUS_FOR: Mapping[str, Rating] = MappingProxyType(
    {Estimate.OVER: Rating.INCORRECT, Estimate.UNDER: Rating.CORRECT}
)


class JudgeReview(DeclaredForm):
    """The form for reviewing judges."""

    def known(self, session: Session, item: Item, field: str, value: Any, answers: Answers) -> Any:
        """Return a checked value; raise UserError for a category not in the codebook.

        One that was chosen before the codebook dropped it may stay.
        """
        if field == CATEGORIES:
            known = self.checks.causes_in(session, item.project_id, self.task)
            for key in value or ():
                if key not in known and key not in answers.get(CATEGORIES, ()):
                    where = Where(field=CATEGORIES)
                    raise UserError("review_category_unknown", where, known=", ".join(known))
        return value

    def refuse_unanswered(self, answers: Answers, stage: StageSpec | None = None) -> None:
        """Raise UserError for missing fields, and for an estimate against the consensus."""
        super().refuse_unanswered(answers, stage)
        estimate = answers[ESTIMATE]
        if _CONSENSUS_FOR.get(estimate, answers[CONSENSUS]) != answers[CONSENSUS]:
            raise UserError(f"review_{estimate}_against", Where(field=ESTIMATE))

    def graded(self, answers: Answers) -> dict[str, Any]:
        """Return every answer, as all fields are compared."""
        return dict(answers)


def estimate_of(verdict: bool, consensus: bool) -> Estimate:
    """Return the error of a judge with that verdict under this consensus."""
    if verdict == consensus:
        return Estimate.FAIR
    return Estimate.OVER if verdict else Estimate.UNDER


REVIEW_FORM = JudgeReview(packaged(Task.JUDGE_REVIEW))
