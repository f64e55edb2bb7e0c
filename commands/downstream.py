"""Commands about downstream QA: accuracy report, and questions behind a figure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from typing import Annotated

from commands.shell.arguments import argument, option
from commands.shell.groups import DOWNSTREAM
from commands.shell.options import Stratum, parse_stratum
from commands.shell.reports import Language, Output, check_output, emit_report
from commands.shell.state import State
from errors import Where, require_known

Judge = Annotated[
    str, option("Also answers in words, right where this judge finds them so; people for people.")
]
Tops = Annotated[
    list[int] | None,
    option(
        "Go by the most confident of so many single passages; may be repeated. Else 1, 10 and as "
        "many as were asked.",
        "--top",
    ),
]


@DOWNSTREAM.command("report")
def report(
    state: State,
    judge: Judge = "",
    top: Tops = None,
    stratum: Stratum = "",
    split: Annotated[str, option("Column whose values have figures of their own.")] = "",
    common: Annotated[
        bool, option("Only questions replied to under every context.", "--common")
    ] = False,
    against: Annotated[
        str, option("Compare each context with: none, or all for every other.")
    ] = "none",
    of: Annotated[
        str, option("all: what is no answer is wrong; readable: it is left out.", "--of")
    ] = "all",
    output: Output = None,
    language: Language = "en",
) -> None:
    """Print accuracy by context and model, the gap that each context closes, and paired tests."""
    from evaluation.downstream import Of
    from services.downstream.report import Wanted, downstream_report
    from services.downstream.tables import as_report

    check_output(output)
    _check_choice(of, Of)
    wanted = Wanted(judge, tuple(top or ()), parse_stratum(stratum), split, common, against)
    found = downstream_report(*state.chosen, wanted)
    emit_report(state, as_report(found, language, Of(of)), output)


@DOWNSTREAM.command("questions")
def questions(
    state: State,
    setting: Annotated[str, argument("Answers, as the report's JSON names them.")],
    question: Annotated[str, option("This question alone, in full, by its id.")] = "",
    outcome: Annotated[str, option("Only these, such as wrong or refused.")] = "",
    judge: Judge = "",
    top: Tops = None,
) -> None:
    """List the questions behind a figure, or print one with its options and what was shown."""
    from evaluation.downstream import Outcome
    from services.downstream.questions import question_detail, question_lines

    how = judge, tuple(top or ())
    if question:
        found = question_detail(*state.chosen, setting, question, *how)
        lines = [found.line.question, ""]
        for each in found.options:
            marks = "".join((">" if each.chosen else " ", "*" if each.right else " "))
            sure = "" if each.logprob is None else f"  ({each.logprob:.3f})"
            lines.append(f"{marks} {each.label}. {each.text}{sure}")
        lines += [f"Result: {found.line.outcome}", f"Official answer: {found.answer}"]
        for shown in found.passages:
            kept = " (gone by)" if shown.kept else ""
            lines += ["", f"[{shown.place}] {shown.label or shown.origin}{kept}", shown.text]
        state.emit(asdict(found), lines)
        return
    if outcome:
        _check_choice(outcome, Outcome)
    found_lines = question_lines(*state.chosen, setting, *how)
    chosen = [each for each in found_lines if outcome in ("", each.outcome)]
    state.emit(
        {"questions": [asdict(each) for each in chosen]},
        [
            f"{each.external_id}  {each.outcome}  chosen {each.chosen or '–'}, "
            f"right {', '.join(each.right) or '–'}  {each.question}"
            for each in chosen
        ],
    )


def _check_choice(name: str, known: Iterable[str]) -> None:
    """Raise UserError, listing the known names, for any other."""
    require_known("downstream_choice", known, Where(field="option"), name=name)
