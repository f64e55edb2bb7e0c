"""Commands about people: who takes part, and how well they agree."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from commands.state import State

if TYPE_CHECKING:
    from annotation.agreement import Progress


def person(
    context: typer.Context,
    name: Annotated[str, typer.Argument(help="The person's name, as shown in the app.")],
    role: Annotated[str, typer.Option(help="annotator or adjudicator.")] = "annotator",
) -> None:
    """Add a person to the project."""
    from annotation.people import add_person

    state: State = context.obj
    added = add_person(state.workspace, state.project_slug(), name, role)
    state.emit(asdict(added), [f"Added {added.name} ({added.role})."])


def agreement(context: typer.Context) -> None:
    """Print progress per annotator and agreement with 95 % intervals."""
    from annotation.agreement import report

    state: State = context.obj
    done = report(state.workspace, state.project_slug())
    lines = [_line(row) for row in done.progress]
    lines += [f"{figure.name}: {figure.text()} (n={figure.n})" for figure in done.figures]
    figures = {figure.name: figure.as_json() for figure in done.figures}
    progress = [asdict(p) | {"unsure_share": p.unsure_share.as_json()} for p in done.progress]
    state.emit({"progress": progress, "figures": figures}, lines)


def _line(row: Progress) -> str:
    seconds = "" if row.median_seconds is None else f", {row.median_seconds:.0f} s each (median)"
    return (
        f"{row.person}: {row.submitted} submitted, {row.drafts} in draft, {row.skipped} skipped, "
        f"{row.left} not begun{seconds}"
    )
