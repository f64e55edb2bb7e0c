"""Commands about parallel groups of provisions: declaration, proposals by similarity."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from commands.shell.arguments import argument, option
from commands.shell.editions import add_version_commands
from commands.shell.groups import PARALLEL
from commands.shell.state import State
from commands.shell.tables import read_text
from errors import UserError, Where
from messages import say

if TYPE_CHECKING:
    from annotation.parallel import Verdict
    from services.parallel import ProposedGroup
    from storage.law.parallel_groups import Problem

GroupsFile = Annotated[Path, argument("YAML file with all parallel groups (UTF-8).")]
Units = Annotated[list[str], argument("Ids of all provisions of one proposed group.")]
Why = Annotated[str, option("Why, in a sentence or two.", "--note")]
AtLeast = Annotated[float, option("Least likeness of any two of a group, 0 to 1.")]
Most = Annotated[int, option("Headings that more provisions have are not compared.")]


@PARALLEL.command("list")
def listing(state: State) -> None:
    """List the groups that are declared, with their provisions and those that make no edge."""
    from services.parallel import declared_groups

    found = declared_groups(*state.chosen)
    lines, rows = [], []
    for each in found:
        group = each.group
        lines.append(f"{group.key}: {group.label['en']} ({group.tier.name.lower()})")
        for member in group.members:
            name = each.names.get(member.unit, "–")
            lines.append(f"  {member.slot or '–':<20} {member.unit}  {name}".rstrip())
        lines += [f"  {_problem_line(problem)}" for problem in each.problems]
        members = [{"slot": member.slot, "unit": member.unit} for member in group.members]
        row: dict[str, Any] = {"key": group.key, "label": dict(group.label), "members": members}
        rows.append(
            row | {"tier": group.tier.name.lower(), "problems": _problems_json(each.problems)}
        )
    state.emit({"groups": rows}, lines or [say("parallel_groups.none")])


add_version_commands(
    PARALLEL,
    "PARALLEL_GROUPS",
    GroupsFile,
    "the declaration",
    saving="Save a declaration as a new version and join its groups; the versions before it stay.",
)


@PARALLEL.command("preview")
def preview(state: State, file: GroupsFile) -> None:
    """Say which groups and edges a changed declaration would change; nothing is changed."""
    from services.parallel import changes

    found = changes(*state.chosen, read_text(file))
    lines = [
        say(f"parallel_groups.{name}", keys=", ".join(keys))
        for name, keys in (("new", found.new), ("changed", found.changed), ("gone", found.gone))
        if keys
    ]
    lines.append(f"Edges in the law in use: {found.edges[0]} now, {found.edges[1]} then.")
    lines += [_problem_line(problem) for problem in found.problems]
    said = {"new": found.new, "changed": found.changed, "gone": found.gone, "diff": found.diff}
    counts = {"edges_now": found.edges[0], "edges_then": found.edges[1]}
    state.emit(said | counts | {"problems": _problems_json(found.problems)}, [*lines, found.diff])


@PARALLEL.command("proposals")
def proposed(
    state: State,
    at_least: AtLeast = 0.6,
    most: Most = 12,
    statute: Annotated[str, option("Only groups of which an id has this.")] = "",
    only: Annotated[str, option("Only these: open, declared or refused.", "--state")] = "",
) -> None:
    """List the groups that likeness proposes, most alike first, with score, reason and state."""
    from services.parallel import State as Fate
    from services.parallel import proposals

    if only and only not in list(Fate):
        raise UserError("parallel_state", Where(field="--state"), known=", ".join(Fate))
    found = proposals(*state.chosen, at_least=at_least, most=most, statute=statute)
    shown = [each for each in found.groups if not only or each.state == only]
    counts = {str(fate): found.count(fate) for fate in Fate}
    said: dict[str, Any] = {"proposals": [_proposal_json(each) for each in shown]}
    said |= {"counts": counts, "compared": found.compared, "too_common": found.too_common}
    lines = [line for each in shown for line in _proposal_lines(each)]
    lines.append(", ".join(f"{name}: {count}" for name, count in counts.items()))
    values = {"compared": found.compared, "too_common": found.too_common, "most": found.most}
    state.emit(said, [*lines, say("parallel_groups.compared", **values)])


@PARALLEL.command("confirm")
def confirm(
    state: State, units: Units, note: Why = "", at_least: AtLeast = 0.6, most: Most = 12
) -> None:
    """Confirm a proposed group: it becomes a group of the next version, and is joined."""
    from annotation.parallel import Verdict

    number = _decide(state, units, Verdict.CONFIRMED, note, at_least, most)
    state.emit({"number": number}, [f"Confirmed; version {number} holds."])


@PARALLEL.command("refuse")
def refuse(
    state: State, units: Units, note: Why = "", at_least: AtLeast = 0.6, most: Most = 12
) -> None:
    """Refuse a proposed group: it stays refused until somebody confirms it."""
    from annotation.parallel import Verdict

    _decide(state, units, Verdict.REFUSED, note, at_least, most)
    state.emit({"refused": sorted(units)}, [f"Refused: {', '.join(sorted(units))}."])


def _decide(
    state: State, units: Sequence[str], verdict: Verdict, note: str, at_least: float, most: int
) -> int:
    """Confirm or refuse a proposed group; return the number of the version that then holds."""
    from services.parallel import decide

    return decide(*state.chosen, [units], verdict, note, at_least=at_least, most=most)


def _proposal_json(each: ProposedGroup) -> dict[str, Any]:
    proposal, decision = each.proposal, each.decision
    return {
        "units": list(proposal.units),
        "slots": [member.slot for member in proposal.members],
        "tier": proposal.tier.name.lower(),
        "score": proposal.score,
        "highest": proposal.highest,
        "heading": proposal.heading,
        "headings": list(proposal.headings),
        "without": list(proposal.without),
        "state": str(each.state),
        "decided": decision
        and {
            "verdict": str(decision.verdict),
            "by": decision.person,
            "at": decision.at.isoformat(),
            "score": decision.score,
            "note": decision.note,
        },
    }


def _proposal_lines(each: ProposedGroup) -> Iterator[str]:
    proposal, said = each.proposal, each.decision
    without = f", without {', '.join(proposal.without)}" if proposal.without else ""
    yield (
        f"{proposal.score:.2f}-{proposal.highest:.2f}  {each.state}  "
        f"{proposal.tier.name.lower()}  {proposal.headings[0]} (same heading{without})"
    )
    for name, member in zip(each.names, proposal.members, strict=True):
        yield f"    {member.unit}  {member.slot or '–'}  {name}"
    if said is not None:
        yield f"    {said.verdict} by {said.person or 'operator'}, {said.at:%Y-%m-%d %H:%M} UTC"


def _problem_line(problem: Problem) -> str:
    tier = "" if problem.tier is None else problem.tier.name.lower()
    return say(f"parallel_groups.problem.{problem.what}", unit=problem.unit, tier=tier)


def _problems_json(problems: Sequence[Problem]) -> list[dict[str, str]]:
    return [{"unit": each.unit, "what": each.what} for each in problems]
