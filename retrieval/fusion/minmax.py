"""Min-max hybrid: each part's scores stretched to 0 … 1 within the query, then a weighted sum.

A part's lowest returned unit gets 0, as does a unit that it does not return; where all its scores
are equal, also where it returns one unit only, each gets 1.
"""

from __future__ import annotations

from collections.abc import Sequence

from retrieval.core.method import Method, Resources
from retrieval.core.model import Hit
from retrieval.core.parameters import Parameter, Spec
from retrieval.fusion.fused import OF, Fused, Rankings, checked_weights, depth


def stretched(ranking: Sequence[Hit]) -> dict[str, float]:
    """Return (score - lowest) / (highest - lowest) of each hit; 1 where these two are equal."""
    if not ranking:
        return {}
    low, high = ranking[-1].score, ranking[0].score
    if high == low:
        return dict.fromkeys((hit.unit_id for hit in ranking), 1.0)
    return {hit.unit_id: (hit.score - low) / (high - low) for hit in ranking}


def minmax_sum(rankings: Rankings, weights: Sequence[float]) -> dict[str, float]:
    """Return Σ weight · stretched score of each unit over the rankings."""
    fused: dict[str, float] = {}
    for ranking, weight in zip(rankings, weights, strict=True):
        for unit, score in stretched(ranking).items():
            fused[unit] = fused.get(unit, 0.0) + weight * score
    return fused


class MinMax(Fused):
    """Min-max hybrid; `weights`, one per part in their order, sum to 1 (none given: all equal)."""

    NAME = "minmax"
    PARAMETERS = (OF, Parameter("weights", "numbers", [], 0, 1), depth())

    def __init__(
        self, spec: Spec, parts: Sequence[Method] = (), resources: Resources | None = None
    ) -> None:
        super().__init__(spec, parts, resources)
        self._weights = checked_weights(self.NAME, spec["weights"], len(parts))

    def fuse(self, rankings: Rankings) -> dict[str, float]:
        """Return the weighted sum of the stretched scores."""
        return minmax_sum(rankings, self._weights)
