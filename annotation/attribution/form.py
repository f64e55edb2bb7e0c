"""What people say of an answer's claims: the gold claim that each says, and whether law bears it.

Each claim has fields of its own, numbered from 1: ``label_1`` (match, partial, none), ``gold_1``
(which gold claim, from 1, unless none) and ``supported_1`` (yes, partly, no, or uncited where the
claim names no provision). How many there are follows from the item's subject.
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
    """Return the field in which a claim, counted from 1, is judged by a criterion."""
    return f"{criterion}_{number}"


def place_of(field: str) -> tuple[str, int]:
    """Return criterion and claim of a field. Raises UserError for one that the form has not."""
    found = _FIELD.fullmatch(field)
    if found is None or int(found[2]) > MOST_CLAIMS:
        raise UserError("attribution_field", Where(field=field[:60]), field=field[:60])
    return found[1], int(found[2])


def fields_asked(answers: Answers, claims: int) -> list[str]:
    """Return what is asked of so many claims, in order: no gold claim where none matches."""
    found = []
    for number in range(1, claims + 1):
        found.append(field_of(LABEL, number))
        if answers.get(field_of(LABEL, number)) in (MATCH, PARTIAL):
            found.append(field_of(GOLD, number))
        found.append(field_of(SUPPORTED, number))
    return found


def judged(answers: Answers, number: int) -> bool:
    """Return whether everything about a claim is answered."""
    label, supported = (answers.get(field_of(each, number)) for each in (LABEL, SUPPORTED))
    named = label == NONE or answers.get(field_of(GOLD, number)) is not None
    return label is not None and supported is not None and named


class AttributionReview(Form):
    """The form of the task."""

    task: ClassVar[Task] = Task.ATTRIBUTION
    coded: ClassVar[str] = LABEL
    scales: ClassVar[Mapping[str, Compared]] = {
        LABEL: ("nominal", LABELS),
        SUPPORTED: ("nominal", SUPPORT),
    }

    def check(self, field: str, value: Any, answers: Answers) -> Any:
        """Return the value as it is kept. Raises UserError for an unknown field or value."""
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
        """Return what `check` does; the claim and the gold claim have to be those of the item."""
        kept = self.check(field, value, answers)
        predicted, gold = _counts(session, item)
        criterion, number = place_of(field)
        if number > predicted or (criterion == GOLD and kept > gold):
            raise UserError("attribution_claim", Where(field=field), predicted=predicted, gold=gold)
        if criterion == SUPPORTED and kept != UNCITED:
            self._refuse_uncited(session, item, field, number)
        return kept

    def _refuse_uncited(self, session: Session, item: Item, field: str, number: int) -> None:
        """Raise UserError for a claim beside which no provision stands: nothing can support it."""
        found = claims_beside(session, item.project_id, item.subject_id or 0)
        if not cites_in_item(session, item.id or 0, found)[number - 1].written:
            raise UserError("attribution_uncited", Where(field=field), number=number)

    def fit(self, answers: Answers) -> None:
        """Raise UserError where nothing is answered, or a gold claim is named beside "none"."""
        if not answers:
            raise UserError("attribution_nothing")
        for field in sorted(answers):
            criterion, number = place_of(field)
            label = answers.get(field_of(LABEL, number))
            if criterion == GOLD and label not in (MATCH, PARTIAL):
                raise UserError("attribution_gold_idle", Where(field=GOLD), number=number)

    def refuse_for(self, session: Session, item: Item, answers: Answers) -> None:
        """Raise UserError for the first question about a claim of the item that has no answer."""
        for field in fields_asked(answers, _counts(session, item)[0]):
            if field not in answers:
                criterion, number = place_of(field)
                raise UserError(
                    f"attribution_{criterion}_missing", Where(field=criterion), n=number
                )

    def read_back(self, session: Session, item: Item, field: str, value: Any) -> Any:
        """Return the value of a file as it is kept; it has to be of a claim of the item."""
        return self.check_in(session, item, field, value, {})

    def options_said(self, field: str, value: Any) -> tuple[str, ...]:
        """Return the label or whether it is supported; a gold claim is no option."""
        return (value,) if isinstance(value, str) else ()

    def parts_said(self, name: str, answers: Answers) -> dict[Hashable, Any]:
        """Return what is said by a criterion, claim by claim."""
        found: dict[Hashable, Any] = {}
        for field, value in answers.items():
            criterion, number = place_of(field)
            if criterion == name:
                found[number] = value
        return found

    def coded_as(self, field: str) -> str:
        """Return the criterion of a field: the codebook says of each once what it means."""
        return place_of(field)[0]

    def options_in(self, codebook: str) -> Mapping[str, tuple[str, ...]]:
        """Return what each criterion takes, which no codebook changes."""
        return {LABEL: LABELS, SUPPORTED: SUPPORT}

    def changed(self, old: str, new: str) -> dict[str, Becomes]:
        """Return what becomes of answers by what was reworded, by ``<criterion>.<option>``."""
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
        """Return the answers: a gold claim goes with the label that it was named for."""
        kept = {
            field: value
            for field, value in answers.items()
            if place_of(field)[0] != GOLD or field_of(LABEL, place_of(field)[1]) in answers
        }
        return kept, []


def _counts(session: Session, item: Item) -> tuple[int, int]:
    """Return how many claims the answer of an item has, and how many the gold answer."""
    found = claims_beside(session, item.project_id, item.subject_id or 0)
    return len(found.predicted), len(found.gold)


FORM = AttributionReview()
