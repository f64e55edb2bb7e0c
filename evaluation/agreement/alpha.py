"""Krippendorff's alpha, for any number of raters, missing ratings and any distance.

Alpha is 1 − observed ÷ expected disagreement. Source: K. Krippendorff, Computing Krippendorff's
Alpha-Reliability (2011). Only items with at
least two ratings count; each counts with all its ratings.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array, hstack

from evaluation.agreement.likeness import Likeness, OfSets, Same
from evaluation.agreement.ratings import MISSING, Array, Kinds, Ratings, Scale, Statistic, Tally

_SCALES = {
    "nominal": frozenset({Scale.NOMINAL, Scale.ORDINAL}),
    "ordinal": frozenset({Scale.ORDINAL}),
    "interval": frozenset({Scale.INTERVAL}),
    "masi": frozenset({Scale.SETS}),
    "jaccard": frozenset({Scale.SETS}),
}
_NO_SPREAD = 1e-12  # relative, up to rounding


@dataclass(frozen=True, repr=False)
class KrippendorffAlpha(Statistic):
    """Krippendorff's alpha with the distance ``nominal``, ``ordinal``, ``interval``, or of sets.

    ``masi`` (Passonneau 2006) and ``jaccard`` are distances of sets. The ordinal distance depends
    on the frequency of each category, and so is recomputed in each resample.
    """

    distance: str = "nominal"

    @property
    def key(self) -> str:
        """The name, with the distance."""
        return f"alpha_{self.distance}"

    @property
    def scales(self) -> frozenset[Scale]:
        """The scales for which the distance is defined."""
        return _SCALES[self.distance]

    def tally(self, ratings: Ratings) -> Tally:
        """Return the sums of disagreement within items and of category counts."""
        kinds = ratings.kinds.with_at_least(2)
        size = len(ratings.categories)
        if self.distance == "interval":
            return _interval_tally(kinds, np.array(ratings.categories, dtype=np.float64))
        if self.distance == "ordinal":
            return _ordinal_tally(kinds, size)
        if self.distance == "nominal":
            return _likeness_tally(kinds, Same(size))
        kinds, sets = _used_categories(kinds, ratings.categories)
        return _likeness_tally(kinds, OfSets(sets, masi=self.distance == "masi"))


def _used_categories(
    kinds: Kinds, categories: tuple[Hashable, ...]
) -> tuple[Kinds, tuple[Hashable, ...]]:
    """Renumber the kinds by the categories that occur in them; return both."""
    used = np.unique(kinds.codes[kinds.codes != MISSING])
    renumbered = np.where(
        kinds.codes == MISSING, MISSING, np.searchsorted(used, kinds.codes)
    ).astype(np.int32)
    return Kinds(renumbered, kinds.times), tuple(categories[code] for code in used)


def _likeness_tally(kinds: Kinds, likeness: Likeness) -> Tally:
    """Return the tally for the distance 1 − likeness."""
    ratings = kinds.ratings
    apart = (ratings * (ratings - 1) - likeness.within(kinds)) / (ratings - 1)
    features = hstack([csr_array(apart[:, None]), kinds.counts(likeness.size)], format="csr")

    def formula(sums: Array) -> Array:
        counts = sums[:, 1:]
        total = counts.sum(axis=1)
        return _alpha(sums[:, 0], total**2 - likeness.product(counts), total, total**2)

    return Tally(csr_array(features), kinds.times, formula)


def _interval_tally(kinds: Kinds, numbers: Array) -> Tally:
    """Return the tally for squared differences, from sums of values and squares."""
    centred = numbers - np.median(numbers)  # rounding errors shrink, differences stay
    counts, ratings = kinds.counts(len(numbers)), kinds.ratings
    sums, squares = counts @ centred, counts @ centred**2
    apart = 2 * (ratings * squares - sums**2) / (ratings - 1)

    def formula(rows: Array) -> Array:
        within, total, first, second = rows.T
        return _alpha(within, 2 * (total * second - first**2), total, total * second)

    features = csr_array(np.column_stack([apart, ratings, sums, squares]))
    return Tally(features, kinds.times, formula)


def _ordinal_tally(kinds: Kinds, size: int) -> Tally:
    """Return the tally for the ordinal distance, from coincidences of every pair of categories.

    The distance of two categories, all ratings between them and half of their own, is the
    difference of their mid-ranks; so the ordinal alpha is the interval alpha of mid-ranks.
    """
    counts, ratings = kinds.counts(size).toarray(), kinds.ratings
    pairs = np.einsum("ic,ik->ick", counts, counts)
    pairs[:, np.arange(size), np.arange(size)] -= counts
    pairs /= (ratings - 1)[:, None, None]

    def formula(sums: Array) -> Array:
        coincidences = sums.reshape(len(sums), size, size)
        counts = coincidences.sum(axis=2)
        ranks = np.cumsum(counts, axis=1) - counts / 2
        total = counts.sum(axis=1)
        ranks -= total[:, None] / 2
        first, second = (counts * ranks).sum(axis=1), (counts * ranks**2).sum(axis=1)
        within = 2 * (second - np.einsum("rc,rck,rk->r", ranks, coincidences, ranks))
        return _alpha(within, 2 * (total * second - first**2), total, total * total**2)

    return Tally(csr_array(pairs.reshape(len(pairs), -1)), kinds.times, formula)


def _alpha(within: Array, expected: Array, total: Array, scale: Array) -> Array:
    """Return 1 − (N − 1) · within ÷ expected; NaN where all values are equal."""
    spread = expected > _NO_SPREAD * np.maximum(scale, 1e-300)
    return np.where(spread, 1 - (total - 1) * within / expected, np.nan)
