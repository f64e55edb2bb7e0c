"""How a disputed question that a model wrote is told, and what an adjudicator says of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from commands.shell.text_tables import spent

if TYPE_CHECKING:
    from annotation.forms.disputes import FormDisputeView
    from annotation.forms.submissions import FormSubmission


def case_told(case: FormDisputeView) -> tuple[dict[str, Any], list[str]]:
    """Return a disputed question as JSON values and as lines."""
    asked = case.question
    axes = ", ".join(f"{name} {value}" for name, value in _flat(asked.axes))
    lines = [asked.text, "", asked.answer, "", axes, ""]
    for each in asked.provisions:
        lines += [f"{each.unit}{' (added)' if each.added else ''}: {each.head}", each.text, ""]
    lines += [
        f"{each.layer}: {each.outcome} {', '.join(str(r.get('code', '')) for r in each.reasons)}"
        for each in asked.layers or ()
    ]
    return {"case": asdict(case)}, [*lines, *(_said(side) for side in case.sides)]


def _flat(axes: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield the axes that say something, each facet as one."""
    for name, value in axes.items():
        if isinstance(value, Mapping):
            yield from _flat(value)
        elif value:
            yield name, value


def _said(side: FormSubmission) -> str:
    answers = {name: value for name, value in side.answers.items() if name != "revealed"}
    said = (f"{name} {_value(value)}" for name, value in answers.items())
    notes = [text for text in (side.flag, side.comment) if text]
    return f"{side.person} ({spent(side.seconds)}): {'; '.join([*said, *notes])}"


def _value(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name}: {said}" for name, said in value.items())
    return str(value)


def decided(
    case: FormDisputeView,
    parts: dict[str, Any],
    units: list[str],
    edit: dict[str, Any] | None,
) -> dict[str, Any]:
    """Return an adjudicator's decision: `units` are all that belong, where any are named."""
    answers = dict(parts)
    if units:
        listed = {each.unit for each in case.question.provisions if not each.added}
        gold = dict.fromkeys(listed, "no") | dict.fromkeys(units, "yes")
        answers["gold"] = dict(sorted(gold.items()))
    return answers | ({} if edit is None else {"edit": edit})
