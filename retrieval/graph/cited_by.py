"""How much of other law relies on an article: a score that does not look at the query.

    S(d) = ln(1 + number of units of other families that cite d)

In-degree as a prior (Kraaij, Westerveld and Hiemstra 2002, for pages of the web). Citations from
within an act, its decree and its rules are left out: they follow the order of drafting, while
another family refers to what it takes for the law of the matter.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from retrieval.core.model import Corpus, Hit, Query
from retrieval.fusion.all_scores import Prior
from retrieval.graph.citation_method import GRAPH, Citing
from retrieval.lexical.family_bm25 import families_of
from retrieval.lexical.postings import best_positions

_FILE = "scores.npy"


class CitedBy(Citing, Prior):
    """A prior for sums: the same ranking for every query, the most cited first."""

    NAME = "cited_by"
    KEEPS = True  # families are told by titles, and reading every document again takes long
    PARAMETERS = GRAPH
    _prior: NDArray[np.float64]

    def score(self, query: Query, unit_ids: Sequence[str]) -> NDArray[np.float64]:
        """Return the scores of units, whatever the query; 0 for one that nobody else cites."""
        places = [self.corpus.positions[unit] for unit in unit_ids]
        found: NDArray[np.float64] = self._prior[places]
        return found

    def all_scores(self, query: Query) -> NDArray[np.float64]:
        """Return the score of every document of the corpus, in its order."""
        return self._prior

    def _fit(self, corpus: Corpus) -> None:
        self.fit_graph(corpus)
        families = families_of(corpus.documents)
        beyond = families[self.graph.sources] != families[self.graph.targets]
        cited = np.bincount(self.graph.targets[beyond], minlength=len(corpus))
        self._prior = np.log1p(cited.astype(np.float64))

    def _search(self, queries: Sequence[Query], k: int) -> Mapping[str, Sequence[Hit]]:
        ids = self.corpus.ids
        hits = [Hit(ids[at], float(self._prior[at])) for at in best_positions(self._prior, k)]
        return {query.id: hits for query in queries}

    def _save(self, folder: Path) -> None:
        np.save(folder / _FILE, self._prior)

    def _load(self, folder: Path, corpus: Corpus) -> None:
        self._prior = np.load(folder / _FILE)
        if len(self._prior) != len(corpus):
            raise ValueError("not one score for each document")
