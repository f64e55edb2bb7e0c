"""Exact nearest-neighbour search in this process, over an array that may be memory-mapped.

Candidates are found with one matrix product in single precision and scored again in double
precision, each by itself. So a score depends neither on the other queries of the batch nor on
a unit's position, and equal vectors have equal scores.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

MILVUS_URI = "milvus_uri"
"""The setting with a .db file (Milvus Lite, one process at a time) or a server address."""

MILVUS_TOKEN = "milvus_token"  # noqa: S105  (its name, not a token)
"""The setting with the server's credentials, e.g. ``user:password``."""


_SCORES_AT_ONCE = 2**23  # single-precision scores held at a time: 32 MiB
_ROWS_AT_ONCE = 2**14


class FoundRows(NamedTuple):
    """Rows found for one query, best first, ties by ascending row."""

    rows: NDArray[np.int64]
    scores: NDArray[np.float64]


class Engine(Protocol):
    """Finds the rows with the highest inner product with a query."""

    def search(self, queries: NDArray[np.float32], k: int) -> list[FoundRows]:
        """Return the best `k` rows for each row of `queries`; rows of zeros are never found."""
        ...


class LocalEngine:
    """Exhaustive search of `vectors` (one row per document)."""

    def __init__(self, vectors: NDArray[np.float32]) -> None:
        self._vectors = vectors

    def search(self, queries: NDArray[np.float32], k: int) -> list[FoundRows]:
        """Return the best `k` rows for each row of `queries`; rows of zeros are never found."""
        if not len(self._vectors):
            return [exact(self._vectors, query, np.arange(0), k) for query in queries]
        return [
            exact(self._vectors, query, candidates, k)
            for query, scores in zip(queries, self._rough(queries), strict=True)
            for candidates in [self._candidates(query, scores, k)]
        ]

    def _rough(self, queries: NDArray[np.float32]) -> Iterator[NDArray[np.float32]]:
        """Yield each query's single-precision products with all vectors; -inf for empty ones."""
        step = max(1, _SCORES_AT_ONCE // len(self._vectors))
        for start in range(0, len(queries), step):
            scores = queries[start : start + step] @ self._vectors.T
            scores[:, self._empty] = -np.inf
            yield from scores

    def _candidates(
        self, query: NDArray[np.float32], scores: NDArray[np.float32], k: int
    ) -> NDArray[np.int64]:
        """Return the rows that may be among the best `k`, given rounding errors."""
        if not query.any():
            return np.arange(0)
        if k < scores.size:
            least = np.partition(scores, scores.size - k)[scores.size - k]
            # The error bound of single precision, for the longest of the vectors.
            length = float(np.linalg.norm(query)) * self._longest
            slack = 2 * query.size * np.finfo(np.float32).eps * length
            scores = np.where(scores >= least - slack, scores, -np.inf)
        return np.flatnonzero(np.isfinite(scores))

    @cached_property
    def _longest(self) -> float:
        """Length of the longest vector."""
        return longest(self._vectors)

    @cached_property
    def _empty(self) -> NDArray[np.int64]:
        """Positions of the rows whose vector is all zero."""
        starts = range(0, len(self._vectors), _ROWS_AT_ONCE)
        filled = [self._vectors[start : start + _ROWS_AT_ONCE].any(axis=1) for start in starts]
        return np.flatnonzero(~np.concatenate(filled))


def longest(vectors: NDArray[np.float32]) -> float:
    """Return the length of the longest row, at least 1."""
    starts = range(0, len(vectors), _ROWS_AT_ONCE)
    parts = (vectors[start : start + _ROWS_AT_ONCE] for start in starts)
    squares = (np.einsum("ij,ij->i", part, part).max(initial=1.0) for part in parts)
    return math.sqrt(max(map(float, squares), default=1.0))


def products(
    vectors: NDArray[np.float32], query: NDArray[np.float32], rows: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Return the inner product of each of `rows` with `query`, in double precision."""
    # Summed along the row and not by BLAS, whose order of addition depends on the batch.
    wide = vectors[rows].astype(np.float64) * query.astype(np.float64)
    scores: NDArray[np.float64] = wide.sum(axis=1)
    return scores


def exact(
    vectors: NDArray[np.float32], query: NDArray[np.float32], rows: NDArray[np.int64], k: int
) -> FoundRows:
    """Return the best `k` of the ascending `rows` by exact score."""
    scores = products(vectors, query, rows)
    order = np.argsort(-scores, kind="stable")[:k]
    return FoundRows(rows[order], scores[order])
