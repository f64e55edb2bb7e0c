"""Groups of texts that are the same or nearly so, among hundreds of thousands.

Two texts are nearly the same if the Jaccard index of their sets of n-letter strings reaches a
bound. Candidates are pairs that agree in a band of their MinHash signatures (Broder 1997; Leskovec,
Rajaraman and Ullman 2014, chapter 3); each is then compared exactly. At the bounds that are used
(0.7 and 0.8), 25 bands of 5 rows miss one pair of a hundred and one of ten thousand.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from corpus.long_work import check_stop
from normalization.grouping import grouped

_BANDS, _ROWS = 25, 5
_AT_ONCE = 1 << 18  # strings: what fits into a processor's cache
_LETTERS = 20_000  # of a text that are compared
_KEPT = 1_000  # sets of strings that are held
_SURE = 0.12  # below the bound, three standard errors of a signature's estimate

Hashes = NDArray[np.uint32]


@dataclass(frozen=True, slots=True)
class Twins:
    """Groups of positions; `same` have equal texts, `near` a text nearly equal to the first's."""

    same: tuple[tuple[int, ...], ...]
    near: tuple[tuple[int, ...], ...]


def twins(texts: Sequence[str], letters: int, bound: float) -> Twins:
    """Return the positions of equal and of nearly equal texts, by group; empty texts are in none.

    Of equal texts only the first is in a group of nearly equal ones.
    """
    equal = grouped((text, at) for at, text in enumerate(texts) if text)
    same = tuple(tuple(group) for group in equal.values() if len(group) > 1)
    unique = [group[0] for text, group in equal.items() if len(text) >= letters]
    near = _near_groups([texts[at][:_LETTERS] for at in unique], letters, bound)
    return Twins(same, tuple(tuple(unique[at] for at in group) for group in near))


def _near_groups(texts: Sequence[str], letters: int, bound: float) -> list[list[int]]:
    """Return groups of texts whose similarity reaches the bound, by position."""
    if len(texts) < 2:
        return []
    signatures = _signatures(texts, letters)
    root = list(range(len(texts)))

    def find(at: int) -> int:
        """Return the root of a group (union-find with path halving)"""
        while root[at] != at:
            root[at] = root[root[at]]
            at = root[at]
        return at

    @lru_cache(maxsize=_KEPT)
    def strings(at: int) -> Hashes:
        """Return the distinct hashes of a text's character n-grams."""
        return np.unique(_string_hashes([texts[at]], letters)[0])

    for one, other in _candidates(signatures, bound):
        first, second = sorted((find(one), find(other)))
        if first != second and _jaccard(strings(one), strings(other)) >= bound:
            root[second] = first
    groups = grouped((find(at), at) for at in range(len(texts)))
    return [group for group in groups.values() if len(group) > 1]


def _signatures(texts: Sequence[str], letters: int) -> Hashes:
    """Return the MinHash signature of each text, a row each."""
    random = np.random.default_rng(0)
    odd = random.integers(0, 1 << 31, _BANDS * _ROWS, dtype=np.uint32) * np.uint32(2) + np.uint32(1)
    found = np.empty((len(texts), len(odd)), dtype=np.uint32)
    for start, end in _batches(texts):
        check_stop()
        hashes, starts = _string_hashes(texts[start:end], letters)
        for column, factor in enumerate(odd):
            found[start:end, column] = np.minimum.reduceat(hashes * factor, starts)
    return found


def _batches(texts: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield (start, end) of runs of texts that are hashed at once."""
    start = held = 0
    for at, text in enumerate(texts):
        held += len(text)
        if held > _AT_ONCE:
            yield start, at + 1
            start, held = at + 1, 0
    if start < len(texts):
        yield start, len(texts)


def _string_hashes(texts: Sequence[str], letters: int) -> tuple[Hashes, NDArray[np.int64]]:
    """Return the hashes of all n-letter strings of some texts, and where each text begins."""
    raw = "".join(texts).encode("utf-32-le", "surrogatepass")
    codes = np.frombuffer(raw, dtype=np.uint32)
    size = len(codes) - letters + 1
    hashes = np.zeros(size, dtype=np.uint32)
    for at in range(letters):
        hashes *= np.uint32(0x01000193)
        hashes ^= codes[at : at + size]
    for shift, factor in ((16, 0x85EBCA6B), (13, 0xC2B2AE35), (16, 1)):
        hashes ^= hashes >> np.uint32(shift)
        hashes *= np.uint32(factor)
    lengths = np.array([len(text) for text in texts], dtype=np.int64)
    ends = np.cumsum(lengths)
    whole = np.ones(size, dtype=np.bool_)  # strings that cross from one text into the next go
    for back in range(1, letters):
        crossing = ends[:-1] - back
        whole[crossing[crossing < size]] = False
    starts = np.concatenate([[0], np.cumsum(lengths - letters + 1)[:-1]])
    return hashes[whole], starts


def _candidates(signatures: Hashes, bound: float) -> Iterator[tuple[int, int]]:
    """Yield pairs that agree in a band and whose signatures are alike enough."""
    mixed = np.random.default_rng(1).integers(1, 1 << 62, _ROWS, dtype=np.uint64)
    for band in range(_BANDS):
        rows = signatures[:, band * _ROWS : (band + 1) * _ROWS].astype(np.uint64)
        pairs = _equal_pairs((rows * mixed).sum(axis=1, dtype=np.uint64))
        alike = (signatures[pairs[:, 0]] == signatures[pairs[:, 1]]).mean(axis=1)
        yield from map(tuple, pairs[alike >= bound - _SURE].tolist())


def _equal_pairs(keys: NDArray[np.uint64]) -> NDArray[np.int64]:
    """Return pairs of positions of equal key: each with the first, and with the one before."""
    order = np.argsort(keys, kind="stable")
    equal = keys[order[1:]] == keys[order[:-1]]
    begins = np.concatenate([[0], np.where(equal, 0, np.arange(1, len(order)))])
    first = np.maximum.accumulate(begins)[1:]
    ends = order[1:][equal]
    pairs = [np.stack([other[equal], ends], axis=1) for other in (order[first], order[:-1])]
    return np.unique(np.concatenate(pairs), axis=0)


def _jaccard(one: Hashes, other: Hashes) -> float:
    """Return the Jaccard similarity of two sorted hash sets."""
    shared = len(np.intersect1d(one, other, assume_unique=True))
    return shared / (len(one) + len(other) - shared)
