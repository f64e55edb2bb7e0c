"""BM25 as a retrieval method, over the whole text of each unit or over its fields.

The fields are the statute's title, the chapters that the unit stands under (`path`), the unit's
own heading with its number (`heading`), and the body, which weighs 1. A field of weight 0 is left
out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from retrieval.core.model import Document
from retrieval.core.parameters import Parameter
from retrieval.lexical.bm25_weights import (
    DEFAULT_B,
    DEFAULT_K1,
    MAX_K1,
    VARIANTS,
    Field,
    bm25f,
    summed,
)
from retrieval.lexical.lexical_method import TOKENISER, Lexical
from retrieval.lexical.postings import Postings
from retrieval.lexical.term_counts import TermCounter

if TYPE_CHECKING:
    from scipy.sparse import csr_array

MAX_WEIGHT = 1_000
_TITLES: dict[str, Callable[[Document], str]] = {
    "statute_weight": lambda document: document.statute_title,
    "path_weight": lambda document: " ".join(document.path),
    "heading_weight": lambda document: f"{document.label} {document.heading}",
}


class BM25(Lexical):
    """BM25 (Robertson and Zaragoza 2009).

    `fields` is ``joined`` (title and body are one text; the weights below mean nothing), ``bm25f``
    or ``sum``; `variant` names the formula; see `retrieval.lexical.bm25_weights`. `b` is that of
    the body and of a joined text, `title_b` that of the other fields.
    """

    NAME = "bm25"
    VERSION = 2
    PARAMETERS = (
        TOKENISER,
        Parameter("k1", "float", DEFAULT_K1, 0, MAX_K1),
        Parameter("b", "float", DEFAULT_B, 0, 1),
        Parameter("variant", "choice", "lucene", choices=VARIANTS),
        Parameter("fields", "choice", "joined", choices=("joined", "bm25f", "sum")),
        Parameter("statute_weight", "float", 1.0, 0, MAX_WEIGHT),
        Parameter("path_weight", "float", 0.0, 0, MAX_WEIGHT),
        Parameter("heading_weight", "float", 1.0, 0, MAX_WEIGHT),
        Parameter("title_b", "float", DEFAULT_B, 0, 1),
    )

    def _weighed(self, documents: Sequence[Document]) -> Postings:
        spec, counter = self.spec, TermCounter()

        def count(text: Callable[[Document], str]) -> csr_array:
            return counter.count(self._cut(map(text, documents), len(documents)))

        if spec["fields"] == "joined":
            counts = [count(lambda document: document.text)]
            weights, bs = [1.0], [spec["b"]]
        else:
            titles = [name for name in _TITLES if spec[name]]
            counts = [*(count(_TITLES[name]) for name in titles), count(lambda each: each.body)]
            weights = [*(spec[name] for name in titles), 1.0]
            bs = [*(spec["title_b"] for _ in titles), spec["b"]]
        terms, ordered = counter.by_term(counts)
        fields = [Field(*each) for each in zip(ordered, weights, bs, strict=True)]
        weigh = summed if spec["fields"] == "sum" else bm25f
        return Postings.of(terms, weigh(fields, spec["k1"], spec["variant"]))
