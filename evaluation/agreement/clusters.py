"""Specific agreement per category, and cluster-bootstrap intervals of agreement statistics.

Decisions on the candidates of one question are no independent observations: who misreads the
question misjudges several of them. Resampling single rows would make the interval too narrow, so
questions are resampled, each with all its rows (cluster bootstrap; A. Davison & D. Hinkley,
Bootstrap Methods and their Application, 1997, ch. 3.8).
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, hstack

from evaluation.agreement.likeness import members_of
from evaluation.agreement.ratings import (
    MISSING,
    Array,
    Finding,
    Ratings,
    Reason,
    Scale,
    Statistic,
    Tally,
    measure,
)
from evaluation.figure import RESAMPLES, Figure, Interval, percentile, share_of

KEY = "specific"


@dataclass(frozen=True, slots=True)
class CategoryAgreement:
    """Agreement on one category, or on one unit of a scale of sets.

    The finding's n counts the items with at least two ratings for which a rater chose it.
    """

    category: Hashable
    finding: Finding


def per_category(
    ratings: Ratings, resamples: int = RESAMPLES, seed: int = 0
) -> list[CategoryAgreement]:
    """Return the specific agreement on each category, in order; of sets, on each unit.

    When one rater chooses the category, how often does another rater of the item choose it too?
    Σ n(n − 1) ÷ Σ n(r − 1) over items, with n of the item's r ratings in the category (Cicchetti
    & Feinstein 1990 for two categories, where it is called positive and negative agreement).
    """
    labels, chosen = _category_counts(ratings)
    if not ratings.pairable:
        return [_undefined_agreement(category, 0, Reason.NO_PAIRS) for category in labels]
    tally = _tally(ratings, chosen)
    values = tally.formula(tally.times[None, :].astype(np.float64) @ tally.features)[0]
    drawn = tally.resampled(resamples, seed) if resamples else np.empty((0, len(labels)))
    used = tally.times @ (chosen > 0)
    return [
        _category_agreement(category, int(n), float(value), samples)
        for category, n, value, samples in zip(labels, used, values, drawn.T, strict=True)
    ]


def _category_agreement(
    category: Hashable, n: int, value: float, samples: Array
) -> CategoryAgreement:
    """Return the agreement on a category with its interval; without a value if undefined."""
    if not np.isfinite(value):
        return _undefined_agreement(category, n, Reason.NOT_USED)
    around = percentile(samples)
    figure = Figure(KEY, value, n, around.low, around.high)
    return CategoryAgreement(category, Finding(figure, undefined=around.undefined))


def _undefined_agreement(category: Hashable, n: int, reason: Reason) -> CategoryAgreement:
    return CategoryAgreement(category, Finding(Figure(KEY, None, n), reason))


def _category_counts(ratings: Ratings) -> tuple[tuple[Hashable, ...], csr_array]:
    """Return the categories (of sets, the members), and their counts per kind of item."""
    kinds = ratings.kinds.with_at_least(2)
    counts = kinds.counts(len(ratings.categories))
    if ratings.scale is not Scale.SETS:
        return ratings.categories, counts
    labels, members = members_of(ratings.categories)
    return labels, csr_array(counts @ members)


def _tally(ratings: Ratings, chosen: csr_array) -> Tally:
    """Return the tally of chosen and possible pairs of each category."""
    kinds = ratings.kinds.with_at_least(2)
    both = chosen * chosen - chosen
    possible = chosen.multiply((kinds.ratings - 1)[:, None])
    features = csr_array(hstack([both, possible], format="csr"))
    return Tally(features, kinds.times, _share)


def _share(sums: Array) -> Array:
    """Return the first half of each row divided by its second half; NaN where that is 0."""
    half = sums.shape[1] // 2
    with np.errstate(invalid="ignore", divide="ignore"):
        share: Array = sums[:, :half] / sums[:, half:]
    return share


def measure_in_groups(
    ratings: Ratings,
    statistic: Statistic,
    groups: Sequence[Hashable],
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Finding:
    """Measure `statistic` with a cluster bootstrap; `groups` names the group of each row.

    Value and n are those of `measure`; resampling draws groups; the interval of a share uses groups
    as trials. With `resamples` 0 there is none.
    """
    found = measure(ratings, statistic, resamples=0)
    if found.figure.value is None or not resamples:
        return found
    if (shares := statistic.shares(ratings)) is not None:
        paired = np.flatnonzero(ratings.per_item >= 2).tolist()
        around = share_of(statistic.key, shares.tolist(), [groups[at] for at in paired])
        return _with_interval(found, Interval(around.low, around.high))
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
    return _with_interval(found, tally.interval(resamples, seed))


def per_category_in_groups(
    ratings: Ratings, groups: Sequence[Hashable], resamples: int = RESAMPLES, seed: int = 0
) -> list[CategoryAgreement]:
    """Return the specific agreement on each category of a nominal scale, with cluster intervals.

    Value and n are those of `per_category`; resampling draws groups.
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
    tally = Tally(csr_array(sums), np.ones(len(sums), dtype=np.int64), _share)
    drawn = tally.resampled(resamples, seed)
    return [
        each
        if each.finding.figure.value is None
        else replace(each, finding=_with_interval(each.finding, percentile(values)))
        for each, values in zip(found, drawn.T, strict=True)
    ]


def _sums(ratings: Ratings, statistic: Statistic, row: int) -> Array:
    """Return one row's contribution to the statistic's sums."""
    tally = statistic.tally(ratings.at([row]))
    found: Array = tally.times.astype(np.float64) @ tally.features
    return found


def _per_group(groups: Sequence[Hashable], kind: NDArray[np.intp], kinds: int) -> csr_array:
    """Return a groups × kinds matrix: the number of rows of each kind per group."""
    number = {group: at for at, group in enumerate(dict.fromkeys(groups))}
    rows = [number[group] for group in groups]
    shape = (len(number), kinds)
    return csr_array((np.ones(len(rows)), (rows, kind)), shape=shape)


def _with_interval(finding: Finding, around: Interval) -> Finding:
    """Return a finding with its interval."""
    figure = replace(finding.figure, low=around.low, high=around.high)
    return replace(finding, figure=figure, undefined=around.undefined)
