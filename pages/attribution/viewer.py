"""Viewer of attribution review: its files, and its data on an answer's claims."""

from __future__ import annotations

from typing import Any

from annotation.attribution.review_views import ReviewedClaim, own_case, own_suggestions
from annotation.work.queue_service import ItemView
from pages.shell.bundle import STATUTE_TEXT
from pages.shell.plain_text import text_pieces
from pages.task.viewer import ASK_SCRIPT, FORM_SCRIPTS, STEP_STYLES, Viewer
from storage.attribution.review import Cited
from storage.db.workspace import Workspace

_SCRIPTS = ("law", "claims", "keys", "viewer", "mount")

REVIEW = Viewer(
    name="attribution_review",
    scripts=(
        *FORM_SCRIPTS,
        STATUTE_TEXT,
        ASK_SCRIPT,
        *(f"attribution/frontend/{name}" for name in _SCRIPTS),
    ),
    styles=(*STEP_STYLES, "attribution/frontend/attribution"),
)


def fixed_part(ws: Workspace, person_id: int, item: ItemView, language: str) -> dict[str, Any]:
    """Return the question, both answers, the claims with citations, and the gold claims."""
    case = own_case(ws, person_id, item)
    return {
        "question": case.question,
        "reference": case.reference,
        "answer": case.answer,
        "language": case.language,
        "claims": [claim_part(each) for each in case.claims],
        "gold": list(case.gold),
        "suggestions": item.shown["suggestions"],
        "suggestedAtAll": bool(item.shown["labels"]),
    }


def moving_part(ws: Workspace, person_id: int, item: ItemView, _language: str) -> dict[str, Any]:
    """Return the person's own answers, and the model's labels visible so far."""
    told = own_suggestions(ws, person_id, item)
    return {
        "answers": dict(item.answers),
        "suggested": {str(number): said for number, said in told.items()},
    }


def claim_part(claim: ReviewedClaim) -> dict[str, Any]:
    """Return the viewer data of a claim with its cited provisions."""
    cited = [_cited_part(each) for each in claim.cited]
    return {"text": claim.text, "cited": cited, "own": claim.own}


def _cited_part(cited: Cited) -> dict[str, Any]:
    return {
        "written": cited.written,
        "unit": cited.unit,
        "head": cited.head,
        "pieces": text_pieces(cited.text, (), ()),
        "missing": not cited.text,
    }
