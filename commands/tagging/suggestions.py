"""Commands that make items of court cases to tag, ask models about them, and show suggestions."""

from __future__ import annotations

from dataclasses import asdict
from functools import partial
from typing import Annotated

import typer

from commands.shell.groups import FACTORS
from commands.shell.options import ended_early
from commands.shell.state import State


@FACTORS.command("items")
def items(
    state: State,
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

    done = make_items(*state.chosen, tuple(group or ()), limit, seed)
    lines = [f"{done.made:,} new items; {done.there:,} were there before."]
    if done.moved:
        lines.append(f"{done.moved:,} of these show other groups from now on.")
    if done.left:
        lines.append(f"{done.left:,} more are in these groups and have none.")
    if done.unmapped:
        lines.append(f"{done.unmapped:,} court cases are in no group and are not tagged.")
    state.emit(asdict(done), lines)


@FACTORS.command("suggest")
def suggest(
    state: State,
    case: Annotated[
        list[str] | None, typer.Option(help="Only this court case (its id); may be repeated.")
    ] = None,
    factor: Annotated[
        list[str] | None, typer.Option(help="Only this factor (its key); may be repeated.")
    ] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="At most so many cases.")] = None,
    seed: Annotated[int, typer.Option(help="Draws the cases where there is a limit.")] = 0,
) -> None:
    """Ask the model of the role tag_factors about the court cases that have items.

    Quotations are checked against the judgment. What was answered is not asked again. Exit code 3
    if the run ended early.
    """
    from services.tagging.suggestions import SuggestionOptions, plan_suggesting
    from services.tagging.suggestions import suggest as ask

    wish = SuggestionOptions(tuple(case or ()), tuple(factor or ()), limit, seed)
    ready = plan_suggesting(*state.chosen, wish)
    done = state.run("Suggesting", partial(ask, state.workspace, ready))
    lines = [
        f"{done.cases:,} cases, {done.calls:,} calls; {done.recalled:,} were known before.",
        f"{done.new:,} suggestions are new; {done.shown:,} items show something newer.",
    ]
    lines += [f"  {name:<11} {n:>8,}" for name, n in done.states.items()]
    lines += [f"  {'no answer':<11} {done.failed:>8,}"] if done.failed else []
    state.emit(asdict(done), [*lines, *ended_early(done)], failed=done.end != "done")


@FACTORS.command("suggestions")
def setting(
    state: State,
    value: Annotated[
        str, typer.Argument(help="shown, hidden or after; left out, say which one holds.")
    ] = "",
) -> None:
    """Say when those who tag see what a model suggests: shown, hidden, or after they answer."""
    from annotation.tagging.suggestion_visibility import read_setting, set_suggestions

    slug = state.project_slug()
    if value:
        changed = set_suggestions(state.workspace, slug, value)
        lines = [f"Suggestions are {value}. Items shown anew: {changed:,}."]
        state.emit({"setting": value, "items": changed}, lines)
        return
    found = read_setting(state.workspace, slug)
    who = f", by {found.person}" if found.person else ""
    when = f" since {found.at:%Y-%m-%d %H:%M}{who}" if found.at else ""
    state.emit(asdict(found), [f"Suggestions are {found.setting}{when}."])
