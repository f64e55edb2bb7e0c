"""How alike two categories are, from 0 to 1: what a statistic counts as (partial) agreement.

Each likeness is the same for a pair in both directions, and 1 for a category with itself.
1 − likeness is the distance of Krippendorff's alpha; the likeness itself is the agreement weight
of Cohen's weighted kappa (1968) and Gwet's AC2.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterator, Sequence
from functools import cached_property
from itertools import pairwise

import numpy as np
from scipy.sparse import coo_array, csr_array

from evaluation.agreement.ratings import MISSING, Array, Codes, Kinds

_CELLS_AT_ONCE = 4_000_000  # bounds the memory that pairs of sets take


class Likeness(ABC):
    """The likeness of every pair of some categories, without necessarily writing all of them."""

    size: int

    @abstractmethod
    def within(self, kinds: Kinds) -> Array:
        """Return for each kind the likeness summed over ordered pairs of different ratings."""

    @abstractmethod
    def product(self, totals: Array) -> Array:
        """Return ``t · likeness · t`` for each row t of `totals` (rows × categories)."""


class Same(Likeness):
    """1 for the same category, 0 for all others."""

    def __init__(self, size: int) -> None:
        self.size = size

    def within(self, kinds: Kinds) -> Array:
        """Sum over pairs: Σ count · (count − 1)."""
        counts = kinds.counts(self.size)
        found: Array = (counts * counts).sum(axis=1) - kinds.ratings
        return found

    def product(self, totals: Array) -> Array:
        """Return Σ t²."""
        found: Array = np.einsum("rk,rk->r", totals, totals)
        return found


class Matrix(Likeness):
    """A likeness written out: a symmetric matrix with ones on its diagonal."""

    def __init__(self, matrix: Array) -> None:
        self.matrix = matrix
        self.size = len(matrix)

    def within(self, kinds: Kinds) -> Array:
        """Sum over pairs, from the counts alone."""
        counts = kinds.counts(self.size)
        squares: Array = np.asarray(counts.multiply(counts @ self.matrix).sum(axis=1))
        return squares - kinds.ratings

    def product(self, totals: Array) -> Array:
        """Return the quadratic form of each row."""
        return both_sides(totals, self.matrix, totals)


class OfSets(Likeness):
    """Jaccard or MASI of sets. Sets that share no member have likeness 0 and are never paired."""

    def __init__(self, sets: Sequence[Hashable], masi: bool) -> None:
        self.size = len(sets)
        self._masi = masi
        self._members = _members(sets)
        self._sizes = np.diff(self._members.indptr).astype(np.float64)

    def within(self, kinds: Kinds) -> Array:
        """Sum over pairs, each distinct pair of sets once."""
        found = np.zeros(len(kinds.codes))
        width = kinds.codes.shape[1]
        for left in range(width):
            for right in range(left + 1, width):
                found += 2 * self._of(kinds.codes[:, left], kinds.codes[:, right])
        return found

    def product(self, totals: Array) -> Array:
        """Return the quadratic form of each row, over pairs of sets that share a member."""
        columns = np.ascontiguousarray(totals.T)
        found: Array = np.einsum("rk,rk->r", totals, totals)
        for block in self._blocks:
            found += 2 * np.einsum("kr,kr->r", block @ columns, columns)
        return found

    def _of(self, left: Codes, right: Codes) -> Array:
        """Return the likeness of each pair of codes; 0 where one is missing."""
        found = np.zeros(len(left))
        given = (left != MISSING) & (right != MISSING)
        pairs, back = np.unique(np.stack([left[given], right[given]]), axis=1, return_inverse=True)
        a, b = pairs
        shared = self._members[a].multiply(self._members[b]).sum(axis=1)
        likeness = self._likeness(shared, self._sizes[a], self._sizes[b])
        likeness[a == b] = 1.0
        found[given] = likeness[back.ravel()]
        return found

    @cached_property
    def _ends(self) -> list[int]:
        """Where to cut the categories so that the pairs of each part fit into memory."""
        uses = np.asarray(self._members.sum(axis=0)).ravel()
        pairs = np.cumsum(self._members @ uses)
        parts = pairs // _CELLS_AT_ONCE
        cuts = np.flatnonzero(np.diff(parts)) + 1
        return [0, *cuts.tolist(), self.size]

    @cached_property
    def _first_block(self) -> csr_array:
        return self._block(0, self._ends[1])

    @property
    def _blocks(self) -> Iterator[csr_array]:
        yield self._first_block  # kept: all there is, but for very many distinct sets
        for start, end in pairwise(self._ends[1:]):
            yield self._block(start, end)

    def _block(self, start: int, end: int) -> csr_array:
        """Return the likeness of the sets from `start` to `end` with each later set."""
        shared = coo_array(self._members[start:end] @ self._members.T)
        row, column = shared.coords[0] + start, shared.coords[1]
        later = row < column
        row, column, common = row[later], column[later], shared.data[later]
        likeness = self._likeness(common, self._sizes[row], self._sizes[column])
        return csr_array((likeness, (row, column)), shape=(self.size, self.size))

    def _likeness(self, shared: Array, a: Array, b: Array) -> Array:
        """Return the likeness of sets by the size of what they share and their own sizes."""
        jaccard: Array = shared / np.maximum(a + b - shared, 1)
        if not self._masi:
            return jaccard
        contained = shared == np.minimum(a, b)
        return jaccard * np.where(contained, np.where(a == b, 1, 2 / 3), 1 / 3)


def both_sides(left: Array, matrix: Array, right: Array) -> Array:
    """Return ``l · matrix · r`` for each pair of rows."""
    found: Array = np.einsum("rk,rk->r", left @ matrix, right)
    return found


def graded(name: str, size: int) -> Array:
    """Return the agreement weights of `size` ordered categories.

    ``identity``: only the same counts. ``linear``: 1 − steps ÷ (size − 1). ``quadratic``: the same
    with both squared. ``ordinal``: 1 − C(steps + 1, 2) ÷ C(size, 2), the ordinal weights of Gwet
    (Handbook of Inter-Rater Reliability, 4th ed. 2014). Raises KeyError for another name.
    """
    steps = np.abs(np.subtract.outer(np.arange(size), np.arange(size))).astype(np.float64)
    apart = {
        "identity": np.minimum(steps, 1) * max(size - 1, 1),
        "linear": steps,
        "quadratic": steps**2 / max(size - 1, 1),
        "ordinal": steps * (steps + 1) / max(size, 1),
    }[name]
    weights: Array = 1 - apart / max(size - 1, 1)
    return weights


def _members(sets: Sequence[Hashable]) -> csr_array:
    """Return sets × members as a table of ones."""
    frozen = [each for each in sets if isinstance(each, frozenset)]
    members = sorted({member for each in frozen for member in each}, key=str)
    place = {member: index for index, member in enumerate(members)}
    ends = np.cumsum([0, *(len(each) for each in frozen)])
    columns = [place[member] for each in frozen for member in sorted(each, key=str)]
    ones = np.ones(len(columns))
    return csr_array((ones, columns, ends), shape=(len(frozen), len(members)))
