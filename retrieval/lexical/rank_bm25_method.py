"""The package rank-bm25 as a method, to reproduce papers that used it exactly.

It works in plain Python, in time proportional to units times query terms: for corpora up
to MOST_UNITS units. `bm25` has the standard formulas, faster and for any size.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from errors import UserError
from retrieval.core.method import QUERY_CHARACTERS, ScoresAll, with_progress
from retrieval.core.model import COMPARED, Corpus, Parameter, Query
from retrieval.lexical.bm25_method import DEFAULT_B, DEFAULT_K1, MAX_K1
from retrieval.lexical.lexical_method import TOKENISER
from retrieval.text.tokenise import cut_all, tokeniser

MOST_UNITS = 50_000

# Per formula: its class in the package, the package's name of its constant, and the default.
_FORMULAS = {
    "okapi": ("BM25Okapi", "epsilon", 0.25),
    "bm25l": ("BM25L", "delta", 0.5),
    "bm25+": ("BM25Plus", "delta", 1.0),
}


class RankBM25(ScoresAll):
    """BM25 by the package rank-bm25 (Brown 2020), over the whole text of each unit.

    Scores are the package's own, bit for bit. Units that score 0 or less are not found, and equal
    scores stand in ascending order of unit id; the package leaves their order to chance. With
    ``bm25l`` and ``bm25+`` it gives units without any term of the question a score above 0 too.
    """

    NAME = "rank_bm25"
    PARAMETERS = (
        TOKENISER,
        Parameter("formula", "choice", "okapi", choices=tuple(_FORMULAS)),
        Parameter("k1", "float", DEFAULT_K1, 0, MAX_K1),
        Parameter("b", "float", DEFAULT_B, 0, 1),
        COMPARED,
    )
    _index: Any

    def _fit(self, corpus: Corpus) -> None:
        """Index the documents by the rank_bm25 package. Raises UserError for too many."""
        if len(corpus) > MOST_UNITS:
            raise UserError("rank_bm25_size", units=len(corpus), limit=MOST_UNITS)
        import rank_bm25

        texts = (document.compared(self.spec) for document in corpus.documents)
        cut = cut_all(self.spec["tokeniser"], texts, self.resources.folder)
        terms = list(with_progress(cut, len(corpus), self.resources.progress))
        name, constant, value = _FORMULAS[self.spec["formula"]]
        settings = {"k1": self.spec["k1"], "b": self.spec["b"], constant: value}
        # The package divides by the number of terms: a corpus without any finds nothing.
        self._index = getattr(rank_bm25, name)(terms, **settings) if any(terms) else None

    def all_scores(self, query: Query) -> NDArray[np.float64]:
        """Return the package's score of every document."""
        terms = tokeniser(self.spec["tokeniser"])(query.text[:QUERY_CHARACTERS])
        if self._index is None or not terms:
            return np.zeros(len(self.corpus))
        scores: NDArray[np.float64] = self._index.get_scores(terms)
        return scores
