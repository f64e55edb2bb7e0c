"""BM25 over the text of each unit, over its fields, its headings, or its family of statutes.

The fields are the statute's title, the titles of the chapters above the unit (`path`), the unit's
own heading with its number (`heading`), and the body, which weighs 1. A field of weight 0 is left
out.

Every BM25 variant is a function of one number per term and document, the frequency ``f`` after
normalising by length: ``f = tf / (1 - b + b length / mean length)``. Documents of several fields
come in two ways. BM25F (Robertson, Zaragoza and Taylor 2004; Zaragoza et al. 2004) adds up the
weighted ``f`` of the fields, each with its own ``b`` and mean length, before anything else, and
counts a term once for a document whatever fields it occurs in: ``sum`` adds up the weighted
scores of the fields instead, each field a collection of its own.

========= ================================== ================================================
variant   inverse document frequency         weight of f
========= ================================== ================================================
lucene    ln(1 + (N - df + 0.5)/(df + 0.5))  f / (k1 + f)
robertson ln((N - df + 0.5)/(df + 0.5)) or 0 f (k1 + 1) / (k1 + f)
atire     ln(N / df)                         f (k1 + 1) / (k1 + f)
bm25l     ln((N + 1)/(df + 0.5))             (f + 0.5) (k1 + 1) / (k1 + f + 0.5)
bm25+     ln((N + 1)/df)                     f (k1 + 1) / (k1 + f) + 1
========= ================================== ================================================

After Kamphuis et al. (2020), who compare them; bm25l and bm25+ are by Lv and Zhai (2011).

`headings` indexes statute title, chapters and heading, without the body: drafters put the subject
of an article there in a few words, which a long body drowns.

`family` ranks every article by the score of its act, decree and rules together. The law of one
matter is spread over an act, its decree and its rules, and a question's words over several
articles of them. So a family counts as one document, made of all its units (passages vote for
their document; Callan 1994), and each unit has its family's score. Alone it ranks
whole families; it is meant as one part of a sum.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from corpus.citations.model import family
from errors import UserError
from retrieval.core.model import COMPARED, PASSAGE, Corpus, Document, Hit, Parameter
from retrieval.lexical.lexical_method import TOKENISER, Lexical
from retrieval.lexical.postings import Postings
from retrieval.text.tokenise import DEFAULT

if TYPE_CHECKING:
    from scipy.sparse import csr_array


DEFAULT_K1 = 1.5
DEFAULT_B = 0.75
MAX_K1 = 100
_DELTA_L, _DELTA_PLUS = 0.5, 1.0

Array = NDArray[np.float32]


@dataclass(frozen=True)
class Field:
    """One field of all documents: term counts (a row per document), weight, and `b`."""

    counts: csr_array
    weight: float = 1.0
    b: float = DEFAULT_B


def check_parameters(k1: float, b: float) -> None:
    """Raise UserError unless 0 ≤ k1 ≤ 100 and 0 ≤ b ≤ 1."""
    if not (0 <= k1 <= MAX_K1 and 0 <= b <= 1):
        raise UserError("bm25_parameters", k1=k1, b=b, limit=MAX_K1)


def bm25f(fields: Sequence[Field], k1: float, variant: str = "lucene") -> csr_array:
    """Return BM25F term weights over `fields`; over one field of weight 1 this is BM25."""
    whole = _normalised(fields[0])
    for field in fields[1:]:
        whole = whole + _normalised(field)
    return _weighted(whole, k1, variant)


def summed(fields: Sequence[Field], k1: float, variant: str = "lucene") -> csr_array:
    """Return the weighted sum of each field's own BM25 weights."""
    parts = []
    for field in fields:
        part = _weighted(_normalised(Field(field.counts, 1.0, field.b)), k1, variant)
        part.data *= np.float32(field.weight)
        parts.append(part)
    whole = parts[0]
    for part in parts[1:]:
        whole = whole + part
    return whole


