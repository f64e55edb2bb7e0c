"""A report in the terminal and as a file: the same options for every report command."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from commands.shell.arguments import option
from commands.shell.state import State

if TYPE_CHECKING:
    from evaluation.reports.report import Report

Language = Annotated[Literal["en", "ko"], option("Language of the report's words: en or ko.")]
Output = Annotated[
    Path | None,
    option(
        "Write the report to this file too: .csv (one figure a line), .md, .tex or .json; "
        ".html for a page with pictures; .svg or .png for the pictures."
    ),
]


def check_output(output: Path | None) -> None:
    """Raise UserError for a file name that no report can be written to, before any computation."""
    if output is not None:
        from evaluation.reports.report import check_ending

        check_ending(output.suffix)


def emit_report(
    state: State, report: Report, output: Path | None = None, dark: bool = False
) -> None:
    """Print a report, or its JSON under --json; write it to `output` first, on dark paper."""
    state.emit(report.as_json(), list(report_lines(report, output, dark)))


def report_lines(report: Report, output: Path | None = None, dark: bool = False) -> Iterator[str]:
    """Write a report to `output` and yield its terminal lines."""
    if output is not None:
        write_report(report, output, dark)
    yield from report.lines()
    if output is not None:
        yield f"Wrote {output}."


def write_report(report: Report, output: Path, dark: bool = False) -> None:
    """Write a report to a file, in the format of its ending."""
    from evaluation.reports.files import report_file
    from storage.db.atomic_files import published_file

    with published_file(output) as part:
        part.write_bytes(report_file(report, output.suffix.lower(), dark))
