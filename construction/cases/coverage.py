"""How much of a corpus of court cases a typology covers, as Table 4 of LEGAR BENCH counts it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from construction.cases.group_mapping import Mapped, Missed
from construction.cases.typology import Typology


@dataclass(frozen=True, slots=True)
class CategoryRow:
    """A category: its groups, how many of them have a case, and its cases, each counted once."""

    key: str
    groups: int
    filled: int
    cases: int


@dataclass(frozen=True, slots=True)
class Coverage:
    """What a typology covers.

    `cases` are all cases, `mapped` those with a group at least, `multiple` those with several.
    `assigned` adds up the categories, so that it counts a case once for each category it is in.
    `missed` counts the titles that led to no group, most frequent first, then by title, whether or
    not another title of the case did.
    """

    rows: tuple[CategoryRow, ...]
    groups: int
    filled: int
    cases: int
    mapped: int
    multiple: int
    assigned: int
    by_group: dict[str, int]
    missed: tuple[tuple[Missed, int], ...]

    @property
    def share(self) -> float | None:
        """The mapped share of all cases; None where there is no case."""
        return self.mapped / self.cases if self.cases else None


class Counting:
    """Counts cases one by one, so that a corpus need not be held in memory."""

    def __init__(self, typology: Typology) -> None:
        self._typology = typology
        self._groups: Counter[str] = Counter()
        self._categories: Counter[str] = Counter()
        self._missed: Counter[Missed] = Counter()
        self._cases = self._mapped = self._multiple = 0

    def add(self, mapped: Mapped) -> None:
        """Count one case."""
        self._cases += 1
        self._mapped += bool(mapped.groups)
        self._multiple += len(mapped.groups) > 1
        self._groups.update(mapped.groups)
        self._categories.update(mapped.categories)
        self._missed.update(mapped.missed)

    def result(self) -> Coverage:
        """Return what was counted."""
        rows = tuple(self._rows())
        found = self._missed.items()
        missed = sorted(found, key=lambda each: (-each[1], each[0].title, each[0].charge))
        return Coverage(
            rows=rows,
            groups=sum(row.groups for row in rows),
            filled=sum(row.filled for row in rows),
            cases=self._cases,
            mapped=self._mapped,
            multiple=self._multiple,
            assigned=sum(row.cases for row in rows),
            by_group={group.key: self._groups[group.key] for *_, group in self._typology.groups()},
            missed=tuple(missed),
        )

    def _rows(self) -> Iterable[CategoryRow]:
        for category in self._typology.categories:
            keys = [group.key for charge in category.charges for group in charge.groups]
            filled = sum(self._groups[key] > 0 for key in keys)
            yield CategoryRow(category.key, len(keys), filled, self._categories[category.key])


def coverage(typology: Typology, cases: Iterable[Mapped]) -> Coverage:
    """Return how much of `cases` the typology covers."""
    counting = Counting(typology)
    for each in cases:
        counting.add(each)
    return counting.result()
