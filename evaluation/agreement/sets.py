"""How alike two sets of units are, and the answers of one item: the plain definitions.

An answer is a frozen set; the empty set is an answer too ("no provision"). None is a missing
answer and takes part in nothing. An item is a sequence of answers, one per person. Where a
statistic is undefined the functions return None, never a made-up 0 or 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

Answer = frozenset[str]


def jaccard(a: Answer, b: Answer) -> float:
    """Return shared ÷ all units; 1 for two empty sets, which say the same."""
    return len(a & b) / len(a | b) if a or b else 1.0


def exact_match(answers: Sequence[Answer | None]) -> float | None:
    """Return 1 if all answers to an item are the same set, else 0; None for fewer than two."""
    given = [answer for answer in answers if answer is not None]
    return float(len(set(given)) == 1) if len(given) > 1 else None


def mean_jaccard(answers: Sequence[Answer | None]) -> float | None:
    """Return the mean Jaccard over all pairs of answers to an item; None for fewer than two."""
    given = [answer for answer in answers if answer is not None]
    pairs = [jaccard(a, b) for a, b in combinations(given, 2)]
    return sum(pairs) / len(pairs) if pairs else None
