"""Saved views of the leaderboard: list and remove them; `leaderboard --save` keeps one."""

from __future__ import annotations

from typing import Annotated

import typer

from commands.shell.groups import VIEW
from commands.shell.state import State
from messages import say


@VIEW.command("list")
def listing(state: State) -> None:
    """List the saved views of the leaderboard, with their runs: which are retired or gone."""
    from services.runs.views import list_views

    found = list_views(*state.chosen)
    lines = []
    for each in found:
        runs = ", ".join(map(str, each.view.runs))
        lines.append(f"{each.name}: {runs} ({each.by or say('run_marks.operator')})")
        lines += [f"  {note}" for note in each.notes()]
    told = [
        each.view.model_dump(mode="json")
        | {"name": each.name, "by": each.by or None, "at": each.at.isoformat()}
        | {"retired": list(each.retired), "gone": list(each.gone)}
        for each in found
    ]
    state.emit({"views": told}, lines or [say("run_views.none")])


@VIEW.command("remove")
def remove(
    state: State, name: Annotated[str, typer.Argument(help="Name of the view, as list prints it.")]
) -> None:
    """Remove a saved view; its runs stay."""
    from services.runs.views import remove_view

    remove_view(*state.chosen, name)
    state.emit({"removed": name}, [say("run_views.removed", name=name)])
