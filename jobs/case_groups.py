"""The standard groups of a project: which court cases each has, which case asks, what is left out.

Nothing of it is kept: it follows from the court cases and the typology, each time it is asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

from sqlmodel import Session

from annotation.case_queries import Choice, choices, choose
from annotation.roles import Act
from annotation.standing import require_by
from annotation.typologies import clean, text_in
from construction.mcq.model import drawn
from construction.typology.coverage import Coverage, coverage
from construction.typology.mapping import Mapped, Mapper
from construction.typology.model import Typology
from construction.typology.reading import parse
from errors import UserError, Where
from storage.court_cases import CaseLine, case_named, listed
from storage.projects import find_project
from storage.workspace import Workspace

SEED = 0  # of the query that is drawn where nobody has chosen one


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
class Move:
    """A case that another typology puts elsewhere: its groups before and after."""

    case: CaseLine
    before: tuple[str, ...]
    after: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Moves:
    """What another typology would change: the cases it moves, and the coverage before and after."""

    moved: tuple[Move, ...]
    before: Coverage
    after: Coverage
    gone: tuple[str, ...]
    new: tuple[str, ...]


def mapped(session: Session, project_id: int) -> dict[int, Mapped]:
    """Return the groups of every court case of the project, by the case's id."""
    return _map(text_in(session, project_id)[1], listed(session, project_id))


def case_groups(ws: Workspace, slug: str, by: int | None = None) -> CaseGroups:
    """Return the groups of a project as they stand. Raises UserError as `find_project` does."""
    with ws.reading() as session:
        project = find_project(session, slug)
        require_by(session, project.id, by, Act.READ_LAW)
        number, text = text_in(session, project.id)
        cases = listed(session, project.id)
        chosen = choices(session, project.id)
    typology, found = parse(text), _map(text, cases)
    by_id = {each.id: each for each in cases}
    members = _members(typology, found)
    return CaseGroups(
        number=number,
        typology=typology,
        cases=by_id,
        mapped=found,
        members=members,
        queries=_queries(members, by_id, chosen),
        coverage=coverage(typology, found.values()),
    )


def moves(ws: Workspace, slug: str, text: str, by: int | None = None) -> Moves:
    """Return what would change if the project's typology said `text`; nothing is changed.

    Raises UserError, with the line, for a text that is no typology.
    """
    text = clean(text)
    with ws.reading() as session:
        project = find_project(session, slug)
        require_by(session, project.id, by, Act.READ_LAW)
        now = text_in(session, project.id)[1]
        cases = listed(session, project.id)
    old, new = parse(now), parse(text)
    before, after = _map(now, cases), _map(text, cases)
    keys = [[group.key for *_, group in each.groups()] for each in (old, new)]
    return Moves(
        moved=tuple(
            Move(case, before[case.id].groups, after[case.id].groups)
            for case in cases
            if before[case.id].groups != after[case.id].groups
        ),
        before=coverage(old, before.values()),
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
    with ws.writing() as session:
        project = find_project(session, slug)
        require_by(session, project.id, by, Act.EDIT_GUIDELINES)
        case = case_named(session, project.id, external_id)
        number = case.id or 0
        found = _mapper(text_in(session, project.id)[1]).map(
            case.title, case.charges, case.provisions
        )
        if group not in found.groups:
            groups = ", ".join(found.groups) or "–"
            raise UserError(
                "case_query_group", Where(field="group"), id=external_id, group=group, groups=groups
            )
        choose(session, ws, project.id, group, number, by)


def _map(text: str, cases: Iterable[CaseLine]) -> dict[int, Mapped]:
    mapper = _mapper(text)
    return {each.id: mapper.map(each.title, each.charges, each.provisions) for each in cases}


@lru_cache(maxsize=4)  # titles and provisions that were read once are known the next time
def _mapper(text: str) -> Mapper:
    return Mapper(parse(text))


def _members(typology: Typology, found: Mapping[int, Mapped]) -> dict[str, tuple[int, ...]]:
    members: dict[str, list[int]] = {group.key: [] for *_, group in typology.groups()}
    for case, each in found.items():
        for group in each.groups:
            members[group].append(case)
    return {group: tuple(cases) for group, cases in members.items() if cases}


def _queries(
    members: Mapping[str, tuple[int, ...]],
    cases: Mapping[int, CaseLine],
    chosen: Mapping[str, Choice],
) -> dict[str, Query]:
    found = {}
    for group, ids in members.items():
        if len(ids) < 2:
            continue
        choice = chosen.get(group)
        if choice is not None and choice.court_case_id in ids:
            found[group] = Query(choice.court_case_id, True, choice.person, choice.at)
        else:
            found[group] = Query(_drawn(group, ids, cases), False)
    return found


def _drawn(group: str, ids: Iterable[int], cases: Mapping[int, CaseLine]) -> int:
    """Return the query that the benchmark draws too: it hangs on no other group."""
    return min(ids, key=lambda each: drawn(SEED, "query", group, cases[each].external_id))
