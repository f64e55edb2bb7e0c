"""Audit of a benchmark in a folder: no project, database or login is needed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

from commands.shell.arguments import argument
from commands.shell.groups import COMMANDS
from commands.shell.reports import Language, Output, check_output, write_report
from commands.shell.state import State


@COMMANDS.command("audit")
def audit(
    state: State,
    folder: Annotated[
        Path,
        argument("Folder or file: BEIR, Hugging Face (JSON Lines, Parquet), TREC, CSV, qna.jsonl."),
    ],
    output: Output = None,
    language: Language = "en",
) -> None:
    """Audit a benchmark: what is wrong with its texts, ids and judgments, and what to do.

    No project is needed. The cases of every finding are in the file of --output, best .html.
    """
    from services.audit.report import FIGURES, audit_folder

    check_output(output)
    with state.progress("Auditing") as progress:
        report = audit_folder(folder, language, progress)
    if output is not None:
        write_report(report, output)
    figures = replace(report, sections=tuple(s for s in report.sections if s.name in FIGURES))
    written = [f"Wrote {output}."] if output is not None else []
    state.emit(report.as_json(), [*figures.lines(), *written])
