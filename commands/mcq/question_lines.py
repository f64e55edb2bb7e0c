"""A disputed multiple-choice question as commands tell it, and a correction as they read it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from commands.shell.text_tables import spent

if TYPE_CHECKING:
    from annotation.forms.disputes import FormDisputeView
    from annotation.forms.submissions import FormSubmission

_TOLD = ("alone_answerable", "alone_choice", "both_answerable", "both_choice", "stored_right")


def question_lines(case: FormDisputeView) -> Iterator[str]:
    """Yield the question with both provisions and what each person said."""
    asked = case.question
    yield from (asked.a.shown, "", asked.b.shown if asked.b else "", "", asked.query)
    for number, words in enumerate(asked.options, 1):
        stored = " (stored)" if number - 1 == asked.stored else ""
        yield f"{number}. {words}{stored}"
    yield ""
    yield from (_said(side) for side in case.sides)


def fix_in(file: Path | None) -> dict[str, Any] | None:
    """Return what the file says, with the answer counted from 0 as it is kept."""
    if file is None:
        return None
    from corpus.files.rows import parse_object, read_text

    said = parse_object(read_text(file, file.name), file.name, 1)
    if type(said.get("answer")) is int:
        said["answer"] -= 1
    return said


def _said(side: FormSubmission) -> str:
    answers = side.answers
    steps = ", ".join(f"{field} {_number(field, answers)}" for field in _TOLD)
    more = [str(answers[name]) for name in ("verdict", "cause", "reason") if name in answers]
    if answers["verdict"] == "fix":
        more.append(json.dumps(answers["fix"], ensure_ascii=False))
    notes = [text for text in (side.flag, side.comment) if text]
    notes += [f"taken back {side.taken_back}× before"] if side.taken_back else []
    return f"{side.person} ({spent(side.seconds)}): {steps}; {'; '.join([*more, *notes])}"


def _number(field: str, answers: Any) -> Any:
    """Return an answer, options counted from 1 as people see them."""
    return answers[field] + 1 if field.endswith("_choice") else answers[field]
