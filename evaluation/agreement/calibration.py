"""How often each rater is right on items whose answer is known."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any

from evaluation.agreement.ratings import MISSING, Ratings
from evaluation.agreement.statistic import Finding, Reason
from evaluation.proportion import share_figure

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
    return Finding(share_figure(KEY, right, n), None if n else Reason.NO_CALIBRATION)
