"""Commands about the filter cascade: layers, runs, report, restoring questions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from commands.shell.arguments import argument, option
from commands.shell.editions import add_version_commands
from commands.shell.groups import CASCADE, LAYERS
from commands.shell.options import Reason, ended_early, number_of
from commands.shell.reports import Language, Output, check_output, emit_report
from commands.shell.state import State
from commands.shell.tables import read_text

if TYPE_CHECKING:
    from services.cascade.report import QuestionDetail

LayersFile = Annotated[Path, argument("YAML file with all layers (UTF-8).")]
QuestionId = Annotated[str, argument("Id of the question, such as aug-0001.")]


add_version_commands(
    LAYERS,
    "CASCADE_LAYERS",
    LayersFile,
    "the layers",
    saving="Save the layers as a new version; the versions before it stay.",
)


@LAYERS.command("check")
def check(state: State, file: LayersFile) -> None:
    """Say which layers a file declares, in order, or what is wrong with it; nothing is changed."""
    from construction.cascade.layers import parse

    found = parse(read_text(file), str(file))
    lines = [f"{step.layer:<12} {'on' if step.on else 'off'}" for step in found.steps]
    steps = [{"layer": str(step.layer), "on": step.on} for step in found.steps]
    state.emit({"layers": steps}, lines)


@CASCADE.command("run")
def run(
    state: State,
    again: Annotated[
        bool, option("Questions that have been through this version too.", "--again")
    ] = False,
    count: Annotated[
        bool, option("Only say what would be asked, and what it costs.", "--count")
    ] = False,
) -> None:
    """Send augmented questions through the layers; keep what each layer says.

    What was stopped or killed is taken up by running it again: nothing is asked twice.
    """
    from services.cascade.running import (
        estimate,
        estimate_lines,
        plan_cascade,
        repeated_lines,
        run_cascade,
    )

    if count:
        found = estimate(*state.chosen, again)
        state.emit(asdict(found), estimate_lines(found))
        return
    plan = plan_cascade(*state.chosen, again)
    done = state.run("Layers", partial(run_cascade, state.workspace, plan))
    lines = [f"{number_of(done.questions, 'question')}; {done.settled:,} had been through before."]
    if done.repeated:
        lines = [f"{number_of(done.questions, 'question')}.", *repeated_lines(done.repeated)]
    lines += [f"  rejected by {layer:<12} {n:>7,}" for layer, n in done.rejected.items()]
    lines += [f"  {'unjudged':<24} {done.unjudged:>7,}", f"  {'through':<24} {done.through:>7,}"]
    lines += [f"  {'not reached':<24} {done.unanswered:>7,}"] if done.unanswered else []
    state.emit(asdict(done), [*lines, *ended_early(done)], failed=done.end != "done")


@CASCADE.command("report")
def report(state: State, output: Output = None, language: Language = "en") -> None:
    """Show what each layer took out and why, the yield, and how often the level was hit."""
    from services.cascade.report import as_report, cascade_report

    check_output(output)
    emit_report(state, as_report(cascade_report(*state.chosen), language), output)


@CASCADE.command("list")
def listing(
    state: State,
    only: Annotated[
        str,
        option("Only these: waiting, rejected, unjudged, through or restored.", "--state"),
    ] = "",
) -> None:
    """List the augmented questions with the state of each in the cascade."""
    from services.cascade.report import as_line, list_questions

    found = list_questions(*state.chosen, only)
    lines = [
        f"{each.question.external_id}  {each.state}{f' ({each.layer})' if each.layer else ''}  "
        f"{' '.join(each.question.text.split())[:100]}"
        for each in found
    ]
    said = {"questions": [as_line(each) for each in found]}
    state.emit(said, [*lines, f"{number_of(len(found), 'question')}."])


@CASCADE.command("show")
def show(state: State, question: QuestionId) -> None:
    """Show one question with what each layer said of it."""
    from services.cascade.report import read_question

    found = read_question(*state.chosen, question)
    state.emit(found.as_dict(), list(_detail(found)))


@CASCADE.command("restore")
def restore(state: State, question: QuestionId, reason: Reason) -> None:
    """Overrule the layer that rejected a question; the layers behind it see it in the next run."""
    from services.cascade.report import restore as let

    done = let(*state.chosen, question, reason)
    state.emit({"id": question, "state": str(done.state)}, [f"{question}: {done.state}."])


@CASCADE.command("withdraw")
def withdraw(
    state: State,
    question: QuestionId,
    reason: Reason,
    layer: Annotated[str, option("Of this layer; else the newest restoration.")] = "",
) -> None:
    """Withdraw a restoration: what its layer said counts again."""
    from services.cascade.report import withdraw as undo

    done = undo(*state.chosen, question, reason, layer)
    state.emit({"id": question, "state": str(done.state)}, [f"{question}: {done.state}."])


def _detail(detail: QuestionDetail) -> Iterator[str]:
    """Yield a question with its results, line by line."""
    question, state = detail.state.question, detail.state
    yield f"{question.external_id}  {state.state}{f' ({state.layer})' if state.layer else ''}"
    yield question.text
    yield f"  {question.answer}"
    yield "  " + ", ".join(f"{each['unit']} ({each['role']})" for each in detail.gold)
    for result in state.results:
        yield f"{result.place}. {result.layer}: {result.outcome}"
        for reason in result.reasons:
            values = ", ".join(f"{name}: {value}" for name, value in reason["values"].items())
            yield f"     {reason['code']}: {values}".rstrip(": ")
    for each in detail.history:
        yield f"{each.kind} {each.layer} by {each.person or 'operator'}: {each.reason}"
