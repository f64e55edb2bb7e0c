"""Statutes that come to a body of law: which of them it has, and what the two make together."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from corpus.importers.statutes.duplicate_titles import longer_id, renamed
from corpus.model import Statute
from corpus.place import slug


@dataclass(frozen=True, slots=True)
class Meeting:
    """How statutes that come meet those in use, counted by semantic id.

    `common` are in both, `new` only among those that come, `others` only in use.
    """

    common: int
    new: int
    others: int

    @property
    def in_use(self) -> int:
        """Statutes in use before."""
        return self.common + self.others

    def after(self, add: bool) -> int:
        """Return how many there are after they were added, or took the place of those in use."""
        return self.common + self.new + (self.others if add else 0)


def meeting(in_use: Collection[str], come: Collection[str]) -> Meeting:
    """Return how statutes meet, given the semantic ids of both."""
    common = len(set(in_use) & set(come))
    return Meeting(common, len(set(come)) - common, len(set(in_use)) - common)


def added(in_use: Sequence[Statute], come: Sequence[Statute]) -> tuple[Statute, ...]:
    """Return the statutes in use with those that come, by semantic id.

    One that comes takes the place of the one with its id. Two statutes of one title that differ
    in kind are namesakes and both stay, under the ids that an import of both would give them.
    """
    law = {statute.semantic_id: statute for statute in in_use}
    for statute in known_ids(law, come):
        there = law.get(statute.semantic_id)
        if there is not None and _namesakes(there, statute):
            older, statute = sorted((there, statute), key=lambda s: str(s.promulgated or ""))
            law[longer_id(older)] = renamed(older, longer_id(older))
        law[statute.semantic_id] = statute
    return tuple(law[name] for name in sorted(law))


def known_ids(in_use: Collection[str], come: Iterable[Statute]) -> list[Statute]:
    """Return those that come, each namesake under the longer id that is in use for it already."""
    return [renamed(each, longer_id(each)) if longer_id(each) in in_use else each for each in come]


def _namesakes(one: Statute, other: Statute) -> bool:
    kinds = slug(one.kind), slug(other.kind)
    return all(kinds) and kinds[0] != kinds[1]
