"""The kappa family: agreement beyond what the raters' own shares of categories would give."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array, hstack

from evaluation.agreement.likeness import both_sides, graded
from evaluation.agreement.ratings import MISSING, Array, Ratings, Scale
from evaluation.agreement.statistic import Reason, Statistic
from evaluation.agreement.tally import Formula, Tally

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
