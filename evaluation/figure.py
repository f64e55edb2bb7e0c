"""Published numbers: a value with how many observations it rests on, and its interval.

Intervals are percentile bootstrap, or for a share of successes Wilson's (1927), which is sound for
few trials and near 0 or 1. One rule holds for all of them, and `Figure` holds it: there is no
interval without width, and none of a single observation. Where every resample is alike (all values
equal, a single observation), resampling says nothing of what other observations would have been,
and 1.000 [1.000, 1.000] would claim that it does; and what one observation says of others is no
more than that they may be anything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import sqrt
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

_NO_WIDTH = 1e-12  # of an interval, up to rounding


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure with its n and its 95 % interval.

    `value` is None when nothing could be scored (law: unscored is missing, never zero).
    `low` and `high` are None where there is no interval: where none was given, or only one end, at
    n below 2, without a value, and where the ends are equal.
    """

    name: str
    value: float | None
    n: int
    low: float | None = None
    high: float | None = None

    def __post_init__(self) -> None:
        """Drop what is no interval."""
        low, high = self.low, self.high
        known = self.value is not None and self.n > 1 and low is not None and high is not None
        if not known or high - low <= _NO_WIDTH:  # type: ignore[operator]
            object.__setattr__(self, "low", None)
            object.__setattr__(self, "high", None)

    def as_json(self) -> dict[str, object]:
        """Return ``{"value", "n", "ci"}`` as every ``--json`` output prints it."""
        ci = None if self.low is None or self.high is None else [self.low, self.high]
        return {"value": self.value, "n": self.n, "ci": ci}

    def text(self) -> str:
        """Return e.g. ``0.713 [0.650, 0.771]``; a dash where nothing was scored.

        Without an interval ``0.713 [–]``: the n that belongs beside every figure tells why.
        """
        return "–" if self.value is None else f"{self.value:.3f} {self.interval()}"

    def interval(self, scale: float = 1, digits: int = 3, apart: str = ", ", sign: str = "") -> str:
        """Return the interval alone, times `scale`; ``[–]`` where there is none."""
        if self.low is None or self.high is None:
            return "[–]"
        ends = (f"{scale * end:{sign}.{digits}f}" for end in (self.low, self.high))
        return f"[{apart.join(ends)}]"


RESAMPLES = 1000  # of a bootstrap, unless its reader asks for another number
FEWEST_RESAMPLES, MOST_RESAMPLES = 100, 20_000  # that a reader may ask for
CONFIDENCE = 0.95
_CELLS_AT_ONCE = 4_000_000  # bounds memory to about 64 MB; part of what makes a result repeatable
_DRAW_BY_KIND = 500, 12  # observations, and times as many as there are values among them
_CELLS_KEPT = 2_000_000  # picks kept for the next values as many as these: at most 4 × 16 MB

Array = NDArray[np.float64]
Statistic = Callable[[Array], Array]
Picks = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Interval:
    """A percentile interval; `undefined` counts the resamples in which there is no value."""

    low: float | None
    high: float | None
    undefined: int = 0


def percentile(values: Array) -> Interval:
    """Return the 95 % percentile interval of the values of resamples.

    Resamples without a value (NaN) are left out, and counted. None where no width is left.
    """
    known = values[np.isfinite(values)]
    undefined = len(values) - len(known)
    if not len(known):
        return Interval(None, None, undefined)
    tail = (1 - CONFIDENCE) / 2
    low, high = np.quantile(known, (tail, 1 - tail))
    if high - low <= _NO_WIDTH:
        return Interval(None, None, undefined)
    return Interval(float(low), float(high), undefined)


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
    Equal arguments give an equal interval. Returns (None, None) when there are no values, no
    resample has a statistic, or all have the same one. Raises ValueError for a value that is not
    finite.
    """
    data = np.asarray(values, dtype=np.float64)
    if not np.isfinite(data).all():
        raise ValueError("only finite values can be resampled; leave unscored ones out")
    if data.size == 0:
        return None, None
    around = percentile(_resampled(data, statistic, n, seed))
    return (None, None) if around.low is None or around.high is None else (around.low, around.high)


def mean_figure(
    name: str, values: Sequence[float | None], n: int = RESAMPLES, seed: int = 0
) -> Figure:
    """Return the mean of the scored `values` with their number and interval over `n` resamples.

    None marks an unscored observation: it counts neither in the mean nor in the figure's n. Without
    any scored observation the figure's value is None; with `n` 0, and where all values are equal,
    it has no interval. Of many observations with few values (as shares of right answers have) is
    drawn how often each value comes, which is the same distribution and takes fewer numbers.
    """
    scored = np.array([value for value in values if value is not None], dtype=np.float64)
    if not scored.size:
        return Figure(name, None, 0)
    value, size = float(scored.mean()), int(scored.size)
    kinds, counts = np.unique(scored, return_counts=True)
    if len(kinds) == 1 or not n:
        return Figure(name, value, size)
    many, times = _DRAW_BY_KIND
    if size <= many or size < times * len(kinds):
        return Figure(name, value, size, *bootstrap(scored, n=n, seed=seed))
    drawn = np.random.default_rng(seed).multinomial(size, counts / size, size=n)
    around = percentile(drawn @ kinds / size)
    return Figure(name, value, size, around.low, around.high)


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
