"""Where a reference stands: its statute, its article, its paragraph."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field

from corpus.citations.catalogue import Instrument
from corpus.citations.model import Role
from corpus.model import Level, Statute, Tier, Unit

_ROLES = {Tier.ACT: Role.ACT, Tier.DECREE: Role.DECREE, Tier.RULE: Role.RULE}


@dataclass(slots=True)
class UnitLocation:
    """One unit as the place that relative references are read from.

    `articles` are the ids of the statute's articles in document order.
    """

    unit: Unit
    articles: Sequence[str]
    _starts: list[int] = field(default_factory=list)
    _paths: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        """Index the unit's parts."""
        self._starts = [part.start for part in self.unit.parts]
        self._paths = {part.path for part in self.unit.parts}

    def part_at(self, offset: int) -> str:
        """Return the innermost part that holds an offset, empty outside every part."""
        parts = self.unit.parts
        for index in range(bisect_right(self._starts, offset) - 1, -1, -1):
            if offset < parts[index].end:
                return parts[index].path
        return ""

    def has_part(self, path: str) -> bool:
        """Tell whether the unit has a part of this path."""
        return path in self._paths

    def parts_before(self, path: str) -> list[str]:
        """Return the paths of the parts before `path` under the same parent, in order."""
        parent = path.rpartition("/")[0]
        siblings = [p.path for p in self.unit.parts if p.path.rpartition("/")[0] == parent]
        return siblings[: siblings.index(path)] if path in siblings else []

    def articles_before(self, count: int) -> list[str]:
        """Return the ids of the `count` articles right before this one, in order."""
        try:
            at = self.articles.index(self.unit.semantic_id)
        except ValueError:
            return []
        return list(self.articles[max(0, at - count) : at]) if at >= count else []


def article_ids(statute: Statute) -> list[str]:
    """Return the ids of a statute's articles and sections in document order."""
    levels = (Level.ARTICLE, Level.SECTION)
    return [unit.semantic_id for unit in statute.units if unit.level in levels]


def own_role(one: Instrument) -> Role:
    """Return what an instrument calls itself: 이 법, 이 영, 이 규칙."""
    return _ROLES.get(one.tier, Role.ANY)
