"""Finding a statute again under another title: by the lines of its text that it kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from corpus.model import Statute

KEPT = 0.5  # share of lines in common at least (Dice's coefficient, by characters)
_COMMON = 8  # a line in more statutes than this tells none of them apart


def renamed(old: Sequence[Statute], new: Sequence[Statute]) -> list[tuple[Statute, Statute]]:
    """Return the (old, new) statutes that are one statute, in the order of `old`.

    Two statutes of one language are one when at least half of their text, by whole lines, is the
    same and each is the only best match of the other.
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
    """Return the pairs that have a line in common; lines that many statutes have do not count."""
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
    """Return the one best partner of each first number that has one at all."""
    found: dict[int, list[tuple[float, int]]] = {}
    for (one, other), score in scores.items():
        if score >= KEPT:
            found.setdefault(one, []).append((score, other))
    return {
        one: max(each)[1]
        for one, each in found.items()
        if sum(score == max(each)[0] for score, _ in each) == 1
    }
