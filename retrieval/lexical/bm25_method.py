"""BM25 as a retrieval method, over the whole text of each unit or over its fields.

The fields are the statute's title, the chapters that the unit stands under (`path`), the unit's
own heading with its number (`heading`), and the body, which weighs 1. A field of weight 0 is left
out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from retrieval.core.model import Corpus, Document, Hit
from retrieval.core.parameters import Parameter
from retrieval.lexical.bm25_weights import (
    DEFAULT_B,
    DEFAULT_K1,
    MAX_K1,
    VARIANTS,
    Field,
    bm25f,
    check_parameters,
    summed,
)
from retrieval.lexical.lexical_method import TOKENISER, Lexical
from retrieval.lexical.postings import Postings
from retrieval.lexical.term_counts import TermCounter
from retrieval.text.tokenise import DEFAULT

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


class BM25Index:
    """A fitted BM25 asked one text at a time, whatever its length."""

    def __init__(self, method: BM25) -> None:
        """Take a method that is ready to search."""
        self._method = method

    def __len__(self) -> int:
        return len(self._method.corpus)

    @classmethod
    def fit(
        cls,
        ids: Sequence[str],
        texts: Sequence[str],
        tokeniser: str = DEFAULT,
        k1: float = DEFAULT_K1,
        b: float = DEFAULT_B,
    ) -> BM25Index:
        """Index `texts`, the i-th under the i-th of `ids`.

        Raises ValueError when the two lists differ in length or an id repeats, UserError for an
        unknown tokeniser and parameters out of range.
        """
        check_parameters(k1, b)
        spec = {"method": BM25.NAME} | {each.name: each.default for each in BM25.PARAMETERS}
        method = BM25(spec | {"tokeniser": tokeniser, "k1": k1, "b": b})
        documents = [Document(i, body=text) for i, text in zip(ids, texts, strict=True)]
        method.fit(Corpus.of(documents))
        return cls(method)

    def search(self, query: str, k: int) -> list[Hit]:
        """Return the best `k` units, best first; only units that share a term with `query`.

        Equal scores stand in ascending order of unit id, at the cut-off too. A term that `query`
        repeats counts as often as it stands there.
        """
        return self._method.ranked(query, k)
