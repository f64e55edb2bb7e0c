"""Commands about MCQ options as yes/no questions: plan, word, approve, bounds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

from commands.shell.arguments import argument, option
from commands.shell.groups import REFORMULATE
from commands.shell.state import State
from errors import UserError, Where
from messages import say

if TYPE_CHECKING:
    from services.reformulation.wording import OptionLine, QuestionPlan

STATE_NAMES = ("open", "approved", "refused")
Wordings = Annotated[list[int], argument("Numbers of wordings, as list prints them.")]


@REFORMULATE.command("plan")
def plan(
    state: State,
    keep: Annotated[bool, option("Also word every option that has no wording.", "--word")] = False,
) -> None:
    """Say of each question whether it is taken apart, left as it is, or refused and why."""
    from services.reformulation.wording import outline, propose

    worded = propose(*state.chosen) if keep else 0
    found = outline(*state.chosen)
    said: dict[str, Any] = {"fates": found.fates(), "refusals": found.refusals()}
    said |= {"options": found.states(), "worded": worded}
    said["refused"] = [
        {"question": each.question.external_id, "why": str(each.refusal)}
        for each in found.questions
        if each.refusal
    ]
    lines = ["Questions:"]
    lines += [
        f"  {say(f'reformulation.fate.{name}'):<24} {count:>7,}"
        for name, count in found.fates().items()
    ]
    lines += [
        f"    {say(f'reformulation.refusal.{why}')}: {count:,}"
        for why, count in found.refusals().items()
    ]
    lines.append("Options of those that are taken apart:")
    lines += [
        f"  {say(f'reformulation.option.{name}'):<24} {count:>7,}"
        for name, count in found.states().items()
    ]
    state.emit(said, [*lines, *([f"Worded {worded:,} options by the template."] if keep else [])])


@REFORMULATE.command("model")
def model(state: State) -> None:
    """Have a model word the options in place of the template; a person approves each.

    What was stopped or killed is taken up by running it again: nothing is asked twice.
    """
    from services.reformulation.wording import model_plan, word_by_model

    ready = model_plan(*state.chosen)
    done = state.run("Wording options", partial(word_by_model, state.workspace, ready))
    counts = {"kept": done.kept, "asked": done.asked, "already": done.already}
    bad = sum(done.outcomes.values())
    words = say("reformulation.model_done", **counts, bad=bad, unanswered=done.unanswered)
    lines = [words, *([done.reason] if done.reason else [])]
    state.emit(asdict(done), lines, failed=bool(done.unanswered))


@REFORMULATE.command("list")
def listing(
    state: State,
    only: Annotated[str, option(f"Only these: {', '.join(STATE_NAMES)}.", "--state")] = "",
) -> None:
    """List options beside their questions, with their newest wording and what was said of it."""
    from services.reformulation.wording import outline

    if only and only not in STATE_NAMES:
        raise UserError("reformulation_state", Where(field="--state"), known=", ".join(STATE_NAMES))
    shown = [
        (
            each,
            [line for line in each.options if line.worded is not None and only in ("", line.state)],
        )
        for each in outline(*state.chosen).questions
    ]
    rows = [_option_json(each, line) for each, some in shown for line in some]
    lines = [text for each, some in shown if some for text in _question_lines(each, some)]
    state.emit({"wordings": rows}, lines or [say("reformulation.none_in_state")])


@REFORMULATE.command("approve")
def approve(state: State, wordings: Wordings) -> None:
    """Approve wordings as they are: each becomes a question that inherits its parent's gold."""
    from annotation.reformulation import approve as keep

    made = [keep(*state.chosen, each) for each in wordings]
    said = [say("reformulation.approved", question=each) for each in made]
    state.emit({"questions": made}, said)


@REFORMULATE.command("edit")
def edit(
    state: State,
    wording: Annotated[int, argument("Number of the wording, as list prints it.")],
    text: Annotated[str, argument("The words that it gets instead.")],
) -> None:
    """Approve an option in other words."""
    from annotation.reformulation import approve as keep

    if not text.strip():
        raise UserError("field_missing", Where(field="TEXT"))
    made = keep(*state.chosen, wording, text)
    state.emit({"questions": [made]}, [say("reformulation.approved", question=made)])


@REFORMULATE.command("refuse")
def refuse(
    state: State,
    wordings: Wordings,
    reason: Annotated[str, option("Why, in a sentence or two.")] = "",
) -> None:
    """Refuse wordings: no question is made of these options."""
    from annotation.reformulation import refuse as keep

    for each in wordings:
        keep(*state.chosen, each, reason)
    state.emit({"refused": wordings}, [f"Refused: {', '.join(map(str, wordings))}."])


@REFORMULATE.command("bounds")
def bounds(
    state: State,
    k: Annotated[int, option("Among how many of the first units.")] = 10,
    output_format: Annotated[
        str, option("How it is written: markdown, csv or latex.", "--format")
    ] = "markdown",
) -> None:
    """Print between what bounds recall lies on questions made of options, for every run."""
    from evaluation.tables import written
    from services.reformulation.bounds import bounds_table, run_bounds

    found = run_bounds(*state.chosen, k)
    rows = [
        {
            "run": each.run_id,
            "label": each.label,
            "lower": each.bounds.lower.as_json(),
            "upper": each.bounds.upper.as_json(),
            "parents": each.bounds.parents,
            "several_gold": each.bounds.several,
        }
        for each in found
    ]
    text = written(bounds_table(found, k), output_format)
    lines = text.splitlines() if found else [say("reformulation.bounds.none")]
    state.emit({"k": k, "runs": rows}, lines)


def _option_json(each: QuestionPlan, line: OptionLine) -> dict[str, Any]:
    worded = line.worded
    assert worded is not None  # noqa: S101  (only worded ones are shown)
    return {
        "id": worded.id,
        "question": each.question.external_id,
        "label": worded.label,
        "option": worded.option,
        "correct": worded.correct,
        "wording": worded.wording,
        "worded_by": worded.worded_by,
        "of_others": line.statement.of_others,
        "state": worded.state,
        "approved": worded.said and (worded.said.wording or None),
        "made": worded.said and (worded.said.made or None),
        "reason": worded.said and (worded.said.reason or None),
    }


def _question_lines(each: QuestionPlan, some: list[OptionLine]) -> Iterator[str]:
    yield f"{each.question.external_id}  {each.question.text}"
    for line in some:
        row = _option_json(each, line)
        yield f"  {row['label']}. {row['option']}"
        yield f"    {row['id']:>5}  {row['state']:<8} {row['approved'] or row['wording']}"
        if row["of_others"] and row["state"] == "open":
            yield f"           {say('reformulation.of_others')}"
        if row["made"] or row["reason"]:
            yield f"           {row['made'] or row['reason']}"
