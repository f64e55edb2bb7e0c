"""Comparison of two lists of statutes, unit by unit.

A unit keeps its place while the text there is at least `SIMILAR` to the old one. Of the others,
those found elsewhere in their statute are renumbered; units that then remain at one place in both
were rewritten and are changed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from corpus.compare.model import (
    Aspect,
    Comparison,
    LawChange,
    Status,
    StatuteChange,
    StatuteStatus,
    UnitChange,
)
from corpus.compare.moved import SIMILAR, moved, renamed, similarity
from corpus.model import Statute, Unit


def compare(old: Sequence[Statute], new: Sequence[Statute]) -> Comparison:
    """Compare every statute and unit of `old` and `new`.

    Ids must be unique within each list, as importers make them.
    """
    before = {statute.semantic_id: statute for statute in old}
    after = {statute.semantic_id: statute for statute in new}
    gone = [before[each] for each in sorted(before.keys() - after.keys())]
    come = [after[each] for each in sorted(after.keys() - before.keys())]
    pairs: list[tuple[Statute | None, Statute | None]] = [*renamed(gone, come)]
    again = {statute.semantic_id for pair in pairs for statute in pair if statute}
    pairs += [(each, None) for each in gone if each.semantic_id not in again]
    pairs += [(None, each) for each in come if each.semantic_id not in again]
    pairs += [(before[each], after[each]) for each in before.keys() & after.keys()]
    changes = [compare_statutes(*pair) for pair in pairs]
    return Comparison(tuple(sorted(changes, key=_statute_order)))


def compare_statutes(old: Statute | None, new: Statute | None) -> StatuteChange:
    """Compare two versions of one statute; None if a law lacks it."""
    pairs = _pairs(_by_place(old), _by_place(new))
    units = tuple(sorted((_change(*pair) for pair in pairs), key=_unit_order))
    return StatuteChange(old, new, _statute_status(old, new, units), units)


def _by_place(statute: Statute | None) -> dict[str, Unit]:
    if statute is None:
        return {}
    return {unit.semantic_id.removeprefix(statute.semantic_id): unit for unit in statute.units}


def _pairs(
    old: dict[str, Unit], new: dict[str, Unit]
) -> list[tuple[Unit | None, Unit | None, float]]:
    """Match the units of a statute in pairs, with their similarity."""
    alike = {place: _alike(unit, new[place]) for place, unit in old.items() if place in new}
    stays = {place for place, score in alike.items() if score >= SIMILAR}
    found: list[tuple[Unit | None, Unit | None, float]] = []
    found += moved(_others(old, stays), _others(new, stays))
    left = {id(pair[0]) for pair in found}
    arrived = {id(pair[1]) for pair in found}
    for place in dict.fromkeys([*old, *new]):
        one, other = old.get(place), new.get(place)
        one = None if id(one) in left else one
        other = None if id(other) in arrived else other
        # A bare mark of deletion whose content has moved away, or was replaced, holds no provision.
        if any(unit is not None and not unit.deleted for unit in (one, other)) or (one and other):
            found.append((one, other, alike[place] if one and other else 0.0))
    return found


def _others(units: dict[str, Unit], stays: set[str]) -> list[Unit]:
    return [unit for place, unit in units.items() if place not in stays]


def _alike(old: Unit, new: Unit) -> float:
    if (old.heading, old.text) == (new.heading, new.text):
        return 1.0
    return similarity(old, new)


def _change(old: Unit | None, new: Unit | None, alike: float) -> UnitChange:
    aspects = tuple(_aspects(old, new)) if old and new else ()
    return UnitChange(old, new, _status(old, new, aspects), aspects, alike)


def _aspects(old: Unit, new: Unit) -> Iterable[Aspect]:
    return (each for each in Aspect if getattr(old, each) != getattr(new, each))


def _status(old: Unit | None, new: Unit | None, aspects: tuple[Aspect, ...]) -> Status:
    """Return the status of a unit from its old and new state."""
    if old and new and old.deleted and new.deleted:
        return Status.UNCHANGED  # no provision before, none now
    if old is None or (old.deleted and new is not None and not new.deleted):
        return Status.ADDED
    if new is None or (new.deleted and not old.deleted):
        return Status.REMOVED
    if old.semantic_id != new.semantic_id:
        return Status.RENUMBERED
    return Status.CHANGED if aspects else Status.UNCHANGED


def _statute_status(
    old: Statute | None, new: Statute | None, units: tuple[UnitChange, ...]
) -> StatuteStatus:
    if old is None:
        return StatuteStatus.ADDED
    if new is None:
        return StatuteStatus.REMOVED
    if (old.semantic_id, old.title) != (new.semantic_id, new.title):
        return StatuteStatus.RENAMED
    touched = any(unit.status is not Status.UNCHANGED for unit in units)
    return StatuteStatus.CHANGED if touched else StatuteStatus.UNCHANGED


def _unit_order(change: UnitChange) -> tuple[int, bool, str]:
    return change.unit.order, change.new is None, change.unit.semantic_id


def _statute_order(change: StatuteChange) -> str:
    return change.statute.semantic_id


_Said = tuple[str, frozenset[tuple[str, str, str, bool, bool]]]


def law_change(old: Sequence[Statute], new: Sequence[Statute]) -> LawChange:
    """Count the statutes that differ, by `compare`."""
    before = {each.semantic_id: _content(each) for each in old}
    after = {each.semantic_id: _content(each) for each in new}
    same = {name for name, said in after.items() if before.get(name) == said}
    left = [[each for each in law if each.semantic_id not in same] for law in (old, new)]
    counts = Counter(statute.status for statute in compare(*left).statutes)
    return LawChange(
        differ=counts[StatuteStatus.CHANGED] + counts[StatuteStatus.RENAMED],
        equal=counts[StatuteStatus.UNCHANGED] + len(same),
        new=counts[StatuteStatus.ADDED],
        gone=counts[StatuteStatus.REMOVED],
    )


def _content(statute: Statute) -> _Said:
    """Return what two versions of a statute are compared by."""
    return statute.title, frozenset(
        (
            unit.semantic_id,
            unit.heading,
            unit.text,
            unit.deleted,
            unit.text_missing,
        )
        for unit in statute.units
    )


Dates = tuple[date | None, date | None]
"""A statute's dates of promulgation and of effect, each None if unknown."""


@dataclass(frozen=True, slots=True)
class DateOrder:
    """How many of the statutes in both versions are later, earlier or equal in the newer one.

    A statute is dated by its promulgation, else, or if that is equal, by its effective date, in the
    future or not. Statutes without dates to compare count as `same`.
    """

    later: int
    earlier: int
    same: int

    @property
    def backwards(self) -> bool:
        """Whether the supposedly newer version is the older one: more statutes are earlier."""
        return self.earlier > self.later


def date_order(old: Mapping[str, Dates], new: Mapping[str, Dates]) -> DateOrder:
    """Compare the dates of the statutes in both, by semantic id."""
    signs = [_sign(old[name], new[name]) for name in old.keys() & new.keys()]
    return DateOrder(signs.count(1), signs.count(-1), signs.count(0))


def _sign(old: Dates, new: Dates) -> int:
    for before, after in zip(old, new, strict=True):
        if before and after and before != after:
            return 1 if after > before else -1
    return 0
