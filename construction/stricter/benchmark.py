"""The two benchmarks of court cases: query cases and their targets.

In the standard benchmark every other case of the query's standard group is a target. In the
stricter one the other cases of *the* stricter group are targets of grade 2, those of the standard
group of grade 1. A case is never a target of itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from normalization.hashing import seeded_hash

STANDARD_GRADE, STRICTER_GRADE = 1, 2


class BenchmarkKind(StrEnum):
    """Standard or stricter benchmark."""

    STANDARD = "standard"
    STRICTER = "stricter"

    @property
    def least(self) -> int:
        """The lowest grade of a target in this benchmark."""
        return STRICTER_GRADE if self == BenchmarkKind.STRICTER else STANDARD_GRADE


@dataclass(frozen=True, slots=True)
class Members:
    """A standard group: its cases by external id, and those of *the* stricter group, if any.

    `query` is the case that a person chose as the query, None if nobody did.
    """

    group: str
    category: str
    cases: tuple[str, ...]
    stricter: tuple[str, ...] = ()
    query: str | None = None


@dataclass(frozen=True, slots=True)
class CaseQuery:
    """A query case of a group; `chosen` by a person, else drawn."""

    id: str
    case: str
    group: str
    category: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class CaseSet:
    """One benchmark: its queries in the order of groups, and the grade of each target."""

    kind: BenchmarkKind
    queries: tuple[CaseQuery, ...]
    qrels: Mapping[str, Mapping[str, int]]


def case_set(
    kind: BenchmarkKind, groups: Iterable[Members], per_group: int = 1, seed: int = 0
) -> CaseSet:
    """Return a benchmark with `per_group` queries of every group that has a target for one.

    The query that a person chose comes first, the others are drawn with `seed`, independently of
    other groups. Raises ValueError for a chosen query outside its group.
    """
    queries: list[CaseQuery] = []
    qrels: dict[str, Mapping[str, int]] = {}
    for each in groups:
        asking = each.stricter if kind == BenchmarkKind.STRICTER else each.cases
        if each.query is not None and each.query not in each.cases:
            raise ValueError(f"{each.query} is no case of {each.group}")
        if len(asking) < 2:
            continue
        for case in _query_cases(each, asking, per_group, seed):
            number = query_id(each.group, case)
            queries.append(CaseQuery(number, case, each.group, each.category, case == each.query))
            qrels[number] = _targets(kind, each, case)
    return CaseSet(kind, tuple(queries), qrels)


def query_id(group: str, case: str) -> str:
    """Return the query id of a case in a group."""
    return f"{group}/{case}"


def _query_cases(each: Members, cases: Sequence[str], per_group: int, seed: int) -> Sequence[str]:
    """Return at most `per_group` cases to be queries: the chosen one first, then drawn ones."""

    def place(case: str) -> tuple[bool, int]:
        """Return the sort key of a case: the query first, then at random."""
        return case != each.query, seeded_hash(seed, "query", each.group, case)

    return sorted(cases, key=place)[:per_group]


def _targets(kind: BenchmarkKind, each: Members, case: str) -> dict[str, int]:
    """Return the other cases of a group with their grade, for one as the query."""
    alike = set(each.stricter) if kind == BenchmarkKind.STRICTER else set()
    return {
        other: STRICTER_GRADE if other in alike else STANDARD_GRADE
        for other in sorted(each.cases)
        if other != case
    }
