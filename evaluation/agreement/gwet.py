"""Gwet's AC1 and AC2: agreement beyond chance that stands up to one very common category."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array, diags_array, hstack

from evaluation.agreement.kappa import beyond_chance
from evaluation.agreement.likeness import Matrix, graded
from evaluation.agreement.ratings import Array, Ratings, Scale
from evaluation.agreement.raw import pair_share
from evaluation.agreement.statistic import Statistic
from evaluation.agreement.tally import Formula, Tally


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
