"""What methods over an index of weighted terms have in common."""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from retrieval.core.method import QUERY_CHARACTERS, Scoring
from retrieval.core.model import Corpus, Document, Hit, Query
from retrieval.core.parameters import Parameter
from retrieval.core.progress import telling
from retrieval.lexical.postings import Postings, best_positions
from retrieval.text.tokenise import DEFAULT, TOKENISERS, cut_all, tokeniser

TOKENISER = Parameter("tokeniser", "choice", DEFAULT, choices=tuple(TOKENISERS))


class Lexical(Scoring):
    """A method that ranks by the terms that query and unit share; it has a parameter `tokeniser`.

    Only units that share a term with the query are found. A subclass says in `_weighed` what a
    term weighs in a unit, and in `_asked` what it weighs in a query.
    """

    KEEPS = True
    _postings: Postings

    def score(self, query: Query, unit_ids: Sequence[str]) -> NDArray[np.float64]:
        """Return the scores of units; 0 for one that shares no term with the query."""
        places = [self.corpus.positions[unit_id] for unit_id in unit_ids]
        found: NDArray[np.float64] = self.all_scores(query)[places]
        return found

    def all_scores(self, query: Query) -> NDArray[np.float64]:
        """Return the score of every document of the corpus, in its order."""
        scores = self._scores(query.text[:QUERY_CHARACTERS])
        return np.zeros(len(self.corpus)) if scores is None else scores

    @abstractmethod
    def _weighed(self, documents: Sequence[Document]) -> Postings:
        """Return what every term weighs in every document."""

    def _asked(self, terms: Sequence[str]) -> Mapping[str, float]:
        """Return what the terms of a query weigh: how often each stands in it."""
        return Counter(terms)

    def _cut(self, texts: Iterable[str], total: int) -> Iterator[list[str]]:
        """Yield the terms of each of `total` texts, and tell how far that has come."""
        cut = cut_all(self.spec["tokeniser"], texts, self.resources.folder)
        return telling(cut, total, self.resources.told)

    def _fit(self, corpus: Corpus) -> None:
        self._postings = self._weighed(corpus.documents)

    def _search(self, queries: Sequence[Query], k: int) -> Mapping[str, Sequence[Hit]]:
        return {query.id: self.ranked(query.text, k) for query in queries}

    def ranked(self, text: str, k: int) -> list[Hit]:
        """Return the best `k` units for a text of any length, best first."""
        scores, ids = self._scores(text), self.corpus.ids
        if scores is None:
            return []
        return [Hit(ids[at], float(scores[at])) for at in best_positions(scores, k)]

    def _scores(self, text: str) -> NDArray[np.float64] | None:
        terms = tokeniser(self.spec["tokeniser"])(text)
        return self._postings.scores(self._asked(terms))

    def _save(self, folder: Path) -> None:
        self._postings.save(folder)

    def _load(self, folder: Path, corpus: Corpus) -> None:
        self._postings = Postings.load(folder, len(corpus))
