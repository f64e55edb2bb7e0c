"""Comparison of two lists of statutes, unit by unit.

A unit keeps its place while the text there is at least `SIMILAR` to the old one. Of the others,
those found elsewhere in their statute are renumbered; units that then remain at one place in both
were rewritten and are changed.

Matching of moved provisions and renamed statutes.

Two units are one provision if heading and text are similar and nothing else is nearly as similar to
either of them. Legal drafting repeats itself, so a tie is left as one unit removed and one added.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

from corpus.compare.model import (
    Aspect,
    Comparison,
    LawChange,
    Status,
    StatuteChange,
    StatuteStatus,
    UnitChange,
)
from corpus.model import Statute, Unit
from normalization.grouping import grouped

if TYPE_CHECKING:
    import numpy as np


SIMILAR = 0.8  # minimum similarity, by the share of common characters, in order
MARGIN = 0.05  # minimum lead in similarity over any other unit of the statute
_ROWS = 256  # compared at a time, which bounds memory

Pair = tuple[Unit, Unit, float]


def similarity(old: Unit, new: Unit) -> float:
    """Return the similarity of heading and text of two units, 0 to 1.

    It is twice the length of the longest common subsequence over the length of both.
    """
    from rapidfuzz.distance import Indel

    return float(Indel.normalized_similarity(_heading_and_text(old), _heading_and_text(new)))


def moved(old: Sequence[Unit], new: Sequence[Unit]) -> list[Pair]:
    """Return (old, new, similarity) of units that are one provision, in the order of `old`.

    Only units of one level are paired, each at most once, and none that is empty or marked as
    deleted. Units with a heading alone are paired if it is equal.
    """
    before = [unit for unit in old if _has_text(unit)]
    after = [unit for unit in new if _has_text(unit)]
    pairs = _equal(before, after)
    gone, come = {id(pair[0]) for pair in pairs}, {id(pair[1]) for pair in pairs}
    left = [unit for unit in before if id(unit) not in gone and unit.text]
    right = [unit for unit in after if id(unit) not in come and unit.text]
    for level in sorted({unit.level for unit in left}):
        pairs += _alike_pairs(
            [unit for unit in left if unit.level == level],
            [unit for unit in right if unit.level == level],
        )
    place = {id(unit): at for at, unit in enumerate(old)}
    return sorted(pairs, key=lambda pair: place[id(pair[0])])


def _heading_and_text(unit: Unit) -> str:
    return f"{unit.heading}\n{unit.text}"


def _has_text(unit: Unit) -> bool:
    """Return True for a unit in force with text or heading."""
    return not unit.deleted and bool(unit.text or unit.heading)


def _equal(old: Sequence[Unit], new: Sequence[Unit]) -> list[Pair]:
    """Return the pairs of equal units that are unique in both lists."""
    seen_old, seen_new = Counter(map(_key, old)), Counter(map(_key, new))
    there = {_key(unit): unit for unit in new}
    return [
        (unit, there[key], 1.0)
        for unit in old
        if seen_old[key := _key(unit)] == 1 and seen_new[key] == 1
    ]


def _key(unit: Unit) -> Hashable:
    """Return the content by which equal units are found."""
    return unit.level, unit.heading, unit.text


def _alike_pairs(old: Sequence[Unit], new: Sequence[Unit]) -> list[Pair]:
    """Return the similar pairs of which each is by far the most similar to the other."""
    if not old or not new:
        return []
    table = _table(
        [_heading_and_text(unit) for unit in old], [_heading_and_text(unit) for unit in new]
    )
    found: list[Pair] = []
    for row, unit in enumerate(old):
        at = int(table[row].argmax())
        score = float(table[row, at])
        rivals = max(_second(table[row], at), _second(table[:, at], row))
        if score >= SIMILAR and score - rivals >= MARGIN:
            found.append((unit, new[at], score))
    return found


def _table(old: list[str], new: list[str]) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    """Return the similarities; those too low to matter, even as a rival, are 0."""
    # Imported here: every page loads comparisons, but few compute them.
    import numpy as np
    from rapidfuzz import process
    from rapidfuzz.distance import Indel

    blocks = [
        process.cdist(
            old[start : start + _ROWS],
            new,
            scorer=Indel.normalized_similarity,
            score_cutoff=SIMILAR - MARGIN,
            dtype=np.float32,
        )
        for start in range(0, len(old), _ROWS)
    ]
    return np.concatenate(blocks)


def _second(scores: np.ndarray[tuple[int, ...], np.dtype[np.float32]], best: int) -> float:
    """Return the best score but that at the index `best`; 0 without another."""
    import numpy as np

    others = np.delete(scores, best)
    return float(others.max()) if others.size else 0.0


KEPT = 0.5  # minimum share of common lines (Dice's coefficient, by characters)
_COMMON = 8  # a line in more statutes than this does not discriminate


def renamed(old: Sequence[Statute], new: Sequence[Statute]) -> list[tuple[Statute, Statute]]:
    """Return the (old, new) statutes that are one by their text, in the order of `old`.

    Two statutes of one language are one if at least half of their text, by whole lines, is the same
    and each is the only best match of the other.
    """
    before = [_lines(statute) for statute in old]
    after = [_lines(statute) for statute in new]
    scores = {
        (row, at): 2 * _size(before[row] & after[at]) / (_size(before[row]) + _size(after[at]))
        for row, at in _sharing(before, after)
        if old[row].language == new[at].language
    }
    best_new = _best(scores)
    best_old = _best({(at, row): score for (row, at), score in scores.items()})
    return [(old[row], new[at]) for row, at in sorted(best_new.items()) if best_old.get(at) == row]


def _lines(statute: Statute) -> Counter[str]:
    """Return how often each line occurs in a statute."""
    return Counter(line for unit in statute.units for line in unit.text.split("\n") if line)


def _sharing(before: list[Counter[str]], after: list[Counter[str]]) -> list[tuple[int, int]]:
    """Return the index pairs with a common line; lines of many statutes do not count."""
    holders = grouped((line, at) for at, lines in enumerate(after) for line in lines)
    return sorted(
        {
            (row, at)
            for row, lines in enumerate(before)
            for line in lines
            if len(holders.get(line, ())) <= _COMMON
            for at in holders.get(line, ())
        }
    )


def _size(lines: Counter[str]) -> int:
    """Return the number of characters."""
    return sum(len(line) * count for line, count in lines.items())


def _best(scores: dict[tuple[int, int], float]) -> dict[int, int]:
    """Return the unique best partner, scored at least KEPT, of each first index with one."""
    likely = ((one, (score, other)) for (one, other), score in scores.items() if score >= KEPT)
    return {
        one: max(each)[1]
        for one, each in grouped(likely).items()
        if sum(score == max(each)[0] for score, _ in each) == 1
    }


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
    return Comparison(tuple(sorted(changes, key=lambda each: each.statute.semantic_id)))


def compare_statutes(old: Statute | None, new: Statute | None) -> StatuteChange:
    """Compare two versions of one statute; None if a law lacks it."""
    pairs = _pairs(_by_place(old), _by_place(new))
    units = tuple(sorted((_change(*pair) for pair in pairs), key=_unit_order))
    return StatuteChange(old, new, _statute_status(old, new, units), units)


def _by_place(statute: Statute | None) -> dict[str, Unit]:
    """Return the units of a statute by their place in it."""
    if statute is None:
        return {}
    return {unit.semantic_id.removeprefix(statute.semantic_id): unit for unit in statute.units}


def _pairs(
    old: dict[str, Unit], new: dict[str, Unit]
) -> list[tuple[Unit | None, Unit | None, float]]:
    """Match the units of a statute in (old, new, similarity); None where one has none."""
    alike = {place: similarity(unit, new[place]) for place, unit in old.items() if place in new}
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
    """Return the units that are not kept in place."""
    return [unit for place, unit in units.items() if place not in stays]


def _change(old: Unit | None, new: Unit | None, alike: float) -> UnitChange:
    aspects: tuple[Aspect, ...] = ()
    if old and new:
        aspects = tuple(each for each in Aspect if getattr(old, each) != getattr(new, each))
    return UnitChange(old, new, _status(old, new, aspects), aspects, alike)


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


_Said = tuple[str, frozenset[tuple[str, str, str, bool, bool]]]


def law_change(old: Sequence[Statute], new: Sequence[Statute]) -> LawChange:
    """Count the statutes that differ, by `compare`."""
    before = {each.semantic_id: _content(each) for each in old}
    after = {each.semantic_id: _content(each) for each in new}
    same = {name for name, said in after.items() if before.get(name) == said}
    left = [[each for each in law if each.semantic_id not in same] for law in (old, new)]
    counts = Counter({StatuteStatus.UNCHANGED: len(same)})
    counts.update(statute.status for statute in compare(*left).statutes)
    return LawChange.of(counts)


def _content(statute: Statute) -> _Said:
    """Return the content by which versions of a statute are compared."""
    return statute.title, frozenset(
        (unit.semantic_id, unit.heading, unit.text, unit.deleted, unit.text_missing)
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
    """Count the statutes in both, by semantic id, that are later, earlier or the same in `new`."""
    signs = [_sign(old[name], new[name]) for name in old.keys() & new.keys()]
    return DateOrder(signs.count(1), signs.count(-1), signs.count(0))


def _sign(old: Dates, new: Dates) -> int:
    """Return 1 if dates show that the second version is newer, -1 if older, else 0."""
    for before, after in zip(old, new, strict=True):
        if before and after and before != after:
            return 1 if after > before else -1
    return 0
