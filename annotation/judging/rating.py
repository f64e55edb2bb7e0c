"""The form of rating an answer: is it correct, without knowing who or what wrote and judged it.

An answer that nobody can rate is skipped or flagged; there is no third grade to count wrongly.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, ClassVar

from annotation.forms.form import Answers, Compared, Form
from errors import UserError, Where
from storage.tasks import Task

RATING = "rating"  # the form's only field


class Rating(StrEnum):
    """What a person says of an answer."""

    CORRECT = "correct"
    INCORRECT = "incorrect"


class AnswerRating(Form):
    """One field, `rating`."""

    task = Task.ANSWER_RATING
    coded = RATING
    scales: ClassVar[Mapping[str, Compared]] = {RATING: ("nominal", tuple(Rating))}

    def check(self, field: str, value: Any, answers: Answers) -> str:
        """Return the rating. Raises UserError for another field or value."""
        if field != RATING:
            raise UserError("judge_field", Where(field=str(field)), known=RATING)
        return grade(value, RATING)

    def fit(self, answers: Answers) -> None:
        """Raise UserError where the answer is not rated."""
        if RATING not in answers:
            raise UserError("rating_missing", Where(field=RATING))


def grade(value: Any, field: str) -> str:
    """Return the value if it is a rating. Raises UserError for any other."""
    if not isinstance(value, str) or value not in tuple(Rating):
        raise UserError("judge_value", Where(field=field), known=", ".join(Rating))
    return value


def found_correct(answers: Answers, field: str = RATING) -> bool | None:
    """Return whether the answers say that the judged answer is correct; None where they do not."""
    said = answers.get(field)
    return None if said is None else said == Rating.CORRECT


FORM = AnswerRating()
