"""Commands about standard groups: coverage, cases with reasons, queries, typology."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from commands.shell.arguments import argument, option
from commands.shell.editions import add_version_commands
from commands.shell.groups import GROUPS
from commands.shell.state import State
from commands.shell.tables import read_text, write_text
from errors import UserError, Where
from messages import say

if TYPE_CHECKING:
    from construction.cases.group_mapping import Coverage
    from services.cases.standard_groups import CaseGroups

TypologyFile = Annotated[Path, argument("YAML file with the whole typology (UTF-8).")]


@GROUPS.command("report")
def report(
    state: State,
    output: Annotated[Path | None, option("Write the table to this CSV file too.")] = None,
) -> None:
    """Say how much of the court cases the typology covers, per category and in all."""
    from services.cases.standard_groups import case_groups, coverage_csv

    found = case_groups(*state.chosen)
    if output is not None:
        write_text(output, coverage_csv(found))
    labels = {category.key: category.label["en"] for category in found.typology.categories}
    lines = [
        f"{labels[row.key]:<36} {row.groups:>5,} groups, {row.filled:>5,} with cases, "
        f"{row.cases:>9,} cases"
        for row in found.coverage.rows
    ]
    said = {"typology": found.number} | _coverage_json(found.coverage)
    state.emit(said, [*lines, *_totals(found)])


@GROUPS.command("list")
def listing(
    state: State,
    group: Annotated[str | None, argument("Key of a group, such as fraud.fraud; else all.")] = None,
    output: Annotated[
        Path | None, option("Write every case with its groups to this CSV file.")
    ] = None,
) -> None:
    """List the groups that have cases, or the cases of one with what put each there."""
    from services.cases.standard_groups import case_groups, members_csv

    found = case_groups(*state.chosen)
    if output is not None:
        write_text(output, members_csv(found))
    if group is None:
        rows, lines = _groups_json(found), []
        for each in rows:
            how = "chosen" if each["chosen"] else "drawn"
            asks = f"query {each['query']} ({how})" if each["query"] else "no query: one case alone"
            lines.append(f"{each['group']:<44} {each['cases']:>7,}  {asks}")
        state.emit({"groups": rows}, [*lines, f"{len(rows):,} groups have cases."])
        return
    if group not in found.coverage.by_group:
        raise UserError("case_group_unknown", Where(field="group"), group=group)
    cases = [_member_json(found, group, number) for number in found.members.get(group, ())]
    lines = [f"{'*' if case['query'] else ' '} {case['case']:<20} {case['why']}" for case in cases]
    state.emit({"group": group, "cases": cases}, [*lines, f"{len(cases):,} cases; * is the query."])


@GROUPS.command("left-out")
def left_out(state: State) -> None:
    """List the titles that led to no group, and the cases that are in none or in several."""
    from services.cases.standard_groups import case_groups

    found = case_groups(*state.chosen)
    missed = [asdict(each) | {"cases": count} for each, count in found.coverage.missed]
    names = {number: case.external_id for number, case in found.cases.items()}
    none = [names[number] for number, each in found.mapped.items() if not each.groups]
    several = {
        names[number]: list(each.groups)
        for number, each in found.mapped.items()
        if len(each.groups) > 1
    }
    words = {each["reason"]: say(f"case_groups.reason.{each['reason']}") for each in missed}
    lines = [
        f"{each['cases']:>7,}  {words[each['reason']]:<34}  "
        f"{each['title'] or '–'}  {each['charge']}".rstrip()
        for each in missed
    ]
    counts = f"{len(none):,} cases are in no group, {len(several):,} in several."
    state.emit({"missed": missed, "unmapped": none, "multiple": several}, [*lines, counts])


@GROUPS.command("query")
def query(
    state: State,
    group: Annotated[str, argument("Key of the group.")],
    case: Annotated[str, argument("Id of a court case of the group.")],
) -> None:
    """Make a court case the query of its group, in place of the one that was drawn."""
    from services.cases.standard_groups import choose_query

    choose_query(*state.chosen, group, case)
    state.emit({"group": group, "query": case}, [f"{case} asks for the others of {group}."])


add_version_commands(
    GROUPS,
    "TYPOLOGY",
    TypologyFile,
    "the typology",
    saving="Save a typology as a new version; the versions before it stay.",
    name="typology",
    unreadable="typology_file",
)


@GROUPS.command("preview")
def preview(state: State, file: TypologyFile) -> None:
    """Say which court cases a changed typology would move; nothing is changed."""
    from services.cases.standard_groups import moves

    found = moves(*state.chosen, read_text(file, "typology_file"))
    moved = [
        {"case": each.case.external_id, "before": list(each.before), "after": list(each.after)}
        for each in found.moved
    ]
    lines = [
        f"{each['case']:<20} {_joined_keys(each['before'])} → {_joined_keys(each['after'])}"
        for each in moved
    ]
    lines += [f"Groups gone: {_joined_keys(found.gone)}", f"Groups new: {_joined_keys(found.new)}"]
    before, after = found.before, found.after
    lines.append(
        f"{len(moved):,} of {before.cases:,} cases would move; {before.mapped:,} are in a group "
        f"now, {after.mapped:,} would be."
    )
    said: dict[str, Any] = {"moved": moved, "gone": found.gone, "new": found.new}
    said |= {"before": _coverage_json(before), "after": _coverage_json(after)}
    state.emit(said, lines)


def _coverage_json(covered: Coverage) -> dict[str, Any]:
    """Return a coverage's counts as JSON values."""
    names = ("groups", "filled", "cases", "mapped", "multiple", "assigned", "share")
    counts = {name: getattr(covered, name) for name in names}
    return counts | {"categories": [asdict(row) for row in covered.rows]}


def _totals(case_groups: CaseGroups) -> list[str]:
    """Return the coverage as lines."""
    covered = case_groups.coverage
    share = "–" if covered.share is None else f"{covered.share:.2%}"
    return [
        f"{covered.mapped:,} of {covered.cases:,} cases ({share}) are in {covered.filled:,} of "
        f"{covered.groups:,} groups, {covered.multiple:,} of them in several; "
        f"counted per category {covered.assigned:,}.",
        f"Typology version {case_groups.number}.",
    ]


def _groups_json(case_groups: CaseGroups) -> list[dict[str, Any]]:
    return [
        {
            "group": group,
            "cases": len(cases),
            "query": _query_case(case_groups, group),
            "chosen": group in case_groups.queries and case_groups.queries[group].chosen,
        }
        for group, cases in case_groups.members.items()
    ]


def _query_case(case_groups: CaseGroups, group: str) -> str | None:
    """Return the external id of the case that is a group's query, None if it has none."""
    query = case_groups.queries.get(group)
    return None if query is None else case_groups.cases[query.case_id].external_id


def _member_json(case_groups: CaseGroups, group: str, number: int) -> dict[str, Any]:
    name, reasons = case_groups.cases[number].external_id, []
    for why in (each for each in case_groups.mapped[number].why if each.group == group):
        provisions = f": {', '.join(why.provisions)}" if why.provisions else ""
        reasons.append(f"{why.title} ({say(f'case_groups.rule.{why.rule}')}{provisions})")
    asks = name == _query_case(case_groups, group)
    return {"case": name, "query": asks, "why": "; ".join(reasons)}


def _joined_keys(keys: Any) -> str:
    return ", ".join(keys) or "–"
