"""Agreement between people who each answer an item with a set of units.

An answer is a frozen set; the empty set is an answer too ("no provision"). None is a missing
answer and takes part in nothing. An item is a sequence of answers, one per person. Where a
statistic is undefined the functions return None, never a made-up 0 or 1.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from itertools import combinations
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

Answer = frozenset[str]
Array = NDArray[np.float64]
T = TypeVar("T", bound=Hashable)


def jaccard(a: Answer, b: Answer) -> float:
    """Return shared ÷ all units; 1 for two empty sets, which say the same."""
    return len(a & b) / len(a | b) if a or b else 1.0


def masi_distance(a: Answer, b: Answer) -> float:
    """Return 1 − MASI, the distance between sets of Passonneau (LREC 2006).

    MASI is Jaccard × monotonicity, which is 1 for equal sets, 2/3 when one contains the other,
    1/3 when they overlap otherwise, 0 when they share nothing. Two empty sets are equal.
    """
    if a == b:
        return 0.0
    if not a & b:
        return 1.0
    monotonicity = 2 / 3 if a <= b or b <= a else 1 / 3
    return 1.0 - jaccard(a, b) * monotonicity


def nominal_distance(a: Hashable, b: Hashable) -> float:
    """Return 0 for equal values and 1 for all others."""
    return 0.0 if a == b else 1.0


def exact_match(answers: Sequence[Answer | None]) -> float | None:
    """Return 1 if all answers to an item are the same set, else 0; None for fewer than two."""
    given = [answer for answer in answers if answer is not None]
    return float(len(set(given)) == 1) if len(given) > 1 else None


def mean_jaccard(answers: Sequence[Answer | None]) -> float | None:
    """Return the mean Jaccard over all pairs of answers to an item; None for fewer than two."""
    given = [answer for answer in answers if answer is not None]
    pairs = [jaccard(a, b) for a, b in combinations(given, 2)]
    return sum(pairs) / len(pairs) if pairs else None


class Alpha(Generic[T]):
    """Krippendorff's alpha (2011) of some items, and of any resample of them.

    Works for any number of people and missing answers: an item counts with the answers it has,
    and not at all with fewer than two. The distance stands for the squared difference function of
    the published definition. Distances are worked out once per pair of distinct answers, so that
    a bootstrap costs one small matrix product per resample.
    """

    def __init__(
        self,
        items: Iterable[Sequence[T | None]],
        distance: Callable[[T, T], float] = nominal_distance,
    ) -> None:
        given = [[answer for answer in item if answer is not None] for item in items]
        kept = [item for item in given if len(item) > 1]
        values = list(dict.fromkeys(answer for item in kept for answer in item))
        place = {value: index for index, value in enumerate(values)}
        self.n = len(kept)
        self._counts = np.zeros((len(kept), len(values)))
        for row, item in enumerate(kept):
            for answer in item:
                self._counts[row, place[answer]] += 1
        self._distances = _matrix(values, distance)
        self._within = _within(kept, place, self._distances)

    def value(self) -> float | None:
        """Return alpha; None with no item to compare, or when all answers are alike.

        Without variation there is no chance disagreement to compare with, and alpha is undefined.
        """
        found = self.of_samples(np.arange(self.n, dtype=np.float64)[None, :])[0]
        return None if np.isnan(found) else float(found)

    def of_samples(self, samples: Array) -> Array:
        """Return alpha for each row of item positions; NaN where it is undefined."""
        return np.array([self._of(row.astype(np.intp)) for row in samples], dtype=np.float64)

    def _of(self, picked: NDArray[np.intp]) -> float:
        times = np.bincount(picked, minlength=self.n).astype(np.float64)
        totals = times @ self._counts
        n = totals.sum()
        expected = totals @ self._distances @ totals
        if n < 2 or expected <= 0:
            return float("nan")
        observed = times @ self._within
        return float(1 - (n - 1) * observed / expected)


def _matrix(values: list[T], distance: Callable[[T, T], float]) -> Array:
    found = np.zeros((len(values), len(values)))
    for i, j in combinations(range(len(values)), 2):
        found[i, j] = found[j, i] = distance(values[i], values[j])
    return found


def _within(items: list[list[T]], place: dict[T, int], distances: Array) -> Array:
    """Return each item's disagreement: its ordered pairs' distances ÷ (answers − 1)."""
    found = np.zeros(len(items))
    for row, item in enumerate(items):
        at = [place[answer] for answer in item]
        found[row] = distances[np.ix_(at, at)].sum() / (len(item) - 1)
    return found
