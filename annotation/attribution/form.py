"""Attribution review, beyond its declaration (`annotation/tasks/attribution_review.yaml`).

The fields are asked of each claim of an answer, numbered from 1: ``label_1``, ``gold_1`` (which
gold claim, from 1, unless none) and ``supported_1`` (uncited if the claim names no provision).

Views of an answer's claims for review, without the answer's author and labeller.

The citations of each claim of an answer: given with it, in its text, or of the whole answer.

A claim of an answer by provision has its provision. A claim cut out of a free answer cites what its
text names, as `construction.attribution` reads it, a bare article belonging to the law named
before it; if it names nothing, the references of the whole answer are used.

The provisions that a reviewed answer rests on: those that its claims cite.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from sqlmodel import Session

from annotation.forms.form import Answers
from annotation.gold.resting import Resting, Rests, Scope, Via
from annotation.people.roles import ProjectMember, annotator
from annotation.tasks.form import DeclaredForm
from annotation.tasks.outcomes import DeclaredDisputes, Fate, ItemState, Outcomes
from annotation.tasks.reading import packaged
from annotation.work.queue_service import ItemView
from annotation.work.rules import Becomes
from construction.attribution import Law, cited_in_text
from corpus.citations.catalogue import Catalogue
from errors import UserError, Where
from storage.attribution.claims import Claim
from storage.attribution.review import (
    AFTER,
    SHOWN,
    Cited,
    ClaimsBeside,
    cited_provisions,
    claims_beside,
    labels_row,
)
from storage.db.columns import view_of
from storage.db.workspace import Workspace
from storage.law.catalogues import catalogue_in
from storage.mapping import newest_set_id, shown_set
from storage.tables.core import Item
from storage.tasks import Task


@dataclass(frozen=True, slots=True)
class ClaimCites:
    """The ids or references of a claim, as written; without `own`, those of the whole answer."""

    written: tuple[str, ...]
    own: bool = True


def cites_of_claims(
    session: Session, snapshot_id: int, answer_claims: ClaimsBeside
) -> tuple[ClaimCites, ...]:
    """Return each claim's citations: as given if any has some, else found in a snapshot's law."""
    claims, row = answer_claims.predicted, answer_claims.answer
    if any(each.cites for each in claims):
        return tuple(ClaimCites(each.cites) for each in claims)
    return claims_cite(catalogue_in(session, snapshot_id), claims, row.answer, row.question)


def claims_cite(
    catalogue: Catalogue, claims: Sequence[Claim], answer: str, question: str
) -> tuple[ClaimCites, ...]:
    """Return each claim's citations: as given if any has some, else in its text, or the answer."""
    if any(each.cites for each in claims):
        return tuple(ClaimCites(each.cites) for each in claims)
    law = _law_of(catalogue)
    whole, before = _citations_in(answer, law, [question]), [question]
    cites = []
    for each in claims:
        own = _citations_in(each.text, law, before)
        cites.append(ClaimCites(own) if own or not whole else ClaimCites(whole, own=False))
        before.append(each.text)
    return tuple(cites)


def cites_in_item(session: Session, item_id: int, claims: ClaimsBeside) -> tuple[ClaimCites, ...]:
    """Return the citations of each claim in the law that the review item currently shows."""
    shown = shown_set(session, newest_set_id(session, item_id) or 0)
    return cites_of_claims(session, shown.snapshot_id, claims)


@lru_cache(maxsize=4)
def _law_of(catalogue: Catalogue) -> Law:
    return Law.of(catalogue)


def _citations_in(text: str, law: Law, before: Sequence[str]) -> tuple[str, ...]:
    """Return the provisions that a text cites, exact and invalid; `before` is the text above it."""
    cited = cited_in_text(text, law, "\n".join(before))
    return (*cited.exact, *cited.invalid)


class AttributionResting(Resting):
    """The reader of `annotation.gold.resting` for answers under attribution review."""

    def rests(self, scope: Scope, items: Sequence[Item]) -> list[Rests]:
        """Return the provisions that each answer's claims cite, in the law they were judged by."""
        laws = scope.decided_on(items)
        return [
            Rests(each.id or 0, places=tuple(_places(scope, each, laws.get(each.id or 0, 0))))
            for each in items
        ]


def _places(scope: Scope, item: Item, law: int) -> Iterator[tuple[str, int, Via]]:
    """Yield (unit, snapshot, "cited") for the units that an answer's claims cite."""
    found = claims_beside(scope.session, scope.project_id, item.subject_id or 0)
    if not law:
        return
    written = [name for each in cites_of_claims(scope.session, law, found) for name in each.written]
    cited = cited_provisions(scope.session, law, found.answer, written)
    for unit in sorted({each.unit for each in cited.values() if each.unit}):
        yield unit, law, "cited"


RESTS = AttributionResting()


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
        """Return a checked value; refuse unknown (gold) claims, and support if nothing is cited."""
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
        """Return all answers: every field counts when people are compared."""
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
    own: bool


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


def review_case_in(session: Session, project_id: int, case_id: int, snapshot_id: int) -> ReviewCase:
    """`own_case` in an open session, with the provisions of a snapshot."""
    claims = claims_beside(session, project_id, case_id)
    cites = cites_of_claims(session, snapshot_id, claims)
    written = [name for each in cites for name in each.written]
    cited = cited_provisions(session, snapshot_id, claims.answer, written)
    return view_of(
        ReviewCase,
        claims.answer,
        claims=tuple(
            ReviewedClaim(claim.text, tuple(cited[name] for name in each.written), each.own)
            for claim, each in zip(claims.predicted, cites, strict=True)
        ),
        gold=tuple(claim.text for claim in claims.gold),
    )


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


class AttributionDisputes(DeclaredDisputes):
    """Attribution disputes: a decision has the disputed fields; agreed ones keep their answer."""

    def question(self, session: Session, who: ProjectMember, item: Item) -> ReviewCase:
        """Return the claims as their reviewers see them, with the law currently shown."""
        shown = shown_set(session, newest_set_id(session, item.id or 0) or 0)
        return review_case_in(session, who.project_id, item.subject_id or 0, shown.snapshot_id)


DISPUTES = AttributionDisputes(Outcomes(SPEC, ItemState, Fate))
