"""Structure-Aware Reranking (paper SearchFireSafety, §4.1): seeds vote for the units they cite.

With S the scores of the base, the seeds are the first K of its ranking, and

  B(n)     = 1/L(n) · Σ over seeds s that cite n of S(s)/L(s)
  S_SAR(n) = S(n) + beta · B(n) · (1 - S(n))

where L = ln(degree + 1): the out-degree of a seed, the in-degree of n, both over all links of the
corpus (see `retrieval.graph.citation_graph` for what a link is). The paper calls the out-degree
local and the in-degree global; its code counts all links for both, and so does this unless
`seed_degree` is local: then of a seed's links only those to the pool count.

Left open by the formula, and chosen here:

* L is 0 only for a document without links (or, for a local degree, a seed that cites nothing of
  the pool), which neither votes nor is voted for: B is 0.
* A seed of negative score does not vote. Otherwise negative S are used unchanged.
* B can exceed 1 (a seed with one link to a document cited once gives S/0.48), and S_SAR with it;
  it is not clipped. S above 1 by rounding gets no bonus.
* Candidates are the `pool` best of the base and, with `outside`, every document that a seed cites;
  those get the S that the base gives them. Other documents follow in the order of the base.
* Ties are broken by ascending unit id.
* `frozen` keeps that many first ranks of the base; so that scores still fall, these
  get the best other score plus `frozen`, … 2, 1.
* `scale` selects how the base's scores are scaled to 0 … 1 where they are no cosines
  (`retrieval.fusion.weighted`).

The paper's own code (the preset ``sar_paper``) has K = 15, beta = 0.3, pool = 100, outside = false,
frozen = 5, and L = 1
where a degree is 1; here it is ln 2, as the formula says.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from retrieval.core.method import Scoring
from retrieval.core.model import Corpus, Hit, Parameter, Query, continued
from retrieval.fusion.weighted import (
    SCALE,
    Pool,
    Positions,
    Scores,
    chosen_scale,
    cut,
    pools,
    require_scoring,
    scaled,
)
from retrieval.graph.citation_graph import CitationGraph
from retrieval.graph.cited import GRAPH, Citing


def bonus(
    graph: CitationGraph, seeds: Positions, scores: Scores, among: Positions | None
) -> tuple[Positions, Scores]:
    """Return the documents that the seeds vote for, ascending, and the bonus B of each.

    `scores` are the seeds' S; those not above 0 cast no vote. The out-degree of a seed counts its
    links to documents `among` these, None: to any; a seed of degree 0 casts no vote.
    """
    voting = scores > 0
    seeds, scores = seeds[voting], scores[voting]
    which, ends = graph.out.of(seeds)
    counted = which if among is None else which[np.isin(ends, among)]
    degrees = np.bincount(counted, minlength=len(seeds))
    which, ends = which[degrees[which] > 0], ends[degrees[which] > 0]
    votes = scores[which] / np.log(degrees[which] + 1)
    targets, places = np.unique(ends, return_inverse=True)
    total = np.bincount(places, weights=votes, minlength=len(targets))
    return targets, total / np.log(graph.into.degrees[targets] + 1)


def residual(scores: Scores, bonuses: Scores, beta: float) -> Scores:
    """Return S + beta · B · (1 - S): each score S below 1 raised by its bonus B."""
    fused: Scores = scores + beta * bonuses * np.maximum(1 - scores, 0)
    return fused


class SAR(Citing, Scoring):
    """Structure-Aware Reranking of any method that can score units; see the module."""

    NAME = "sar"
    POOL = "pool"
    PARAMETERS = (
        Parameter("base", "method", {"method": "lsa"}),
        Parameter("K", "int", 15, 1, 1000),
        Parameter("beta", "float", 0.3, 0, 100),
        Parameter("pool", "int", 100, 1, 10_000),
        Parameter("outside", "bool", True),
        Parameter("frozen", "int", 0, 0, 1000),
        Parameter("seed_degree", "choice", "global", choices=("global", "local")),
        SCALE,
        *GRAPH,
    )

    def _set_up(self) -> None:
        super()._set_up()
        require_scoring(self.NAME, self.parts[0])
        self._scale = chosen_scale(self.spec["scale"], self.parts[0])

    def score(self, query: Query, unit_ids: Sequence[str]) -> NDArray[np.float64]:
        """Return S_SAR of each candidate as in `search`, and S of any other unit."""
        asked = np.array([self.corpus.positions[unit] for unit in unit_ids], dtype=np.int64)
        if not query.text.strip() or not len(asked):
            return np.zeros(len(asked))
        pool = next(pools(self.parts[0], [cut(query)], self.spec["pool"]))
        positions, scores = self._ranked(pool)
        found = dict(zip(positions.tolist(), scores.tolist(), strict=True))
        plain = self._scaled(pool, pool.score(asked))
        return np.array([found.get(at, s) for at, s in zip(asked.tolist(), plain, strict=True)])

    def _fit(self, corpus: Corpus) -> None:
        """Load the citation graph."""
        self.fit_graph(corpus)

    def _search(self, queries: Sequence[Query], k: int) -> Mapping[str, Sequence[Hit]]:
        """Rank a pool of hits by their own and their neighbours' scores."""
        ids = self.corpus.ids
        found: dict[str, Sequence[Hit]] = {}
        for pool in pools(self.parts[0], queries, self.spec["pool"], k):
            ranked = zip(*(each.tolist() for each in self._ranked(pool)), strict=True)
            hits = [Hit(ids[at], score) for at, score in ranked]
            found[pool.query.id] = continued(hits, pool.below, k)
        return found

    def _ranked(self, pool: Pool) -> tuple[Positions, Scores]:
        """Return all candidates with their final scores, best first."""
        spec = self.spec
        plain = self._scaled(pool, pool.scores)
        among = pool.positions if spec["seed_degree"] == "local" else None
        voted, bonuses = bonus(self.graph, pool.positions[: spec["K"]], plain[: spec["K"]], among)
        positions = pool.positions
        if spec["outside"]:
            beyond = np.setdiff1d(voted, positions, assume_unique=True)
            positions = np.r_[positions, beyond]
            if len(beyond):
                plain = np.r_[plain, self._scaled(pool, pool.score(beyond))]
        scores = residual(plain, _values_at(positions, voted, bonuses), spec["beta"])
        return _sorted_with_frozen(positions, scores, min(spec["frozen"], len(pool.positions)))

    def _scaled(self, pool: Pool, scores: Scores) -> Scores:
        """Scale scores by those of the pool."""
        return scaled(self._scale, pool.scores, scores)


def _values_at(positions: Positions, known: Positions, values: Scores) -> Scores:
    """Return the value of each position, 0 for those not among the ascending `known`."""
    if not len(known):
        return np.zeros(len(positions))
    places = np.minimum(np.searchsorted(known, positions), len(known) - 1)
    return np.where(known[places] == positions, values[places], 0.0)


def _sorted_with_frozen(
    positions: Positions, scores: Scores, frozen: int
) -> tuple[Positions, Scores]:
    """Sort candidates by score, with the first `frozen` kept above all others."""
    rest, values = positions[frozen:], scores[frozen:]
    order = np.lexsort((rest, -values))
    rest, values = rest[order], values[order]
    if not frozen:
        return rest, values
    lifted = (values[0] if len(values) else 0.0) + np.arange(frozen, 0, -1)
    return np.r_[positions[:frozen], rest], np.r_[lifted, values]
