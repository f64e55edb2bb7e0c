"""The weight that BM25 gives a term in a document, in the variants that are in use.

Every variant is a function of one number per term and document, the frequency ``f`` after
normalising by length: ``f = tf / (1 - b + b length / mean length)``. Documents of several fields
come in two ways. BM25F (Robertson, Zaragoza and Taylor 2004; Zaragoza et al. 2004) adds up the
weighted ``f`` of the fields, each with its own ``b`` and mean length, before anything else, and
counts a term once for a document whatever fields it stands in: ``sum`` adds up the weighted scores
of the fields instead, each field a collection of its own.

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
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from errors import UserError

if TYPE_CHECKING:
    from scipy.sparse import csr_array

DEFAULT_K1 = 1.5
DEFAULT_B = 0.75
MAX_K1 = 100
_DELTA_L, _DELTA_PLUS = 0.5, 1.0

Array = NDArray[np.float32]


@dataclass(frozen=True)
class Field:
    """One field of all documents: its counts (a row per document), weight, and `b`."""

    counts: csr_array
    weight: float = 1.0
    b: float = DEFAULT_B


def check_parameters(k1: float, b: float) -> None:
    """Raise UserError unless 0 ≤ k1 ≤ 100 and 0 ≤ b ≤ 1."""
    if not (0 <= k1 <= MAX_K1 and 0 <= b <= 1):
        raise UserError("bm25_parameters", k1=k1, b=b, limit=MAX_K1)


def bm25f(fields: Sequence[Field], k1: float, variant: str = "lucene") -> csr_array:
    """Return the weights over `fields` together; over one field of weight 1 this is BM25."""
    whole = _normalised(fields[0])
    for field in fields[1:]:
        whole = whole + _normalised(field)
    return _weighted(whole, k1, variant)


def summed(fields: Sequence[Field], k1: float, variant: str = "lucene") -> csr_array:
    """Return the weighted sum of the weights in each of `fields` by itself."""
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
    """Return weight · f of every count; a copy."""
    lengths = np.asarray(field.counts.sum(axis=1), dtype=np.float64).ravel()
    mean = lengths.mean() if lengths.any() else 1.0
    shrink = field.weight / np.maximum(1 - field.b + field.b * lengths / mean, 1e-12)
    found = field.counts.copy()
    found.data *= np.repeat(shrink.astype(np.float32), np.diff(found.indptr))
    if not field.weight:
        found.eliminate_zeros()
    return found


def _weighted(frequencies: csr_array, k1: float, variant: str) -> csr_array:
    """Turn normalised frequencies into weights, in place."""
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


def _raised(f: Array, k1: np.float32) -> Array:
    return f * (k1 + 1) / (k1 + f)


_Idf = Callable[[int, NDArray[np.int64]], NDArray[np.float64]]
_VARIANTS: dict[str, tuple[_Idf, Callable[[Array, np.float32], Array]]] = {
    "lucene": (_lucene_idf, lambda f, k1: f / (k1 + f)),
    "robertson": (_robertson_idf, _raised),
    "atire": (lambda size, df: np.log(size / df), _raised),
    "bm25l": (
        lambda size, df: np.log((size + 1) / (df + 0.5)),
        lambda f, k1: _raised(f + np.float32(_DELTA_L), k1),
    ),
    "bm25+": (
        lambda size, df: np.log((size + 1) / df),
        lambda f, k1: _raised(f, k1) + np.float32(_DELTA_PLUS),
    ),
}

VARIANTS = tuple(_VARIANTS)
