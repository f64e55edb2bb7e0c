"""TF-IDF with the cosine of query and unit (Salton and Buckley 1988), as scikit-learn weighs it.

A term weighs ``tf`` (with `sublinear`: ``1 + ln tf``) times ``ln((1 + N) / (1 + df)) + 1``; query
and unit are brought to length one. Terms of the query that no unit has are left out of its length,
as they are of every unit's.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from retrieval.core.model import Document
from retrieval.core.parameters import Parameter
from retrieval.lexical.lexical_method import TOKENISER, Lexical
from retrieval.lexical.postings import Postings
from retrieval.lexical.term_counts import TermCounter


class TFIDF(Lexical):
    """TF-IDF over the whole text of each unit; scores are cosines."""

    NAME = "tfidf"
    PARAMETERS = (TOKENISER, Parameter("sublinear", "bool", False))

    def _weighed(self, documents: Sequence[Document]) -> Postings:
        cut = self._cut((each.text for each in documents), len(documents))
        terms, counts = TermCounter.counted(cut)
        df = np.bincount(counts.indices, minlength=len(terms))
        idf = np.log((1 + len(documents)) / (1 + df)) + 1
        tf = np.log(counts.data) + 1 if self.spec["sublinear"] else counts.data
        counts.data = (tf * idf[counts.indices]).astype(np.float32)
        squares = counts.copy()
        squares.data = squares.data**2
        length = np.sqrt(np.asarray(squares.sum(axis=1), dtype=np.float64).ravel())
        counts.data /= np.repeat(length, np.diff(counts.indptr)).astype(np.float32)
        return Postings.of(terms, counts)

    def _asked(self, terms: Sequence[str]) -> Mapping[str, float]:
        frequency = {term: self._postings.frequency(term) for term in sorted(set(terms))}
        weights = {
            term: self._tf(times) * (math.log((1 + self._postings.size) / (1 + df)) + 1)
            for term, times in sorted(Counter(terms).items())
            if (df := frequency[term])
        }
        length = math.sqrt(sum(weight * weight for weight in weights.values()))
        return {term: weight / length for term, weight in weights.items()}

    def _tf(self, times: int) -> float:
        return 1 + math.log(times) if self.spec["sublinear"] else float(times)
