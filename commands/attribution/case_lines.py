"""How an answer whose claims are disputed is told, and what an adjudicator says of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from annotation.attribution.form import CRITERIA, field_of, place_of
from commands.shell.text_tables import spent

if TYPE_CHECKING:
    from annotation.forms.disputes import FormDisputeView
    from annotation.forms.submissions import FormSubmission

_LABELS = {"match": "match", "partial": "partial match", "none": "no gold claim matches"}
_SUPPORT = {
    "yes": "supported by the provisions",
    "partly": "partly supported",
    "no": "not supported",
    "uncited": "cites none",
}
_HOW = (
    "Decide with --set label_1=match (partial, none), --set gold_1=2 and --set supported_1=yes "
    "(partly, no, uncited), the claim's number behind each."
)


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
    said = [line for side in case.sides for line in _said(side)]
    return {"case": asdict(case)}, [*lines, "", *said, "", _HOW]


def _said(side: FormSubmission) -> Iterator[str]:
    """Yield who said it, then a line for each claim."""
    yield f"{side.person} ({spent(side.seconds)}):"
    for number in sorted({place_of(field)[1] for field in side.answers}):
        label, gold, supported = (side.answers.get(field_of(each, number)) for each in CRITERIA)
        told = [_LABELS.get(str(label), "not compared with the gold claims")]
        told += [] if gold is None else [f"gold claim {gold}"]
        told += [] if supported is None else [_SUPPORT[str(supported)]]
        yield f"  claim {number}: {', '.join(told)}"
    yield from (f"  {text}" for text in (side.flag, side.comment) if text)


def decided(parts: dict[str, Any]) -> dict[str, Any]:
    """Return an adjudicator's decision: gold claims go by number."""
    return {
        name: int(value) if name.startswith("gold_") and value.isdecimal() else value
        for name, value in parts.items()
    }
