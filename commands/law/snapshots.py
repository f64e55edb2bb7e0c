"""Commands that list, use and compare snapshots, and set the searched levels."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from commands.shell.arguments import argument, option
from commands.shell.groups import COMMANDS
from commands.shell.options import outcome_lines
from commands.shell.state import State

if TYPE_CHECKING:
    from annotation.gold.rechecks import Recheck
    from corpus.compare.model import UnitChange
    from services.law.comparison import ComparisonReport
    from services.law.overview import SnapshotLine


@COMMANDS.command("compare")
def compare(
    state: State,
    old: Annotated[
        int | None, argument("Number of the older snapshot; else that before the newer.")
    ] = None,
    new: Annotated[
        int | None, argument("Number of the newer snapshot; else the one in use.")
    ] = None,
) -> None:
    """Compare two snapshots: what came, went, moved or changed, and what to check again.

    What to check again is told for the newer one, whatever law each decision was made on.
    """
    from services.law.activation import to_check
    from services.law.comparison import compare as compare_snapshots

    slug = state.project_slug()
    with state.progress("Comparing"):
        report = compare_snapshots(state.workspace, slug, old, new)
        again = to_check(state.workspace, slug, snapshot_id=report.new.id)
    result = report.as_dict() | {
        "rechecks": [each.as_dict() for each in again.entries],
        "to_check": again.counts.as_dict(),
    }
    lines = [*_head_lines(report), *_change_lines(report), "", *again.counts.lines()]
    state.emit(result, [*lines, *map(_recheck_line, again.entries)])


def _head_lines(report: ComparisonReport) -> list[str]:
    """Return the compared snapshots and the totals of their differences as text."""
    from services.law.activation import change_line

    lines = [f"Old: {_snapshot_text(report.old)}", f"New: {_snapshot_text(report.new)}"]
    if report.dates.backwards:
        lines.append("Note: the new snapshot holds law of an earlier date than the old one.")
    dates = report.dates
    order = (
        f"Statutes in both, by promulgation or else effective date: {dates.later:,} later in the "
        f"new one, {dates.earlier:,} earlier, {dates.same:,} of equal or unknown date."
    )
    units = ", ".join(f"{count:,} {status}" for status, count in sorted(report.units.items()))
    lines += [f"Statutes: {change_line(report.law)}", f"Provisions: {units or 'none'}."]
    totals = "; ".join(  # which add up to the units of both snapshots
        f"{name} {count:,} (and {gone:,} places marked as deleted, not counted)"
        for name, count, gone in zip(("old", "new"), report.provisions, report.deleted, strict=True)
    )
    return [*lines, f"In all: {totals}.", order]


def _snapshot_text(line: SnapshotLine) -> str:
    in_use = ", in use" if line.in_use else ""
    return f"snapshot {line.id} ({line.name}, effective {line.effective or 'unknown'}{in_use})"


def _change_lines(report: ComparisonReport) -> list[str]:
    """Return every changed statute with its changed units as text."""
    lines: list[str] = []
    for statute in report.comparison.touched:
        old, counts = statute.old, sorted(statute.counts.items())
        before = f", before: {old.title}" if old and statute.status == "renamed" else ""
        units = ", ".join(f"{count} {status}" for status, count in counts if count) or "no units"
        lines += ["", f"{statute.statute.title} ({statute.status}{before}): {units}"]
        lines += [f"  {each.status:<10} {_unit_text(each)}" for each in statute.touched]
    return lines


def _unit_text(change: UnitChange) -> str:
    heading = f" ({change.unit.heading})" if change.unit.heading else ""
    before = f", before: {change.old.label}" if change.old and change.new else ""
    return f"{change.unit.label}{heading}{before if change.status == 'renumbered' else ''}"


def _recheck_line(each: Recheck) -> str:
    what = f"{each.unit} ({each.became}" if each.unit else "(no candidates yet"
    if each.reason == "arrived":
        what += ", proposed for a “no provision”"
    decisions = ", ".join(
        f"{one.decision} by {one.person} {one.at:%Y-%m-%d}" if one.at else one.decision
        for one in each.decisions
    )
    return f"  {each.external_id}: {what}{', gold' if each.gold else ''}; {decisions})"


@COMMANDS.command("snapshots")
def snapshots(
    state: State,
    use: Annotated[int | None, option("Number of the snapshot to use from now on.")] = None,
) -> None:
    """List the snapshots of the law, or use another one of them. None is ever removed.

    Where people have begun, candidates from the one to be used are made with it. For the one in
    use, what is lacking is made.
    """
    from services.law.activation import use_snapshot
    from services.law.overview import overview

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


@COMMANDS.command("levels")
def levels(
    state: State,
    level: Annotated[
        list[str] | None,
        argument("article, section, annex, form, addendum; left out, say which are searched."),
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
        "units": {str(level): units for level, units in found.counts.items()},
    }
    who = said.person or "the operator"
    since = f", set by {who} on {said.at:%Y-%m-%d %H:%M} UTC" if said.at else ""
    lines = [f"Searched: {', '.join(said.levels)}{since}."]
    lines += [
        f"  {each:<9} {units:>9,} units" + ("" if each in said.levels else ", not searched")
        for each, units in found.counts.items()
    ]
    state.emit(told, lines)
