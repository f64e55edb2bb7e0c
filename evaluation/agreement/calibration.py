"""How often each rater is right on items whose answer is known."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist
from typing import Any

from evaluation.agreement.ratings import MISSING, Ratings
from evaluation.agreement.statistic import Finding, Reason
from evaluation.figure import Figure
from evaluation.interval import CONFIDENCE

KEY = "calibration"


@dataclass(frozen=True, slots=True)
class Calibration:
    """A rater's accuracy on calibration items, and the items on which they were wrong.

    The figure's n counts the calibration items that the rater rated; its interval is Wilson's.
    """

    rater: Hashable
    finding: Finding
    wrong: tuple[Hashable, ...]


def calibration(ratings: Ratings, known: Mapping[Any, Hashable]) -> list[Calibration]:
    """Return each rater's accuracy on the items of `known` (item → right value), in their order.

    Right is the same value; of sets, the same set. A rater without a calibration item has none.
    """
    rows = [(at, item) for at, item in enumerate(ratings.items) if item in known]
    found = []
    for column, rater in enumerate(ratings.raters):
        said = [(item, ratings.codes[at, column]) for at, item in rows]
        rated = [(item, ratings.categories[code]) for item, code in said if code != MISSING]
        wrong = tuple(item for item, value in rated if value != known[item])
        found.append(Calibration(rater, _accuracy(len(rated) - len(wrong), len(rated)), wrong))
    return found


def _accuracy(right: int, n: int) -> Finding:
    if not n:
        return Finding(Figure(KEY, None, 0), Reason.NO_CALIBRATION)
    return Finding(Figure(KEY, right / n, n, *wilson(right, n)))


def wilson(hits: int, n: int, confidence: float = CONFIDENCE) -> tuple[float, float]:
    """Return the score interval of E. B. Wilson (1927) for a share of `hits` in `n` > 0.

    It keeps within 0 and 1, and has a width even where all or none are hits. Raises ValueError
    unless 0 ≤ hits ≤ n and n > 0.
    """
    if not 0 <= hits <= n or n == 0:
        raise ValueError(f"{hits} of {n} is no share")
    z = NormalDist().inv_cdf(0.5 + confidence / 2)
    p = hits / n
    centre = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    return max(0.0, centre - half), min(1.0, centre + half)
