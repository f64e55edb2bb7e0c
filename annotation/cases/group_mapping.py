"""The groups of court cases as they follow from a typology; nothing of it is stored.

What followed last is remembered in the process until a case or a version of the typology comes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from threading import Lock
from types import MappingProxyType

from sqlmodel import Session

from annotation.cases.typologies import text_in
from construction.cases.group_mapping import Coverage, Mapped, Mapper, coverage
from construction.cases.typology import Typology, parse
from construction.mcq.model import drawn
from storage.cases.court_cases import CaseLine, listed, newest

SEED = 0  # of the query that is drawn where nobody has chosen one


@dataclass(frozen=True, slots=True)
class CaseMapping:
    """What follows from court cases and a typology; `drawn` is a query of each group of two."""

    cases: Mapping[int, CaseLine]
    mapped: Mapping[int, Mapped]
    members: Mapping[str, tuple[int, ...]]
    drawn: Mapping[str, int]
    coverage: Coverage


def mapped(session: Session, project_id: int) -> Mapping[int, Mapped]:
    """Return the groups of every court case of the project, by the case's id."""
    return case_mapping(session, project_id, text_in(session, project_id)[1]).mapped


_World = tuple[object, ...]
_REMEMBERED: dict[_World, CaseMapping] = {}
_ALONE = Lock()
_MOST = 2  # projects that are remembered: a country's cases take half a gigabyte


def case_mapping(session: Session, project_id: int, text: str) -> CaseMapping:
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


def _follow(text: str, cases: Iterable[CaseLine]) -> CaseMapping:
    by_id = {each.id: each for each in cases}
    typology, found = parse(text), map_cases(text, by_id.values())
    members = _members(typology, found)
    return CaseMapping(
        cases=MappingProxyType(by_id),
        mapped=MappingProxyType(found),
        members=members,
        drawn={group: _drawn(group, ids, by_id) for group, ids in members.items() if len(ids) > 1},
        coverage=coverage(typology, found.values()),
    )


def map_cases(text: str, cases: Iterable[CaseLine]) -> dict[int, Mapped]:
    """Return the groups of each of the cases under the typology `text`, by the case's id."""
    mapper = mapper_of(text)
    return {each.id: mapper.map(each.title, each.charges, each.provisions) for each in cases}


@lru_cache(maxsize=4)  # titles and provisions that were read once are known the next time
def mapper_of(text: str) -> Mapper:
    """Return the mapper of a typology's text; the last few are remembered."""
    return Mapper(parse(text))


def _members(typology: Typology, found: Mapping[int, Mapped]) -> dict[str, tuple[int, ...]]:
    members: dict[str, list[int]] = {group.key: [] for *_, group in typology.groups()}
    for case, each in found.items():
        for group in each.groups:
            members[group].append(case)
    return {group: tuple(cases) for group, cases in members.items() if cases}


def _drawn(group: str, ids: Iterable[int], cases: Mapping[int, CaseLine]) -> int:
    """Return the query that the benchmark draws too: it hangs on no other group."""
    return min(ids, key=lambda each: drawn(SEED, "query", group, cases[each].external_id))
