"""Latent semantic analysis (Deerwester et al. 1990): a dense method that needs no download.

Texts become rows of weighted terms X ≈ U S Vᵀ, a truncated singular value decomposition computed
by the randomized method of Halko, Martinsson and Tropp (2011). A document's vector is its row of
X V, which is U S as far as the decomposition is exact; a query's is its own row of terms times V.
Both are brought to length one.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from retrieval.core.model import Corpus, Query
from retrieval.core.parameters import Parameter
from retrieval.core.progress import telling
from retrieval.dense.terms import WEIGHTINGS, Terms, count
from retrieval.dense.vectors import VectorMethod, unit_length
from retrieval.lexical.lexical_method import TOKENISER
from retrieval.text.tokenise import cut_all, tokeniser

if TYPE_CHECKING:
    from scipy.sparse import csr_array

_DIRECTIONS_FILE = "directions.npy"
_NOTHING = 1e-5  # of the greatest singular value: what single precision leaves of zero


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
    )
    _terms: Terms
    _directions: NDArray[np.float32]  # V: one row per term

    def encode(self, queries: Sequence[Query]) -> NDArray[np.float32]:
        """Return one row per query; zeros where the corpus has none of its terms."""
        cut = tokeniser(self.spec["tokeniser"])
        rows = self._terms.rows([cut(query.text) for query in queries])
        used, columns = np.unique(rows.indices, return_inverse=True)
        encoded = np.zeros((len(queries), self._directions.shape[1]), dtype=np.float64)
        directions = np.asarray(self._directions[used], dtype=np.float64)
        for at in range(len(queries)):
            mine = slice(rows.indptr[at], rows.indptr[at + 1])
            # Added up here and not by BLAS: a query's vector must not depend on the others'.
            weighted = rows.data[mine, None].astype(np.float64) * directions[columns[mine]]
            encoded[at] = weighted.sum(axis=0)
        return unit_length(encoded)

    def _fit(self, corpus: Corpus) -> None:
        spec = self.spec
        texts = (document.text for document in corpus.documents)
        cut = cut_all(spec["tokeniser"], texts, self.resources.folder)
        cut = telling(cut, len(corpus), self.resources.told)
        self._terms, rows = count(cut, spec["weighting"], spec["min_df"])
        self._directions = _directions(
            rows, spec["dimensions"], spec["power_iterations"], spec["seed"]
        )
        self._take(unit_length(rows @ self._directions), corpus)

    def _save(self, folder: Path) -> None:
        super()._save(folder)
        self._terms.save(folder)
        np.save(folder / _DIRECTIONS_FILE, self._directions)

    def _load(self, folder: Path, corpus: Corpus) -> None:
        self._terms = Terms.load(folder)
        self._directions = np.load(folder / _DIRECTIONS_FILE, mmap_mode="r")
        if len(self._directions) != len(self._terms.vocabulary):
            raise ValueError("not one direction for each term")
        super()._load(folder, corpus)


def _directions(
    rows: csr_array, dimensions: int, power_iterations: int, seed: int
) -> NDArray[np.float32]:
    """Return V: one row per term; a direction along which no document lies is all zeros."""
    from sklearn.utils.extmath import randomized_svd
    from threadpoolctl import threadpool_limits

    wanted = min(dimensions, *rows.shape)
    if not wanted or not rows.nnz:
        return np.zeros((rows.shape[1], 1), np.float32)
    # One thread: how BLAS shares out a product among threads changes the last bits of its sums,
    # and nearly all the time goes into sparse products, which have one thread anyway.
    with threadpool_limits(1, "blas"):
        _, sizes, right = randomized_svd(
            rows,
            wanted,
            n_iter=power_iterations,
            power_iteration_normalizer="QR",
            random_state=seed,
        )
    # It is made of rounding errors, and would shorten queries by chance.
    right[sizes < _NOTHING * sizes[0]] = 0
    return np.ascontiguousarray(right.T)
