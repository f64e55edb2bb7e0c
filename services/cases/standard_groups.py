"""The standard groups of a project: which court cases each has, which case asks, what is left out.

Nothing of it is stored: it follows from the court cases and the typology. What followed from them
last is remembered in the process until a case or a version of the typology comes. Groups and
their coverage are exported as CSV.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from annotation.cases.typologies import (
    Choice,
    case_mapping,
    choices,
    choose,
    map_cases,
    mapper_of,
)
from annotation.people.roles import Act, reading_as, writing_as
from annotation.work.editions import clean
from annotation.work.versioned_texts import TYPOLOGY
from construction.cases.group_mapping import Coverage, Mapped, coverage
from construction.cases.typology import Typology, parse
from errors import UserError, Where
from evaluation.tables import csv_text
from storage.cases.court_cases import CaseLine, case_named
from storage.db.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Query:
    """The case that asks for the others of its group; `chosen` by `person`, else drawn."""

    case_id: int
    chosen: bool
    person: str | None = None
    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class CaseGroups:
    """The groups of a project's court cases under the version `number` of its typology.

    `cases` and `mapped` are in the order in which the cases came, `members` and `queries` in that
    of the typology; a group without cases is in neither, one with a single case has no query.
    """

    number: int
    typology: Typology
    cases: Mapping[int, CaseLine]
    mapped: Mapping[int, Mapped]
    members: Mapping[str, tuple[int, ...]]
    queries: Mapping[str, Query]
    coverage: Coverage


@dataclass(frozen=True, slots=True)
class RegroupedCase:
    """A case that another typology puts elsewhere: its groups before and after."""

    case: CaseLine
    before: tuple[str, ...]
    after: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Moves:
    """What another typology would change: the cases it moves, and the coverage before and after."""

    moved: tuple[RegroupedCase, ...]
    before: Coverage
    after: Coverage
    gone: tuple[str, ...]
    new: tuple[str, ...]


def case_groups(ws: Workspace, slug: str, by: int | None = None) -> CaseGroups:
    """Return the groups of a project as they stand. Raises UserError as `find_project` does."""
    with reading_as(ws, slug, by, Act.READ_LAW) as (session, project, _):
        number, text = TYPOLOGY.text_in(session, project.id)
        found = case_mapping(session, project.id, text)
        chosen = choices(session, project.id)
    return CaseGroups(
        number=number,
        typology=parse(text),
        cases=found.cases,
        mapped=found.mapped,
        members=found.members,
        queries={
            group: _query(chosen.get(group), found.members[group], drawn_case)
            for group, drawn_case in found.drawn.items()
        },
        coverage=found.coverage,
    )


def moves(ws: Workspace, slug: str, text: str, by: int | None = None) -> Moves:
    """Return what would change if the project's typology said `text`; nothing is changed.

    Raises UserError, with the line, for a text that is no typology.
    """
    text = clean(text)
    with reading_as(ws, slug, by, Act.READ_LAW) as (session, project, _):
        now = TYPOLOGY.text_in(session, project.id)[1]
        standing = case_mapping(session, project.id, now)
    old, new = parse(now), parse(text)
    cases, before = standing.cases.values(), standing.mapped
    after = map_cases(text, cases)
    keys = [[group.key for *_, group in each.groups()] for each in (old, new)]
    return Moves(
        moved=tuple(
            RegroupedCase(case, before[case.id].groups, after[case.id].groups)
            for case in cases
            if before[case.id].groups != after[case.id].groups
        ),
        before=standing.coverage,
        after=coverage(new, after.values()),
        gone=tuple(each for each in keys[0] if each not in set(keys[1])),
        new=tuple(each for each in keys[1] if each not in set(keys[0])),
    )


def choose_query(
    ws: Workspace, slug: str, group: str, external_id: str, by: int | None = None
) -> None:
    """Let that case ask for the others of the group.

    Raises UserError for somebody who may not choose, an unknown case, and one that is not of the
    group.
    """
    with writing_as(ws, slug, by, Act.EDIT_GUIDELINES) as (session, project, _):
        case = case_named(session, project.id, external_id)
        number = case.id or 0
        found = mapper_of(TYPOLOGY.text_in(session, project.id)[1]).map(
            case.title, case.charges, case.provisions
        )
        if group not in found.groups:
            groups = ", ".join(found.groups) or "–"
            raise UserError(
                "case_query_group", Where(field="group"), id=external_id, group=group, groups=groups
            )
        choose(session, ws, project.id, group, number, by)


def _query(choice: Choice | None, members: tuple[int, ...], drawn_case: int) -> Query:
    if choice is None or choice.court_case_id not in members:
        return Query(drawn_case, False)
    return Query(choice.court_case_id, True, choice.person, choice.at)


def coverage_csv(found: CaseGroups) -> str:
    """Return the categories with their groups and cases, and the totals in the last line."""
    labels = {category.key: category.label for category in found.typology.categories}
    covered = found.coverage
    rows = [
        (row.key, labels[row.key]["en"], labels[row.key]["ko"], row.groups, row.filled, row.cases)
        for row in covered.rows
    ]
    total = ("total", "", "", covered.groups, covered.filled, covered.mapped)
    names = ("category", "english", "korean", "groups", "groups_with_cases", "cases")
    return csv_text((names, *rows, total))


def members_csv(found: CaseGroups) -> str:
    """Return a line for each case and group with the rule that decided, and for each case left out.

    ``query`` is 1 where the case asks for the others of the group.
    """
    names = ("case", "group", "query", "title", "rule", "provisions")
    rows: list[tuple[object, ...]] = []
    for number, each in found.mapped.items():
        rows += _rows(found, number, each)
    return csv_text((names, *rows))


def _rows(found: CaseGroups, number: int, each: Mapped) -> list[tuple[object, ...]]:
    name = found.cases[number].external_id
    asks = {group for group, query in found.queries.items() if query.case_id == number}
    if not each.groups:
        titles = " / ".join(missed.title for missed in each.missed)
        return [(name, "", 0, titles, "; ".join(missed.reason for missed in each.missed), "")]
    return [
        (name, why.group, int(why.group in asks), why.title, why.rule, "; ".join(why.provisions))
        for why in each.why
    ]
