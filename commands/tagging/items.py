"""The command that makes items of court cases, for people to tag."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from commands.state import State


def items(
    context: typer.Context,
    group: Annotated[
        list[str] | None,
        typer.Option(
            help="Only cases of this standard group, charge or category (its key). Repeat it."
        ),
    ] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="At most so many new items.")] = None,
    seed: Annotated[int, typer.Option(help="Draws the cases where there is a limit.")] = 0,
) -> None:
    """Make items of the court cases in standard groups, for people to tag their factors.

    A case that has an item keeps it; where the typology has moved it, it shows its groups now.
    """
    from services.tagging.items import make_items

    state: State = context.obj
    done = make_items(state.workspace, state.project_slug(), tuple(group or ()), limit, seed)
    lines = [f"{done.made:,} new items; {done.there:,} were there before."]
    if done.moved:
        lines.append(f"{done.moved:,} of these show other groups from now on.")
    if done.left:
        lines.append(f"{done.left:,} more are in these groups and have none.")
    if done.unmapped:
        lines.append(f"{done.unmapped:,} court cases are in no group and are not tagged.")
    state.emit(asdict(done), lines)
