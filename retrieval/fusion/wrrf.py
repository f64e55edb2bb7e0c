"""Weighted Reciprocal Rank Fusion (paper SearchFireSafety, appendix D): Σ weight/(k + rank)."""

from __future__ import annotations

from collections.abc import Sequence

from retrieval.core.method import Method, Resources
from retrieval.core.parameters import Parameter, Spec
from retrieval.fusion.fused import OF, Fused, Rankings, checked_weights, depth
from retrieval.fusion.rrf import reciprocal_rank_sum

PAPER_K = 5
PAPER_WEIGHTS = (0.1, 0.9)  # sparse, dense


class WRRF(Fused):
    """Weighted RRF; `weights`, one per part in their order, sum to 1 (an empty list: all equal).

    The defaults are the paper's, for a sparse part followed by a dense one.
    """

    NAME = "wrrf"
    PARAMETERS = (
        OF,
        Parameter("k", "float", PAPER_K, 0, 1e6),
        Parameter("weights", "numbers", list(PAPER_WEIGHTS), 0, 1),
        depth(),
    )

    def __init__(
        self, spec: Spec, parts: Sequence[Method] = (), resources: Resources | None = None
    ) -> None:
        super().__init__(spec, parts, resources)
        self._weights = checked_weights(self.NAME, spec["weights"], len(parts))

    def fuse(self, rankings: Rankings) -> dict[str, float]:
        """Return Σ weight/(k + rank)."""
        return reciprocal_rank_sum(rankings, self.spec["k"], self._weights)
