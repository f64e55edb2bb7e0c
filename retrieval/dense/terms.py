"""Texts as rows of weighted terms: counted once, the rare ones left out, weighted, of length one.

Everything is in single precision and sparse: the whole of Korean law has some 10^8 terms.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

Tokenise = Callable[[str], list[str]]

WEIGHTINGS = ("bm25", "tfidf")
_K1, _B = 1.5, 0.75  # those of Lucene's BM25
_AT_ONCE = 4_096  # texts whose terms are counted at a time
_TERMS, _IDF, _ABOUT = "terms.json", "idf.npy", "terms_about.json"


@dataclass(frozen=True)
class Terms:
    """The terms of a corpus with their weights.

    `tfidf` weights a term by ``(1 + ln tf) · idf``, `bm25` by ``tf / (tf + k1 (1 - b + b length /
    mean length)) · idf``; idf is ``ln(1 + (N - df + 0.5) / (df + 0.5))`` in both. Rows are then
    brought to length one.
    """

    vocabulary: dict[str, int]
    idf: NDArray[np.float32]
    mean_length: float
    weighting: str

    def rows(self, texts: Sequence[str], tokenise: Tokenise) -> csr_matrix:
        """Return one weighted row per text; terms that the corpus lacks count as length only."""
        known = self.vocabulary
        counts, lengths = _counted(
            ([known[t] for t in tokens if t in known], len(tokens))
            for tokens in map(tokenise, texts)
        )
        counts.resize(len(texts), len(known))
        return self.weighted(counts, lengths)

    def weighted(self, counts: csr_matrix, lengths: NDArray[np.float32]) -> csr_matrix:
        """Turn `counts` into weights, in place."""
        per_row = np.diff(counts.indptr)
        if self.weighting == "bm25":
            part = _K1 * (1 - _B + _B * lengths / self.mean_length)
            counts.data /= counts.data + np.repeat(part.astype(np.float32), per_row)
        else:
            np.log(counts.data, out=counts.data)
            counts.data += 1
        counts.data *= self.idf[counts.indices]
        squares = np.asarray(counts.multiply(counts).sum(axis=1), dtype=np.float32).ravel()
        length = np.sqrt(np.where(squares > 0, squares, 1))
        counts.data /= np.repeat(length, per_row)
        return counts

    def save(self, folder: Path) -> None:
        """Write the terms into `folder`."""
        text = json.dumps(list(self.vocabulary), ensure_ascii=False)
        (folder / _TERMS).write_text(text, encoding="utf-8", errors="surrogatepass")
        np.save(folder / _IDF, self.idf)
        about = {"mean_length": self.mean_length, "weighting": self.weighting}
        (folder / _ABOUT).write_text(json.dumps(about), encoding="utf-8")

    @classmethod
    def load(cls, folder: Path) -> Terms:
        """Read what `save` wrote."""
        text = (folder / _TERMS).read_text(encoding="utf-8", errors="surrogatepass")
        about = json.loads((folder / _ABOUT).read_text(encoding="utf-8"))
        vocabulary = {term: number for number, term in enumerate(json.loads(text))}
        idf = np.load(folder / _IDF)
        return cls(vocabulary, idf, about["mean_length"], about["weighting"])


def count(texts: Iterable[list[str]], weighting: str, min_df: int) -> tuple[Terms, csr_matrix]:
    """Return the terms that stand in at least `min_df` texts, and one weighted row per text.

    The texts come cut into terms.
    """
    vocabulary: dict[str, int] = {}
    counts, lengths = _counted(
        ([vocabulary.setdefault(token, len(vocabulary)) for token in tokens], len(tokens))
        for tokens in texts
    )
    frequency = np.bincount(counts.indices, minlength=len(vocabulary))
    counts.resize(counts.shape[0], len(vocabulary))
    kept = frequency >= min_df
    counts, frequency = _columns(counts, kept), frequency[kept]
    names = [term for term, number in vocabulary.items() if kept[number]]
    idf = np.log(1 + (counts.shape[0] - frequency + 0.5) / (frequency + 0.5)).astype(np.float32)
    mean = float(lengths.mean()) if lengths.any() else 1.0
    terms = Terms({term: number for number, term in enumerate(names)}, idf, mean, weighting)
    return terms, terms.weighted(counts, lengths)


def _counted(
    texts: Iterable[tuple[list[int], int]],
) -> tuple[csr_matrix, NDArray[np.float32]]:
    from scipy.sparse import csr_matrix, vstack

    parts, lengths = [csr_matrix((0, 1), dtype=np.float32)], array("f")
    rest = iter(texts)
    while batch := list(islice(rest, _AT_ONCE)):
        numbers, ends = array("i"), [0]
        for terms, length in batch:
            numbers.extend(terms)
            ends.append(len(numbers))
            lengths.append(length)
        columns = np.array(numbers, dtype=np.int32)
        ones = np.ones(len(columns), dtype=np.float32)
        width = int(columns.max(initial=0)) + 1
        part = csr_matrix((ones, columns, np.array(ends)), shape=(len(batch), width))
        part.sum_duplicates()
        parts.append(part)
    widest = max(part.shape[1] for part in parts)
    for part in parts:
        part.resize(part.shape[0], widest)
    return vstack(parts, format="csr"), np.array(lengths, dtype=np.float32)


def _columns(counts: csr_matrix, kept: NDArray[np.bool_]) -> csr_matrix:
    """Return `counts` with only the columns that are `kept`."""
    from scipy.sparse import csr_matrix

    numbers = np.cumsum(kept, dtype=np.int32) - 1
    entries = kept[counts.indices]
    ends = np.concatenate([[0], np.cumsum(entries, dtype=np.int64)])[counts.indptr]
    shape = (counts.shape[0], int(kept.sum()))
    return csr_matrix((counts.data[entries], numbers[counts.indices[entries]], ends), shape=shape)
