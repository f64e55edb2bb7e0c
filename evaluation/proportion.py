"""A share of successes with the interval of Wilson (1927), sound for few trials and near 0 or 1."""

from __future__ import annotations

from math import sqrt
from statistics import NormalDist

from evaluation.figure import Figure


def wilson(right: float, n: float, level: float = 0.95) -> tuple[float, float]:
    """Return the interval of `right` / `n`. Raises ValueError unless 0 ≤ right ≤ n > 0.

    They need not be whole: a number of trials may be an effective one.
    """
    if n <= 0 or not 0 <= right <= n:
        raise ValueError(f"{right} of {n} is no share")
    z = NormalDist().inv_cdf((1 + level) / 2)
    share, grown = right / n, 1 + z * z / n
    middle = (share + z * z / (2 * n)) / grown
    half = z / grown * sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    # The ends are exactly 0 and 1 where nothing or everything is right, rounding or not.
    return (middle - half if right else 0.0), (middle + half if right < n else 1.0)


def share_figure(name: str, right: int, n: int) -> Figure:
    """Return the share as a figure with its n and interval; without value where n is 0."""
    if n == 0:
        return Figure(name, None, 0)
    return Figure(name, right / n, n, *wilson(right, n))
