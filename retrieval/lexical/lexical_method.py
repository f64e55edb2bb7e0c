"""Base class of lexical methods, sparse term counting, and TF-IDF.

Term counts are sparse matrices, one row per text. Texts are counted a few thousand at a time, in
single precision: the whole of Korean law has 10^8 terms, which are never listed all at once.

TF-IDF with the cosine of query and unit (Salton and Buckley 1988), as scikit-learn weighs it. A
term weighs ``tf`` (with `sublinear`: ``1 + ln tf``) times ``ln((1 + N) / (1 + df)) + 1``; query and
unit are normalised to length one. Terms of the query that no unit has are left out of its length.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from retrieval.core.method import QUERY_CHARACTERS, ScoresAll, with_progress
from retrieval.core.model import COMPARED, Corpus, Document, Hit, Parameter, Query
from retrieval.lexical.postings import Postings
from retrieval.text.morphemes import normal_form
from retrieval.text.tokenise import DEFAULT, TOKENISERS, Tokeniser, tokeniser

if TYPE_CHECKING:
    from scipy.sparse import csr_array


_AT_ONCE = 4_096  # texts


class _Numbers(dict[str, int]):
    """Consecutive numbers for strings, in the order of first lookup."""

    def __missing__(self, key: str) -> int:
        self[key] = number = len(self)
        return number


class TermCounter:
    """Counts the terms of several fields of the same texts with one numbering of terms.

    Words are counted first, and each distinct word is cut into terms once: Korean law has forty
    times as many words as distinct ones, and the rest is one product of sparse matrices.
    """

    def __init__(self, cut: Tokeniser, folder: Path | None = None) -> None:
        """Take the tokeniser, and the folder for its cache."""
        self._words_of, self._terms_of = cut.words, cut.opened(folder)
        self._words, self._terms = _Numbers(), _Numbers()
        self._of_words, self._ends = array("i"), array("i", [0])

    def count(self, texts: Iterable[str]) -> csr_array:
        """Return the word counts of each text; columns are in the order of first occurrence."""
        from scipy.sparse import csr_array, vstack

        parts = [csr_array((0, 1), dtype=np.float32)]
        rest = iter(texts)
        while batch := list(islice(rest, _AT_ONCE)):
            parts.append(self._part(batch))
        for part in parts:
            part.resize(part.shape[0], max(1, len(self._words)))
        return vstack(parts, format="csr")

    def by_term(self, fields: Sequence[csr_array]) -> tuple[list[str], list[csr_array]]:
        """Return the terms in ascending order, and each text's term counts.

        `fields` are what :meth:`count` returned.
        """
        terms = sorted(self._terms)
        place = np.empty(len(terms), dtype=np.int32)
        place[[self._terms[term] for term in terms]] = np.arange(len(terms), dtype=np.int32)
        of_words = self._terms_of_words(place)
        return terms, [_term_counts(counts, of_words) for counts in fields]

    def _part(self, batch: list[str]) -> csr_array:
        """Count the words of a batch of texts; new words are tokenised into terms."""
        known, before = self._words, len(self._words)
        numbers, ends = array("i"), [0]
        for text in batch:
            words = self._words_of(normal_form(text))
            numbers.extend(map(known.__getitem__, words))
            ends.append(len(numbers))
        self._learn([*islice(reversed(known), len(known) - before)][::-1])
        return _counts(numbers, ends, max(1, len(known)))

    def _learn(self, words: list[str]) -> None:
        """Tokenise newly seen words into terms."""
        for terms in self._terms_of(words):
            self._of_words.extend(map(self._terms.__getitem__, terms))
            self._ends.append(len(self._of_words))

    def _terms_of_words(self, place: NDArray[np.int32]) -> csr_array:
        """Return the terms per distinct word as counts; columns follow `place`."""
        numbers = place[np.array(self._of_words, dtype=np.int32)]
        return _counts(numbers, self._ends, len(place))


def _counts(columns: ArrayLike, ends: ArrayLike, width: int) -> csr_array:
    """Return a sparse count matrix from each row's columns; `ends` are the rows' end offsets."""
    from scipy.sparse import csr_array

    where, stops = np.asarray(columns, dtype=np.int32), np.asarray(ends, dtype=np.int32)
    ones = np.ones(len(where), dtype=np.float32)
    counts = csr_array((ones, where, stops), shape=(len(stops) - 1, width))
    counts.sum_duplicates()
    return counts


def _term_counts(counts: csr_array, of_words: csr_array) -> csr_array:
    """Return each text's term counts from word `counts` and the terms `of_words`."""
    from scipy.sparse import csr_array

    counts.resize(counts.shape[0], of_words.shape[0])
    found = csr_array(counts @ of_words)
    found.sort_indices()
    return found


