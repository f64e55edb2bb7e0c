"""Commands about curation: give questions to it, list them, admit those kept, report."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from commands.shell.files import check_ending, write_text
from commands.shell.groups import CURATION
from commands.shell.options import number_of, padded
from commands.shell.state import State
from errors import UserError, Where

_STAGES = (
    *("unseen", "held", "through"),
    *("waiting", "disputed", "kept", "edited", "rejected", "admitted"),
)


@CURATION.command("items")
def items(
    state: State,
    unchecked: Annotated[
        bool,
        typer.Option(
            "--unchecked", help="Questions that no layer has looked at too: all layers are off."
        ),
    ] = False,
) -> None:
    """Give questions that have come through the cascade to people to curate. Safe to repeat."""
    from services.curation.items import give_to_curation

    done = give_to_curation(*state.chosen, unchecked=unchecked)
    lines = [
        f"{number_of(done.items, 'question')} given to curation; {done.before:,} there before."
    ]
    if done.unchecked:
        lines.append(f"  Of them, {done.unchecked:,} went through no layer of the cascade.")
    if done.renewed:
        lines.append(f"  {done.renewed:,} show the law in use and the newest run from now on.")
    if done.held:
        lines.append(f"Not through the cascade: {done.held:,}.")
    if done.unseen:
        lines.append(
            f"Looked at by no layer: {done.unseen:,}. Run the cascade, or give them with"
            " --unchecked where all layers are off."
        )
    state.emit(asdict(done), lines)


@CURATION.command("list")
def listing(
    state: State,
    stage: Annotated[
        str, typer.Option(help=f"Only those that have come so far: {', '.join(_STAGES)}.")
    ] = "",
) -> None:
    """List the augmented questions with how far each has come."""
    from services.curation.items import question_lines

    if stage and stage not in _STAGES:
        known = ", ".join(_STAGES)
        raise UserError("curation_stage", Where(field="stage"), stage=stage, known=known)
    found = [each for each in question_lines(*state.chosen) if stage in ("", each.stage)]
    lines = [
        f"{each.external_id:<12} {each.stage:<10} {each.target or '–':<3}"
        f" {each.type or '–':<24} {' '.join(each.text.split())[:80]}".rstrip()
        for each in found
    ]
    state.emit({"questions": [each.as_dict() for each in found]}, lines or ["No question."])


@CURATION.command("admit")
def admit(
    state: State,
    only: Annotated[
        list[str] | None,
        typer.Option("--id", help="Only the question of this id; may be repeated. Else all."),
    ] = None,
) -> None:
    """Make questions of the project of those that people kept or edited, with their gold."""
    from services.curation.admission import admit as let_in

    done = let_in(*state.chosen, only=tuple(only or ()))
    named = f": {', '.join(done.admitted)}" if done.admitted else ""
    lines = [
        f"{number_of(len(done.admitted), 'question')} admitted{named}.",
        f"Admitted before: {done.before:,}. Waiting for a decision: {done.waiting:,}."
        f" Rejected: {done.rejected:,}.",
    ]
    state.emit(asdict(done), lines)


@CURATION.command("report")
def report(
    state: State,
    output: Annotated[
        Path | None, typer.Option(help="Write the tables to this file too: .csv, .md or .tex.")
    ] = None,
) -> None:
    """Show what people made of the questions, each share with n and 95 % interval (Wilson)."""
    from messages import say
    from services.curation.report import as_text, curation_report, tables

    check_ending(output, ".csv", ".md", ".tex", error="curation_report_ending")
    done = curation_report(*state.chosen)
    if output is not None:
        write_text(output, as_text(done, output.suffix.lower()))
    fates = ", ".join(f"{name} {count:,}" for name, count in done.fates.items() if count) or "none"
    lines = [f"{number_of(done.questions, 'augmented question')}; in curation: {fates}."]
    lines.append(f"Admitted as questions of the project: {done.admitted:,}.")
    for name, head, rows in tables(done):
        if not rows:
            continue
        lines += ["", say(f"curation_report.table.{name}")]
        lines += padded([head, *rows])
    state.emit(done.as_dict(), lines)
