"""An answer's claims as a screen shows them: who answered and who labelled them is kept back."""

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
    """A claim with the provisions that it cites, in its order.

    Where it names none (not `own`) they are those that the whole answer cites.
    """

    text: str
    cited: tuple[Cited, ...]
    own: bool = True


@dataclass(frozen=True, slots=True)
class ReviewCase:
    """An answer's claims beside the gold claims. Nothing tells who gave the answer."""

    question: str
    reference: str
    answer: str
    language: str
    claims: tuple[ReviewedClaim, ...]
    gold: tuple[str, ...]


def own_case(ws: Workspace, person_id: int, item: ItemView) -> ReviewCase:
    """Return the claims of an item that the person has open.

    Raises UserError for who does not annotate, and for a case of another project.
    """
    with ws.reading() as session:
        who = annotator(session, person_id)
        return case_in(session, who.project_id, item.subject_id, item.snapshot_id)


def case_in(session: Session, project_id: int, number: int, snapshot_id: int) -> ReviewCase:
    """Do what :func:`own_case` does in an open session, with provisions as a snapshot has them."""
    found = claims_beside(session, project_id, number)
    return _shown(session, found, snapshot_id)


def own_suggestions(ws: Workspace, person_id: int, item: ItemView) -> dict[int, dict[str, Any]]:
    """Return the model's labels that the person may see now, by claim from 1 and criterion.

    Where they come after the answer, those of the claims that are answered in full; never the
    name of the model. Raises UserError for who does not annotate.
    """
    setting, number = str(item.shown["suggestions"]), int(item.shown["labels"])
    if setting not in (SHOWN, AFTER) or not number:
        return {}
    with ws.reading() as session:
        who = annotator(session, person_id)
        claims_beside(session, who.project_id, item.subject_id)
        rows = labels_row(session, item.subject_id, number)
    return {
        at: _suggested(row)
        for at, row in enumerate(rows, 1)
        if setting == SHOWN or judged(item.answers, at)
    }


def _suggested(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a model's labels of a claim as the form would have them; None where it said none."""
    label = row.get("label") if row.get("label") in LABELS else None
    place, bears = row.get("gold"), row.get("supported")
    named = type(place) is int and label not in (None, NONE)
    return {
        LABEL: label,
        GOLD: place + 1 if named and place is not None else None,
        SUPPORTED: None if bears is None else YES if bears else NO,
    }


def _shown(session: Session, found: ClaimsBeside, snapshot_id: int) -> ReviewCase:
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
