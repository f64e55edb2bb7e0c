"""Percentile bootstrap: how far a statistic would move if other observations had been drawn."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from evaluation.figure import Figure

RESAMPLES = 1000
CONFIDENCE = 0.95
_CELLS_AT_ONCE = 4_000_000  # bounds memory to about 64 MB; part of what makes a result repeatable
_CELLS_KEPT = 2_000_000  # picks kept for the next values as many as these: at most 4 × 16 MB

Array = NDArray[np.float64]
Statistic = Callable[[Array], Array]
Picks = NDArray[np.int64]


def mean(samples: Array) -> Array:
    """Return the mean of each row of `samples`."""
    averages: Array = samples.mean(axis=-1)
    return averages


def bootstrap(
    values: Sequence[float] | Array,
    statistic: Statistic = mean,
    n: int = RESAMPLES,
    seed: int = 0,
) -> tuple[float, float] | tuple[None, None]:
    """Return the percentile bootstrap 95 % interval of `statistic` over `values`.

    `statistic` takes a matrix whose rows are resamples of `values` (with replacement, each as long
    as `values`) and returns one number per row. To resample things that are not numbers, pass
    their positions as values. A row for which the statistic is undefined (NaN) is left out.
    Equal arguments give an equal interval. Returns (None, None) when there are no values, or no
    resample has a statistic. Raises ValueError for a value that is not finite.
    """
    data = np.asarray(values, dtype=np.float64)
    if not np.isfinite(data).all():
        raise ValueError("only finite values can be resampled; leave unscored ones out")
    if data.size == 0:
        return None, None
    statistics = _resampled(data, statistic, n, seed)
    known = statistics[np.isfinite(statistics)]
    if known.size == 0:
        return None, None
    tail = (1 - CONFIDENCE) / 2
    low, high = np.quantile(known, (tail, 1 - tail))
    return float(low), float(high)


def mean_figure(name: str, values: Sequence[float | None]) -> Figure:
    """Return the mean of the scored `values` with their number and interval.

    None marks an unscored observation: it counts neither in the mean nor in n. Without any scored
    observation the figure's value is None.
    """
    scored = np.array([value for value in values if value is not None], dtype=np.float64)
    low, high = bootstrap(scored)
    value = float(scored.mean()) if scored.size else None
    return Figure(name, value, int(scored.size), low, high)


def _resampled(data: Array, statistic: Statistic, n: int, seed: int) -> Array:
    parts = [
        np.asarray(statistic(data[picks]), dtype=np.float64)
        for picks in _all_picks(data.size, n, seed)
    ]
    return np.concatenate(parts)


def _all_picks(size: int, n: int, seed: int) -> Iterator[Picks]:
    """Yield `n` rows of positions below `size`, in parts.

    A leaderboard asks for the same ones again and again, with other scores of the same queries.
    """
    rows = max(1, _CELLS_AT_ONCE // size)
    if size * n <= _CELLS_KEPT and n <= rows:
        yield _kept_picks(size, n, seed)
        return
    rng = np.random.default_rng(seed)
    for start in range(0, n, rows):
        yield rng.integers(0, size, size=(min(rows, n - start), size))


@lru_cache(maxsize=4)
def _kept_picks(size: int, n: int, seed: int) -> Picks:
    picks = np.random.default_rng(seed).integers(0, size, size=(n, size))
    picks.flags.writeable = False
    return picks
