"""BM25 over where a unit stands and what it is called, without its body.

Its document is the title of its statute, the chapters that it stands under and its heading:
drafters put the matter of an article there in a few words, which a long body drowns.
"""

from __future__ import annotations

from collections.abc import Sequence

from retrieval.core.model import Document
from retrieval.core.parameters import Parameter
from retrieval.lexical.bm25_weights import MAX_K1, Field, bm25f
from retrieval.lexical.lexical_method import TOKENISER, Lexical
from retrieval.lexical.postings import Postings
from retrieval.lexical.term_counts import TermCounter


class Headings(Lexical):
    """BM25 over statute title, chapters and heading; parameters as those of ``bm25``."""

    NAME = "headings"
    PARAMETERS = (
        TOKENISER,
        Parameter("k1", "float", 1.2, 0, MAX_K1),
        Parameter("b", "float", 0.5, 0, 1),
    )

    def _weighed(self, documents: Sequence[Document]) -> Postings:
        terms, counts = TermCounter.counted(self._cut(map(_called, documents), len(documents)))
        return Postings.of(terms, bm25f([Field(counts, 1.0, self.spec["b"])], self.spec["k1"]))


def _called(document: Document) -> str:
    return " ".join((document.statute_title, *document.path, document.heading))