TOKENISER = Parameter("tokeniser", "choice", DEFAULT, choices=tuple(TOKENISERS))


class Lexical(ScoresAll):
    """Base class of methods that rank by shared terms; it has a parameter `tokeniser`.

    Only units that share a term with the query are found. A subclass defines in `_weighed` the
    weight of a term in a unit, and in `_query_weights` its weight in a query.
    """

    KEEPS = True
    _postings: Postings

    def all_scores(self, query: Query) -> NDArray[np.float64]:
        """Return the score of every document; 0 for one that shares no term with the query."""
        return self._scores(query.text[:QUERY_CHARACTERS])

    @abstractmethod
    def _weighed(self, documents: Sequence[Document]) -> Postings:
        """Return the weight of every term in every document."""

    def _query_weights(self, terms: Sequence[str]) -> Mapping[str, float]:
        """Return the weights of a query's terms: their counts."""
        return Counter(terms)

    def _counter(self) -> TermCounter:
        """Return a term counter with this method's tokeniser and cache."""
        return TermCounter(tokeniser(self.spec["tokeniser"]), self.resources.folder)

    def _counted(self, texts: Iterable[str], total: int) -> tuple[list[str], csr_array]:
        """Return the sorted terms of `total` texts and their counts; reports progress."""
        counter = self._counter()
        terms, [counts] = counter.by_term([counter.count(self._with_progress(texts, total))])
        return terms, counts

    def _with_progress(self, texts: Iterable[str], total: int) -> Iterator[str]:
        """Yield texts, reporting progress."""
        return with_progress(texts, total, self.resources.progress)

    def _fit(self, corpus: Corpus) -> None:
        """Index the documents."""
        self._postings = self._weighed(corpus.documents)

    def ranked(self, text: str, k: int) -> list[Hit]:
        """Return the best `k` units for a text of any length, best first."""
        return self._best(self._scores(text), k)

    def _scores(self, text: str) -> NDArray[np.float64]:
        """Return the score of everything that the postings are of."""
        terms = tokeniser(self.spec["tokeniser"])(text)
        return self._postings.scores(self._query_weights(terms))

    def _save(self, folder: Path) -> None:
        """Write the postings."""
        self._postings.save(folder)

    def _load(self, folder: Path, corpus: Corpus) -> None:
        """Read the postings."""
        self._postings = Postings.load(folder, len(corpus))


class TFIDF(Lexical):
    """TF-IDF over the text of each unit, with its title or without; scores are cosines."""

    NAME = "tfidf"
    PARAMETERS = (TOKENISER, Parameter("sublinear", "bool", False), COMPARED)

    def _weighed(self, documents: Sequence[Document]) -> Postings:
        """Return TF-IDF postings of the documents."""
        texts = (document.compared(self.spec) for document in documents)
        terms, counts = self._counted(texts, len(documents))
        df = np.bincount(counts.indices, minlength=len(terms))
        idf = np.log((1 + len(documents)) / (1 + df)) + 1
        tf = np.log(counts.data) + 1 if self.spec["sublinear"] else counts.data
        counts.data = (tf * idf[counts.indices]).astype(np.float32)
        squares = counts.copy()
        squares.data = squares.data**2
        length = np.sqrt(np.asarray(squares.sum(axis=1), dtype=np.float64).ravel())
        counts.data /= np.repeat(length, np.diff(counts.indptr)).astype(np.float32)
        return Postings.of(terms, counts)

    def _query_weights(self, terms: Sequence[str]) -> Mapping[str, float]:
        """Return the TF-IDF weights of a query's terms."""
        frequency = {term: self._postings.frequency(term) for term in sorted(set(terms))}
        weights = {
            term: self._tf(times) * (math.log((1 + self._postings.size) / (1 + df)) + 1)
            for term, times in sorted(Counter(terms).items())
            if (df := frequency[term])
        }
        length = math.sqrt(sum(weight * weight for weight in weights.values()))
        return {term: weight / length for term, weight in weights.items()}

    def _tf(self, times: int) -> float:
        """Return the term frequency, sublinear if set."""
        return 1 + math.log(times) if self.spec["sublinear"] else float(times)
