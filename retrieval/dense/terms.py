"""Texts as rows of weighted terms: the rare ones left out, weighted, brought to length one."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from retrieval.lexical.term_counts import TermCounter

if TYPE_CHECKING:
    from scipy.sparse import csr_array

WEIGHTINGS = ("bm25", "tfidf")
_K1, _B = 1.5, 0.75  # those of Lucene's BM25
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

    def rows(self, texts: Iterable[Sequence[str]]) -> csr_array:
        """Return one weighted row per text, which is cut into terms.

        Terms that the corpus lacks count as length only.
        """
        from scipy.sparse import csr_array

        known = self.vocabulary
        counts: list[int] = []
        columns: list[int] = []
        ends, lengths = [0], []
        for tokens in texts:
            found = sorted(Counter(known[token] for token in tokens if token in known).items())
            columns += [number for number, _ in found]
            counts += [count for _, count in found]
            ends.append(len(counts))
            lengths.append(len(tokens))
        data = np.array(counts, dtype=np.float32)
        shape = (len(lengths), len(known))
        rows = csr_array((data, np.array(columns, dtype=np.int32), np.array(ends)), shape=shape)
        return self.weighted(rows, np.array(lengths, dtype=np.float32))

    def weighted(self, counts: csr_array, lengths: NDArray[np.float32]) -> csr_array:
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


def count(texts: Iterable[list[str]], weighting: str, min_df: int) -> tuple[Terms, csr_array]:
    """Return the terms that stand in at least `min_df` texts, and one weighted row per text."""
    names, counts = TermCounter.counted(texts)
    lengths = np.asarray(counts.sum(axis=1), dtype=np.float32).ravel()
    frequency = np.bincount(counts.indices, minlength=len(names))
    kept = frequency >= min_df
    counts, frequency = _columns(counts, kept), frequency[kept]
    names = [name for name, stays in zip(names, kept.tolist(), strict=True) if stays]
    idf = np.log(1 + (counts.shape[0] - frequency + 0.5) / (frequency + 0.5)).astype(np.float32)
    mean = float(lengths.mean()) if lengths.any() else 1.0
    terms = Terms({name: number for number, name in enumerate(names)}, idf, mean, weighting)
    return terms, terms.weighted(counts, lengths)


def _columns(counts: csr_array, kept: NDArray[np.bool_]) -> csr_array:
    """Return `counts` with only the columns that are `kept`."""
    from scipy.sparse import csr_array

    numbers = np.cumsum(kept, dtype=np.int32) - 1
    entries = kept[counts.indices]
    ends = np.concatenate([[0], np.cumsum(entries, dtype=np.int64)])[counts.indptr]
    shape = (counts.shape[0], int(kept.sum()))
    return csr_array((counts.data[entries], numbers[counts.indices[entries]], ends), shape=shape)
