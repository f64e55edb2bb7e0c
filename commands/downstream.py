"""Commands about downstream QA: accuracy report, and questions behind a figure."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Annotated

import typer

from commands.shell.groups import DOWNSTREAM
from commands.shell.options import parse_stratum
from commands.shell.reports import Language, Output, check_output, emit_report
from commands.shell.state import State
from errors import Where, require_known

if TYPE_CHECKING:
    from evaluation.downstream import Of
    from services.downstream.report import Wanted

Judge = Annotated[
    str,
    typer.Option(
        help="Also answers in words, right where this judge finds them so; people for people."
    ),
]
Tops = Annotated[
    list[int] | None,
    typer.Option(
        "--top",
        help="Go by the most confident of so many single passages; may be repeated. "
        "Else 1, 10 and as many as were asked.",
    ),
]


@DOWNSTREAM.command("report")
def report(
    state: State,
    judge: Judge = "",
    top: Tops = None,
    stratum: Annotated[
        str, typer.Option("--stratum", help="Only questions of a stratum, such as difficulty=L2.")
    ] = "",
    split: Annotated[str, typer.Option(help="Column whose values have figures of their own.")] = "",
    common: Annotated[
        bool, typer.Option("--common", help="Only questions replied to under every context.")
    ] = False,
    against: Annotated[
        str, typer.Option(help="Compare each context with: none, or all for every other.")
    ] = "none",
    of: Annotated[
        str, typer.Option("--of", help="all: what is no answer is wrong; readable: it is left out.")
    ] = "all",
    output: Output = None,
    language: Language = "en",
) -> None:
    """Print accuracy by context and model, the gap that each context closes, and paired tests."""
    from services.downstream.report import downstream_report
    from services.downstream.tables import as_report

    check_output(output)
    share = _share_of(of)
    wanted = replace(_report_options(judge, top, stratum, common), split=split, against=against)
    found = downstream_report(*state.chosen, wanted)
    emit_report(state, as_report(found, language, share), output)


@DOWNSTREAM.command("questions")
def questions(
    state: State,
    setting: Annotated[str, typer.Argument(help="Answers, as the report's JSON names them.")],
    question: Annotated[str, typer.Option(help="This question alone, in full, by its id.")] = "",
    outcome: Annotated[str, typer.Option(help="Only these, such as wrong or refused.")] = "",
    judge: Judge = "",
    top: Tops = None,
) -> None:
    """List the questions behind a figure, or print one with its options and what was shown."""
    from evaluation.downstream import Outcome
    from services.downstream.questions import question_detail, question_lines

    tops = _report_options(judge, top).tops
    if question:
        found = question_detail(*state.chosen, setting, question, judge, tops)
        lines = [found.line.question, ""]
        for option in found.options:
            marks = "".join((">" if option.chosen else " ", "*" if option.right else " "))
            sure = "" if option.logprob is None else f"  ({option.logprob:.3f})"
            lines.append(f"{marks} {option.label}. {option.text}{sure}")
        lines += [f"Result: {found.line.outcome}", f"Official answer: {found.answer}"]
        for each in found.passages:
            kept = " (gone by)" if each.kept else ""
            lines += ["", f"[{each.place}] {each.label or each.origin}{kept}", each.text]
        state.emit(asdict(found), lines)
        return
    wanted = _checked_choice(outcome, tuple(Outcome)) if outcome else ""
    found_lines = question_lines(*state.chosen, setting, judge, tops)
    shown = [each for each in found_lines if wanted in ("", each.outcome)]
    state.emit(
        {"questions": [asdict(each) for each in shown]},
        [
            f"{each.external_id}  {each.outcome}  chosen {each.chosen or '–'}, "
            f"right {', '.join(each.right) or '–'}  {each.question}"
            for each in shown
        ],
    )


def _checked_choice(name: str, known: tuple[str, ...]) -> str:
    """Return a name. Raises UserError, listing the known ones, for any other."""
    require_known("downstream_choice", known, Where(field="option"), name=name)
    return name


def _share_of(name: str) -> Of:
    """Parse what accuracy is a share of."""
    from evaluation.downstream import Of

    return Of(_checked_choice(name, tuple(Of)))


def _report_options(
    judge: str, top: list[int] | None, stratum: str = "", common: bool = False
) -> Wanted:
    from services.downstream.report import Wanted

    return Wanted(judge, tuple(top or ()), parse_stratum(stratum), common=common)
