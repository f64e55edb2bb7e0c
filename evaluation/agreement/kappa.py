"""Observed agreement, and chance-corrected agreement: Cohen's, Fleiss' kappa, Gwet's AC1, AC2.

Krippendorff's alpha, for any number of raters, missing ratings and any distance.

Alpha is 1 − observed ÷ expected disagreement. Source: K. Krippendorff, Computing Krippendorff's
Alpha-Reliability (2011). Only items with at
least two ratings count; each counts with all its ratings.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy.sparse import csr_array, diags_array, hstack

from evaluation.agreement.likeness import Likeness, Matrix, OfSets, Same, both_sides, graded
from evaluation.agreement.ratings import (
    MISSING,
    Array,
    Formula,
    Kinds,
    Ratings,
    Reason,
    Scale,
    Statistic,
    Tally,
)

_UNORDERED = frozenset({Scale.NOMINAL, Scale.ORDINAL})  # an ordinal one's order is ignored


@dataclass(frozen=True, repr=False)
class RawAgreement(Statistic):
    """The share of equal pairs of ratings of an item, averaged over items.

    Of two raters it is the percent agreement; of sets, the share of identical sets.
    """

    key = "raw"
    scales = frozenset(Scale)

    def tally(self, ratings: Ratings) -> Tally:
        """Return the sums of each item's share of agreeing pairs."""
        return _mean_share(ratings, Same(len(ratings.categories)))

    def shares(self, ratings: Ratings) -> Array:
        """Return each item's share of agreeing pairs."""
        rows = np.sort(ratings.codes[ratings.per_item >= 2], axis=1)
        kinds = Kinds(rows, np.ones(len(rows), dtype=np.int64))
        return pair_share(kinds, Same(len(ratings.categories)))


@dataclass(frozen=True, repr=False)
class MeanJaccard(Statistic):
    """The Jaccard index of two sets, averaged over the pairs of an item, then over items."""

    key = "mean_jaccard"
    scales = frozenset({Scale.SETS})

    def tally(self, ratings: Ratings) -> Tally:
        """Return the sums of each item's mean likeness."""
        return _mean_share(ratings, OfSets(ratings.categories, masi=False))


def pair_share(kinds: Kinds, likeness: Likeness) -> Array:
    """Return each kind's mean likeness over its pairs of ratings; needs two ratings each."""
    ratings = kinds.ratings
    share: Array = likeness.within(kinds) / (ratings * (ratings - 1))
    return share


def _mean_share(ratings: Ratings, likeness: Likeness) -> Tally:
    """Return the mean agreeing share of pairs over items, as sums that can be resampled."""
    kinds = ratings.kinds.with_at_least(2)
    shares, kind = np.unique(pair_share(kinds, likeness), return_inverse=True)
    times = np.bincount(kind, weights=kinds.times).astype(np.int64)
    features = csr_array(np.column_stack([shares, np.ones(len(shares))]))
    return Tally(features, times, _ratio)


def _ratio(sums: Array) -> Array:
    """Return the ratio of two sums."""
    found: Array = sums[:, 0] / sums[:, 1]
    return found


_NONE_LEFT = 1e-12  # chance disagreement, up to rounding


@dataclass(frozen=True, repr=False)
class _Graded(Statistic):
    """A statistic with weights; graded ones need an order.

    `names` are the keys without weights, and before the name of these.
    """

    weights: str = "identity"
    names: ClassVar[tuple[str, str]]

    @property
    def key(self) -> str:
        """The name of the statistic, with the weights."""
        plain, weighted = self.names
        return plain if self.weights == "identity" else f"{weighted}_{self.weights}"

    @property
    def scales(self) -> frozenset[Scale]:
        """Nominal and ordinal without weights, else ordinal."""
        return _UNORDERED if self.weights == "identity" else frozenset({Scale.ORDINAL})


@dataclass(frozen=True, repr=False)
class CohenKappa(_Graded):
    """Cohen's kappa (1960) of two raters; with ``linear`` or ``quadratic`` weights, his of 1968.

    Chance agreement uses each rater's own category shares. Items rated by only one are left out.
    """

    names = ("cohen_kappa", "cohen_kappa")
    two_raters = True

    def tally(self, ratings: Ratings) -> Tally:
        """Return the sums of the pairs' weights and of each rater's categories."""
        size = len(ratings.categories)
        weights = graded(self.weights, size)
        both = ratings.codes[(ratings.codes != MISSING).all(axis=1)]
        pairs, times = np.unique(both, axis=0, return_counts=True)
        agreeing = csr_array(weights[pairs[:, 0], pairs[:, 1]][:, None])
        features = hstack(
            [agreeing, *(_indicator_matrix(pairs[:, r], size) for r in (0, 1))], format="csr"
        )
        return Tally(csr_array(features), times, kappa_formula(weights))


