"""BM25 as a retrieval method (Robertson and Zaragoza 2009), over the whole text of each unit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from retrieval.bm25 import DEFAULT_B, DEFAULT_K1, MAX_K1, BM25Index
from retrieval.method import QUERY_CHARACTERS, Scoring
from retrieval.model import Corpus, Hit, Query
from retrieval.parameters import Parameter
from retrieval.tokenise import DEFAULT, TOKENISERS

_INDEX = "index"


class BM25(Scoring):
    """BM25 in Lucene's variant; see `retrieval.bm25`."""

    NAME = "bm25"
    KEEPS = True
    PARAMETERS = (
        Parameter("tokeniser", "choice", DEFAULT, choices=tuple(TOKENISERS)),
        Parameter("k1", "float", DEFAULT_K1, 0, MAX_K1),
        Parameter("b", "float", DEFAULT_B, 0, 1),
    )
    _index: BM25Index

    def score(self, query: Query, unit_ids: Sequence[str]) -> NDArray[np.float64]:
        """Return BM25 scores; 0 for a unit that shares no term with the query."""
        return self._index.score(query.text[:QUERY_CHARACTERS], unit_ids)

    def _fit(self, corpus: Corpus) -> None:
        texts = [document.text for document in corpus.documents]
        spec, folder = self.spec, self.resources.folder
        self._index = BM25Index.fit(
            corpus.ids, texts, spec["tokeniser"], spec["k1"], spec["b"], folder
        )

    def _search(self, queries: Sequence[Query], k: int) -> Mapping[str, Sequence[Hit]]:
        return {query.id: self._index.search(query.text, k) for query in queries}

    def _save(self, folder: Path) -> None:
        self._index.save(folder / _INDEX)

    def _load(self, folder: Path, corpus: Corpus) -> None:
        self._index = BM25Index.load(folder / _INDEX)
