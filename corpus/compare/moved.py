"""Matching of moved provisions and renamed statutes.

Two units are one provision if heading and text are similar and nothing else is nearly as similar to
either of them. Legal drafting repeats itself, so a tie is left as one unit removed and one added.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING

from corpus.model import Statute, Unit

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
        pairs += _alike(
            [unit for unit in left if unit.level == level],
            [unit for unit in right if unit.level == level],
        )
    place = {id(unit): at for at, unit in enumerate(old)}
    return sorted(pairs, key=lambda pair: place[id(pair[0])])


def _heading_and_text(unit: Unit) -> str:
    return f"{unit.heading}\n{unit.text}"


def _has_text(unit: Unit) -> bool:
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
    return unit.level, unit.heading, unit.text


def _alike(old: Sequence[Unit], new: Sequence[Unit]) -> list[Pair]:
    """Return the pairs of which each is by far the most similar to the other."""
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
    import numpy as np

    others = np.delete(scores, best)
    return float(others.max()) if others.size else 0.0


KEPT = 0.5  # minimum share of common lines (Dice's coefficient, by characters)
_COMMON = 8  # a line in more statutes than this does not discriminate


def renamed(old: Sequence[Statute], new: Sequence[Statute]) -> list[tuple[Statute, Statute]]:
    """Return the (old, new) statutes that are one statute, in the order of `old`.

    Two statutes of one language are one if at least half of their text, by whole lines, is the same
    and each is the only best match of the other.
    """
    before = [_lines(statute) for statute in old]
    after = [_lines(statute) for statute in new]
    scores = {
        (row, at): _dice(before[row], after[at])
        for row, at in _sharing(before, after)
        if old[row].language == new[at].language
    }
    best_new = _best({(row, at): score for (row, at), score in scores.items()})
    best_old = _best({(at, row): score for (row, at), score in scores.items()})
    return [(old[row], new[at]) for row, at in sorted(best_new.items()) if best_old.get(at) == row]


def _lines(statute: Statute) -> Counter[str]:
    return Counter(line for unit in statute.units for line in unit.text.split("\n") if line)


def _sharing(before: list[Counter[str]], after: list[Counter[str]]) -> list[tuple[int, int]]:
    """Return the pairs with a common line; lines of many statutes do not count."""
    holders: dict[str, list[int]] = {}
    for at, lines in enumerate(after):
        for line in lines:
            holders.setdefault(line, []).append(at)
    return sorted(
        {
            (row, at)
            for row, lines in enumerate(before)
            for line in lines
            if len(holders.get(line, ())) <= _COMMON
            for at in holders.get(line, ())
        }
    )


def _dice(old: Counter[str], new: Counter[str]) -> float:
    return 2 * _size(old & new) / (_size(old) + _size(new))


def _size(lines: Counter[str]) -> int:
    return sum(len(line) * count for line, count in lines.items())


def _best(scores: dict[tuple[int, int], float]) -> dict[int, int]:
    """Return the unique best partner of each first number that has one."""
    found: dict[int, list[tuple[float, int]]] = {}
    for (one, other), score in scores.items():
        if score >= KEPT:
            found.setdefault(one, []).append((score, other))
    return {
        one: max(each)[1]
        for one, each in found.items()
        if sum(score == max(each)[0] for score, _ in each) == 1
    }
