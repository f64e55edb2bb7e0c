"""Observed agreement, and agreement beyond chance: Cohen's and Fleiss' kappa, Gwet's AC1, AC2."""

from __future__ import annotations

from dataclasses import dataclass

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


@dataclass(frozen=True, repr=False)
class RawAgreement(Statistic):
    """The share of pairs of ratings of an item that are the same, averaged over items.

    Of two raters it is the percent agreement; of sets, the share of identical sets.
    """

    @property
    def key(self) -> str:
        """The name."""
        return "raw"

    @property
    def scales(self) -> frozenset[Scale]:
        """Every scale."""
        return frozenset(Scale)

    def tally(self, ratings: Ratings) -> Tally:
        """Sum each item's share of agreeing pairs."""
        return _mean_share(ratings, Same(len(ratings.categories)))

    def shares(self, ratings: Ratings) -> Array:
        """Return each item's share of agreeing pairs."""
        rows = np.sort(ratings.codes[ratings.per_item >= 2], axis=1)
        kinds = Kinds(rows, np.ones(len(rows), dtype=np.int64))
        return pair_share(kinds, Same(len(ratings.categories)))


@dataclass(frozen=True, repr=False)
class MeanJaccard(Statistic):
    """What two sets share ÷ what either has, averaged over the pairs of an item, then items."""

    @property
    def key(self) -> str:
        """The name."""
        return "mean_jaccard"

    @property
    def scales(self) -> frozenset[Scale]:
        """Sets."""
        return frozenset({Scale.SETS})

    def tally(self, ratings: Ratings) -> Tally:
        """Sum each item's mean likeness."""
        return _mean_share(ratings, OfSets(ratings.categories, masi=False))


def pair_share(kinds: Kinds, likeness: Likeness) -> Array:
    """Return for each kind the mean likeness over its pairs of ratings; needs two ratings each."""
    ratings = kinds.ratings
    share: Array = likeness.within(kinds) / (ratings * (ratings - 1))
    return share


def _mean_share(ratings: Ratings, likeness: Likeness) -> Tally:
    kinds = ratings.kinds.with_at_least(2)
    shares, kind = np.unique(pair_share(kinds, likeness), return_inverse=True)
    times = np.bincount(kind, weights=kinds.times).astype(np.int64)
    features = csr_array(np.column_stack([shares, np.ones(len(shares))]))
    return Tally(features, times, _ratio)


def _ratio(sums: Array) -> Array:
    found: Array = sums[:, 0] / sums[:, 1]
    return found


_NONE_LEFT = 1e-12  # of chance disagreement, up to rounding


@dataclass(frozen=True, repr=False)
class CohenKappa(Statistic):
    """Cohen's kappa (1960) of two raters; with ``linear`` or ``quadratic`` weights, his of 1968.

    Chance agreement comes from each rater's own shares. Items that only one rated are left out.
    """

    weights: str = "identity"

    @property
    def key(self) -> str:
        """The name, with the weights."""
        return "cohen_kappa" if self.weights == "identity" else f"cohen_kappa_{self.weights}"

    @property
    def scales(self) -> frozenset[Scale]:
        """Nominal without weights; graded weights need an order."""
        unweighted = self.weights == "identity"
        return frozenset({Scale.NOMINAL, Scale.ORDINAL} if unweighted else {Scale.ORDINAL})

    @property
    def two_raters(self) -> bool:
        """Always."""
        return True

    def tally(self, ratings: Ratings) -> Tally:
        """Sum the weights of the pairs, and each rater's categories."""
        size = len(ratings.categories)
        weights = graded(self.weights, size)
        both = ratings.codes[(ratings.codes != MISSING).all(axis=1)]
        pairs, times = np.unique(both, axis=0, return_counts=True)
        agreeing = csr_array(weights[pairs[:, 0], pairs[:, 1]][:, None])
        features = hstack([agreeing, *(_chosen(pairs[:, r], size) for r in (0, 1))], format="csr")
        return Tally(csr_array(features), times, kappa_formula(weights))


