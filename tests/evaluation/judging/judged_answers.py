"""Judged answers for tests, written short."""

from __future__ import annotations

from evaluation.figure import Figure
from evaluation.judging.judged import Judged

PAPER = {"tp": 612, "fp": 9, "fn": 108, "tn": 271}
"""SearchFireSafety, table 7: 61.20 %, 0.90 %, 10.80 % and 27.10 %, as counts of a thousand."""

_SIDES = {"tp": (True, True), "fp": (True, False), "fn": (False, True), "tn": (False, False)}


def judged(counts: dict[str, int], kind: str = "", each: int = 1) -> list[Judged]:
    """Return answers as counted per cell, each `each` of them to one question, 100 long."""
    cells = [cell for cell, count in counts.items() for _ in range(count)]
    return [
        Judged(f"{kind}{at}", f"{kind}{at // each}", *_SIDES[cell], kind, 100)
        for at, cell in enumerate(cells)
    ]


def ends(figure: Figure) -> tuple[float, float, float]:
    """Return the lower end, the value and the upper end of a figure that has them all."""
    assert figure.value is not None
    assert figure.low is not None
    assert figure.high is not None
    return figure.low, figure.value, figure.high


def width(figure: Figure) -> float:
    """Return how wide the interval is."""
    low, _, high = ends(figure)
    return high - low