@dataclass(frozen=True, repr=False)
class FleissKappa(Statistic):
    """Fleiss' kappa (1971): any raters, with the same number of ratings per item.

    Chance agreement uses the categories' shares of all ratings together.
    """

    key = "fleiss_kappa"
    scales = _UNORDERED

    def unfit(self, ratings: Ratings) -> Reason | None:
        """Return why the statistic does not apply (unequal numbers of ratings too), else None."""
        if (reason := super().unfit(ratings)) is not None:
            return reason
        given = set(ratings.per_item.tolist()) - {0}
        return Reason.UNEQUAL if len(given) > 1 else None

    def tally(self, ratings: Ratings) -> Tally:
        """Return the sums of squared counts per item, and of the counts."""
        kinds = ratings.kinds
        counts = kinds.counts(len(ratings.categories))
        squares = csr_array(np.asarray((counts * counts).sum(axis=1))[:, None])
        features = hstack([squares, counts], format="csr")
        return Tally(csr_array(features), kinds.times, _fleiss_formula(int(kinds.ratings[0])))


def kappa_formula(weights: Array) -> Formula:
    """Return the formula of kappa from sums: agreeing weight, then each rater's category counts."""
    size = len(weights)

    def formula(sums: Array) -> Array:
        """Compute Cohen's kappa from sums."""
        first, second = sums[:, 1 : 1 + size], sums[:, 1 + size :]
        items = first.sum(axis=1)
        expected = both_sides(first, weights, second) / items**2
        return beyond_chance(sums[:, 0] / items, expected)

    return formula


def _fleiss_formula(each: int) -> Formula:
    """Return the formula of Fleiss' kappa from sums, for `each` ratings per item."""

    def formula(sums: Array) -> Array:
        """Compute Fleiss' kappa from sums."""
        counts = sums[:, 1:]
        total = counts.sum(axis=1)
        observed = (sums[:, 0] - total) / (total * (each - 1))
        return beyond_chance(observed, ((counts / total[:, None]) ** 2).sum(axis=1))

    return formula


def beyond_chance(observed: Array, expected: Array) -> Array:
    """Return (observed − expected) ÷ (1 − expected); NaN where expected agreement is full."""
    left = 1 - expected
    return np.where(left > _NONE_LEFT, (observed - expected) / left, np.nan)


def _indicator_matrix(codes: Array, size: int) -> csr_array:
    """Return a rows × categories indicator matrix of the codes."""
    rows = np.arange(len(codes))
    return csr_array((np.ones(len(codes)), (rows, codes)), shape=(len(codes), size))


@dataclass(frozen=True, repr=False)
class GwetAC(_Graded):
    """Gwet's AC1 (2008); with ``linear``, ``quadratic`` or ``ordinal`` weights his AC2 (2014).

    Any number of raters, with gaps: items with one rating count for category prevalence only,
    others also for agreement. Depends on the number of possible categories,
    used or not.
    """

    names = ("ac1", "ac2")

    def tally(self, ratings: Ratings) -> Tally:
        """Return the sums of each item's agreement and category shares."""
        kinds, size = ratings.kinds, len(ratings.categories)
        weights = graded(self.weights, size)
        paired = kinds.ratings >= 2
        share = np.zeros(len(paired))
        share[paired] = pair_share(kinds.with_at_least(2), Matrix(weights))
        shares = diags_array(1 / kinds.ratings) @ kinds.counts(size)
        own = csr_array(np.column_stack([share, paired, np.ones(len(paired))]))
        features = csr_array(hstack([own, shares], format="csr"))
        return Tally(features, kinds.times, _gwet_formula(size, float(weights.sum())))


def _gwet_formula(size: int, weight: float) -> Formula:
    """Return the formula of AC1 or AC2 from sums; `weight` is the sum of the agreement weights."""

    def formula(sums: Array) -> Array:
        """Compute Gwet's AC1 or AC2 from sums; NaN for fewer than two categories."""
        if size < 2:
            return np.full(len(sums), np.nan)
        prevalence = sums[:, 3:] / sums[:, 2:3]
        spread = (prevalence * (1 - prevalence)).sum(axis=1)
        expected = weight * spread / (size * (size - 1))
        return beyond_chance(sums[:, 0] / sums[:, 1], expected)

    return formula


_SCALES = {
    "nominal": _UNORDERED,
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
        """Compute alpha from sums of likeness."""
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
        """Compute interval alpha from sums."""
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
        """Compute ordinal alpha from sums of coincidences."""
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
