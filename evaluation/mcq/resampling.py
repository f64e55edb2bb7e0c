"""The bootstrap of a mean whose observations take few values, as shares of right answers do.

Drawing n observations with replacement and drawing how often each value comes (multinomially) is
the same distribution; the second takes as many numbers as there are values, not observations.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from evaluation.figure import Figure
from evaluation.interval import CONFIDENCE, RESAMPLES


def mean_figure(name: str, values: Sequence[float], n: int = RESAMPLES, seed: int = 0) -> Figure:
    """Return the mean with its number and percentile bootstrap interval; no value without any.

    Without an interval where all values are equal: every resample is then the same, whatever other
    questions would have said.
    """
    if not values:
        return Figure(name, None, 0)
    kinds, counts = np.unique(np.asarray(values, dtype=np.float64), return_counts=True)
    size = len(values)
    if len(kinds) == 1:
        return Figure(name, float(kinds[0]), size)
    drawn = np.random.default_rng(seed).multinomial(size, counts / size, size=n)
    tail = (1 - CONFIDENCE) / 2
    low, high = np.quantile(drawn @ kinds / size, (tail, 1 - tail))
    return Figure(name, float(kinds @ counts) / size, size, float(low), float(high))
