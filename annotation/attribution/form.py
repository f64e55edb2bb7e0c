"""The form of attribution review: each claim's gold claim, and whether the law supports it.

Each claim has its own fields, numbered from 1: ``label_1`` (match, partial, none), ``gold_1``
(which gold claim, from 1, unless none) and ``supported_1`` (yes, partly, no, or uncited if the
claim names no provision). Their number follows from the item's subject.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Mapping
from typing import Any, ClassVar

from sqlmodel import Session

from annotation.attribution.claim_cites import cites_in_item
from annotation.forms.answer_checks import AnswerChecks
from annotation.forms.form import Answers, Compared, Form
from annotation.work.taking_over import Becomes
from errors import UserError, Where
from storage.attribution.review import claims_beside
from storage.tables.core import Item
from storage.tasks import Task

LABEL, GOLD, SUPPORTED = "label", "gold", "supported"
CRITERIA = (LABEL, GOLD, SUPPORTED)
MATCH, PARTIAL, NONE = "match", "partial", "none"
LABELS = (MATCH, PARTIAL, NONE)
YES, PARTLY, NO, UNCITED = "yes", "partly", "no", "uncited"
SUPPORT = (YES, PARTLY, NO, UNCITED)
MOST_CLAIMS = 200  # of one text
_FIELD = re.compile(r"(label|gold|supported)_([1-9][0-9]{0,2})")
_ANSWERS = AnswerChecks("attribution_value")


def field_of(criterion: str, number: int) -> str:
    """Return the field of a criterion for a claim, counted from 1."""
    return f"{criterion}_{number}"


def place_of(field: str) -> tuple[str, int]:
    """Return criterion and claim of a field. Raises UserError for an unknown field."""
    found = _FIELD.fullmatch(field)
    if found is None or int(found[2]) > MOST_CLAIMS:
        raise UserError("attribution_field", Where(field=field[:60]), field=field[:60])
    return found[1], int(found[2])


def fields_asked(answers: Answers, claims: int) -> list[str]:
    """Return the required fields for so many claims, in order; no gold claim without a match."""
    found = []
    for number in range(1, claims + 1):
        found.append(field_of(LABEL, number))
        if answers.get(field_of(LABEL, number)) in (MATCH, PARTIAL):
            found.append(field_of(GOLD, number))
        found.append(field_of(SUPPORTED, number))
    return found


def judged(answers: Answers, number: int) -> bool:
    """Return True if everything about a claim is answered."""
    label, supported = (answers.get(field_of(each, number)) for each in (LABEL, SUPPORTED))
    named = label == NONE or answers.get(field_of(GOLD, number)) is not None
    return label is not None and supported is not None and named


class AttributionReview(Form):
    """The form of attribution review."""

    task: ClassVar[Task] = Task.ATTRIBUTION
    coded: ClassVar[str] = LABEL
    scales: ClassVar[Mapping[str, Compared]] = {
        LABEL: ("nominal", LABELS),
        SUPPORTED: ("nominal", SUPPORT),
    }

    def check(self, field: str, value: Any, answers: Answers) -> Any:
        """Return the value in its stored form. Raises UserError for an unknown field or value."""
        criterion, _ = place_of(str(field))
        if criterion == GOLD:
            if type(value) is not int or not 1 <= value <= MOST_CLAIMS:
                _ANSWERS.refuse(field, value)
            return value
        if not isinstance(value, str) or value not in (LABELS if criterion == LABEL else SUPPORT):
            _ANSWERS.refuse(field, value)
        return value

    def check_in(
        self, session: Session, item: Item, field: str, value: Any, answers: Answers
    ) -> Any:
        """Return what `check` does; claim and gold claim must exist in the item."""
        kept = self.check(field, value, answers)
        predicted, gold = _claim_counts(session, item)
        criterion, number = place_of(field)
        if number > predicted or (criterion == GOLD and kept > gold):
            raise UserError("attribution_claim", Where(field=field), predicted=predicted, gold=gold)
        if criterion == SUPPORTED and kept != UNCITED:
            found = claims_beside(session, item.project_id, item.subject_id or 0)
            if not cites_in_item(session, item.id or 0, found)[number - 1].written:
                raise UserError("attribution_uncited", Where(field=field), number=number)
        return kept

    def fit(self, answers: Answers) -> None:
        """Raise UserError if nothing is answered, or a gold claim is named beside "none"."""
        if not answers:
            raise UserError("attribution_nothing")
        for field in sorted(answers):
            criterion, number = place_of(field)
            label = answers.get(field_of(LABEL, number))
            if criterion == GOLD and label not in (MATCH, PARTIAL):
                raise UserError("attribution_gold_idle", Where(field=GOLD), number=number)

    def refuse_for(self, session: Session, item: Item, answers: Answers) -> None:
        """Raise UserError for the first unanswered field of the item."""
        for field in fields_asked(answers, _claim_counts(session, item)[0]):
            if field not in answers:
                criterion, number = place_of(field)
                raise UserError(
                    f"attribution_{criterion}_missing", Where(field=criterion), n=number
                )

    def read_back(self, session: Session, item: Item, field: str, value: Any) -> Any:
        """Return a value read from a file in its stored form; its claim must exist in the item."""
        return self.check_in(session, item, field, value, {})

    def options_said(self, field: str, value: Any) -> tuple[str, ...]:
        """Return the label, or the support; a gold claim is no option."""
        return (value,) if isinstance(value, str) else ()

    def parts_said(self, name: str, answers: Answers) -> dict[Hashable, Any]:
        """Return the answers to a criterion, by claim."""
        found: dict[Hashable, Any] = {}
        for field, value in answers.items():
            criterion, number = place_of(field)
            if criterion == name:
                found[number] = value
        return found

    def coded_as(self, field: str) -> str:
        """Return the criterion of a field, as the codebook defines each once."""
        return place_of(field)[0]

    def options_in(self, codebook: str) -> Mapping[str, tuple[str, ...]]:
        """Return the options of each criterion, which no codebook changes."""
        return {LABEL: LABELS, SUPPORTED: SUPPORT}

    def changed(self, old: str, new: str) -> dict[str, Becomes]:
        """Return the migration of reworded answers, by ``<criterion>.<option>``."""
        found = super().changed(old, new)
        options = (name.partition(".")[2] for name in found)
        criteria = (LABEL if option in LABELS else SUPPORTED for option in options)
        return {
            f"{criterion}.{name.partition('.')[2]}": each
            for criterion, (name, each) in zip(criteria, found.items(), strict=True)
        }

    def under(
        self,
        session: Session,
        item: Item,
        made: Any,
        codebook: str,
        answers: dict[str, Any],
        before: Answers,
    ) -> tuple[dict[str, Any], list[Any]]:
        """Return the answers, dropping gold claims whose label was dropped."""
        kept = {
            field: value
            for field, value in answers.items()
            if place_of(field)[0] != GOLD or field_of(LABEL, place_of(field)[1]) in answers
        }
        return kept, []


def _claim_counts(session: Session, item: Item) -> tuple[int, int]:
    """Return the number of claims of an item's answer, and of the gold answer."""
    found = claims_beside(session, item.project_id, item.subject_id or 0)
    return len(found.predicted), len(found.gold)


FORM = AttributionReview()
