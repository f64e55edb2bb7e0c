"""Results of a comparison of two lists of statutes."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum

from corpus.model import Statute, Unit


class Status(StrEnum):
    """The change of a unit.

    `ADDED` and `REMOVED` are about provisions: a place that the newer law marks as deleted counts
    as removed. `RENUMBERED` means that the unit has another semantic id in the newer law, as its
    number or its statute's name differs; its words may have changed as well.
    """

    ADDED = "added"
    REMOVED = "removed"
    RENUMBERED = "renumbered"
    CHANGED = "changed"
    UNCHANGED = "unchanged"


class StatuteStatus(StrEnum):
    """The change of a statute as a whole; `CHANGED` means that some of its units are touched."""

    ADDED = "added"
    REMOVED = "removed"
    RENAMED = "renamed"
    CHANGED = "changed"
    UNCHANGED = "unchanged"


class Aspect(StrEnum):
    """A comparable property of a unit. Chapters, order and dates are not compared."""

    HEADING = "heading"
    TEXT = "text"
    DELETED = "deleted"
    TEXT_MISSING = "text_missing"


@dataclass(frozen=True, slots=True)
class UnitChange:
    """A unit in the older and the newer law; None if missing.

    `aspects` are the differences between the two; empty if one is missing. `similarity` is that of
    heading and text, 0 to 1; 0 if one is missing.
    """

    old: Unit | None
    new: Unit | None
    status: Status
    aspects: tuple[Aspect, ...]
    similarity: float

    @property
    def unit(self) -> Unit:
        """The unit in the newer law; a removed one in the older law."""
        found = self.old if self.status is Status.REMOVED else self.new or self.old
        if found is None:
            raise ValueError("a change without a unit")
        return found

    @property
    def living(self) -> bool:
        """True unless both laws mark the place as deleted."""
        return any(unit is not None and not unit.deleted for unit in (self.old, self.new))

    @property
    def reworded(self) -> bool:
        """Whether a living provision changed."""
        return bool(self.aspects) and self.new is not None and not self.new.deleted


@dataclass(frozen=True, slots=True)
class StatuteChange:
    """A statute in the older and the newer law, with the changes of its units.

    Units are in document order. Every unit of both laws is in exactly one of the changes, except
    places that are only marked as deleted and have no counterpart.
    """

    old: Statute | None
    new: Statute | None
    status: StatuteStatus
    units: tuple[UnitChange, ...]

    @property
    def statute(self) -> Statute:
        """The statute in the newer law, else in the older one."""
        found = self.new or self.old
        if found is None:
            raise ValueError("a change without a statute")
        return found

    @property
    def counts(self) -> Counter[Status]:
        """The number of provisions of each status.

        Those of the newer law are added, renumbered, changed or unchanged, those of the older one
        removed, renumbered, changed or unchanged: the sums are the units that are not deleted.
        """
        return Counter(each.status for each in self.units if each.living)

    @property
    def touched(self) -> tuple[UnitChange, ...]:
        """The units of every status but unchanged."""
        return tuple(each for each in self.units if each.status is not Status.UNCHANGED)


@dataclass(frozen=True, slots=True)
class LawChange:
    """How many statutes `differ` (in title or a unit), are `equal`, are `new` and are `gone`."""

    differ: int
    equal: int
    new: int
    gone: int

    @classmethod
    def of(cls, counts: Counter[StatuteStatus]) -> LawChange:
        """Return the change of a law with so many statutes of each status."""
        return cls(
            differ=counts[StatuteStatus.CHANGED] + counts[StatuteStatus.RENAMED],
            equal=counts[StatuteStatus.UNCHANGED],
            new=counts[StatuteStatus.ADDED],
            gone=counts[StatuteStatus.REMOVED],
        )


@dataclass(frozen=True, slots=True)
class Comparison:
    """The statutes of both laws, by semantic id (that of the newer law where it has one)."""

    statutes: tuple[StatuteChange, ...]

    @property
    def counts(self) -> Counter[Status]:
        """The number of provisions of each status; see :attr:`StatuteChange.counts`."""
        return sum((each.counts for each in self.statutes), Counter())

    @property
    def touched(self) -> tuple[StatuteChange, ...]:
        """The statutes of every status but unchanged."""
        return tuple(each for each in self.statutes if each.status is not StatuteStatus.UNCHANGED)
