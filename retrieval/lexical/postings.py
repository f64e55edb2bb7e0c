"""Inverted index of weighted terms, used by every lexical method.

A document's score is the sum over the query's terms of (weight of the term in the query) times
(weight of the term in the document). Document weights are computed once, when fitting. The arrays
are memory-mapped, and terms are looked up in place, so opening takes no time whatever the size.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from scipy.sparse import csr_array

_REMEMBERED = 1 << 15  # term numbers cached: questions share most of their terms
_AT_ONCE = 1 << 16  # postings added up in one pass
_FILES = ("letters", "ends", "starts", "documents", "weights")


class Postings:
    """Postings lists: the documents of each term, ascending, and their weights."""

    def __init__(self, size: int, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Take the arrays that :meth:`of` makes or :meth:`load` reads; `size` counts documents."""
        self.size = size
        self._arrays = dict(arrays)
        # Terms are looked up often, a few bytes at a time: through an array that takes ten times
        # as long as through a view of its memory.
        self._letters = arrays["letters"].data
        self._ends = arrays["ends"].data
        self._number = lru_cache(maxsize=_REMEMBERED)(self._term_number)
        self._starts: NDArray[np.int64] = arrays["starts"]
        self._documents: NDArray[np.int32] = arrays["documents"]
        self._weights: NDArray[np.float32] = arrays["weights"]

    @classmethod
    def of(cls, terms: Sequence[str], weights: csr_array) -> Postings:
        """Build postings from a matrix: a row per document, a column per term, terms ascending."""
        by_term = weights.tocsc()
        encoded = [_encode_term(term) for term in terms]
        arrays: dict[str, NDArray[Any]] = {
            "letters": np.frombuffer(b"".join(encoded), dtype=np.uint8),
            "ends": np.cumsum([0, *map(len, encoded)], dtype=np.int64),
            "starts": by_term.indptr.astype(np.int64),
            "documents": by_term.indices.astype(np.int32),
            "weights": by_term.data.astype(np.float32),
        }
        return cls(weights.shape[0], arrays)

    def __len__(self) -> int:
        return len(self._ends) - 1

    def frequency(self, term: str) -> int:
        """Return the number of documents that have `term`."""
        number = self._number(term)
        return 0 if number is None else int(self._starts[number + 1] - self._starts[number])

    def scores(self, terms: Mapping[str, float]) -> NDArray[np.float64]:
        """Return the score of every document for weighted terms; 0 without a known one.

        Terms are added up in ascending order, so equal documents score equally to the last bit.
        """
        known, scores = self.known(terms), np.zeros(self.size)
        if not known:
            return scores
        numbers = np.array(sorted(known), dtype=np.int64)
        starts, ends = self._starts[numbers], self._starts[numbers + 1]
        weights = np.array([known[number] for number in numbers.tolist()], dtype=np.float64)
        for some in _term_batches(ends - starts):
            spans = list(zip(starts[some].tolist(), ends[some].tolist(), strict=True))
            documents = np.concatenate([self._documents[start:end] for start, end in spans])
            found = np.concatenate([self._weights[start:end] for start, end in spans])
            asked_for = np.repeat(weights[some], ends[some] - starts[some])
            np.add.at(scores, documents, found * asked_for)  # same dtype: four times as fast
        return scores

    def known(self, terms: Mapping[str, float]) -> dict[int, float]:
        """Return the weights of the indexed terms, by term number."""
        numbers = ((self._number(term), weight) for term, weight in terms.items())
        return {number: weight for number, weight in numbers if number is not None}

    def by_document(self) -> csr_array:
        """Return the weights with a row per document and a column per term."""
        from scipy.sparse import csc_array

        parts = (self._weights, self._documents, self._starts)
        return csc_array(parts, shape=(self.size, len(self))).tocsr()

    def without_documents(self) -> Postings:
        """Return the terms without postings, for when the weights are stored elsewhere."""
        arrays = self._arrays | {
            "starts": np.zeros(len(self._ends), dtype=np.int64),
            "documents": np.zeros(0, dtype=np.int32),
            "weights": np.zeros(0, dtype=np.float32),
        }
        return Postings(self.size, arrays)

    def save(self, folder: Path) -> None:
        """Write the arrays into an existing `folder`."""
        for name in _FILES:
            np.save(folder / f"{name}.npy", self._arrays[name])

    @classmethod
    def load(cls, folder: Path, size: int) -> Postings:
        """Open what `save` wrote, memory-mapped. Raises OSError, ValueError for damaged files."""
        arrays = {
            name: np.asarray(np.load(folder / f"{name}.npy", mmap_mode="r")) for name in _FILES
        }
        return cls(size, arrays)

    def _term_number(self, term: str) -> int | None:
        """Return the column of a term, None if the index lacks it."""
        wanted = _encode_term(term)
        at = bisect_left(range(len(self)), wanted, key=self._term)
        return at if at < len(self) and self._term(at) == wanted else None

    def _term(self, number: int) -> bytes:
        """Return a term by its number."""
        return self._letters[self._ends[number] : self._ends[number + 1]].tobytes()


def _term_batches(sizes: NDArray[np.int64]) -> Iterator[slice]:
    """Yield slices of terms with about `_AT_ONCE` postings together, at least one term each."""
    batches = np.cumsum(sizes) // _AT_ONCE
    ends = [*(np.flatnonzero(np.diff(batches)) + 1).tolist(), len(sizes)]
    yield from map(slice, [0, *ends], ends)


def _encode_term(term: str) -> bytes:
    # UTF-8 sorts terms as Python does; half a surrogate pair is kept as it is.
    return term.encode("utf-8", "surrogatepass")
