"""Rocchio's pseudo-relevance feedback (Rocchio 1971): the query moves towards its first results.

  q' = alpha · q + beta · mean of the vectors of the first K documents

The term for irrelevant documents is left out (gamma = 0), for nobody has judged any. q' is
normalised to length one where the base's vectors are: that changes no ranking, keeps scores
cosines, and is not done for raw dot products. A query that finds fewer than K
documents moves to the mean of those. It stays q where it finds nothing, and where q' has no length.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from errors import UserError
from retrieval.core.method import Dense
from retrieval.core.model import Corpus, Hit, Parameter, Query, best, continued
from retrieval.dense.vectors import Encoded
from retrieval.engines.local import products

Vectors = NDArray[np.float32]


def moved(
    query: Vectors, documents: Vectors, alpha: float, beta: float, unit: bool = True
) -> Vectors:
    """Return a query's vector moved towards the mean of `documents`, its first results' vectors.

    It is alpha · query + beta · mean, at length one if `unit`; unchanged if that is zero.
    """
    if not len(documents):
        return query
    wide = alpha * query.astype(np.float64) + beta * documents.astype(np.float64).mean(axis=0)
    length = float(np.linalg.norm(wide))
    if not length > 0:
        return query
    found: Vectors = (wide / length if unit else wide).astype(np.float32)
    return found


class Rocchio(Encoded):
    """Rocchio's feedback over any dense method. It is dense itself: only queries are encoded anew.

    The defaults of alpha and beta are the classical ones. The SearchFireSafety paper (appendix C)
    gives none; its code has alpha = 0.9, beta = 0.1, K = 15 and reranks the first 100 alone, as the
    preset ``rocchio_paper`` does. `pool` is the number of documents that are reranked, 0: all;
    others follow in the order of the base.
    """

    NAME = "rocchio"
    POOL = "pool"
    PARAMETERS = (
        Parameter("base", "method", {"method": "lsa"}),
        Parameter("alpha", "float", 1.0, 0, 100),
        Parameter("beta", "float", 0.75, 0, 100),
        Parameter("K", "int", 10, 1, 1000),
        Parameter("pool", "int", 0, 0, 10_000),
    )

    def _set_up(self) -> None:
        if not isinstance(self.parts[0], Dense):
            raise UserError("method_base_dense", method=self.NAME, base=self.parts[0].NAME)
        if not self.spec["alpha"] and not self.spec["beta"]:
            raise UserError("rocchio_weights")
        self._base: Dense = self.parts[0]

    @property
    def unit_length(self) -> bool:
        """Whether the base's vectors have length one."""
        return self._base.unit_length

    @property
    def vectors(self) -> Vectors:
        """The vectors of the base."""
        return self._base.vectors

    def encode(self, queries: Sequence[Query]) -> Vectors:
        """Return each query's vector, moved by its first results (q')."""
        return self.moved(queries, self._base.encode(queries))

    def moved(self, queries: Sequence[Query], encoded: Vectors) -> Vectors:
        """Return the vectors `encoded` of queries, each moved towards its first results."""
        spec, known = self.spec, self.corpus.positions
        run = self._base.nearest(queries, encoded, spec["K"])
        rows = [[known[hit.unit_id] for hit in run.get(query.id, ())] for query in queries]
        found = [
            moved(vector, self.vectors[at], spec["alpha"], spec["beta"], self.unit_length)
            for vector, at in zip(encoded, rows, strict=True)
        ]
        return np.array(found, dtype=np.float32).reshape(encoded.shape)

    def nearest(
        self, queries: Sequence[Query], vectors: Vectors, k: int
    ) -> Mapping[str, Sequence[Hit]]:
        """Rank documents by their product with `vectors`, as the base does.

        With a pool, only the first documents of the base are reranked, for queries with text.
        """
        size = self.spec["pool"]
        asked = [query for query in queries if size and query.text.strip()]
        if not asked:
            return self._base.nearest(queries, vectors, k)
        pools = self._base.nearest(asked, self._base.encode(asked), max(size, k))
        found = dict(self._base.nearest(queries, vectors, k)) if len(asked) < len(queries) else {}
        for query, vector in zip(queries, vectors, strict=True):
            if query.id in pools:
                ids = [hit.unit_id for hit in pools[query.id][:size]]
                rows = np.array([self.corpus.positions[each] for each in ids], dtype=np.int64)
                scores = products(self.vectors, vector, rows).tolist()
                ranked = best(dict(zip(ids, scores, strict=True)), size)
                found[query.id] = continued(ranked, pools[query.id][size:], k)
        return found

    def _fit(self, corpus: Corpus) -> None:
        """Do nothing: feedback has nothing to fit."""
