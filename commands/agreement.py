"""Command that prints agreement between annotators."""

from __future__ import annotations

from typing import Annotated

from commands.shell.arguments import option
from commands.shell.groups import COMMANDS
from commands.shell.reports import Language, Output, check_output, emit_report
from commands.shell.state import State


@COMMANDS.command("agreement")
def agreement(
    state: State,
    output: Output = None,
    language: Language = "en",
    task: Annotated[
        str,
        option(
            "mapping, mcq, rating, tagging, curation, research, attribution, or a task's whole"
            " name."
        ),
    ] = "mapping",
) -> None:
    """Print progress per annotator, and agreement: every figure with n, interval and reading."""
    from annotation.adjudication.tasks import SHORT
    from annotation.agreement.label_audit import label_audits
    from annotation.agreement.overview import progress_of, report
    from annotation.agreement.report import report as in_depth
    from annotation.tasks.own import all_tasks, names_of
    from services.agreement.report import as_report
    from services.overview.report import agreement_lines
    from storage.tasks import Task

    check_output(output)
    ws, slug = state.chosen
    task = SHORT.get(task, task)
    with state.progress("Measuring agreement"):
        found = in_depth(ws, slug, task=task)
        lines = agreement_lines(ws, slug, all_tasks(ws, slug))
    if task == Task.CITATION_MAPPING:
        people = report(ws, slug).progress
    else:
        people = progress_of(ws, slug, task)
    names = names_of(ws, slug, task)
    audits = label_audits(ws, slug) if task == Task.CITATION_MAPPING else ()
    emit_report(state, as_report(found, language, task, people, lines, names, audits), output)
