"""Command that prints agreement between annotators."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from commands.shell.groups import COMMANDS
from commands.shell.options import FiguresFile
from commands.shell.state import State
from commands.shell.tables import check_ending, write_table

if TYPE_CHECKING:
    from annotation.agreement.overview import Progress
    from annotation.agreement.views import Table, TimesTable


@COMMANDS.command("agreement")
def agreement(
    state: State,
    output: FiguresFile = None,
    task: Annotated[
        str,
        typer.Option(
            help="mapping, mcq, rating, tagging, curation, research, attribution, or a task's whole"
            " name."
        ),
    ] = "mapping",
) -> None:
    """Print progress per annotator, and agreement: every figure with n, interval and reading."""
    from annotation.adjudication.tasks import SHORT
    from annotation.agreement.overview import progress_of, report
    from annotation.agreement.report import report as in_depth
    from services.agreement.report import as_csv, as_json, as_markdown

    check_ending(output, ".csv", ".md")
    ws, slug = state.chosen
    task = SHORT.get(task, task)
    with state.progress("Measuring agreement"):
        more = in_depth(ws, slug, task=task)
    write_table(output, more, {".csv": as_csv, ".md": as_markdown})
    if task == "citation_mapping":
        done = report(ws, slug)
        people, figures = done.progress, done.figures
    else:
        people, figures = progress_of(ws, slug, task), []
    lines = [_progress_line(row) for row in people]
    lines += [f"{figure.name}: {figure.text()} (n={figure.n})" for figure in figures]
    for table in more.tables:
        lines += _lines(table)
    if more.times is not None:
        lines += _times(more.times)
    named = {figure.name: figure.as_json() for figure in figures}
    told = {"progress": [_progress_json(p) for p in people], "figures": named}
    state.emit(told | as_json(more), lines)


def _progress_json(row: Progress) -> dict[str, Any]:
    """Return a row as JSON values, without `imported` if it is 0."""
    return {name: value for name, value in asdict(row).items() if name != "imported" or value}


def _progress_line(row: Progress) -> str:
    seconds = "" if row.median_seconds is None else f", {row.median_seconds:.0f} s each (median)"
    came = f" ({row.imported} from another tool)" if row.imported else ""
    return (
        f"{row.person}: {row.submitted} submitted{came}, {row.drafts} in draft, "
        f"{row.skipped} skipped, {row.left} not begun{seconds}"
    )


def _lines(table: Table) -> Iterator[str]:
    from messages import say
    from services.agreement.report import name_of, reading

    part, view = say(f"agreement.part.{table.part}"), say(f"agreement.view.{table.view}")
    counted = "questions" if table.view in ("questions", "candidates") else "items"
    yield f"{part}, {view[0].lower()}{view[1:]} ({table.items:,} {counted}):"
    for row in table.rows:
        name = name_of(table, row, "en")
        statistic = say(f"statistics.name.{row.finding.statistic}")
        figure = row.finding.figure
        yield f"  {f'{name}: ' if name else ''}{statistic}: {figure.text()} (n={figure.n:,})"
        if not name:
            yield f"    {reading(row, 'en')}"


def _times(times: TimesTable) -> Iterator[str]:
    yield "Times:"
    for decision in times.decisions:
        yield (
            f"  {decision.person}, {decision.item.external_id}: {decision.seconds:.0f} s, "
            f"expected {decision.expected:.0f} s (z = {decision.z:.1f})"
        )
    if not times.decisions:
        yield "  No odd ones."
