"""Agreement as it is seen, with nothing taken off for chance."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from evaluation.agreement.likeness import Likeness, Same
from evaluation.agreement.ratings import Array, Kinds, Ratings, Scale
from evaluation.agreement.set_likeness import OfSets
from evaluation.agreement.statistic import Statistic
from evaluation.agreement.tally import Tally


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
