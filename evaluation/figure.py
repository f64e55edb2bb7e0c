"""Figures: a value with its number of observations n and its 95 % interval.

One rule for each kind of figure, at 95 % (docs/scoring.md). A **share**, of observations that are
yes or no each, has Wilson's interval (1927), sound for few observations and at 0 and 1:
`share_figure`, `share_of`. A **mean** of scores has the percentile bootstrap over observations:
`mean_figure`; and so has any formula of sums, as kappa or an error rate: `bootstrap`. A
**median** lies between order statistics: `median_interval`. There is no interval of zero width, and
none of a single observation, which `Figure` ensures: if all resamples are equal they do not show
how other observations would vary, and 1.000 [1.000, 1.000] would claim that they do.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import comb, sqrt
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

LEAST = 5  # observations below which a figure is not highlighted
_NO_WIDTH = 1e-12  # interval width that counts as zero, up to rounding


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
        """Drop an interval that has no value, no width, or n below 2."""
        low, high = self.low, self.high
        known = self.value is not None and self.n > 1 and low is not None and high is not None
        if not known or high - low <= _NO_WIDTH:  # type: ignore[operator]
            object.__setattr__(self, "low", None)
            object.__setattr__(self, "high", None)

    @property
    def weak(self) -> bool:
        """Whether there is a value from so few observations that it must not stand out."""
        return self.value is not None and self.n < LEAST

    def numbers(self) -> tuple[float | None, float | None, float | None, int]:
        """Return value, ends of the interval and n, as columns of numbers have them."""
        return self.value, self.low, self.high, self.n

    def overlaps(self, other: Figure) -> bool:
        """Return whether both have intervals, and these have a value in common."""
        if self.low is None or self.high is None or other.low is None or other.high is None:
            return False
        return self.low <= other.high and other.low <= self.high

    def as_json(self) -> dict[str, object]:
        """Return ``{"value", "n", "ci"}`` as every ``--json`` output prints it."""
        ci = None if self.low is None or self.high is None else [self.low, self.high]
        return {"value": self.value, "n": self.n, "ci": ci}

    def text(self) -> str:
        """Return e.g. ``0.713 [0.650, 0.771]``; a dash where nothing was scored.

        Without an interval ``0.713 [–]``: the n that belongs beside every figure tells why.
        """
        return "–" if self.value is None else f"{self.value:.3f} {self.interval()}"

    def percent(self) -> str:
        """Return a share with its interval, e.g. ``88.3 % [86.1, 90.1]``; a dash for no value."""
        if self.value is None:
            return "–"
        return f"{100 * self.value:.1f} % {self.interval(100, 1)}"

    def interval(self, scale: float = 1, digits: int = 3, apart: str = ", ", sign: str = "") -> str:
        """Return the interval alone, times `scale`; ``[–]`` where there is none."""
        if self.low is None or self.high is None:
            return "[–]"
        ends = (f"{scale * end:{sign}.{digits}f}" for end in (self.low, self.high))
        return f"[{apart.join(ends)}]"


def n_range(figures: Iterable[Figure]) -> str:
    """Return the numbers of observations of figures, e.g. ``147`` or ``140–147``."""
    counts = sorted({figure.n for figure in figures}) or [0]
    return "–".join(str(n) for n in dict.fromkeys((counts[0], counts[-1])))


RESAMPLES = 1000  # default number of bootstrap resamples
FEWEST_RESAMPLES, MOST_RESAMPLES = 100, 20_000  # limits of a reader's choice
CONFIDENCE = 0.95
_CELLS_AT_ONCE = 4_000_000  # bounds memory to about 64 MB; results depend on it
_DRAW_BY_KIND = 500, 12  # observations, and times as many as there are values among them
_CELLS_KEPT = 2_000_000  # maximum size of cached draws: at most 4 × 16 MB

Array = NDArray[np.float64]
Statistic = Callable[[Array], Array]
Picks = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Interval:
    """A percentile interval; `undefined` counts the resamples without a value."""

    low: float | None
    high: float | None
    undefined: int = 0


def percentile(values: Array) -> Interval:
    """Return the 95 % percentile interval of resampled values.

    Resamples without a value (NaN) are left out, and counted. Equal bounds become None.
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


def known_mean(values: Iterable[float | None]) -> float | None:
    """Return the mean of the values that are known; None without any."""
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None


def bootstrap(
    values: Sequence[float] | Array, statistic: Statistic = mean, n: int = RESAMPLES, seed: int = 0
) -> tuple[float, float] | tuple[None, None]:
    """Return the bootstrap 95 % percentile interval of `statistic` over `values`; or two Nones.

    `statistic` takes a matrix whose rows are resamples of `values` (with replacement, each as long
    as `values`) and returns one number per row. To resample other things than numbers, pass
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
    around = percentile(_statistic_of_resamples(data, statistic, n, seed))
    return (None, None) if around.low is None or around.high is None else (around.low, around.high)


def mean_figure(
    name: str, values: Sequence[float | None], n: int = RESAMPLES, seed: int = 0
) -> Figure:
    """Return the mean of the scored `values` with n and a bootstrap interval over `n` resamples.

    None marks an unscored observation: it counts neither in the mean nor in the figure's n. Without
    any scored observation the figure's value is None; with `n` 0, and where all values are equal,
    it has no interval. For many observations of few distinct values (such as right or wrong)
    the frequency of each value is drawn: the same distribution with fewer draws.
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


