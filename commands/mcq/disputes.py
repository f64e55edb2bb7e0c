"""Commands about disputed multiple-choice questions: list, show, decide."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from commands.shell.arguments import argument, option
from commands.shell.groups import MCQ
from commands.shell.options import By, Reason, id_of_actor, working_time
from commands.shell.state import State
from errors import UserError, Where

if TYPE_CHECKING:
    from annotation.forms.disputes import Dispute, FormDisputeView
    from annotation.mcq.state import McqState
    from annotation.work.submissions import Submission

Item = Annotated[str, argument("The question's id.")]
_TOLD = ("alone_answerable", "alone_choice", "both_answerable", "both_choice", "stored_right")


@MCQ.command("disputes")
def listing(state: State, by: By) -> None:
    """List the questions on which people differ: what is open and why, what is decided."""
    from annotation.mcq.state import DISPUTES

    found = DISPUTES.queue(state.workspace, id_of_actor(state, by))
    lines = [_entry_line(each) for each in found] or ["Nothing to settle."]
    told = [
        {"item_id": each.item_id, "external_id": each.external_id, "title": each.title,
         "state": asdict(_item_state(each))}
        for each in found
    ]  # fmt: skip
    state.emit({"questions": told}, lines)


@MCQ.command("show")
def show(state: State, item: Item, by: By) -> None:
    """Show a question with both provisions and what each person said."""
    from annotation.mcq.state import DISPUTES

    who = id_of_actor(state, by)
    case = DISPUTES.open_dispute(state.workspace, who, _entry(state, who, item).item_id)
    state.emit({"question": asdict(case)}, list(question_lines(case)))


@MCQ.command("settle")
def settle(
    state: State,
    item: Item,
    by: By,
    verdict: Annotated[str, option("keep, fix or drop.")],
    reason: Reason = "",
    cause: Annotated[str, option("Why it is fixed or dropped: a key of the codebook.")] = "",
    fix: Annotated[
        Path | None,
        option("JSON file: query, options (four) and answer (its number, from 1)."),
    ] = None,
) -> None:
    """Decide a question; a later decision supersedes an earlier one."""
    from annotation.mcq.state import DISPUTES

    who = id_of_actor(state, by)
    entry = _entry(state, who, item)
    case = DISPUTES.open_dispute(state.workspace, who, entry.item_id)
    said = {"verdict": verdict, "cause": cause, "reason": reason, "fix": fix_in(fix)}
    answers = {field: value for field, value in said.items() if value}
    DISPUTES.decide(state.workspace, who, entry.item_id, answers, reason, case.annotation_ids)
    state.emit({"item": item, **answers}, ["Settled."])


def _entry(state: State, who: int, item: str) -> Dispute:
    """Return the dispute about a question. Raises UserError if there is none."""
    from annotation.mcq.state import DISPUTES

    for each in DISPUTES.queue(state.workspace, who):
        if each.external_id == item:
            return each
    raise UserError("case_unknown", Where(field="item"), item=item)


def _item_state(entry: Dispute) -> McqState:
    """Return the state of a disputed question."""
    from annotation.mcq.state import state_of_case

    return state_of_case(entry.case)


def _entry_line(entry: Dispute) -> str:
    """Return a dispute as a line."""
    now = _item_state(entry)
    fate = f"settled: {now.fate}" if now.settled else entry.state
    return f"{entry.external_id:<12} {fate:<16} {', '.join(now.disputes) or '–'}"


def question_lines(case: FormDisputeView) -> Iterator[str]:
    """Yield the lines of a question with both provisions and each submission."""
    asked = case.question
    yield from (asked.a.shown, "", asked.b.shown if asked.b else "", "", asked.query)
    for number, words in enumerate(asked.options, 1):
        stored = " (stored)" if number - 1 == asked.stored else ""
        yield f"{number}. {words}{stored}"
    yield ""
    yield from (_side_line(side) for side in case.sides)


def fix_in(file: Path | None) -> dict[str, Any] | None:
    """Read a correction from a file; its answer, counted from 1 there, becomes 0-based."""
    if file is None:
        return None
    from corpus.files.rows import parse_object, read_text

    said = parse_object(read_text(file, file.name), file.name, 1)
    if type(said.get("answer")) is int:
        said["answer"] -= 1
    return said


def _side_line(side: Submission) -> str:
    answers = side.answers
    steps = ", ".join(f"{field} {_shown_answer(field, answers)}" for field in _TOLD)
    more = [str(answers[name]) for name in ("verdict", "cause", "reason") if name in answers]
    if answers["verdict"] == "fix":
        more.append(json.dumps(answers["fix"], ensure_ascii=False))
    notes = [text for text in (side.flag, side.comment) if text]
    notes += [f"taken back {side.taken_back}× before"] if side.taken_back else []
    return f"{side.person} ({working_time(side.seconds)}): {steps}; {'; '.join([*more, *notes])}"


def _shown_answer(field: str, answers: Any) -> Any:
    """Return an answer, options counted from 1."""
    return answers[field] + 1 if field.endswith("_choice") else answers[field]
