"""Reciprocal Rank Fusion: the sum of 1/(k + rank) (Cormack, Clarke and Büttcher 2009)."""

from __future__ import annotations

from collections.abc import Sequence

from retrieval.core.parameters import Parameter
from retrieval.fusion.fused import OF, Fused, Rankings, depth

DEFAULT_K = 60


def reciprocal_rank_sum(rankings: Rankings, k: float, weights: Sequence[float]) -> dict[str, float]:
    """Return Σ weight/(k + rank) of each unit over the rankings, ranks from 1.

    A ranking in which a unit does not stand adds nothing to it.
    """
    fused: dict[str, float] = {}
    for ranking, weight in zip(rankings, weights, strict=True):
        for rank, hit in enumerate(ranking, 1):
            fused[hit.unit_id] = fused.get(hit.unit_id, 0.0) + weight / (k + rank)
    return fused


class RRF(Fused):
    """Reciprocal Rank Fusion of any methods; `k` says how slowly lower ranks stop counting."""

    NAME = "rrf"
    PARAMETERS = (OF, Parameter("k", "float", DEFAULT_K, 0, 1e6), depth())

    def fuse(self, rankings: Rankings) -> dict[str, float]:
        """Return Σ 1/(k + rank)."""
        return reciprocal_rank_sum(rankings, self.spec["k"], [1.0] * len(rankings))
