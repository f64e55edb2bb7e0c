"""Attribution review, beyond its declaration (`annotation/tasks/attribution_review.yaml`).

The fields are asked of each claim of an answer, numbered from 1: ``label_1``, ``gold_1`` (which
gold claim, from 1, unless none) and ``supported_1`` (uncited if the claim names no provision).

Views of an answer's claims for review, without the answer's author and labeller.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlmodel import Session

from annotation.attribution.claim_cites import cites_in_item, cites_of_claims
from annotation.forms.form import Answers
from annotation.people.roles import ProjectMember, annotator
from annotation.tasks.form import DeclaredForm
from annotation.tasks.outcomes import DeclaredDisputes, Fate, ItemState, Outcomes
from annotation.tasks.reading import packaged
from annotation.work.queue_service import ItemView
from annotation.work.rules import Becomes
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

SPEC = packaged(Task.ATTRIBUTION)
LABEL, GOLD, SUPPORTED = CRITERIA = tuple(SPEC.fields)
MATCH, PARTIAL, NONE = LABELS = SPEC.fields[LABEL].values
YES, PARTLY, NO, UNCITED = SPEC.fields[SUPPORTED].values


def field_of(criterion: str, number: int) -> str:
    """Return the field of a criterion for a claim, counted from 1."""
    return f"{criterion}_{number}"


def judged(answers: Answers, number: int) -> bool:
    """Return True if everything about a claim is answered."""
    spec = SPEC.repeated(number)
    return number not in {spec.fields[name].part for name in spec.missing(answers)}


class AttributionReview(DeclaredForm):
    """The form of attribution review."""

    def parts(self, session: Session, item: Item) -> int:
        """Return the number of claims."""
        return len(claims_beside(session, item.project_id, item.subject_id or 0).predicted)

    def known(self, session: Session, item: Item, field: str, value: Any, answers: Answers) -> Any:
        """Return a checked value; claim and gold claim must exist in the item."""
        found = claims_beside(session, item.project_id, item.subject_id or 0)
        predicted, gold = len(found.predicted), len(found.gold)
        criterion, number = self.spec.place(field)
        if number > predicted or (criterion == GOLD and value > gold):
            raise UserError("attribution_claim", Where(field=field), predicted=predicted, gold=gold)
        if criterion != SUPPORTED or value == UNCITED:
            return value
        if not cites_in_item(session, item.id or 0, found)[number - 1].written:
            raise UserError("attribution_uncited", Where(field=field), number=number)
        return value

    def fit(self, answers: Answers) -> None:
        """Raise UserError if nothing is answered, or a gold claim is named beside "none"."""
        if not answers:
            raise UserError("attribution_nothing")
        for field in sorted(answers.keys() - self.spec.reaching(answers).visible(answers).keys()):
            number = self.spec.place(field)[1]
            raise UserError("attribution_gold_idle", Where(field=GOLD), number=number)
        super().fit(answers)

    def fit_decided(self, answers: Answers) -> None:
        """Raise UserError as for a submission."""
        self.fit(answers)

    def read_back(self, session: Session, item: Item, field: str, value: Any) -> Any:
        """Return a value read from a file in its stored form; its claim must exist in the item."""
        return self.known(session, item, field, self.checked(field, value), {})

    def graded(self, answers: Answers) -> dict[str, Any]:
        """Return all answers."""
        return dict(answers)

    def options_in(self, codebook: str) -> Mapping[str, tuple[str, ...]]:
        """Return the options of each criterion, which no codebook changes."""
        return {LABEL: LABELS, SUPPORTED: self.spec.fields[SUPPORTED].values}

    def changed(self, old: str, new: str) -> dict[str, Becomes]:
        """Return the migration of reworded answers, by ``<criterion>.<option>``."""
        found = super().changed(old, new)
        options = {name.partition(".")[2]: each for name, each in found.items()}
        return {
            f"{LABEL if option in LABELS else SUPPORTED}.{option}": each
            for option, each in options.items()
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
        return self.spec.reaching(answers).visible(answers), []


FORM = AttributionReview(SPEC)


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
        return review_case_in(session, who.project_id, item.subject_id, item.snapshot_id)


def review_case_in(session: Session, project_id: int, number: int, snapshot_id: int) -> ReviewCase:
    """`own_case` in an open session, with the provisions of a snapshot."""
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


class AttributionDisputes(DeclaredDisputes):
    """Attribution disputes: a decision has the disputed fields; agreed ones keep their answer."""

    def question(self, session: Session, who: ProjectMember, item: Item) -> ReviewCase:
        """Return the claims as their reviewers see them, with the law currently shown."""
        shown = shown_set(session, newest_set_id(session, item.id or 0) or 0)
        return review_case_in(session, who.project_id, item.subject_id or 0, shown.snapshot_id)


DISPUTES = AttributionDisputes(Outcomes(SPEC, ItemState, Fate))
