"""Gold over the small law, said outright; the fixture `decided` puts it in place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from tests.projects.small_law import ACT, RULE

LIFE_JACKETS, LAMP, FORM = f"{ACT}_2조", f"{RULE}_article-1", f"{ACT}_별지1서식"


@dataclass(frozen=True)
class Gold:
    """A gold item as far as retrieval looks at it."""

    external_id: str
    units: tuple[str, ...] = ()
    outcome: str = "agreed"
    inherited: None = None
    grades: Mapping[str, int] = field(default_factory=dict)

    @property
    def settled(self) -> bool:
        return self.outcome != "pending"

    @property
    def pending(self) -> tuple[str, ...]:
        return () if self.settled else ("waiting",)

    @property
    def no_provision(self) -> bool:
        return not self.units


FIRST = [
    Gold("q2", (LAMP,), "adjudicated"),
    Gold("q1", (LIFE_JACKETS, f"{ACT}_별표1")),
    Gold("q4"),
    Gold("q3", outcome="pending"),
]
