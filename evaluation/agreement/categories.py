"""Agreement on each category by itself: where the raters differ, and where they do not."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array, hstack

from evaluation.agreement.ratings import Array, Ratings, Scale
from evaluation.agreement.set_likeness import members_of
from evaluation.agreement.statistic import Finding, Reason
from evaluation.agreement.tally import Tally
from evaluation.figure import Figure
from evaluation.interval import RESAMPLES, percentile

KEY = "specific"


@dataclass(frozen=True, slots=True)
class CategoryAgreement:
    """Agreement on one category, or on one unit of a scale of sets.

    The finding's n counts the items on which somebody chose it, with at least two ratings.
    """

    category: Hashable
    finding: Finding


def per_category(
    ratings: Ratings,
    categories: Sequence[Hashable] | None = None,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> list[CategoryAgreement]:
    """Return the specific agreement on each category, in order; of sets, on each unit.

    When one rater chooses the category, how often does another rater of the item choose it too?
    Σ n(n − 1) ÷ Σ n(r − 1) over items, with n of the item's r ratings in the category (Cicchetti
    & Feinstein 1990 for two categories, where it is called positive and negative agreement).
    Raises ValueError for a category that there is not.
    """
    labels, chosen = _choices(ratings)
    wanted = labels if categories is None else tuple(categories)
    place = {label: index for index, label in enumerate(labels)}
    if unknown := [category for category in wanted if category not in place]:
        raise ValueError(f"{unknown[0]!r} is not among the categories")
    chosen = chosen[:, [place[category] for category in wanted]]
    if not ratings.pairable:
        return [_without(category, 0, Reason.NO_PAIRS) for category in wanted]
    tally = _tally(ratings, chosen)
    values = tally.formula(tally.times[None, :].astype(np.float64) @ tally.features)[0]
    drawn = tally.resampled(resamples, seed) if resamples else np.empty((0, len(wanted)))
    used = tally.times @ (chosen > 0)
    return [
        _found(category, int(n), float(value), samples)
        for category, n, value, samples in zip(wanted, used, values, drawn.T, strict=True)
    ]


def _found(category: Hashable, n: int, value: float, samples: Array) -> CategoryAgreement:
    if not np.isfinite(value):
        return _without(category, n, Reason.NOT_USED)
    around = percentile(samples)
    figure = Figure(KEY, value, n, around.low, around.high)
    return CategoryAgreement(category, Finding(figure, undefined=around.undefined))


def _without(category: Hashable, n: int, reason: Reason) -> CategoryAgreement:
    return CategoryAgreement(category, Finding(Figure(KEY, None, n), reason))


def _choices(ratings: Ratings) -> tuple[tuple[Hashable, ...], csr_array]:
    """Return the labels, and how often each kind of item with two ratings got each of them."""
    kinds = ratings.kinds.with_at_least(2)
    counts = kinds.counts(len(ratings.categories))
    if ratings.scale is not Scale.SETS:
        return ratings.categories, counts
    labels, members = members_of(ratings.categories)
    return labels, csr_array(counts @ members)


def _tally(ratings: Ratings, chosen: csr_array) -> Tally:
    kinds = ratings.kinds.with_at_least(2)
    both = chosen * chosen - chosen
    possible = chosen.multiply((kinds.ratings - 1)[:, None])
    features = csr_array(hstack([both, possible], format="csr"))

    def formula(sums: Array) -> Array:
        half = sums.shape[1] // 2
        with np.errstate(invalid="ignore", divide="ignore"):
            share: Array = sums[:, :half] / sums[:, half:]
        return share

    return Tally(features, kinds.times, formula)