@dataclass(frozen=True, repr=False)
class FleissKappa(Statistic):
    """Fleiss' kappa (1971): any number of ratings per item, the same for all, by whomever.

    Chance agreement comes from the categories' shares of all ratings together.
    """

    @property
    def key(self) -> str:
        """The name."""
        return "fleiss_kappa"

    @property
    def scales(self) -> frozenset[Scale]:
        """Nominal, or an ordinal scale whose order is of no interest."""
        return frozenset({Scale.NOMINAL, Scale.ORDINAL})

    def unfit(self, ratings: Ratings) -> Reason | None:
        """Besides the rest, refuse items with different numbers of ratings."""
        if (reason := super().unfit(ratings)) is not None:
            return reason
        given = ratings.per_item[ratings.per_item > 0]
        return Reason.UNEQUAL if given.min() != given.max() else None

    def tally(self, ratings: Ratings) -> Tally:
        """Sum the squares of an item's counts, and the counts."""
        kinds = ratings.kinds
        counts = kinds.counts(len(ratings.categories))
        squares = csr_array(np.asarray((counts * counts).sum(axis=1))[:, None])
        features = hstack([squares, counts], format="csr")
        return Tally(csr_array(features), kinds.times, _fleiss(int(kinds.ratings[0])))


def kappa_formula(weights: Array) -> Formula:
    """Return kappa of sums: agreeing weight, then one rater's counts, then the other's."""
    size = len(weights)

    def formula(sums: Array) -> Array:
        first, second = sums[:, 1 : 1 + size], sums[:, 1 + size :]
        items = first.sum(axis=1)
        expected = both_sides(first, weights, second) / items**2
        return beyond_chance(sums[:, 0] / items, expected)

    return formula


def _fleiss(each: int) -> Formula:
    def formula(sums: Array) -> Array:
        counts = sums[:, 1:]
        total = counts.sum(axis=1)
        observed = (sums[:, 0] - total) / (total * (each - 1))
        return beyond_chance(observed, ((counts / total[:, None]) ** 2).sum(axis=1))

    return formula


def beyond_chance(observed: Array, expected: Array) -> Array:
    """Return (observed − expected) ÷ (1 − expected); NaN where chance alone agrees fully."""
    left = 1 - expected
    return np.where(left > _NONE_LEFT, (observed - expected) / left, np.nan)


def _chosen(codes: Array, size: int) -> csr_array:
    """Return rows × categories with a one at each row's code."""
    rows = np.arange(len(codes))
    return csr_array((np.ones(len(codes)), (rows, codes)), shape=(len(codes), size))


@dataclass(frozen=True, repr=False)
class GwetAC(Statistic):
    """Gwet's AC1 (2008); with ``linear``, ``quadratic`` or ``ordinal`` weights his AC2 (2014).

    Any number of raters, with gaps: an item with one rating tells how common its category is, one
    with more also how far they agree. Depends on how many categories there were to choose from,
    used or not.
    """

    weights: str = "identity"

    @property
    def key(self) -> str:
        """The name, with the weights."""
        return "ac1" if self.weights == "identity" else f"ac2_{self.weights}"

    @property
    def scales(self) -> frozenset[Scale]:
        """Nominal without weights; graded weights need an order."""
        unweighted = self.weights == "identity"
        return frozenset({Scale.NOMINAL, Scale.ORDINAL} if unweighted else {Scale.ORDINAL})

    def tally(self, ratings: Ratings) -> Tally:
        """Sum each item's agreement and its shares of the categories."""
        kinds, size = ratings.kinds, len(ratings.categories)
        weights = graded(self.weights, size)
        paired = kinds.ratings >= 2
        share = np.zeros(len(paired))
        share[paired] = pair_share(kinds.with_at_least(2), Matrix(weights))
        shares = diags_array(1 / kinds.ratings) @ kinds.counts(size)
        own = csr_array(np.column_stack([share, paired, np.ones(len(paired))]))
        features = csr_array(hstack([own, shares], format="csr"))
        return Tally(features, kinds.times, _formula(size, float(weights.sum())))


def _formula(size: int, weight: float) -> Formula:
    def formula(sums: Array) -> Array:
        if size < 2:
            return np.full(len(sums), np.nan)
        prevalence = sums[:, 3:] / sums[:, 2:3]
        spread = (prevalence * (1 - prevalence)).sum(axis=1)
        expected = weight * spread / (size * (size - 1))
        return beyond_chance(sums[:, 0] / sums[:, 1], expected)

    return formula
