"""Latent semantic analysis (Deerwester et al. 1990): a dense method that needs no download.

Texts become rows of weighted terms X ≈ U S Vᵀ, a truncated singular value decomposition computed
by the randomized method of Halko, Martinsson and Tropp (2011). A document's vector is its row of
X V, which is U S as far as the decomposition is exact; a query's is its own row of terms times V.
Both are normalised to length one.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from corpus.long_work import check_stop
from retrieval.core.method import with_progress
from retrieval.core.model import COMPARED, Corpus, Parameter, Query
from retrieval.dense.vectors import VectorMethod, unit_length
from retrieval.lexical.lexical_method import TOKENISER, TermCounter
from retrieval.text.tokenise import tokeniser

if TYPE_CHECKING:
    from scipy.sparse import csr_array


WEIGHTINGS = ("bm25", "tfidf")
_K1, _B = 1.5, 0.75  # as in Lucene's BM25
_TERMS, _IDF, _ABOUT = "terms.json", "idf.npy", "terms_about.json"


@dataclass(frozen=True)
class Terms:
    """The weighted vocabulary of a corpus.

    `tfidf` weights a term by ``(1 + ln tf) · idf``, `bm25` by ``tf / (tf + k1 (1 - b + b length /
    mean length)) · idf``; idf is ``ln(1 + (N - df + 0.5) / (df + 0.5))`` in both. Rows are then
    normalised to length one.
    """

    vocabulary: dict[str, int]
    idf: NDArray[np.float32]
    mean_length: float
    weighting: str

    def rows(self, texts: Iterable[Sequence[str]]) -> csr_array:
        """Return one weighted row per tokenised text.

        Unknown terms count in its length only.
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


def count(
    counter: TermCounter, texts: Iterable[str], weighting: str, min_df: int
) -> tuple[Terms, csr_array]:
    """Return the vocabulary of terms in at least `min_df` texts, and one weighted row per text."""
    names, [counts] = counter.by_term([counter.count(texts)])
    lengths = np.asarray(counts.sum(axis=1), dtype=np.float32).ravel()
    frequency = np.bincount(counts.indices, minlength=len(names))
    kept = frequency >= min_df
    counts, frequency = _with_columns(counts, kept), frequency[kept]
    names = [name for name, stays in zip(names, kept.tolist(), strict=True) if stays]
    idf = np.log(1 + (counts.shape[0] - frequency + 0.5) / (frequency + 0.5)).astype(np.float32)
    mean = float(lengths.mean()) if lengths.any() else 1.0
    terms = Terms({name: number for number, name in enumerate(names)}, idf, mean, weighting)
    return terms, terms.weighted(counts, lengths)


def _with_columns(counts: csr_array, mask: NDArray[np.bool_]) -> csr_array:
    """Return the columns of `counts` that `mask` selects."""
    from scipy.sparse import csr_array

    numbers = np.cumsum(mask, dtype=np.int32) - 1
    entries = mask[counts.indices]
    ends = np.concatenate([[0], np.cumsum(entries, dtype=np.int64)])[counts.indptr]
    shape = (counts.shape[0], int(mask.sum()))
    return csr_array((counts.data[entries], numbers[counts.indices[entries]], ends), shape=shape)


_DIRECTIONS_FILE = "directions.npy"
_DRAWN_BESIDE = 10  # extra directions, which make the last wanted ones more exact
_NOTHING = 1e-5  # relative to the greatest singular value: single-precision noise