def ratio_figure(
    name: str, parts: Sequence[tuple[float, float]], resamples: int = RESAMPLES
) -> Figure:
    """Return the ratio of two sums, resampled by observation; no value if the second is 0."""
    pairs = np.array(parts, dtype=np.float64).reshape(-1, 2)
    above, below = pairs.sum(axis=0).tolist()
    if not below:
        return Figure(name, None, len(pairs))

    def ratio(samples: Array) -> Array:
        picked = pairs[samples.astype(np.int64)].sum(axis=-2)
        with np.errstate(divide="ignore", invalid="ignore"):
            found: Array = picked[..., 0] / picked[..., 1]
        return found

    places = np.arange(len(pairs), dtype=np.float64)
    return Figure(name, above / below, len(pairs), *bootstrap(places, ratio, resamples))


def _statistic_of_resamples(data: Array, statistic: Statistic, n: int, seed: int) -> Array:
    """Return the statistic of `n` resamples of the data."""
    parts = [
        np.asarray(statistic(data[picks]), dtype=np.float64)
        for picks in _all_picks(data.size, n, seed)
    ]
    return np.concatenate(parts)


def _all_picks(size: int, n: int, seed: int) -> Iterator[Picks]:
    """Yield `n` rows of random positions below `size`, in parts.

    Small ones are cached: a leaderboard uses the same draws for many scores of the same queries.
    """
    rows = max(1, _CELLS_AT_ONCE // size)
    if size * n <= _CELLS_KEPT and n <= rows:
        yield _cached_picks(size, n, seed)
        return
    rng = np.random.default_rng(seed)
    for start in range(0, n, rows):
        yield rng.integers(0, size, size=(min(rows, n - start), size))


@lru_cache(maxsize=4)
def _cached_picks(size: int, n: int, seed: int) -> Picks:
    picks = np.random.default_rng(seed).integers(0, size, size=(n, size))
    picks.flags.writeable = False
    return picks


def wilson(right: float, n: float, level: float = 0.95) -> tuple[float, float]:
    """Return Wilson's interval of `right` / `n`. Raises ValueError unless 0 ≤ right ≤ n > 0.

    They may be fractional: the number of trials may be an effective one.
    """
    if n <= 0 or not 0 <= right <= n:
        raise ValueError(f"{right} of {n} is no share")
    z = NormalDist().inv_cdf((1 + level) / 2)
    share, grown = right / n, 1 + z * z / n
    middle = (share + z * z / (2 * n)) / grown
    half = z / grown * sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    # Exactly 0 and 1 if nothing or everything is right, despite rounding.
    return (middle - half if right else 0.0), (middle + half if right < n else 1.0)


def share_figure(name: str, right: int, n: int) -> Figure:
    """Return a share as a figure with Wilson's interval; without value if n is 0."""
    if n == 0:
        return Figure(name, None, 0)
    return Figure(name, right / n, n, *wilson(right, n))


def share_of(
    name: str, values: Sequence[float | None], groups: Sequence[Hashable] | None = None
) -> Figure:
    """Return the share of yes among the `values` that are not None, with n and interval.

    A value is 1 for yes, 0 for no, or the share of yes among the repeats of one observation.
    `groups` names the group of each value: answers to one question are no independent observations.
    The interval is Wilson's over the effective number of trials: as many independent ones as have
    the observed variance (E. Korn & B. Graubard, Survey Methodology 24:193, 1998). A single
    group has no interval, as a single observation has none.
    """
    known = [at for at, value in enumerate(values) if value is not None]
    said = np.array([values[at] for at in known], dtype=np.float64)
    if not said.size:
        return Figure(name, None, 0)
    value = float(said.mean())
    places = range(len(values)) if groups is None else groups
    own = [places[at] for at in known]
    if groups is not None and len(set(own)) == 1:
        return Figure(name, value, len(said))
    trials = effective(said, own)
    return Figure(name, value, len(said), *wilson(value * trials, trials))


def effective(values: Sequence[float] | Array, groups: Sequence[Hashable]) -> float:
    """Return the effective number of independent trials of grouped values from 0 to 1.

    If all are yes or all no, the variance is uninformative: it is the number of groups.
    """
    said, number = np.asarray(values, dtype=np.float64), dict[Hashable, int]()
    at = [number.setdefault(group, len(number)) for group in groups]
    share, count = float(said.mean()), len(number)
    if count == 1 or share in (0, 1):
        return float(count)
    spread = share - share * share
    within = float((said * said).mean()) - share * share
    alone = len(said) * spread / within if within > _NO_WIDTH else float(len(said))
    if count == len(said):
        return alone
    apart = np.bincount(at, weights=said - share)
    variance = count / (count - 1) * float((apart**2).sum()) / len(said) ** 2
    # With equal shares in all groups there are as many as without groups.
    return min(spread / variance, alone) if variance > _NO_WIDTH**2 else alone


_ONE_IN = 40  # probability of the median below the interval, and above it


def median_interval(values: Sequence[float]) -> tuple[float | None, float | None]:
    """Return an interval of the median at 95 % or more; None, None for fewer than six values.

    By order statistics, whatever the distribution: from the k-th smallest to the k-th largest, with
    the largest k for which a fair coin thrown n times shows fewer than k heads in 2.5 % at most
    (H. David & H. Nagaraja, Order Statistics, 3rd ed. 2003, section 7.1).
    """
    ordered, n, below, k = sorted(values), len(values), 0, 0
    while k < n and (below + comb(n, k)) * _ONE_IN <= 2**n:
        below += comb(n, k)
        k += 1
    return (ordered[k - 1], ordered[n - k]) if k else (None, None)
