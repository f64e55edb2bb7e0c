"""Views of an answer's claims for review, without the answer's author and labeller."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlmodel import Session

from annotation.attribution.claim_cites import cites_of_claims
from annotation.attribution.form import (
    GOLD,
    LABEL,
    LABELS,
    NO,
    NONE,
    SUPPORTED,
    YES,
    judged,
)
from annotation.people.roles import annotator
from annotation.work.queue_service import ItemView
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


def _review_case(session: Session, found: ClaimsBeside, snapshot_id: int) -> ReviewCase:
    cites = cites_of_claims(session, snapshot_id, found)
    written = [name for each in cites for name in each.written]
    cited = cited_provisions(session, snapshot_id, found.answer, written)
    return ReviewCase(
        question=found.answer.question,
        reference=found.answer.reference,
        answer=found.answer.answer,
        language=found.answer.language,
        claims=tuple(
            ReviewedClaim(claim.text, tuple(cited[name] for name in each.written), each.own)
            for claim, each in zip(found.predicted, cites, strict=True)
        ),
        gold=tuple(claim.text for claim in found.gold),
    )
