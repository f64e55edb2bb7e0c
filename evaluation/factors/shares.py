"""Means over cases with a bootstrap interval, quick for hundreds of figures."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.sparse import csr_array

from evaluation.agreement.ratings import Array
from evaluation.agreement.tally import Interval, Tally
from evaluation.figure import Figure
from evaluation.interval import RESAMPLES


def mean_of_cases(
    name: str, values: Sequence[float], resamples: int = RESAMPLES, seed: int = 0
) -> Figure:
    """Return the mean of one value per case; cases are drawn anew for its 95 % interval.

    Without a case it has no value; where all are alike, no interval.
    """
    if not values:
        return Figure(name, None, 0)
    kinds, times = np.unique(np.asarray(values, dtype=np.float64), return_counts=True)
    rows = np.column_stack([kinds, np.ones(len(kinds))])
    tally = Tally(csr_array(rows), times.astype(np.int64), _ratio)
    around = tally.interval(resamples, seed) if resamples else Interval(None, None)
    return Figure(name, tally.value(), len(values), around.low, around.high)


def _ratio(sums: Array) -> Array:
    found: Array = sums[:, 0] / sums[:, 1]
    return found
