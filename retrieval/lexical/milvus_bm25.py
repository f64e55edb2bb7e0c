"""BM25 with its index in Milvus: full-text search over a corpus that exceeds this process.

Only the terms are held here. Their weights in each unit are a sparse vector in Milvus, tokenised
and weighted as the local BM25 does it, so the same parameters give the same results.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from errors import UserError
from retrieval.core.method import QUERY_CHARACTERS
from retrieval.core.model import Corpus, Hit, Query
from retrieval.engines.local import MILVUS_TOKEN, MILVUS_URI
from retrieval.engines.milvus import Collection, Raw
from retrieval.lexical.bm25_method import BM25
from retrieval.lexical.postings import Postings
from retrieval.text.tokenise import tokeniser


class MilvusBM25(BM25):
    """BM25 searched in Milvus; parameters as for ``bm25``."""

    NAME = "bm25_milvus"
    VERSION = 1
    _collection: Collection

    def _set_up(self) -> None:
        if not self.resources.settings.get(MILVUS_URI):
            raise UserError("method_needs_milvus", method=self.NAME)

    @property
    def versions(self) -> str:
        """The version together with that of the BM25 whose weights are searched."""
        return f"{self.VERSION}({BM25.VERSION})"

    def score(self, query: Query, unit_ids: Sequence[str]) -> NDArray[np.float64]:
        """Return the scores of units; 0 for one that shares no term with the query."""
        places = [self.corpus.positions[unit_id] for unit_id in unit_ids]
        asked = self._numbers(query.text[:QUERY_CHARACTERS])
        if not asked or not places:
            return np.zeros(len(places))
        kept = self._collection.get(sorted(set(places)))
        return np.array([_score(asked, kept.get(place, {})) for place in places])

    def all_scores(self, query: Query) -> NDArray[np.float64]:
        """Return the score of every document, in corpus order; only its terms are held here."""
        return self.score(query, self.corpus.ids)

    def _fit(self, corpus: Corpus) -> None:
        """Compute the postings and store them on the server."""
        postings = self._weighed(corpus.documents)
        self._open(corpus)
        self._collection.require(lambda: _rows(postings))
        self._postings = postings.without_documents()

    def _load(self, folder: Path, corpus: Corpus) -> None:
        """Read the postings, and store them on the server if they are missing."""
        super()._load(folder, corpus)
        self._open(corpus)
        # The weights may be gone from the server while the terms are still kept here.
        self._collection.require(lambda: _rows(self._weighed(corpus.documents)))

    def _open(self, corpus: Corpus) -> None:
        """Open the collection of a corpus."""
        settings = self.resources.settings
        token = settings.get(MILVUS_TOKEN, "")
        self._collection = Collection(settings[MILVUS_URI], token, self.content_for(corpus))

    def _search(self, queries: Sequence[Query], k: int) -> Mapping[str, Sequence[Hit]]:
        """Search on the server; scores are computed here, exactly."""
        numbers = {query.id: self._numbers(query.text) for query in queries}
        asked = {query: terms for query, terms in numbers.items() if terms}
        if not asked:
            return {}
        found = self._collection.search(list(asked.values()), k, values=True)
        return {
            query: self._by_exact_scores(terms, hits, k)
            for (query, terms), hits in zip(asked.items(), found, strict=True)
        }

    def _by_exact_scores(
        self, terms: Mapping[int, float], hits: Sequence[Raw], k: int
    ) -> list[Hit]:
        """Return the best hits by exact scores."""
        scored = [(hit.row, _score(terms, hit.value)) for hit in hits]
        ordered = sorted(scored, key=lambda each: (-each[1], each[0]))
        return [Hit(self.corpus.ids[row], score) for row, score in ordered[:k] if score > 0]

    def _numbers(self, text: str) -> dict[int, float]:
        """Return the weights of a query's indexed terms, by term number."""
        known = self._postings.known(self._query_weights(tokeniser(self.spec["tokeniser"])(text)))
        return {number: float(weight) for number, weight in known.items()}


def _score(terms: Mapping[int, float], weights: Mapping[int, float]) -> float:
    """Sum the weights as `Postings.scores` does: in double precision, terms ascending."""
    total = 0.0
    for number, weight in sorted(terms.items()):
        if number in weights:
            total += float(np.float32(weights[number])) * weight
    return total


def _rows(postings: Postings) -> Iterator[tuple[int, Any]]:
    """Yield each document that has terms, with {term: weight}."""
    by_document = postings.by_document()
    for row in range(postings.size):
        mine = slice(by_document.indptr[row], by_document.indptr[row + 1])
        terms, weights = by_document.indices[mine].tolist(), by_document.data[mine].tolist()
        if terms:
            yield row, dict(zip(terms, weights, strict=True))
