"""The form of attribution review, what its reviewers see, and its disputes.

Each claim has its own fields, numbered from 1: ``label_1`` (match, partial, none), ``gold_1``
(which gold claim, from 1, unless none) and ``supported_1`` (yes, partly, no, or uncited if the
claim names no provision). Their number follows from the item's subject.

Views of an answer's claims for review, without the answer's author and labeller.

Disputes on reviewed claims: criteria judged differently, or different gold claims.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlmodel import Session

from annotation.attribution.claim_cites import cites_in_item, cites_of_claims
from annotation.forms.disputes import FormCase, FormDisputes
from annotation.forms.form import AnswerChecks, Answers, Compared, Form
from annotation.people.roles import ProjectMember, annotator
from annotation.work.queue_service import ItemView
from annotation.work.rules import Becomes
from annotation.work.submissions import Submission
from errors import UserError, Where
from storage.attribution.review import (
    AFTER,
    SHOWN,
    Cited,
    ClaimsBeside,
    cited_provisions,
    claims_beside,
    labels_row,
)
from storage.db.workspace import Workspace
from storage.mapping.candidates import newest_set_id, shown_set
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

    task: Task = Task.ATTRIBUTION
    coded: str = LABEL
    scales: Mapping[str, Compared] = {
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
        submission: Any,
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


@dataclass(frozen=True, slots=True)
class ReviewedClaim:
    """A claim with the provisions that it cites, in order.

    If it names none (not `own`), they are those of the whole answer.
    """

    text: str
    cited: tuple[Cited, ...]
    own: bool = True


@dataclass(frozen=True, slots=True)
class ReviewCase:
    """An answer's claims beside the gold claims, without the answer's author."""

    question: str
    reference: str
    answer: str
    language: str
    claims: tuple[ReviewedClaim, ...]
    gold: tuple[str, ...]


def own_case(ws: Workspace, person_id: int, item: ItemView) -> ReviewCase:
    """Return the claims of the item that the person has open.

    Raises UserError for a person who does not annotate, and for a case of another project.
    """
    with ws.reading() as session:
        who = annotator(session, person_id)
        return case_in(session, who.project_id, item.subject_id, item.snapshot_id)


def case_in(session: Session, project_id: int, number: int, snapshot_id: int) -> ReviewCase:
    """Return what :func:`own_case` does, in an open session, with a snapshot's provisions."""
    found = claims_beside(session, project_id, number)
    return _review_case(session, found, snapshot_id)


def own_suggestions(ws: Workspace, person_id: int, item: ItemView) -> dict[int, dict[str, Any]]:
    """Return the model's labels that the person may see, by claim from 1 and criterion.

    If they are shown after answering, only those of fully answered claims; never the model's name.
    Raises UserError for a person who does not annotate.
    """
    setting, number = str(item.shown["suggestions"]), int(item.shown["labels"])
    if setting not in (SHOWN, AFTER) or not number:
        return {}
    with ws.reading() as session:
        who = annotator(session, person_id)
        claims_beside(session, who.project_id, item.subject_id)
        rows = labels_row(session, item.subject_id, number)
    return {
        at: _suggested_answers(row)
        for at, row in enumerate(rows, 1)
        if setting == SHOWN or judged(item.answers, at)
    }


def _suggested_answers(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a model's labels of a claim in the form's shape; None for missing ones."""
    label = row.get("label") if row.get("label") in LABELS else None
    place, bears = row.get("gold"), row.get("supported")
    named = type(place) is int and label not in (None, NONE)
    return {
        LABEL: label,
        GOLD: place + 1 if named and place is not None else None,
        SUPPORTED: None if bears is None else YES if bears else NO,
    }


def _review_case(session: Session, claims: ClaimsBeside, snapshot_id: int) -> ReviewCase:
    cites = cites_of_claims(session, snapshot_id, claims)
    written = [name for each in cites for name in each.written]
    cited = cited_provisions(session, snapshot_id, claims.answer, written)
    return ReviewCase(
        question=claims.answer.question,
        reference=claims.answer.reference,
        answer=claims.answer.answer,
        language=claims.answer.language,
        claims=tuple(
            ReviewedClaim(claim.text, tuple(cited[name] for name in each.written), each.own)
            for claim, each in zip(claims.predicted, cites, strict=True)
        ),
        gold=tuple(claim.text for claim in claims.gold),
    )


class AttributionDisputes(FormDisputes):
    """Attribution disputes: a decision has the disputed fields; agreed ones keep their answer."""

    def causes(self, case: FormCase) -> tuple[str, ...]:
        """Return the criteria with different answers, then ``flagged`` and ``recalled``."""
        found = {place_of(field)[0] for field in differing(case.submissions)}
        causes = [each for each in CRITERIA if each in found]
        causes += ["flagged"] if any(each.flag for each in case.submissions) else []
        return tuple(causes + (["recalled"] if case.unconfirmed else []))

    def question(self, session: Session, who: ProjectMember, item: Item) -> ReviewCase:
        """Return the claims as their reviewers see them, with the law currently shown."""
        shown = shown_set(session, newest_set_id(session, item.id or 0) or 0)
        return case_in(session, who.project_id, item.subject_id or 0, shown.snapshot_id)

    def decided(
        self, answers: Mapping[str, Any], reason: str, sides: Sequence[Submission]
    ) -> Mapping[str, Any]:
        """Return the decision as `completed` does."""
        return completed(answers, sides)


def differing(sides: Sequence[Submission]) -> list[str]:
    """Return the fields in which the sides differ, claim by claim."""
    fields = sorted({field for side in sides for field in side.answers}, key=_place)
    found = [[side.answers.get(field) for side in sides] for field in fields]
    return [
        field for field, said in zip(fields, found, strict=True) if any(e != said[0] for e in said)
    ]


def completed(answers: Mapping[str, Any], sides: Sequence[Submission]) -> dict[str, Any]:
    """Fill undecided fields with values that all sides share.

    A claim that matches no gold claim gets none.
    """
    first = dict(sides[0].answers) if sides else {}
    apart = set(differing(sides))
    said = {field: value for field, value in first.items() if field not in apart} | dict(answers)
    return {
        field: value
        for field, value in said.items()
        if not field.startswith(GOLD) or said.get(field_of(LABEL, place_of(field)[1])) != NONE
    }


def _place(field: str) -> tuple[int, int]:
    criterion, number = place_of(field)
    return number, CRITERIA.index(criterion)


DISPUTES = AttributionDisputes(Task.ATTRIBUTION)
