"""Weighted sum of the scores that several methods give to every document.

  S(d) = Σ over methods m of weight(m) · max(S_m(d), 0) / max over all documents of S_m

Unlike `minmax` it needs no depth: each method scores every document, also those that it would
not have returned. A document scored only by priors (`Prior`: methods that ignore the query) is
not ranked.

Methods that build on a ranking take their first stage here: a pool of documents with their scores.
Scores of any method are scaled to 0 … 1 for formulas that were made for cosines::

  cosine  unchanged
  max     divided by the best score of the query; negative ones become 0, all where none is
          positive
  minmax  lowest and highest of the pool become 0 and 1, scores outside are clipped; where
          these two are equal, what is not lower gets 1
  auto    cosine for a dense method, max for any other
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from errors import UserError
from retrieval.core.method import QUERY_CHARACTERS, Dense, Method, ScoresAll, Scoring
from retrieval.core.model import Corpus, Hit, Parameter, Query
from retrieval.engines.local import products
from retrieval.fusion.rank_fusion import OF, Fused

Positions = NDArray[np.int64]
Scores = NDArray[np.float64]
Scorer = Callable[[Positions], Scores]


@dataclass(frozen=True, slots=True)
class Pool:
    """The best documents for a query: positions in the corpus and scores, best first.

    `score` scores documents at any positions on the same scale; `below` are the method's hits
    ranked after the pool.
    """

    query: Query
    positions: Positions
    scores: Scores
    score: Scorer
    below: Sequence[Hit]


def require_scoring(method: str, base: Method) -> None:
    """Raise UserError unless `base` can score arbitrary units."""
    if not isinstance(base, Scoring):
        raise UserError("method_base_scoring", method=method, base=base.NAME)


def cut(query: Query) -> Query:
    """Return the query's id and text, cut to QUERY_CHARACTERS; its jurisdiction is dropped."""
    return Query(query.id, query.text[:QUERY_CHARACTERS])


def pools(base: Method, queries: Sequence[Query], size: int, k: int = 0) -> Iterator[Pool]:
    """Yield the pool of the `size` best documents of `base` per query, in query order.

    Hits ranked below the pool follow, up to `k` in all. Every query has text. A dense base encodes
    it once, a fusion asks its parts once. Raises UserError for a base that cannot score.
    """
    require_scoring("pool", base)
    for query, hits, score, of_own in _first_stage(base, queries, max(size, k)):
        known, first = base.corpus.positions, hits[: min(size, of_own)]
        positions = np.array([known[hit.unit_id] for hit in first], dtype=np.int64)
        scores = np.array([hit.score for hit in first], dtype=np.float64)
        yield Pool(query, positions, scores, score, hits[len(first) :])


def _first_stage(
    base: Method, queries: Sequence[Query], k: int
) -> Iterator[tuple[Query, Sequence[Hit], Scorer, int]]:
    """Yield each query's best `k` hits, a scorer of documents, and how many hits have own scores.

    Hits that a fusion ranks below its depth have no score of their own.
    """
    if isinstance(base, Dense):
        vectors = base.encode(queries)
        run = base.nearest(queries, vectors, k)
        for query, vector in zip(queries, vectors, strict=True):
            yield query, run.get(query.id, ()), _vector_scorer(base, vector), k
    elif isinstance(base, Fused):
        found = base.ranked(queries, k)
        for query in queries:
            fused, hits = found[query.id]
            yield query, hits, _scorer_of(base, fused), len(fused)
    elif isinstance(base, Scoring):
        run = base.search(queries, k)
        for query in queries:
            yield query, run[query.id], _method_scorer(base, query), k


def _vector_scorer(base: Dense, vector: NDArray[np.float32]) -> Scorer:
    """Return a scorer of documents by the product with a query's vector."""
    return lambda positions: products(base.vectors, vector, positions)


def _scorer_of(base: Method, scores: Mapping[str, float]) -> Scorer:
    """Return a scorer that looks scores up; 0 for documents without one."""
    ids = base.corpus.ids
    return lambda positions: np.array([scores.get(ids[at], 0.0) for at in positions.tolist()])


def _method_scorer(base: Scoring, query: Query) -> Scorer:
    """Return a scorer of documents by `base` itself."""
    ids = base.corpus.ids
    return lambda positions: base.score(query, [ids[at] for at in positions.tolist()])


_DIGITS = 5
_ROWS_AT_ONCE = 2**14


class Prior(Scoring):
    """A method whose scores are the same for every query; it ranks nothing by itself."""


def all_scores(method: Method, queries: Sequence[Query]) -> Iterator[Scores]:
    """Yield, for each query, the score of every document, in the order of the corpus of `method`.

    Every query has text. Raises UserError for a method that cannot score units.
    """
    if isinstance(method, ScoresAll):
        return map(method.all_scores, queries)
    if isinstance(method, Dense):
        return all_products(method.vectors, method.encode(queries), method.unit_length)
    if isinstance(method, Scoring):
        ids = method.corpus.ids
        return (method.score(query, ids) for query in queries)
    raise UserError("method_base_scoring", method="weighted", base=method.NAME)


