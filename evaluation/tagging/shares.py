"""Means over cases with a bootstrap interval, quick for hundreds of figures."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.sparse import csr_array

from evaluation.agreement.ratings import Array
from evaluation.agreement.tally import Tally, percentile
from evaluation.figure import Figure
from evaluation.interval import RESAMPLES


def mean_of_cases(
    name: str, values: Sequence[float], resamples: int = RESAMPLES, seed: int = 0
) -> Figure:
    """Return the mean of one value per case; cases are drawn anew for its 95 % interval.

    Without a case it has no value; where all are alike, no interval.
    """
    return means_of_cases([name], [[each] for each in values], resamples, seed)[0]


def means_of_cases(
    names: Sequence[str],
    rows: Sequence[Sequence[float]],
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> list[Figure]:
    """Return the mean of each column, a row being a case; see `mean_of_cases`.

    All columns are of the same resamples, which is as good and takes one drawing.
    """
    if not rows:
        return [Figure(name, None, 0) for name in names]
    kinds, times = np.unique(np.asarray(rows, dtype=np.float64), axis=0, return_counts=True)
    features = csr_array(np.column_stack([kinds, np.ones(len(kinds))]))
    tally = Tally(features, times.astype(np.int64), _ratios)
    values = (times @ kinds) / len(rows)
    drawn = tally.resampled(resamples, seed) if resamples else np.empty((0, len(names)))
    around = [percentile(column) for column in drawn.T]
    return [
        Figure(name, float(value), len(rows), each.low, each.high)
        for name, value, each in zip(names, values, around, strict=True)
    ]


def _ratios(sums: Array) -> Array:
    found: Array = sums[:, :-1] / sums[:, -1:]
    return found
