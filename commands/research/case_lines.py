"""How a disputed question to research is told, and what an adjudicator says of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from commands.shell.text_tables import spent
from errors import UserError, Where

if TYPE_CHECKING:
    from annotation.forms.disputes import FormDisputeView
    from annotation.forms.submissions import FormSubmission


def case_told(case: FormDisputeView) -> tuple[dict[str, Any], list[str]]:
    """Return a disputed question as JSON values and as lines: what each researcher found."""
    asked = case.question
    choices = [f"{number}. {choice}" for number, choice in enumerate(asked.choices, 1)]
    lines = [asked.text, *choices, "", asked.answer, ""]
    for side in case.sides:
        lines += _side_lines(side)
    return {"case": asdict(case)}, lines


def _side_lines(side: FormSubmission) -> Iterator[str]:
    said = side.answers
    notes = "".join(f"; {text}" for text in (side.flag, side.comment) if text)
    yield f"{side.person} ({spent(side.seconds)}): {said.get('outcome')}{notes}"
    if said.get("rule"):
        yield f"  rule: {said['rule']}"
    for each in said.get("passages", ()):
        place = f"{each['collection']}: {each['id']} [{each['start']}–{each['end']}]"
        yield f"  {place} “{each['quote']}”"
    for step in said.get("trail", ()):
        if step["step"] == "query":
            counts = ", ".join(f"{texts} {name}" for name, (texts, _) in step["found"].items())
            yield f"  asked {step['query']}  ({counts})"
        else:
            yield f"  opened {step['collection']}: {step['id']}"


def decided(case: FormDisputeView, parts: dict[str, Any], take: str) -> dict[str, Any]:
    """Return an adjudicator's decision: what the person named `take` found, with `parts` changed.

    Raises UserError where nobody of that name answered.
    """
    if not take:
        return parts
    side = next((each for each in case.sides if each.person == take), None)
    if side is None:
        known = ", ".join(each.person for each in case.sides)
        raise UserError("research_side", Where(field="take"), person=take, known=known)
    return {name: said for name, said in side.answers.items() if name != "trail"} | parts
