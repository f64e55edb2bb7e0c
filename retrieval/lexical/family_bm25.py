"""BM25 over families of instruments: every article ranks as its act, decree and rules together do.

The law of one matter is spread over an act, its decree and its rules, and a question's words over
several articles of them. So a family counts as one document, made of all its units (passages vote
for what they stand in; Callan 1994), and each unit has its family's score. By itself this ranks
whole families; it is meant as one part of a sum.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from corpus.citations.names import family
from retrieval.core.model import Corpus, Document
from retrieval.core.parameters import Parameter
from retrieval.lexical.bm25_weights import DEFAULT_B, DEFAULT_K1, MAX_K1, Field, bm25f
from retrieval.lexical.lexical_method import TOKENISER, Lexical
from retrieval.lexical.postings import Postings
from retrieval.lexical.term_counts import TermCounter

if TYPE_CHECKING:
    from scipy.sparse import csr_array


def families_of(documents: Sequence[Document]) -> NDArray[np.int64]:
    """Return the number of each document's family; families are numbered in order of their name."""
    titles = {document.statute_title for document in documents}
    base = {title: family(title).base for title in titles}
    number = {name: at for at, name in enumerate(sorted(set(base.values())))}
    found = [number[base[document.statute_title]] for document in documents]
    return np.array(found, dtype=np.int64)


_FAMILIES = "families.npy"


class FamilyBM25(Lexical):
    """BM25 of the family that a unit belongs to; parameters as those of ``bm25``."""

    NAME = "family"
    PARAMETERS = (
        TOKENISER,
        Parameter("k1", "float", DEFAULT_K1, 0, MAX_K1),
        Parameter("b", "float", DEFAULT_B, 0, 1),
    )
    _families: NDArray[np.int64]

    def _weighed(self, documents: Sequence[Document]) -> Postings:
        self._families = families_of(documents)
        cut = self._cut((each.text for each in documents), len(documents))
        terms, counts = TermCounter.counted(cut)
        whole = Field(_added_up(counts, self._families), 1.0, self.spec["b"])
        return Postings.of(terms, bm25f([whole], self.spec["k1"]))

    def _scores(self, text: str) -> NDArray[np.float64] | None:
        scores = super()._scores(text)
        return None if scores is None else scores[self._families]

    def _save(self, folder: Path) -> None:
        super()._save(folder)
        np.save(folder / _FAMILIES, self._families)

    def _load(self, folder: Path, corpus: Corpus) -> None:
        self._families = np.load(folder / _FAMILIES)
        if len(self._families) != len(corpus):
            raise ValueError("not one family for each document")
        self._postings = Postings.load(folder, int(self._families.max(initial=-1)) + 1)


def _added_up(counts: csr_array, groups: NDArray[np.int64]) -> csr_array:
    """Return one row per group: the sum of its rows."""
    from scipy.sparse import csr_array

    rows, size = counts.shape[0], int(groups.max(initial=-1)) + 1
    ones = np.ones(rows, dtype=np.float32)
    member = csr_array((ones, (groups, np.arange(rows))), shape=(size, rows))
    return csr_array(member @ counts)
