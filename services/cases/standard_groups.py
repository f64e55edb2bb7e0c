"""Standard groups of a project: their court cases, query cases, and coverage.

Nothing is stored: all is derived from the court cases and the typology, and cached in the process
until either changes. Groups and their coverage are exported as CSV.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from annotation.cases import (
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
from storage.cases import CaseLine, case_named
from storage.db.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Query:
    """The query case of a group; `chosen` by `person`, else drawn."""

    case_id: int
    chosen: bool
    person: str | None = None
    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class CaseGroups:
    """The groups of a project's court cases under version `number` of its typology.

    `cases` and `mapped` are in order of import, `members` and `queries` in that of the typology; a
    group without cases is in neither, one with a single case has no query.
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
    """A case whose groups another typology would change."""

    case: CaseLine
    before: tuple[str, ...]
    after: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Moves:
    """Effects of another typology: the cases moved, and the coverage before and after."""

    moved: tuple[RegroupedCase, ...]
    before: Coverage
    after: Coverage
    gone: tuple[str, ...]
    new: tuple[str, ...]


def case_groups(ws: Workspace, slug: str, by: int | None = None) -> CaseGroups:
    """Return the current groups of a project. Raises UserError as `find_project` does."""
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
    """Return the effects of replacing the project's typology by `text`, without doing it.

    Raises UserError, with the line, for an invalid text.
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
    """Make that case the query of the group.

    Raises UserError for `by` without permission, an unknown case, and one outside the group.
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
    """Return a group's query: the case that was chosen if it is a member, else the drawn one."""
    if choice is None or choice.court_case_id not in members:
        return Query(drawn_case, False)
    return Query(choice.court_case_id, True, choice.person, choice.at)


def coverage_csv(case_groups: CaseGroups) -> str:
    """Return the categories with their groups and cases as CSV, with totals in the last line."""
    labels = {category.key: category.label for category in case_groups.typology.categories}
    covered = case_groups.coverage
    rows = [
        (row.key, labels[row.key]["en"], labels[row.key]["ko"], row.groups, row.filled, row.cases)
        for row in covered.rows
    ]
    total = ("total", "", "", covered.groups, covered.filled, covered.mapped)
    names = ("category", "english", "korean", "groups", "groups_with_cases", "cases")
    return csv_text((names, *rows, total))


def members_csv(case_groups: CaseGroups) -> str:
    """Return a CSV line per case and group with the deciding rule, and per case left out.

    ``query`` is 1 where the case is the query of the group.
    """
    names = ("case", "group", "query", "title", "rule", "provisions")
    rows: list[tuple[object, ...]] = []
    for number, each in case_groups.mapped.items():
        rows += _rows(case_groups, number, each)
    return csv_text((names, *rows))


def _rows(case_groups: CaseGroups, number: int, each: Mapped) -> list[tuple[object, ...]]:
    """Return a case as rows of the export: one for each group, or one without."""
    name = case_groups.cases[number].external_id
    asks = {group for group, query in case_groups.queries.items() if query.case_id == number}
    if not each.groups:
        titles = " / ".join(missed.title for missed in each.missed)
        return [(name, "", 0, titles, "; ".join(missed.reason for missed in each.missed), "")]
    return [
        (name, why.group, int(why.group in asks), why.title, why.rule, "; ".join(why.provisions))
        for why in each.why
    ]
