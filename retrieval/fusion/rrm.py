"""Reciprocal Rank MAX: the best rank that any part gives counts (paper RefWalk, §4.1).

Two units that stand at one rank in two parts tie; like all ties they stand by ascending unit id.
"""

from __future__ import annotations

from retrieval.core.parameters import Parameter
from retrieval.fusion.fused import OF, Fused, Rankings, depth

PAPER_K = 60


def reciprocal_rank_max(rankings: Rankings, k: float) -> dict[str, float]:
    """Return max 1/(k + rank) of each unit over the rankings in which it stands, ranks from 1."""
    fused: dict[str, float] = {}
    for ranking in rankings:
        for rank, hit in enumerate(ranking, 1):
            fused[hit.unit_id] = max(fused.get(hit.unit_id, 0.0), 1 / (k + rank))
    return fused


class RRM(Fused):
    """Reciprocal Rank MAX of any methods.

    `k` does not change the order, only the scores and what a later decay does to them.
    """

    NAME = "rrm"
    PARAMETERS = (OF, Parameter("k", "float", PAPER_K, 0, 1e6), depth())

    def fuse(self, rankings: Rankings) -> dict[str, float]:
        """Return max 1/(k + rank)."""
        return reciprocal_rank_max(rankings, self.spec["k"])
