"""The forms for rating an answer, and for reviewing its judges.

A rating says whether the answer is correct, without knowledge of its author and judges; one that
nobody can rate is skipped or flagged, so there is no third grade. A review gives the true grade
(consensus), the judge's error, and the reason. The direction of an error follows from the
consensus: an incorrect answer can only be overestimated. A review of an error names at least one
category of the codebook and explains in words what misled the judge, as the report of errors is
made of these.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from functools import partial
from types import MappingProxyType
from typing import Any

from sqlmodel import Session

from annotation.forms.form import Answers, Compared, Form
from annotation.guidelines.codebook_tree import parse
from annotation.guidelines.documents import EVERY, current
from annotation.work.submissions import checked_text, says_something
from corpus.files.declarations import KEY
from errors import UserError, Where
from storage.tables.core import Item
from storage.tasks import Task

RATING = "rating"  # the form's only field


class Rating(StrEnum):
    """A person's rating of an answer."""

    CORRECT = "correct"
    INCORRECT = "incorrect"


class AnswerRating(Form):
    """The form for rating an answer, with one field, `rating`."""

    task = Task.ANSWER_RATING
    coded = RATING
    scales: Mapping[str, Compared] = {RATING: ("nominal", tuple(Rating))}

    def check(self, field: str, value: Any, answers: Answers) -> str:
        """Return the rating. Raises UserError for another field or value."""
        if field != RATING:
            raise UserError("judge_field", Where(field=str(field)), known=RATING)
        return grade(value, RATING)

    def fit(self, answers: Answers) -> None:
        """Raise UserError if the answer is not rated."""
        if RATING not in answers:
            raise UserError("rating_missing", Where(field=RATING))


def grade(value: Any, field: str) -> str:
    """Return the value if it is a rating. Raises UserError for any other."""
    if not isinstance(value, str) or value not in tuple(Rating):
        raise UserError("judge_value", Where(field=field), known=", ".join(Rating))
    return value


def found_correct(answers: Answers, field: str = RATING) -> bool | None:
    """Return whether the person finds the answer correct; None if they gave no rating."""
    said = answers.get(field)
    return None if said is None else said == Rating.CORRECT


RATING_FORM = AnswerRating()


CONSENSUS, ESTIMATE, CATEGORIES, RATIONALE = "consensus", "estimate", "categories", "rationale"
FIELDS = (CONSENSUS, ESTIMATE, CATEGORIES, RATIONALE)
MOST_CATEGORIES = 20


class Estimate(StrEnum):
    """The judge's error, relative to the consensus."""

    OVER = "over"  # judged an incorrect answer correct
    UNDER = "under"  # judged a correct answer incorrect
    FAIR = "fair"


# The consensus that each direction of error requires.
_CONSENSUS_FOR: Mapping[str, Rating] = MappingProxyType(
    {Estimate.OVER: Rating.INCORRECT, Estimate.UNDER: Rating.CORRECT}
)


class JudgeReview(Form):
    """The form for reviewing judges: consensus, estimate, categories in order, rationale."""

    task = Task.JUDGE_REVIEW
    coded = CATEGORIES

    def check(self, field: str, value: Any, answers: Answers) -> Any:
        """Return the value in its stored form. Raises UserError for another field or value."""
        read = _CHECKS.get(field)
        if read is None:
            raise UserError("judge_field", Where(field=str(field)), known=", ".join(FIELDS))
        return read(value)

    def check_in(
        self, session: Session, item: Item, field: str, value: Any, answers: Answers
    ) -> Any:
        """Return what `check` does; raise UserError also for a category not in the codebook.

        One that was chosen before the codebook dropped it may stay.
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
        """Raise UserError for missing fields, and for an estimate against the consensus."""
        for field in (CONSENSUS, ESTIMATE):
            if field not in answers:
                raise UserError(f"review_{field}_missing", Where(field=field))
        estimate = answers[ESTIMATE]
        if _CONSENSUS_FOR.get(estimate, answers[CONSENSUS]) != answers[CONSENSUS]:
            raise UserError(f"review_{estimate}_against", Where(field=ESTIMATE))
        if estimate == Estimate.FAIR:
            return
        for field in (CATEGORIES, RATIONALE):
            if not answers.get(field):
                raise UserError(f"review_{field}_missing", Where(field=field))


def estimate_of(verdict: bool, consensus: bool) -> Estimate:
    """Return the error of a judge with that verdict under this consensus."""
    if verdict == consensus:
        return Estimate.FAIR
    return Estimate.OVER if verdict else Estimate.UNDER


def _estimate(value: Any) -> str:
    if not isinstance(value, str) or value not in tuple(Estimate):
        raise UserError("judge_value", Where(field=ESTIMATE), known=", ".join(Estimate))
    return value


def _categories(value: Any) -> list[str] | None:
    """Return the keys, deduplicated and sorted; None for an empty list."""
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise UserError("review_categories_form", Where(field=CATEGORIES))
    if len(value) > MOST_CATEGORIES or not all(KEY.fullmatch(each) for each in value):
        raise UserError("review_categories_form", Where(field=CATEGORIES))
    return sorted(set(value)) or None


def _rationale(value: Any) -> str | None:
    """Return the text, None if it has no visible character."""
    if not isinstance(value, str):
        raise UserError("review_rationale_form", Where(field=RATIONALE))
    text = checked_text(value, RATIONALE)
    return text if says_something(text) else None


_CHECKS: Mapping[str, Callable[[Any], Any]] = MappingProxyType(
    {
        CONSENSUS: partial(grade, field=CONSENSUS),
        ESTIMATE: _estimate,
        CATEGORIES: _categories,
        RATIONALE: _rationale,
    }
)
REVIEW_FORM = JudgeReview()