def all_products(
    vectors: NDArray[np.float32], queries: NDArray[np.float32], unit: bool
) -> Iterator[Scores]:
    """Yield each query's dot products with every row; `unit`: the vectors have unit length.

    The products with one query do not depend on the other queries.
    """
    if not unit:  # products of any magnitude cannot be rounded to a number of digits
        every = np.arange(len(vectors))
        blocks = [every[at : at + _ROWS_AT_ONCE] for at in range(0, len(every), _ROWS_AT_ONCE)]
        for query in queries:
            parts = [products(vectors, query, block) for block in blocks]
            yield np.concatenate(parts) if parts else np.zeros(0)
        return
    # The last digit of a product in single precision depends on the row's position.
    for found in _rough_products(vectors, queries):
        yield found.astype(np.float64).round(_DIGITS)


def _rough_products(
    vectors: NDArray[np.float32], queries: NDArray[np.float32]
) -> list[NDArray[np.float32]]:
    """Return each query's products with all vectors, in single precision."""
    from threadpoolctl import threadpool_limits

    # A product with one vector is bound by memory: more threads would not help.
    with threadpool_limits(1, "blas"):
        return [vectors @ query for query in queries]


SCALES = ("auto", "cosine", "max", "minmax")
SCALE = Parameter("scale", "choice", "auto", choices=SCALES)


def chosen_scale(scale: str, base: Method) -> str:
    """Return `scale`, with "auto" resolved for `base`."""
    if scale != "auto":
        return scale
    return "cosine" if isinstance(base, Dense) and base.unit_length else "max"


def scaled(scale: str, pool: Scores, scores: Scores) -> Scores:
    """Scale `scores` by the rule `scale`; `pool` are the scores of the pool, descending."""
    if scale == "cosine":
        return scores
    if not len(pool):
        return np.zeros(len(scores))
    high, low = float(pool[0]), float(pool[-1])
    if scale == "max":
        return np.maximum(scores, 0) / high if high > 0 else np.zeros(len(scores))
    if high == low:
        return (scores >= low).astype(np.float64)
    stretched: Scores = np.clip((scores - low) / (high - low), 0, 1)
    return stretched


MAX_WEIGHT = 1_000


class Weighted(ScoresAll):
    """A weighted sum of scores.

    `weights` are one per part in their order, not all of them 0; none given: all 1.
    """

    NAME = "weighted"
    PARAMETERS = (OF, Parameter("weights", "numbers", (), 0, MAX_WEIGHT))

    def _set_up(self) -> None:
        for part in self.parts:
            require_scoring(self.NAME, part)
        self._weights = tuple(self.spec["weights"]) or (1.0,) * len(self.parts)
        if len(self._weights) != len(self.parts) or not any(self._weights):
            shown = ", ".join(f"{weight:g}" for weight in self._weights)
            raise UserError("weighted_weights", weights=shown, parts=len(self.parts))

    def all_scores(self, query: Query) -> Scores:
        """Return the weighted sum of every document; 0 for one scored by no part but priors."""
        return self.summed(self.shares(query), self._weights)

    def shares(self, query: Query) -> list[Scores]:
        """Return, for each part, the score of every document divided by the best one."""
        query = cut(query)
        if not query.text.strip():
            return [np.zeros(len(self.corpus)) for _ in self.parts]
        return next(self._shares([query]))

    def _shares(self, queries: Sequence[Query]) -> Iterator[list[Scores]]:
        """Yield the shares for each query; every query has text."""
        of_parts = [map(_divided_by_best, all_scores(part, queries)) for part in self.parts]
        return map(list, zip(*of_parts, strict=True))

    def summed(self, shares: Sequence[Scores], weights: Sequence[float]) -> Scores:
        """Return the sum of `shares` with `weights`; 0 where only priors score."""
        asked, prior = np.zeros(len(self.corpus)), np.zeros(len(self.corpus))
        for part, share, weight in zip(self.parts, shares, weights, strict=True):
            total = prior if isinstance(part, Prior) else asked
            total += weight * share
        return np.where(asked > 0, asked + prior, 0.0)

    def _fit(self, corpus: Corpus) -> None:
        """Do nothing: a weighted sum has nothing to fit."""

    def _search(self, queries: Sequence[Query], k: int) -> Mapping[str, Sequence[Hit]]:
        """Rank by the weighted sum of the parts' scores."""
        found = zip(queries, self._shares(queries), strict=True)
        return {
            query.id: self._best(self.summed(shares, self._weights), k) for query, shares in found
        }


def _divided_by_best(scores: Scores) -> Scores:
    """Divide scores by the best one; negative ones become 0, all where none is above 0."""
    high = scores.max(initial=0.0)
    return np.maximum(scores, 0) / high if high > 0 else np.zeros(len(scores))
