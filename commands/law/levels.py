"""The command that says which levels of units retrieval searches, and sets them."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from commands.shell.groups import COMMANDS
from commands.shell.state import State


@COMMANDS.command("levels")
def levels(
    state: State,
    level: Annotated[
        list[str] | None,
        typer.Argument(
            help="article, section, annex, form, addendum; left out, say which are searched."
        ),
    ] = None,
) -> None:
    """Say which levels of units retrieval searches in the project, or set them from now on.

    It holds for runs, experiments, figures and exports made after that. Gold of other levels stays
    gold: it counts as missed, and is reported as not searched.
    """
    from services.law.levels import read_levels, set_levels

    slug = state.project_slug()
    changed = set_levels(state.workspace, slug, level) if level else False
    found = read_levels(state.workspace, slug)
    said = found.said
    told: dict[str, Any] = {
        "levels": list(map(str, said.levels)),
        "changed": changed,
        "by": said.person,
        "at": said.at and said.at.isoformat(),
        "units": {str(count.level): count.units for count in found.counts},
    }
    who = said.person or "the operator"
    since = f", set by {who} on {said.at:%Y-%m-%d %H:%M} UTC" if said.at else ""
    lines = [f"Searched: {', '.join(said.levels)}{since}."]
    lines += [
        f"  {count.level:<9} {count.units:>9,} units"
        + ("" if count.level in said.levels else ", not searched")
        for count in found.counts
    ]
    state.emit(told, lines)
