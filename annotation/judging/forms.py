"""The forms of rating an answer, and of reviewing whoever judged it.

A rating says whether the answer is correct, without knowing who or what wrote and judged it; one
that nobody can rate is skipped or flagged, so there is no third grade to count wrongly. A review
says what is true of the answer, what the judge did, and why. An estimate that is off has a
direction, which follows from the consensus: of an answer that is incorrect a judge can only think
too well. Such a review names at least one category of the codebook and says in words what led the
judge astray, since it is what the report of errors is made of.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Any, ClassVar

from sqlmodel import Session

from annotation.forms.form import Answers, Compared, Form
from annotation.guidelines.builtin_documents import EVERY
from annotation.guidelines.codebook_tree import parse
from annotation.guidelines.documents import current
from annotation.work.submissions import checked_text, says_something
from errors import UserError, Where
from storage.tables.core import Item
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


RATING_FORM = AnswerRating()


CONSENSUS, ESTIMATE, CATEGORIES, RATIONALE = "consensus", "estimate", "categories", "rationale"
FIELDS = (CONSENSUS, ESTIMATE, CATEGORIES, RATIONALE)
MOST_CATEGORIES = 20
_KEY = re.compile(r"[a-z][a-z0-9_]{0,63}")  # as in codebooks


class Estimate(StrEnum):
    """What the judge did, measured by the consensus."""

    OVER = "over"  # it found an incorrect answer correct
    UNDER = "under"  # it found a correct answer incorrect
    FAIR = "fair"


# What the consensus must be for the judge to have been off in that direction.
_MEANS: Mapping[str, Rating] = MappingProxyType(
    {Estimate.OVER: Rating.INCORRECT, Estimate.UNDER: Rating.CORRECT}
)


class JudgeReview(Form):
    """The fields of :data:`FIELDS`: a rating, an estimate, category keys in order, a text."""

    task = Task.JUDGE_REVIEW
    coded = CATEGORIES

    def check(self, field: str, value: Any, answers: Answers) -> Any:
        """Return the value as it is kept. Raises UserError for another field or value."""
        read = _READ.get(field)
        if read is None:
            raise UserError("judge_field", Where(field=str(field)), known=", ".join(FIELDS))
        return read(value)

    def check_in(
        self, session: Session, item: Item, field: str, value: Any, answers: Answers
    ) -> Any:
        """Return what `check` does. Raises UserError also for a category unknown here.

        One that was marked before the codebook dropped it may stay.
        """
        kept = self.check(field, value, answers)
        if field == CATEGORIES:
            edition = current(session, item.project_id, "codebook", self.task)
            book = parse(edition.texts[EVERY], self.task)
            known = [option.key for option in book.options]
            for key in kept or ():
                if key not in known and key not in answers.get(CATEGORIES, ()):
                    where = Where(field=CATEGORIES)
                    raise UserError("review_category_unknown", where, known=", ".join(known))
        return kept

    def fit(self, answers: Answers) -> None:
        """Raise UserError for what is missing, and for an estimate against the consensus."""
        for field in (CONSENSUS, ESTIMATE):
            if field not in answers:
                raise UserError(f"review_{field}_missing", Where(field=field))
        estimate = answers[ESTIMATE]
        if _MEANS.get(estimate, answers[CONSENSUS]) != answers[CONSENSUS]:
            raise UserError(f"review_{estimate}_against", Where(field=ESTIMATE))
        if estimate == Estimate.FAIR:
            return
        for field in (CATEGORIES, RATIONALE):
            if not answers.get(field):
                raise UserError(f"review_{field}_missing", Where(field=field))


def estimate_of(verdict: bool, consensus: bool) -> Estimate:
    """Return what a judge of that verdict did, where the consensus is this."""
    if verdict == consensus:
        return Estimate.FAIR
    return Estimate.OVER if verdict else Estimate.UNDER


def _consensus(value: Any) -> str:
    return grade(value, CONSENSUS)


def _estimate(value: Any) -> str:
    if not isinstance(value, str) or value not in tuple(Estimate):
        raise UserError("judge_value", Where(field=ESTIMATE), known=", ".join(Estimate))
    return value


def _categories(value: Any) -> list[str] | None:
    """Return the keys, each once and in order; None for an empty list, which says nothing."""
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise UserError("review_categories_form", Where(field=CATEGORIES))
    if len(value) > MOST_CATEGORIES or not all(_KEY.fullmatch(each) for each in value):
        raise UserError("review_categories_form", Where(field=CATEGORIES))
    return sorted(set(value)) or None


def _rationale(value: Any) -> str | None:
    """Return the text, None for one that shows nothing."""
    if not isinstance(value, str):
        raise UserError("review_rationale_form", Where(field=RATIONALE))
    text = checked_text(value, RATIONALE)
    return text if says_something(text) else None


_READ: Mapping[str, Callable[[Any], Any]] = MappingProxyType(
    {
        CONSENSUS: _consensus,
        ESTIMATE: _estimate,
        CATEGORIES: _categories,
        RATIONALE: _rationale,
    }
)
REVIEW_FORM = JudgeReview()
