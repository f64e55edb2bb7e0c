"""The standard groups of a project: which court cases each has, which case asks, what is left out.

Nothing of it is stored: it follows from the court cases and the typology. What followed from them
last is remembered in the process until a case or a version of the typology comes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from threading import Lock
from types import MappingProxyType

from sqlmodel import Session

from annotation.cases.queries import Choice, choices, choose
from annotation.cases.typologies import clean, text_in
from annotation.people.authorization import require_by
from annotation.people.roles import Act
from construction.cases.coverage import Coverage, coverage
from construction.cases.group_mapping import Mapped, Mapper
from construction.cases.typology import Typology
from construction.cases.typology_reading import parse
from construction.mcq.model import drawn
from errors import UserError, Where
from storage.cases.court_cases import CaseLine, case_named, listed, newest
from storage.db.workspace import Workspace
from storage.projects import find_project

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


def mapped(session: Session, project_id: int) -> Mapping[int, Mapped]:
    """Return the groups of every court case of the project, by the case's id."""
    return _following(session, project_id, text_in(session, project_id)[1]).mapped


def case_groups(ws: Workspace, slug: str, by: int | None = None) -> CaseGroups:
    """Return the groups of a project as they stand. Raises UserError as `find_project` does."""
    with ws.reading() as session:
        project = find_project(session, slug)
        require_by(session, project.id, by, Act.READ_LAW)
        number, text = text_in(session, project.id)
        found = _following(session, project.id, text)
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
    with ws.reading() as session:
        project = find_project(session, slug)
        require_by(session, project.id, by, Act.READ_LAW)
        now = text_in(session, project.id)[1]
        standing = _following(session, project.id, now)
    old, new = parse(now), parse(text)
    cases, before = standing.cases.values(), standing.mapped
    after = _map(text, cases)
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


def _query(choice: Choice | None, members: tuple[int, ...], drawn_case: int) -> Query:
    if choice is None or choice.court_case_id not in members:
        return Query(drawn_case, False)
    return Query(choice.court_case_id, True, choice.person, choice.at)


def _drawn(group: str, ids: Iterable[int], cases: Mapping[int, CaseLine]) -> int:
    """Return the query that the benchmark draws too: it hangs on no other group."""
    return min(ids, key=lambda each: drawn(SEED, "query", group, cases[each].external_id))


@dataclass(frozen=True, slots=True)
class _Following:
    """What follows from court cases and a typology; `drawn` is a query of each group of two."""

    cases: Mapping[int, CaseLine]
    mapped: Mapping[int, Mapped]
    members: Mapping[str, tuple[int, ...]]
    drawn: Mapping[str, int]
    coverage: Coverage


_World = tuple[object, ...]
_REMEMBERED: dict[_World, _Following] = {}
_ALONE = Lock()
_MOST = 2  # projects that are remembered: a country's cases take half a gigabyte


def _following(session: Session, project_id: int, text: str) -> _Following:
    """Return what follows from the project's court cases and the typology `text`."""
    place = str(session.get_bind().engine.url)  # without the password
    world = (place, project_id, text, *newest(session, project_id))
    found = _REMEMBERED.get(world)
    if found is None:
        found = _follow(text, listed(session, project_id))
        with _ALONE:
            while len(_REMEMBERED) >= _MOST:
                del _REMEMBERED[next(iter(_REMEMBERED))]
            _REMEMBERED[world] = found
    return found


def _follow(text: str, cases: Iterable[CaseLine]) -> _Following:
    by_id = {each.id: each for each in cases}
    typology, found = parse(text), _map(text, by_id.values())
    members = _members(typology, found)
    return _Following(
        cases=MappingProxyType(by_id),
        mapped=MappingProxyType(found),
        members=members,
        drawn={group: _drawn(group, ids, by_id) for group, ids in members.items() if len(ids) > 1},
        coverage=coverage(typology, found.values()),
    )
