"""The first stage of methods that build on a ranking: a pool of documents with their scores."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from errors import UserError
from retrieval.core.method import QUERY_CHARACTERS, Dense, Method, Scoring
from retrieval.core.model import Hit, Query, best
from retrieval.engines.local import products
from retrieval.fusion.rank_fusion import Fused

Positions = NDArray[np.int64]
Scores = NDArray[np.float64]
Scorer = Callable[[Positions], Scores]


@dataclass(frozen=True, slots=True)
class Pool:
    """The best documents for a query: positions in the corpus and scores, best first.

    `score` gives the scores of documents at any positions on the same scale.
    """

    query: Query
    positions: Positions
    scores: Scores
    score: Scorer


def require_scoring(method: str, base: Method) -> None:
    """Raise UserError unless `base` can score units that it does not find."""
    if not isinstance(base, Scoring):
        raise UserError("method_base_scoring", method=method, base=base.NAME)


def cut(query: Query) -> Query:
    """Return the query as `Method.search` has it: no longer than QUERY_CHARACTERS."""
    return Query(query.id, query.text[:QUERY_CHARACTERS])


def pools(base: Method, queries: Sequence[Query], size: int) -> Iterator[Pool]:
    """Yield the `size` best documents of `base` for each query, in the order of the queries.

    Every query has text. A dense base encodes it once, a fusion asks its parts once. Raises
    UserError for a base that cannot score.
    """
    require_scoring("pool", base)
    for query, hits, score in _first(base, queries, size):
        known = base.corpus.positions
        positions = np.array([known[hit.unit_id] for hit in hits], dtype=np.int64)
        scores = np.array([hit.score for hit in hits], dtype=np.float64)
        yield Pool(query, positions, scores, score)


def _first(
    base: Method, queries: Sequence[Query], size: int
) -> Iterator[tuple[Query, Sequence[Hit], Scorer]]:
    if isinstance(base, Dense):
        vectors = base.encode(queries)
        run = base.nearest(queries, vectors, size)
        for query, vector in zip(queries, vectors, strict=True):
            yield query, run.get(query.id, ()), _products(base, vector)
    elif isinstance(base, Fused):
        fused = base.scored(queries)
        for query in queries:
            yield query, best(fused[query.id], size), _known(base, fused[query.id])
    elif isinstance(base, Scoring):
        run = base.search(queries, size)
        for query in queries:
            yield query, run[query.id], _asked(base, query)


def _products(base: Dense, vector: NDArray[np.float32]) -> Scorer:
    return lambda positions: products(base.vectors, vector, positions)


def _known(base: Method, scores: Mapping[str, float]) -> Scorer:
    ids = base.corpus.ids
    return lambda positions: np.array([scores.get(ids[at], 0.0) for at in positions.tolist()])


def _asked(base: Scoring, query: Query) -> Scorer:
    ids = base.corpus.ids
    return lambda positions: base.score(query, [ids[at] for at in positions.tolist()])
