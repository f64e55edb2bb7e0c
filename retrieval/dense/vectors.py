"""Base class of dense methods with stored vectors, and normalisation of vectors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from errors import UserError
from retrieval.core.method import QUERY_CHARACTERS, Dense
from retrieval.core.model import Corpus, Hit, Query
from retrieval.engines.local import MILVUS_TOKEN, MILVUS_URI, Engine, LocalEngine, products

VECTORS = "vectors.npy"


def unit_length(rows: NDArray[np.floating]) -> NDArray[np.float32]:
    """Normalise `rows` to length one; rows of zeros stay; UserError unless all are finite.

    Raises UserError for a value that is not finite: such a vector would rank at random.
    """
    if not np.isfinite(rows).all():
        raise UserError("vectors_not_numbers")
    wide = rows.astype(np.float64)
    lengths = np.sqrt((wide * wide).sum(axis=1, keepdims=True))
    return (wide / np.where(lengths > 0, lengths, 1)).astype(np.float32)


def as_they_are(rows: NDArray[np.floating]) -> NDArray[np.float32]:
    """Return `rows` in single precision, their lengths kept; UserError unless all are finite.

    Raises UserError for a value that is not finite: such a vector would rank at random.
    """
    made = rows.astype(np.float32)
    if not np.isfinite(made).all():
        raise UserError("vectors_not_numbers")
    return made


class Encoded(Dense):
    """Base class of dense methods that search by the vector of the query."""

    def score(self, query: Query, unit_ids: Sequence[str]) -> NDArray[np.float64]:
        """Return inner products, those of `search`; 0 for a query without text.

        Raises KeyError for an unknown unit.
        """
        positions = self.corpus.positions
        rows = np.array([positions[unit] for unit in unit_ids], dtype=np.int64)
        if not query.text.strip():  # a model may have a vector for an empty text
            return np.zeros(len(rows))
        vectors = self.encode([Query(query.id, query.text[:QUERY_CHARACTERS])])
        self._require_valid(vectors)
        return products(self.vectors, vectors[0], rows)

    def _search(self, queries: Sequence[Query], k: int) -> Mapping[str, Sequence[Hit]]:
        """Return the documents nearest to each query."""
        return self.nearest(queries, self.encode(queries), k)

    def _require_valid(self, vectors: NDArray[np.float32]) -> None:
        """Raise UserError for query vectors of another dimension or with values not finite."""
        kept = self.vectors.shape[1]
        if vectors.ndim != 2 or vectors.shape[1] != kept:
            raise UserError(
                "vectors_dimension", method=self.NAME, kept=kept, given=vectors.shape[-1]
            )
        if not np.isfinite(vectors).all():
            raise UserError("vectors_not_numbers")


class VectorMethod(Encoded):
    """Base class of dense methods whose vectors are computed once per corpus."""

    KEEPS = True
    _vectors: NDArray[np.float32]
    _engine: Engine

    @property
    def vectors(self) -> NDArray[np.float32]:
        """One row per document, in corpus order."""
        return self._vectors

    def nearest(
        self, queries: Sequence[Query], vectors: NDArray[np.float32], k: int
    ) -> Mapping[str, Sequence[Hit]]:
        """Rank documents by their product with `vectors`, one row per query.

        Raises UserError for vectors of another dimension and for values that are not finite.
        """
        ids = self.corpus.ids
        self._require_valid(vectors)
        found = self._engine.search(np.ascontiguousarray(vectors, dtype=np.float32), k)
        return {
            query.id: [
                Hit(ids[row], score)
                for row, score in zip(rows.tolist(), scores.tolist(), strict=True)
            ]
            for query, (rows, scores) in zip(queries, found, strict=True)
        }

    def _set_vectors(self, vectors: NDArray[np.float32], corpus: Corpus) -> None:
        """Set the vectors and the engine that searches them."""
        self._vectors = vectors
        uri = self.resources.settings.get(MILVUS_URI, "")
        if uri:
            from retrieval.engines.milvus import MilvusEngine

            token = self.resources.settings.get(MILVUS_TOKEN, "")
            self._engine = MilvusEngine(uri, token, self.content_for(corpus), vectors)
        else:
            self._engine = LocalEngine(vectors)

    def _save(self, folder: Path) -> None:
        """Write the vectors."""
        np.save(folder / VECTORS, self._vectors)

    def _load(self, folder: Path, corpus: Corpus) -> None:
        """Read the vectors."""
        vectors = np.load(folder / VECTORS, mmap_mode="r")
        if len(vectors) != len(corpus):
            raise ValueError("not one vector for each document")
        self._set_vectors(vectors, corpus)