class LSA(VectorMethod):
    """Latent semantic analysis over the terms of any tokeniser.

    `dimensions` is the length of a vector (fewer where the corpus has fewer units or terms),
    `min_df` the number of units that a term must stand in, `power_iterations` how often the
    random start is multiplied through: each makes the vectors truer and costs as much again.
    """

    NAME = "lsa"
    VERSION = 3
    PARAMETERS = (
        TOKENISER,
        Parameter("dimensions", "int", 256, 2, 4096),
        Parameter("weighting", "choice", "bm25", choices=WEIGHTINGS),
        Parameter("min_df", "int", 2, 1, 1_000_000),
        Parameter("power_iterations", "int", 2, 0, 20),
        Parameter("seed", "int", 0, 0, 2**32 - 1),
        COMPARED,
    )
    _terms: Terms
    _directions: NDArray[np.float32]  # V: one row per term

    def encode(self, queries: Sequence[Query]) -> NDArray[np.float32]:
        """Return one row per query; zeros if the corpus has none of its terms."""
        cut = tokeniser(self.spec["tokeniser"])
        rows = self._terms.rows([cut(query.text) for query in queries])
        used, columns = np.unique(rows.indices, return_inverse=True)
        encoded = np.zeros((len(queries), self._directions.shape[1]), dtype=np.float64)
        directions = np.asarray(self._directions[used], dtype=np.float64)
        for at in range(len(queries)):
            mine = slice(rows.indptr[at], rows.indptr[at + 1])
            # Not by BLAS: a query's vector must not depend on the others'.
            weighted = rows.data[mine, None].astype(np.float64) * directions[columns[mine]]
            encoded[at] = weighted.sum(axis=0)
        return unit_length(encoded)

    def _fit(self, corpus: Corpus) -> None:
        """Factor the term-document matrix by a truncated SVD."""
        spec = self.spec
        texts = (document.compared(spec) for document in corpus.documents)
        told = with_progress(texts, len(corpus), self.resources.progress)
        counter = TermCounter(tokeniser(spec["tokeniser"]), self.resources.folder)
        self._terms, rows = count(counter, told, spec["weighting"], spec["min_df"])
        self._directions = _directions(
            rows, spec["dimensions"], spec["power_iterations"], spec["seed"]
        )
        self._set_vectors(unit_length(rows @ self._directions), corpus)

    def _save(self, folder: Path) -> None:
        """Write terms, directions and vectors."""
        super()._save(folder)
        self._terms.save(folder)
        np.save(folder / _DIRECTIONS_FILE, self._directions)

    def _load(self, folder: Path, corpus: Corpus) -> None:
        """Read terms, directions and vectors."""
        self._terms = Terms.load(folder)
        self._directions = np.load(folder / _DIRECTIONS_FILE, mmap_mode="r")
        if len(self._directions) != len(self._terms.vocabulary):
            raise ValueError("not one direction for each term")
        super()._load(folder, corpus)


def _directions(
    rows: csr_array, dimensions: int, power_iterations: int, seed: int
) -> NDArray[np.float32]:
    """Return V, one row per term; a direction without any document is all zeros."""
    wanted = min(dimensions, *rows.shape)
    if not wanted or not rows.nnz:
        return np.zeros((rows.shape[1], 1), np.float32)
    sizes, right = decomposed(rows, wanted, power_iterations, seed)
    # It consists of rounding errors, and would shorten queries at random.
    right[sizes < _NOTHING * sizes[0]] = 0
    return np.ascontiguousarray(right.T)


def decomposed(
    rows: csr_array, dimensions: int, power_iterations: int, seed: int
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return the greatest singular values, descending, and Vᵀ: a row of terms for each of them.

    It equals scikit-learn's ``randomized_svd`` with QR between the iterations, to the last
    bit, without the second that loading scikit-learn takes. The sign of a direction is that of the
    document furthest along it.
    """
    from scipy.linalg import svd  # before the limit below, which holds for what is loaded
    from threadpoolctl import threadpool_limits

    wide = rows.shape[0] < rows.shape[1]
    matrix = rows.T if wide else rows
    drawn = np.random.RandomState(seed).normal(size=(matrix.shape[1], dimensions + _DRAWN_BESIDE))
    # One thread: the number of BLAS threads changes the last bits of its sums,
    # and nearly all the time goes into sparse products, which have one thread anyway.
    with threadpool_limits(1, "blas"):
        basis = drawn.astype(np.float32)
        for _ in range(power_iterations):
            basis = _orthonormal(matrix.T @ _orthonormal(matrix @ basis))
        basis = _orthonormal(matrix @ basis)
        left, sizes, right = svd(basis.T @ matrix, full_matrices=False)
        left = basis @ left
    documents, terms = (right, left.T) if wide else (left.T, right)
    furthest = np.abs(documents).argmax(axis=1)
    signs = np.sign(documents[np.arange(len(documents)), furthest])
    return sizes[:dimensions], (terms * signs[:, None])[:dimensions]


def _orthonormal(columns: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return an orthonormal basis of the columns' span."""
    from scipy.linalg import qr

    check_stop()
    basis: NDArray[np.float32] = qr(columns, mode="economic", check_finite=False)[0]
    return basis
