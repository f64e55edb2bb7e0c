"""Groups of court cases under a typology, and the query case chosen for each group.

Groups are not stored. The last result is cached in the process until a case or a version of the
typology is added.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from threading import Lock
from types import MappingProxyType

from sqlmodel import Session

from annotation.work.versioned_texts import TYPOLOGY
from construction.cases.group_mapping import Coverage, Mapped, Mapper, coverage
from construction.cases.typology import Typology, parse
from normalization.hashing import seeded_hash
from storage.cases import CaseLine, listed, newest
from storage.projects import authored
from storage.tables.cases import QueryChoice


@dataclass(frozen=True, slots=True)
class Query:
    """The query case of a group; `chosen` by `person` (None: the operator), else drawn."""

    case_id: int
    chosen: bool = False
    person: str | None = None


def choices(session: Session, project_id: int) -> dict[str, Query]:
    """Return the newest choice of a query for each group, by the group's key.

    A choice outlives its typology: the group may be gone, or the case no longer in it.
    """
    rows = authored(session, QueryChoice, QueryChoice.project_id == project_id)
    return {row.group_key: Query(row.court_case_id, True, name) for row, name in rows}


SEED = 0  # of the query that is drawn if nobody has chosen one


@dataclass(frozen=True, slots=True)
class CaseMapping:
    """The groups of court cases under a typology; `drawn` is a query per group of two or more."""

    cases: Mapping[int, CaseLine]
    mapped: Mapping[int, Mapped]
    members: Mapping[str, tuple[int, ...]]
    drawn: Mapping[str, int]
    coverage: Coverage


def mapped(session: Session, project_id: int) -> Mapping[int, Mapped]:
    """Return the groups of every court case under the current typology, by the case's id."""
    return case_mapping(session, project_id, TYPOLOGY.text_in(session, project_id)[1]).mapped


_CacheKey = tuple[object, ...]
_CACHE: dict[_CacheKey, CaseMapping] = {}
_LOCK = Lock()
_MAX_CACHED = 2  # cached projects: a country's cases take half a gigabyte


def case_mapping(session: Session, project_id: int, text: str) -> CaseMapping:
    """Return the groups of the project's court cases under the typology `text`."""
    place = str(session.get_bind().engine.url)  # without the password
    world = (place, project_id, text, *newest(session, project_id))
    found = _CACHE.get(world)
    if found is None:
        found = _computed_mapping(text, listed(session, project_id))
        with _LOCK:
            while len(_CACHE) >= _MAX_CACHED:
                del _CACHE[next(iter(_CACHE))]
            _CACHE[world] = found
    return found


def _computed_mapping(text: str, cases: Iterable[CaseLine]) -> CaseMapping:
    by_id = {case.id: case for case in cases}
    typology, found = parse(text), map_cases(text, by_id.values())
    members = _cases_by_group(typology, found)
    drawn = {  # the query that the benchmark draws too, independent of other groups
        group: min(ids, key=lambda each: seeded_hash(SEED, "query", group, by_id[each].external_id))
        for group, ids in members.items()
        if len(ids) > 1
    }
    return CaseMapping(
        cases=MappingProxyType(by_id),
        mapped=MappingProxyType(found),
        members=members,
        drawn=drawn,
        coverage=coverage(typology, found.values()),
    )


def map_cases(text: str, cases: Iterable[CaseLine]) -> dict[int, Mapped]:
    """Return the groups of each of the cases under the typology `text`, by the case's id."""
    mapper = mapper_of(text)
    return {case.id: mapper.map(case.title, case.charges, case.provisions) for case in cases}


@lru_cache(maxsize=4)  # reuses titles and provisions parsed before
def mapper_of(text: str) -> Mapper:
    """Return the mapper of a typology's text; the last few are cached."""
    return Mapper(parse(text))


def _cases_by_group(typology: Typology, mapped: Mapping[int, Mapped]) -> dict[str, tuple[int, ...]]:
    """Return the ids of the cases mapped to each group that has any."""
    members: dict[str, list[int]] = {group.key: [] for *_, group in typology.groups()}
    for case, each in mapped.items():
        for group in each.groups:
            members[group].append(case)
    return {group: tuple(cases) for group, cases in members.items() if cases}
