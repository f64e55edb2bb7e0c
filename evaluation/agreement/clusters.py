"""Statistics of rows that come in groups: the interval draws whole groups.

Decisions on the candidates of one question are no independent observations: who misreads the
question misjudges several of them. Drawing rows one by one would make the interval too narrow, so
the questions are drawn, each with all its rows (cluster bootstrap; A. Davison & D. Hinkley,
Bootstrap Methods and their Application, 1997, ch. 3.8).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from evaluation.agreement.categories import CategoryAgreement, per_category
from evaluation.agreement.ratings import MISSING, Array, Ratings
from evaluation.agreement.statistic import Finding, Statistic, measure
from evaluation.agreement.tally import Tally
from evaluation.interval import RESAMPLES, Interval, percentile


def measure_in_groups(
    ratings: Ratings,
    statistic: Statistic,
    groups: Sequence[Hashable],
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Finding:
    """Return what `statistic` finds; `groups` names the group of each row of `ratings`.

    Value and n are those of `measure`; the interval draws groups. With `resamples` 0 there is none.
    """
    found = measure(ratings, statistic, resamples=0)
    if found.figure.value is None or not resamples:
        return found
    rated = np.flatnonzero(ratings.per_item > 0)
    ratings = ratings.at(rated)
    kinds, kind = np.unique(ratings.codes, axis=0, return_inverse=True)
    each = [_sums(ratings, statistic, int(np.argmax(kind == at))) for at in range(len(kinds))]
    counts = _per_group([groups[at] for at in rated.tolist()], kind.ravel(), len(kinds))
    tally = Tally(
        csr_array(counts @ np.array(each)),
        np.ones(counts.shape[0], dtype=np.int64),
        statistic.tally(ratings).formula,
    )
    return _with(found, tally.interval(resamples, seed))


def per_category_in_groups(
    ratings: Ratings,
    groups: Sequence[Hashable],
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> list[CategoryAgreement]:
    """Return the specific agreement on each category of a nominal scale; see `per_category`.

    Value and n are those of `per_category`; the interval draws groups.
    """
    found = per_category(ratings, resamples=0)
    if not ratings.pairable or not resamples:
        return found
    counts = np.array(
        [(ratings.codes == code).sum(axis=1) for code in range(len(ratings.categories))]
    ).T.astype(float)
    raters = (ratings.codes != MISSING).sum(axis=1, keepdims=True)
    rows = np.hstack([counts * (counts - 1), counts * np.maximum(raters - 1, 0)])
    sums = _per_group(groups, np.arange(len(rows)), len(rows)) @ rows
    size = len(ratings.categories)
    tally = Tally(csr_array(sums), np.ones(len(sums), dtype=np.int64), _shares(size))
    drawn = tally.resampled(resamples, seed)
    return [
        each
        if each.finding.figure.value is None
        else replace(each, finding=_with(each.finding, percentile(values)))
        for each, values in zip(found, drawn.T, strict=True)
    ]


def _shares(size: int) -> Callable[[Array], Array]:
    def formula(sums: Array) -> Array:
        found: Array = sums[:, :size] / sums[:, size:]
        return found

    return formula


def _sums(ratings: Ratings, statistic: Statistic, row: int) -> Array:
    """Return what one row adds to the sums that the statistic is a formula of."""
    tally = statistic.tally(ratings.at([row]))
    found: Array = tally.times.astype(np.float64) @ tally.features
    return found


def _per_group(groups: Sequence[Hashable], kind: NDArray[np.intp], kinds: int) -> csr_array:
    """Return groups × kinds: how many rows of each kind a group has."""
    number = {group: at for at, group in enumerate(dict.fromkeys(groups))}
    rows = [number[group] for group in groups]
    shape = (len(number), kinds)
    return csr_array((np.ones(len(rows)), (rows, kind)), shape=shape)


def _with(found: Finding, around: Interval) -> Finding:
    figure = replace(found.figure, low=around.low, high=around.high)
    return replace(found, figure=figure, undefined=around.undefined)
