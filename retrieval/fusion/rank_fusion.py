"""Rank fusion: RRF, weighted RRF, reciprocal rank max, min-max hybrid.

The first `depth` units of each part are fused, however many results are wanted, so that a
longer ranking begins with the shorter one. A unit that a part does not return among them gets
nothing from it. Where more are wanted, the parts are asked for MAX_DEPTH units, and units ranked
further down follow in the order of the same fusion over all of these.

Sums are exact and rounded once to a float, so that equal sums give equal scores in any order of
addition; ties are broken by ascending unit id.

* RRF: Σ 1/(k + rank) (Cormack, Clarke and Büttcher 2009).
* Weighted RRF: Σ weight/(k + rank) (paper SearchFireSafety, appendix D).
* Reciprocal rank max: the best rank in any part counts (paper RefWalk, §4.1). Two units
  at the same rank in two parts tie; ties are broken by ascending unit id.
* Min-max hybrid: each part's scores scaled to 0 … 1 within the query, then a weighted sum. A
  part's lowest returned unit gets 0, as does a unit that it does not return; where all its scores
  are equal, also where it returns one unit only, each gets 1.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from errors import UserError
from retrieval.core.method import QUERY_CHARACTERS, Scoring
from retrieval.core.model import MAX_DEPTH, Corpus, Hit, Parameter, Query, best, continued

OF = Parameter("of", "methods")
WEIGHTS_TOLERANCE = 1e-6  # decimal weights such as 0.1 and 0.9 need not sum to exactly 1

Rankings = Sequence[Sequence[Hit]]
"""Each part's ranking for one query, in the order of the parts."""

Fuse = Callable[[Rankings], Mapping[str, float]]


def depth(default: int = 100) -> Parameter:
    """Return the `depth` parameter: how many units of each part are fused."""
    return Parameter("depth", "int", default, 1, 10_000)


def checked_weights(method: str, weights: Sequence[float], parts: int) -> tuple[float, ...]:
    """Return the weights of a fusion, equal ones if none are given; UserError if they do not fit.

    Raises UserError unless there are as many as parts and they sum to 1.
    """
    given = tuple(weights) or (1 / parts,) * parts
    if len(given) != parts or abs(sum(given) - 1) > WEIGHTS_TOLERANCE:
        shown = ", ".join(f"{weight:g}" for weight in given)
        raise UserError("fusion_weights", method=method, weights=shown, parts=parts)
    return given


def asked_depth(depth: int, k: int) -> int:
    """Return how many units to request of each part to fuse `depth` and return `k`."""
    return depth if k <= depth else max(k, MAX_DEPTH)


def fused_to(
    rankings: Rankings, fuse: Fuse, depth: int, k: int
) -> tuple[Mapping[str, float], tuple[Hit, ...]]:
    """Return the fused scores of each ranking's first `depth` units, and the best `k` of all.

    Units further down follow in the order of the fusion of the whole rankings.
    """
    scores = fuse([ranking[:depth] for ranking in rankings])
    ranked = best(scores, k)
    if len(ranked) == k or all(len(ranking) <= depth for ranking in rankings):
        return scores, ranked
    whole = fuse(rankings)
    return scores, continued(ranked, best(whole, len(whole)), k)


class Fused(Scoring):
    """Base class of rank fusions; a subclass computes scores from the parts' rankings."""

    POOL = "depth"

    def score(self, query: Query, unit_ids: Sequence[str]) -> NDArray[np.float64]:
        """Return fused scores; 0 for a unit that no part ranks among its first `depth`."""
        known = self.corpus.positions
        for unit in unit_ids:
            known[unit]
        query = Query(query.id, query.text[:QUERY_CHARACTERS])
        if not query.text.strip():
            return np.zeros(len(unit_ids))
        fused, _ = self.ranked([query], 0)[query.id]
        return np.array([fused.get(unit, 0.0) for unit in unit_ids], dtype=np.float64)

    @abstractmethod
    def fuse(self, rankings: Rankings) -> Mapping[str, float]:
        """Return the fused score of every unit in any of the rankings."""

    def rankings(self, queries: Sequence[Query], depth: int) -> dict[str, Rankings]:
        """Return the first `depth` units of each part, by query."""
        runs = [part.search(queries, depth) for part in self.parts]
        return {query.id: [run[query.id] for run in runs] for query in queries}

    def ranked(
        self, queries: Sequence[Query], k: int
    ) -> dict[str, tuple[Mapping[str, float], tuple[Hit, ...]]]:
        """Return fused scores of the top-`depth` units and the best `k` hits, by query.

        Units outside every part's first `depth` have score 0; in the hits they follow the others.
        Every query has text.
        """
        depth = self.spec["depth"]
        found = self.rankings(queries, asked_depth(depth, k))
        return {query: fused_to(each, self.fuse, depth, k) for query, each in found.items()}

    def _fit(self, corpus: Corpus) -> None:
        """Do nothing: fusion has nothing to fit."""

    def _search(self, queries: Sequence[Query], k: int) -> Mapping[str, Sequence[Hit]]:
        """Rank by the fused scores."""
        return {query: hits for query, (_, hits) in self.ranked(queries, k).items()}


DEFAULT_K = 60
Term = tuple[str, int, int]
"""One ranking's contribution to a unit's score, as a fraction: unit, numerator, denominator."""


