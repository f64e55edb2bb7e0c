"""Command that reports claims and citations per system."""

from __future__ import annotations

from typing import Annotated

import typer

from commands.shell.groups import ATTRIBUTION
from commands.shell.options import Resamples
from commands.shell.reports import Language, Output, check_output, emit_report
from commands.shell.state import State


@ATTRIBUTION.command("report")
def report(
    state: State,
    judge: Annotated[
        str | None, typer.Option(help="Whose labels of claims; else those of who gave most.")
    ] = None,
    output: Output = None,
    language: Language = "en",
    resamples: Resamples = 1000,
    split: Annotated[
        list[str] | None,
        typer.Option(
            help="Column of the questions whose values have figures of their own; may be repeated."
        ),
    ] = None,
    all_pairs: Annotated[
        bool,
        typer.Option("--all-pairs", help="Compare every two systems, not only those that differ."),
    ] = False,
) -> None:
    """Print precision, recall and F1 of claims and citations, and what was cited wrongly."""
    from evaluation.ranking.compare import CROSSED
    from services.attribution.report import report as made
    from services.attribution.report_tables import as_report

    check_output(output)
    found = made(*state.chosen, judge, resamples, split=CROSSED.join(split or ()))
    emit_report(state, as_report(found, language, all_pairs), output)
