"""Commands about multiple-choice questions on which people differ: the list, one, deciding."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from commands.options import By, Reason, adjudicator_named
from commands.state import State
from errors import UserError, Where

if TYPE_CHECKING:
    from annotation.forms.submissions import FormSubmission
    from annotation.mcq.disputes import DisputeEntry

Item = Annotated[str, typer.Argument(help="The question's id.")]
_TOLD = ("alone_answerable", "alone_choice", "both_answerable", "both_choice", "stored_right")


def listing(context: typer.Context, by: By) -> None:
    """List the questions on which people differ: what is open and why, what is settled."""
    from annotation.mcq.disputes import queue

    state: State = context.obj
    found = queue(state.workspace, adjudicator_named(state, by))
    lines = [_line(each) for each in found] or ["Nothing to settle."]
    told = [
        {"item_id": each.item_id, "external_id": each.external_id, "title": each.title,
         "state": asdict(each.fate)}
        for each in found
    ]  # fmt: skip
    state.emit({"questions": told}, lines)


def show(context: typer.Context, item: Item, by: By) -> None:
    """Show a question with both provisions and what each person said."""
    from annotation.mcq.disputes import open_dispute

    state: State = context.obj
    who = adjudicator_named(state, by)
    case = open_dispute(state.workspace, who, _entry(state, who, item).item_id)
    asked = case.question
    lines = [asked.a.shown, "", asked.b.shown if asked.b else "", "", asked.query]
    for number, words in enumerate(asked.options, 1):
        stored = " (stored)" if number - 1 == asked.stored else ""
        lines.append(f"{number}. {words}{stored}")
    state.emit({"question": asdict(case)}, [*lines, "", *(_said(each) for each in case.sides)])


def settle(
    context: typer.Context,
    item: Item,
    by: By,
    verdict: Annotated[str, typer.Option(help="keep, fix or drop.")],
    reason: Reason = "",
    cause: Annotated[
        str, typer.Option(help="Why it is fixed or dropped: a key of the codebook.")
    ] = "",
    fix: Annotated[
        Path | None,
        typer.Option(help="JSON file: query, options (four) and answer (its number, from 1)."),
    ] = None,
) -> None:
    """Settle a question; a later decision supersedes an earlier one."""
    from annotation.mcq.disputes import DISPUTES, open_dispute

    state: State = context.obj
    who = adjudicator_named(state, by)
    entry = _entry(state, who, item)
    case = open_dispute(state.workspace, who, entry.item_id)
    said = {"verdict": verdict, "cause": cause, "reason": reason, "fix": fix_in(fix)}
    answers = {field: value for field, value in said.items() if value}
    DISPUTES.decide(state.workspace, who, entry.item_id, answers, reason, case.annotation_ids)
    state.emit({"item": item, **answers}, ["Settled."])


def fix_in(file: Path | None) -> dict[str, Any] | None:
    """Return what the file says, with the answer counted from 0 as it is kept."""
    if file is None:
        return None
    from corpus.files.rows import parse_object
    from corpus.files.textfile import read_text

    said = parse_object(read_text(file, file.name), file.name, 1)
    if type(said.get("answer")) is int:
        said["answer"] -= 1
    return said


def _entry(state: State, who: int, item: str) -> DisputeEntry:
    from annotation.mcq.disputes import queue

    for each in queue(state.workspace, who):
        if each.external_id == item:
            return each
    raise UserError("case_unknown", Where(field="item"), item=item)


def _line(entry: DisputeEntry) -> str:
    now = entry.fate
    fate = f"settled: {now.fate}" if now.settled else "open"
    return f"{entry.external_id:<12} {fate:<16} {', '.join(now.disputes) or '–'}"


def _said(side: FormSubmission) -> str:
    answers = side.answers
    steps = ", ".join(f"{field} {_number(field, answers)}" for field in _TOLD)
    more = [str(answers[name]) for name in ("verdict", "cause", "reason") if name in answers]
    if answers["verdict"] == "fix":
        more.append(json.dumps(answers["fix"], ensure_ascii=False))
    notes = [text for text in (side.flag, side.comment) if text]
    notes += [f"taken back {side.taken_back}× before"] if side.taken_back else []
    return f"{side.person} ({side.seconds:.0f} s): {steps}; {'; '.join([*more, *notes])}"


def _number(field: str, answers: Any) -> Any:
    """Return an answer, options counted from 1 as people see them."""
    return answers[field] + 1 if field.endswith("_choice") else answers[field]
