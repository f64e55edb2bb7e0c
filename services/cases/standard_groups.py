"""Standard groups of a project: their court cases, query cases, and coverage.

Nothing is stored: all is derived from the court cases and the typology, and cached in the process
until either changes. Groups and their coverage are exported as CSV.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from annotation.cases import Query, case_mapping, choices, map_cases, mapper_of
from annotation.people.roles import Act, reading_as, writing_as
from annotation.work.editions import clean
from annotation.work.versioned_texts import TYPOLOGY
from construction.cases.group_mapping import Coverage, Mapped, coverage
from construction.cases.typology import Typology, parse
from errors import UserError, Where
from evaluation.tables import csv_text
from storage.cases import CaseLine, case_named
from storage.db.workspace import Workspace
from storage.tables.cases import QueryChoice


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
    queries = {}
    for group, drawn in found.drawn.items():
        choice, queries[group] = chosen.get(group), Query(drawn)
        if choice is not None and choice.case_id in found.members[group]:
            queries[group] = choice
    return CaseGroups(
        number=number,
        typology=parse(text),
        cases=found.cases,
        mapped=found.mapped,
        members=found.members,
        queries=queries,
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
        mapper = mapper_of(TYPOLOGY.text_in(session, project.id)[1])
        found = mapper.map(case.title, case.charges, case.provisions)
        if group not in found.groups:
            groups, where = ", ".join(found.groups) or "–", Where(field="group")
            raise UserError("case_query_group", where, id=external_id, group=group, groups=groups)
        row = QueryChoice(
            project_id=project.id,
            group_key=group,
            court_case_id=case.id or 0,
            by_person_id=by,
            at=ws.clock(),
        )
        session.add(row)


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
    asks = {(query.case_id, group) for group, query in case_groups.queries.items()}
    rows: list[tuple[object, ...]] = [("case", "group", "query", "title", "rule", "provisions")]
    for number, each in case_groups.mapped.items():
        name = case_groups.cases[number].external_id
        if not each.groups:
            titles = " / ".join(missed.title for missed in each.missed)
            rows.append((name, "", 0, titles, "; ".join(one.reason for one in each.missed), ""))
            continue
        for why in each.why:
            about = int((number, why.group) in asks), why.title, why.rule
            rows.append((name, why.group, *about, "; ".join(why.provisions)))
    return csv_text(rows)
