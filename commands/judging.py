"""Commands about LLM judging of answers: import, run, ratings, report, export."""

from __future__ import annotations

from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from commands.answers.asking import ask_and_tell
from commands.shell.arguments import argument, option
from commands.shell.groups import JUDGE
from commands.shell.reports import Language, Output, check_output, emit_report
from commands.shell.state import State

if TYPE_CHECKING:
    from llm.batch import Progress
    from services.judging.importing import Brought


@JUDGE.command("cases")
def cases(
    state: State,
    file: Annotated[Path, argument("JSONL of answers (docs/judging.md).")],
) -> None:
    """Import answers of systems to be judged, rated and reviewed."""
    from services.judging.importing import import_cases

    _print_new(state, import_cases(*state.chosen, file), "answers")


@JUDGE.command("answer")
def answer(
    state: State,
    provisions: Annotated[
        bool, option("Give it the provisions that are gold.", "--provisions")
    ] = False,
    system: Annotated[
        str, option("What the answers are called; else the model and how it was asked.")
    ] = "",
) -> None:
    """Ask the model of the role solve the project's questions, so that its answers can be judged.

    What was answered is not asked again. Exit code 3 if the run ended early.
    """
    from construction.answers import ContextSpec, Kind
    from services.answers.planning import AnswerOptions

    context = ContextSpec(Kind.GOLD if provisions else Kind.NONE)
    ask_and_tell(state, AnswerOptions(contexts=(context,), system=system))


@JUDGE.command("verdicts")
def verdicts(
    state: State,
    file: Annotated[Path, argument("JSONL of verdicts (docs/judging.md).")],
) -> None:
    """Import verdicts that judges gave elsewhere, on one answer or on two."""
    from services.judging.importing import import_verdicts

    _print_new(state, import_verdicts(*state.chosen, file), "verdicts")


@JUDGE.command("ratings")
def ratings(
    state: State,
    file: Annotated[Path, argument("JSONL of ratings (docs/judging.md).")],
) -> None:
    """Import ratings that people of the project gave to answers elsewhere."""
    from services.judging.importing import import_ratings

    _print_new(state, import_ratings(*state.chosen, file), "ratings")


@JUDGE.command("run")
def run(
    state: State,
    pairwise: Annotated[bool, option("Compare two answers, in both orders.", "--pairwise")] = False,
    against: Annotated[
        str | None,
        option("The system to compare with; else the official answers."),
    ] = None,
    system: Annotated[
        list[str] | None,
        option("Judge only this system's answers; may be repeated."),
    ] = None,
    name: Annotated[str, option("What reports call the judge; else the model's name.")] = "",
    repeat: Annotated[int, option("Another number asks everything anew.", min=0)] = 0,
) -> None:
    """Ask the model of the role judge. Exit code 3 if the run ended early; run it again to go on.

    What was answered is not asked again.
    """
    from llm.batch import End
    from services.judging.model_judging import JudgeTask, JudgingPlan, plan_calls, run_judge

    kind = JudgeTask.PAIRWISE if pairwise or against is not None else JudgeTask.BINARY
    plan = JudgingPlan(kind, name, tuple(system or ()), against, repeat)
    calls = plan_calls(*state.chosen, plan)
    done = state.run("Judging", partial(run_judge, state.workspace, calls))
    state.emit(
        {"judge": calls.name, **_run_json(done)}, _run_lines(done), failed=done.end is not End.DONE
    )


@JUDGE.command("report")
def report(
    state: State,
    system: Annotated[str | None, option("Only answers of this system.")] = None,
    judge: Annotated[
        list[str] | None,
        option("Only this judge, on all that it judged; may be repeated."),
    ] = None,
    output: Output = None,
    language: Language = "en",
) -> None:
    """Print how far the judges can be trusted, and how often the answers are correct."""
    from services.judging.report import report as found
    from services.judging.report_tables import as_report

    check_output(output)
    done = found(*state.chosen, system=system, judges=judge or ())
    emit_report(state, as_report(done, language), output)


@JUDGE.command("waiting")
def waiting(
    state: State,
    judge: Annotated[
        str | None,
        option("A judge's name; else the majority of three or more, or who judged most."),
    ] = None,
    most: Annotated[int, option("How many to list.", min=1)] = 20,
) -> None:
    """List the answers that wait for review, those that would move the figure most first."""
    from annotation.judging.state import required_judge, review_order, states_of

    found = states_of(*state.chosen)
    order = review_order(found, required_judge(found, judge)) if found else []
    by_id = {each.id: each for each in found}
    rows = [
        {
            "id": by_id[each.case].case.external_id,
            "system": by_id[each.case].case.system,
            "outcome": by_id[each.case].outcome.value,
            "expected_movement": each.expected,
        }
        for each in order[:most]
    ]
    lines = [f"{row['expected_movement']:.4f}  {row['id']}  {row['system']}" for row in rows]
    state.emit({"waiting": len(order), "cases": rows}, [f"{len(order):,} wait.", *lines])


@JUDGE.command("export")
def export(
    state: State,
    folder: Annotated[Path, argument("Folder to write the files into.")],
) -> None:
    """Write answers, verdicts, ratings and reviews as JSONL."""
    from services.judging.export import export_judging

    done = export_judging(*state.chosen, folder)
    lines = [f"{folder / name}: {count:,} lines" for name, count in done.items()]
    state.emit({"folder": str(folder), "files": done}, lines)


def _print_new(state: State, done: Brought, what: str) -> None:
    """Print how many rows of a file were new."""
    state.emit(asdict(done), [f"{done.new:,} {what} new, {done.already:,} already there."])


def _run_json(done: Progress) -> dict[str, object]:
    """Return what a judge's run came to as JSON values."""
    return {
        "asked": done.total,
        "done": done.done,
        "recalled": done.recalled,
        "statuses": {status.value: count for status, count in done.statuses.items()},
        "end": done.end and done.end.value,
        "reason": done.last_reason,
    }


def _run_lines(done: Progress) -> list[str]:
    came = ", ".join(f"{count:,} {status.value}" for status, count in done.statuses.items())
    lines = [f"{done.done:,} of {done.total:,}: {came or 'nothing'}; {done.recalled:,} from before"]
    if done.end is not None and done.end.value != "done":
        lines.append(f"Ended early: {done.end.value}. {done.last_reason}".strip())
    return lines
