"""How an answer whose claims are disputed is told, and what an adjudicator says of it."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from annotation.forms.disputes import FormDisputeView
    from annotation.forms.submissions import FormSubmission


def case_told(case: FormDisputeView) -> tuple[dict[str, Any], list[str]]:
    """Return a disputed answer as JSON values and as lines."""
    shown = case.question
    lines = [shown.question, ""]
    lines += [f"gold claim {at}: {text}" for at, text in enumerate(shown.gold, 1)]
    for at, claim in enumerate(shown.claims, 1):
        lines += ["", f"claim {at}: {claim.text}"]
        if not claim.own:
            lines.append("  It names no provision itself; the whole answer cites these.")
        for each in claim.cited:
            lines.append(f"  {each.written}: {each.text or 'no provision of this law'}")
    return {"case": asdict(case)}, [*lines, "", *(_said(side) for side in case.sides)]


def _said(side: FormSubmission) -> str:
    answers = [f"{name} {value}" for name, value in side.answers.items()]
    notes = [text for text in (side.flag, side.comment) if text]
    return f"{side.person} ({side.seconds:.0f} s): {'; '.join([*answers, *notes])}"


def decided(parts: dict[str, Any]) -> dict[str, Any]:
    """Return an adjudicator's decision: gold claims go by number."""
    return {
        name: int(value) if name.startswith("gold_") and value.isdecimal() else value
        for name, value in parts.items()
    }