def _normalised(field: Field) -> csr_array:
    """Return the length-normalised, weighted term frequencies of a field, as a copy."""
    lengths = np.asarray(field.counts.sum(axis=1), dtype=np.float64).ravel()
    mean = lengths.mean() if lengths.any() else 1.0
    shrink = field.weight / np.maximum(1 - field.b + field.b * lengths / mean, 1e-12)
    found = field.counts.copy()
    found.data *= np.repeat(shrink.astype(np.float32), np.diff(found.indptr))
    return found


def _weighted(frequencies: csr_array, k1: float, variant: str) -> csr_array:
    """Turn normalised frequencies into BM25 weights, in place."""
    size, terms = frequencies.shape
    df = np.bincount(frequencies.indices, minlength=terms)
    rarity, saturated = _VARIANTS[variant]
    idf = rarity(size, np.maximum(df, 1)).astype(np.float32)
    frequencies.data = saturated(frequencies.data, np.float32(k1)) * idf[frequencies.indices]
    return frequencies


def _lucene_idf(size: int, df: NDArray[np.int64]) -> NDArray[np.float64]:
    idf: NDArray[np.float64] = np.log(1 + (size - df + 0.5) / (df + 0.5))
    return idf


def _robertson_idf(size: int, df: NDArray[np.int64]) -> NDArray[np.float64]:
    return np.maximum(np.log((size - df + 0.5) / (df + 0.5)), 0)


def _standard_saturation(f: Array, k1: np.float32) -> Array:
    return f * (k1 + 1) / (k1 + f)


_Idf = Callable[[int, NDArray[np.int64]], NDArray[np.float64]]
_VARIANTS: dict[str, tuple[_Idf, Callable[[Array, np.float32], Array]]] = {
    "lucene": (_lucene_idf, lambda f, k1: f / (k1 + f)),
    "robertson": (_robertson_idf, _standard_saturation),
    "atire": (lambda size, df: np.log(size / df), _standard_saturation),
    "bm25l": (
        lambda size, df: np.log((size + 1) / (df + 0.5)),
        lambda f, k1: _standard_saturation(f + np.float32(_DELTA_L), k1),
    ),
    "bm25+": (
        lambda size, df: np.log((size + 1) / df),
        lambda f, k1: _standard_saturation(f, k1) + np.float32(_DELTA_PLUS),
    ),
}

VARIANTS = tuple(_VARIANTS)


MAX_WEIGHT = 1_000
_APART = ("fields", ("bm25f", "sum"))
_TITLES: dict[str, Callable[[Document], str]] = {
    "statute_weight": lambda document: document.statute_title,
    "path_weight": lambda document: " ".join(document.path),
    "heading_weight": lambda document: f"{document.label} {document.heading}",
}


