"""Commands that divide the gold into train, dev and test."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from commands.shell.groups import SPLIT
from commands.shell.options import Gold, Note, OfVersion, aligned
from commands.shell.state import State
from errors import UserError, Where
from messages import say

if TYPE_CHECKING:
    from construction.gold.splitting import Recipe
    from services.gold.splits import SplitState
    from storage.gold.splits import SplitView

_NAMED = 10  # questions that a line names; --json has all


@SPLIT.command("make")
def make(
    state: State,
    by: Annotated[
        str, typer.Option("--by", help="statute, date or near (near-duplicates); else statute.")
    ] = "",
    shares: Annotated[str, typer.Option(help="Per cent of train, dev and test.")] = "",
    seed: Annotated[int | None, typer.Option(help="What chance is drawn with; else 0.")] = None,
    near: Annotated[
        float | None, typer.Option(help="Likeness of near-duplicates, 0 to 1; else 0.5.")
    ] = None,
    column: Annotated[
        str, typer.Option(help="Column of the questions with their dates, for a split by date.")
    ] = "",
    gold: Gold = "",
    again: Annotated[
        bool, typer.Option("--again", help="Split all again; questions may move.")
    ] = False,
    note: Note = "",
) -> None:
    """Split the gold into train, dev and test; or place what was settled since the last time.

    Questions that are in a part stay there, unless all is split again.
    """
    from services.gold.splits import make_split

    given = by or shares or column or gold or seed is not None or near is not None
    recipe = _recipe(by, shares, seed, near, column, gold) if given else None
    made = make_split(*state.chosen, recipe, note, again=again)
    counts = {"new": made.new, "stayed": made.stayed, "moved": made.moved}
    lines = [say("split.made", number=made.number, **counts), *_state_lines(_state(state, None))]
    state.emit({"number": made.number} | counts, lines)


@SPLIT.command("show")
def show(
    state: State,
    number: OfVersion = None,
    above: Annotated[
        float | None, typer.Option(help="Likeness from which pairs count as nearly the same.")
    ] = None,
) -> None:
    """Say which questions are in which part, why others are in none, and what parts share."""
    from services.gold.leakage import leakage

    found = _state(state, number)
    leaks = leakage(*state.chosen, number, above)
    lines = _state_lines(found)
    for each in leaks.between if leaks else ():
        told = each.as_dict() | {"above": f"{leaks.above:g}" if leaks else ""}
        lines.append(say("split.leak.line", **told))
    for pair in leaks.pairs if leaks else ():
        lines.append(f"  {pair.likeness:.3f}  {pair.one}  {pair.other}")
    told = found.as_dict() | {"leakage": leaks.as_dict() if leaks else None}
    state.emit(told, lines)


@SPLIT.command("list")
def listing(state: State) -> None:
    """List the versions of the split, newest first; the first of the list holds."""
    from services.gold.splits import split_as_dict, splits

    found = splits(*state.chosen)
    lines = [_version_line(each) for each in found] or [say("split.none")]
    state.emit({"splits": [split_as_dict(each) for each in found]}, lines)


def _recipe(
    by: str, shares: str, seed: int | None, near: float | None, column: str, gold: str
) -> Recipe:
    """Return the recipe that options say. Raises UserError for one that they cannot."""
    from construction.gold.splitting import Recipe, Way

    way = next((each for each in Way if each == (by or Way.STATUTE)), None)
    if way is None:
        raise UserError("split_way", Where(field="--by"), said=by, known=", ".join(Way))
    usual = Recipe(way)
    wanted = usual.shares
    if shares:
        said = [each.strip() for each in shares.split("/")]
        if len(said) != 3 or not all(each.isascii() and each.isdigit() for each in said):
            raise UserError("split_shares", Where(field="--shares"), said=shares)
        wanted = (int(said[0]), int(said[1]), int(said[2]))
    return Recipe(
        way,
        wanted,
        usual.seed if seed is None else seed,
        usual.near if near is None else near,
        column,
        gold=gold,
    )


def _state(state: State, number: int | None) -> SplitState:
    from services.gold.splits import split_state

    found = split_state(*state.chosen, number)
    if found is None:
        raise UserError("split_none")
    return found


def _version_line(view: SplitView) -> str:
    recipe = view.recipe
    shares = "/".join(map(str, recipe.shares))
    how = f"{recipe.way} {recipe.column}".strip()
    who = view.person or say("split.operator")
    words = f"{view.number:>4}  {view.at:%Y-%m-%d %H:%M}  {who:<16}  {how}  {shares}"
    told = f"seed {recipe.seed}  gold {recipe.gold}  {view.size} questions  {view.note}"
    return f"{words}  {told}".rstrip()


def _state_lines(found: SplitState) -> list[str]:
    """Return a version as lines: its recipe, its parts as a table, and why others are in none."""
    placed = len(found.parts)
    head = ("part", "wanted, %", "reached, %", "questions", "no provision", "judgements")
    rows = [
        (
            line.part,
            str(line.share),
            f"{100 * line.questions / placed:.1f}" if placed else "–",
            *(f"{count:,}" for count in (line.questions, line.no_provision, line.pairs)),
            f"{line.statutes:,}",
            f"{line.gone:,}",
        )
        for line in found.lines
    ]
    table = aligned([(*head, "statutes", "no longer final"), *rows])
    lines = [_version_line(found.view), found.gold.size.say(), *table]
    if reasons := found.reasons:
        told = ", ".join(say(f"split.reason.{why}", count=n) for why, n in reasons.items())
        lines.append(f"{say('split.left_out')} {told}.")
    for why in dict.fromkeys(found.left_out.values()):
        names = [name for name, each in found.left_out.items() if each == why]
        more = f" … ({len(names)})" if len(names) > _NAMED else ""
        lines.append(f"  {why}: {', '.join(names[:_NAMED])}{more}")
    return lines