def exact_sums(terms: Iterable[Term]) -> dict[str, float]:
    """Return each unit's exact sum of terms, rounded once."""
    sums: dict[str, tuple[int, int]] = {}
    for unit, numerator, denominator in terms:
        over, under = sums.get(unit, (0, 1))
        sums[unit] = over * denominator + numerator * under, under * denominator
    return {unit: over / under for unit, (over, under) in sums.items()}


def as_written(number: float) -> tuple[int, int]:
    """Return a decimal number as the exact fraction: 0.1 is 1/10."""
    return Fraction(repr(number)).as_integer_ratio()


def reciprocal_rank_sum(rankings: Rankings, k: float, weights: Sequence[float]) -> dict[str, float]:
    """Return Σ weight/(k + rank) of each unit over the rankings, ranks from 1.

    A ranking without a unit adds nothing to it.
    """
    k_over, k_under = as_written(k)

    def terms() -> Iterable[Term]:
        """Yield each hit's weight / (k + rank) as a fraction."""
        for ranking, weight in zip(rankings, weights, strict=True):
            over, under = as_written(weight)
            for rank, hit in enumerate(ranking, 1):
                yield hit.unit_id, over * k_under, under * (k_over + rank * k_under)

    return exact_sums(terms())


class RRF(Fused):
    """Reciprocal Rank Fusion of any methods; a larger `k` discounts lower ranks more slowly."""

    NAME = "rrf"
    VERSION = 2
    PARAMETERS = (OF, Parameter("k", "float", DEFAULT_K, 0, 1e6), depth())

    def fuse(self, rankings: Rankings) -> dict[str, float]:
        """Return Σ 1/(k + rank)."""
        return reciprocal_rank_sum(rankings, self.spec["k"], [1.0] * len(rankings))


WRRF_K = 5
PAPER_WEIGHTS = (0.1, 0.9)  # sparse, dense


class WRRF(Fused):
    """Weighted RRF; `weights`, one per part in their order, sum to 1 (an empty list: all equal).

    The defaults are the paper's, for a sparse part followed by a dense one.
    """

    NAME = "wrrf"
    VERSION = 2
    PARAMETERS = (
        OF,
        Parameter("k", "float", WRRF_K, 0, 1e6),
        Parameter("weights", "numbers", list(PAPER_WEIGHTS), 0, 1),
        depth(),
    )

    def _set_up(self) -> None:
        self._weights = checked_weights(self.NAME, self.spec["weights"], len(self.parts))

    def fuse(self, rankings: Rankings) -> dict[str, float]:
        """Return Σ weight/(k + rank)."""
        return reciprocal_rank_sum(rankings, self.spec["k"], self._weights)


RRM_K = 60


def reciprocal_rank_max(rankings: Rankings, k: float) -> dict[str, float]:
    """Return max 1/(k + rank) of each unit over the rankings that contain it, ranks from 1."""
    fused: dict[str, float] = {}
    for ranking in rankings:
        for rank, hit in enumerate(ranking, 1):
            fused[hit.unit_id] = max(fused.get(hit.unit_id, 0.0), 1 / (k + rank))
    return fused


class RRM(Fused):
    """Reciprocal rank max of any methods.

    `k` does not change the order, only the scores and any later decay of them.
    """

    NAME = "rrm"
    PARAMETERS = (OF, Parameter("k", "float", RRM_K, 0, 1e6, orders=False), depth())

    def fuse(self, rankings: Rankings) -> dict[str, float]:
        """Return max 1/(k + rank)."""
        return reciprocal_rank_max(rankings, self.spec["k"])


def stretched(ranking: Sequence[Hit]) -> list[Term]:
    """Min-max scale a ranking's scores to 0 … 1; all 1 where highest and lowest are equal."""
    ratios = [float(hit.score).as_integer_ratio() for hit in ranking]
    scale = max((under for _, under in ratios), default=1)  # all denominators are powers of two
    whole = [over * (scale // under) for over, under in ratios]
    if not whole or whole[0] == whole[-1]:
        return [(hit.unit_id, 1, 1) for hit in ranking]
    low, high = whole[-1], whole[0]
    return [(hit.unit_id, at - low, high - low) for hit, at in zip(ranking, whole, strict=True)]


def minmax_sum(rankings: Rankings, weights: Sequence[float]) -> dict[str, float]:
    """Return the weighted sum of each unit's min-max scaled scores over the rankings."""

    def terms() -> Iterable[Term]:
        """Yield each hit's weighted min-max score as a fraction."""
        for ranking, weight in zip(rankings, weights, strict=True):
            over, under = as_written(weight)
            for unit, numerator, denominator in stretched(ranking):
                yield unit, over * numerator, under * denominator

    return exact_sums(terms())


class MinMax(Fused):
    """Min-max hybrid; `weights`, one per part in order, sum to 1 (none given: all equal)."""

    NAME = "minmax"
    VERSION = 2
    PARAMETERS = (OF, Parameter("weights", "numbers", [], 0, 1), depth())

    def _set_up(self) -> None:
        self._weights = checked_weights(self.NAME, self.spec["weights"], len(self.parts))

    def fuse(self, rankings: Rankings) -> dict[str, float]:
        """Return the weighted sum of the min-max scaled scores."""
        return minmax_sum(rankings, self._weights)
