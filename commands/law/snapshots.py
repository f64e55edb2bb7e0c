"""The command that lists a project's snapshots and says which one is used."""

from __future__ import annotations

from typing import Annotated

import typer

from commands.results import outcome_lines
from commands.state import State


def snapshots(
    context: typer.Context,
    use: Annotated[
        int | None, typer.Option(help="Number of the snapshot to use from now on.")
    ] = None,
) -> None:
    """List the snapshots of the law, or use another one of them. None is ever removed.

    Where people have begun, candidates from the one to be used are made with it. For the one in
    use, what is lacking is made.
    """
    from services.law.activation import use_snapshot
    from services.law.overview import overview

    state: State = context.obj
    slug = state.project_slug()
    outcome = None
    if use is not None:
        with state.progress("Proposing candidates") as report:
            outcome = use_snapshot(state.workspace, slug, use, progress=report)
    there = overview(state.workspace, slug).snapshots
    rows = [
        {
            "id": line.id,
            "name": line.name,
            "effective": line.effective and line.effective.isoformat(),
            "imported": line.imported.isoformat(),
            "in_use": line.in_use,
        }
        for line in there
    ]
    lines = [
        f"{line.id}: {line.name}, effective {line.effective or 'unknown'}, "
        f"imported {line.imported:%Y-%m-%d %H:%M} UTC{', in use' if line.in_use else ''}"
        for line in there
    ]
    told = {} if outcome is None else outcome.as_dict()
    lines = [*(lines or ["Nothing has been imported yet."]), *outcome_lines(outcome)]
    state.emit({"snapshots": rows} | told, lines)
