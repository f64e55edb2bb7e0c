"""Commands that split answers into claims, label them, and show an answer's claims."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from commands.shell.groups import ATTRIBUTION
from commands.shell.options import Systems
from commands.shell.reports import Language, Output, check_output, emit_report
from commands.shell.state import State

if TYPE_CHECKING:
    from services.attribution.claims import AskingDone, AttributionOptions

Temperature = Annotated[float, typer.Option(help="Of the judge: 0 to 2.")]
TopP = Annotated[float, typer.Option(help="Of the judge: above 0 and at most 1.")]
Again = Annotated[
    bool,
    typer.Option("--again", help="Ask once more what was refused, cut off or could not be read."),
]
CutAll = Annotated[
    bool,
    typer.Option(
        "--cut-all", help="Answers by provision are cut by the model too, as free ones are."
    ),
]
Repeat = Annotated[int, typer.Option(min=0, help="Another number asks everything anew.")]


@ATTRIBUTION.command("split")
def split(
    state: State,
    system: Systems = None,
    temperature: Temperature = 0.6,
    top_p: TopP = 0.95,
    repeat: Repeat = 0,
    again: Again = False,
    cut_all: CutAll = False,
) -> None:
    """Have the model of the role judge cut answers and official answers into atomic claims.

    Answers by provision list theirs, unless --cut-all has all cut alike. What was cut is not asked
    again. Exit code 3 if it ended early; run it again to go on.
    """
    from services.attribution.claims import plan_splits, split_claims

    plan = plan_splits(
        *state.chosen, _options(system, temperature, top_p, repeat, "", again, cut_all)
    )
    done = state.run("Cutting", partial(split_claims, state.workspace, plan))
    _print_outcome(state, done, "answers list their claims")


@ATTRIBUTION.command("label")
def label(
    state: State,
    system: Systems = None,
    temperature: Temperature = 0.6,
    top_p: TopP = 0.95,
    repeat: Repeat = 0,
    splitter: Annotated[
        str, typer.Option(help="Label the claims that this model cut; else those of the judge.")
    ] = "",
    again: Again = False,
    cut_all: CutAll = False,
) -> None:
    """Have the model of the role judge label every claim against those of the official answer.

    What was labelled is not asked again. Exit code 3 if it ended early; run it again to go on.
    """
    from services.attribution.labelling import label_claims, plan_labels

    options = _options(system, temperature, top_p, repeat, splitter, again, cut_all)
    plan = plan_labels(*state.chosen, options)
    done = state.run("Labelling", partial(label_claims, state.workspace, plan))
    _print_outcome(state, done, "answers have no claim to label", plan.not_cut, plan.no_claims)


@ATTRIBUTION.command("show")
def show(
    state: State,
    question: Annotated[str, typer.Argument(help="The question's id, as its file has it.")],
    system: Annotated[str, typer.Argument(help="The system that answered.")],
    judge: Annotated[
        str | None, typer.Option(help="Whose labels; else of who labelled it last.")
    ] = None,
    output: Output = None,
    language: Language = "en",
) -> None:
    """Show the claims of one answer with their labels, and its citations beside the gold."""
    from services.attribution.answer_claims import citations_of_answers, claims_of_answer
    from services.attribution.report_tables import answer_report

    check_output(output)
    found = claims_of_answer(*state.chosen, question, system, judge)
    cited = citations_of_answers(*state.chosen, (system,))
    own = [each for each in cited if each.question == question]
    emit_report(state, answer_report(found, own, language), output)


def _options(
    system: list[str] | None,
    temperature: float,
    top_p: float,
    repeat: int,
    splitter: str,
    again: bool,
    cut_all: bool,
) -> AttributionOptions:
    """Convert the options of labelling."""
    from services.attribution.claims import AttributionOptions

    asked = tuple(system or ()), temperature, top_p, repeat, splitter, again, cut_all
    return AttributionOptions(*asked)


def _print_outcome(
    state: State, done: AskingDone, without: str, not_cut: int = 0, no_claims: int = 0
) -> None:
    """Print the outcome; exit with code 3 if it ended early."""
    from llm.batch import End

    told = {
        "asked": done.asked,
        "already": done.already,
        "without_call": done.without_call,
        "states": dict(done.states),
        "unanswered": done.unanswered,
        "unsaid": done.unsaid,
        "not_cut": not_cut,
        "no_claims": no_claims,
        "end": done.end.value,
        "reason": done.reason,
    }
    came = ", ".join(f"{count:,} {name}" for name, count in done.states.items())
    lines = [f"{done.asked:,} calls: {came or 'nothing'}; {done.already:,} done before."]
    if done.without_call:
        lines.append(f"{done.without_call:,} {without}.")
    if done.unsaid:
        lines.append(
            f"{done.unsaid:,} of those done before were refused, cut off or could not be read: "
            "--again asks them once more."
        )
    if no_claims:
        lines.append(
            f"{no_claims:,} answers have no claims, as cutting them or their official answer was "
            "refused, cut off or could not be read: attribution split --again."
        )
    if not_cut:
        lines.append(f"{not_cut:,} answers are not cut into claims yet: attribution split.")
    if done.end is not End.DONE:
        lines.append(f"Ended early: {done.end.value}. {done.reason}".strip())
    state.emit(told, lines, failed=done.end is not End.DONE)