class BM25(Lexical):
    """BM25 (Robertson and Zaragoza 2009).

    `fields` is ``joined`` (title and body are one text), ``bm25f``
    or ``sum``; `variant` names the formula; see above. `b` is that of
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
        Parameter("statute_weight", "float", 1.0, 0, MAX_WEIGHT, when=_APART),
        Parameter("path_weight", "float", 0.0, 0, MAX_WEIGHT, when=_APART),
        Parameter("heading_weight", "float", 1.0, 0, MAX_WEIGHT, when=_APART),
        Parameter("title_b", "float", DEFAULT_B, 0, 1, when=_APART),
        COMPARED,
    )

    def _weighed(self, documents: Sequence[Document]) -> Postings:
        """Return BM25 postings of the documents, by fields or joined."""
        spec, counter = self.spec, self._counter()

        def count(text: Callable[[Document], str]) -> csr_array:
            """Count the terms of a field."""
            return counter.count(self._with_progress(map(text, documents), len(documents)))

        if spec["fields"] == "joined":
            counts = [count(lambda document: document.compared(spec))]
            weights, bs = [1.0], [spec["b"]]
        else:
            titles = [] if spec.get(COMPARED.name) == PASSAGE else [n for n in _TITLES if spec[n]]
            counts = [*(count(_TITLES[name]) for name in titles), count(lambda each: each.body)]
            weights = [*(spec[name] for name in titles), 1.0]
            bs = [*(spec["title_b"] for _ in titles), spec["b"]]
        terms, ordered = counter.by_term(counts)
        fields = [Field(*each) for each in zip(ordered, weights, bs, strict=True)]
        weigh = summed if spec["fields"] == "sum" else bm25f
        return Postings.of(terms, weigh(fields, spec["k1"], spec["variant"]))


class BM25Index:
    """A fitted BM25 index, searched one text at a time, of any length."""

    def __init__(self, method: BM25) -> None:
        """Take a fitted method."""
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

    def within(self, jurisdiction: str) -> BM25Index:
        """Return an index fitted to the law of `jurisdiction` and law without one."""
        method = self._method.within(jurisdiction)
        assert isinstance(method, BM25)  # noqa: S101  (the same method, fitted to less)
        return self if method is self._method else BM25Index(method)

    def search(self, query: str, k: int) -> list[Hit]:
        """Return the best `k` units, best first; only units that share a term with `query`.

        Ties are broken by ascending unit id, at the cut-off too. A term repeated in `query` counts
        as often as it occurs.
        """
        return self._method.ranked(query, k)


class Headings(Lexical):
    """BM25 over statute title, chapters and heading; parameters as for ``bm25``."""

    NAME = "headings"
    PARAMETERS = (
        TOKENISER,
        Parameter("k1", "float", 1.2, 0, MAX_K1),
        Parameter("b", "float", 0.5, 0, 1),
    )

    def _weighed(self, documents: Sequence[Document]) -> Postings:
        """Return BM25 postings of headings."""
        terms, counts = self._counted(map(_heading_text, documents), len(documents))
        return Postings.of(terms, bm25f([Field(counts, 1.0, self.spec["b"])], self.spec["k1"]))


def _heading_text(document: Document) -> str:
    """Return the text searched: statute title, chapters and heading."""
    return " ".join((document.statute_title, *document.path, document.heading))


def families_of(documents: Sequence[Document]) -> NDArray[np.int64]:
    """Return each document's family number; families are numbered in alphabetical order."""
    titles = {document.statute_title for document in documents}
    base = {title: family(title).base for title in titles}
    number = {name: at for at, name in enumerate(sorted(set(base.values())))}
    found = [number[base[document.statute_title]] for document in documents]
    return np.array(found, dtype=np.int64)


_FAMILIES = "families.npy"


class FamilyBM25(Lexical):
    """BM25 of a unit's family of statutes; parameters as for ``bm25``."""

    NAME = "family"
    PARAMETERS = (
        TOKENISER,
        Parameter("k1", "float", DEFAULT_K1, 0, MAX_K1),
        Parameter("b", "float", DEFAULT_B, 0, 1),
    )
    _families: NDArray[np.int64]

    def _weighed(self, documents: Sequence[Document]) -> Postings:
        """Return BM25 postings of whole families of statutes."""
        self._families = families_of(documents)
        terms, counts = self._counted((each.text for each in documents), len(documents))
        whole = Field(_summed_by_group(counts, self._families), 1.0, self.spec["b"])
        return Postings.of(terms, bm25f([whole], self.spec["k1"]))

    def _scores(self, text: str) -> NDArray[np.float64]:
        """Return each document's score: that of its family."""
        return super()._scores(text)[self._families]

    def _save(self, folder: Path) -> None:
        """Write postings and families."""
        super()._save(folder)
        np.save(folder / _FAMILIES, self._families)

    def _load(self, folder: Path, corpus: Corpus) -> None:
        """Read postings and families."""
        self._families = np.load(folder / _FAMILIES)
        if len(self._families) != len(corpus):
            raise ValueError("not one family for each document")
        self._postings = Postings.load(folder, int(self._families.max(initial=-1)) + 1)


def _summed_by_group(counts: csr_array, groups: NDArray[np.int64]) -> csr_array:
    """Return one row per group: the sum of the group's rows."""
    from scipy.sparse import csr_array

    rows, size = counts.shape[0], int(groups.max(initial=-1)) + 1
    ones = np.ones(rows, dtype=np.float32)
    member = csr_array((ones, (groups, np.arange(rows))), shape=(size, rows))
    return csr_array(member @ counts)
