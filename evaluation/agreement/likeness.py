"""Likeness of two categories, from 0 to 1: full or partial agreement for the statistics.

Each likeness is symmetric, and 1 for a category with itself.
1 − likeness is the distance of Krippendorff's alpha; the likeness itself is the agreement weight
of Cohen's weighted kappa (1968) and Gwet's AC2.

First the plain definitions for two sets of units, and for the answers of one item. An answer is a
frozen set; the empty set is an answer too ("no provision"). None is a missing answer and is
ignored. An item is a sequence of answers, one per person. Where a statistic is undefined the
functions return None, never a made-up 0 or 1.

Then the likeness of sets, by Jaccard or MASI, for tens of thousands of different sets at once.
Alpha needs ``Σ t(a) · t(b) · likeness(a, b)`` over all pairs of sets, for each of a thousand
resamples. Disjoint sets have likeness 0. Of the others there are still far too many
pairs, since common units are in many sets. But the likeness depends only on the two sizes and on
the number of shared members, and any function f of a count m is a sum of ``difference(j) · C(m,
j)`` (Newton). C(m, j) counts the common subsets of size j. So it is enough to add up, for
each subset that at least two sets have, the t of the sets of each size. Large sets have too many
subsets: their pairs are listed one by one.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, pairwise
from math import comb

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array, csr_array

from evaluation.agreement.ratings import MISSING, Array, Codes, Kinds


class Likeness(ABC):
    """The likeness of every pair of categories, possibly without a full matrix."""

    size: int

    @abstractmethod
    def within(self, kinds: Kinds) -> Array:
        """Return each kind's likeness summed over ordered pairs of distinct ratings."""

    @abstractmethod
    def product(self, totals: Array) -> Array:
        """Return ``t · likeness · t`` for each row t of `totals` (rows × categories)."""


class Same(Likeness):
    """1 for equal categories, 0 for all others."""

    def __init__(self, size: int) -> None:
        self.size = size

    def within(self, kinds: Kinds) -> Array:
        """Return Σ count · (count − 1) per kind."""
        counts = kinds.counts(self.size)
        found: Array = (counts * counts).sum(axis=1) - kinds.ratings
        return found

    def product(self, totals: Array) -> Array:
        """Return Σ t² of each row."""
        found: Array = np.einsum("rk,rk->r", totals, totals)
        return found


class Matrix(Likeness):
    """A likeness given as a matrix, symmetric with ones on its diagonal."""

    def __init__(self, matrix: Array) -> None:
        self.matrix = matrix
        self.size = len(matrix)

    def within(self, kinds: Kinds) -> Array:
        """Return each kind's likeness, summed over ordered pairs of ratings, from the counts."""
        counts = kinds.counts(self.size)
        squares: Array = np.asarray(counts.multiply(counts @ self.matrix).sum(axis=1))
        return squares - kinds.ratings

    def product(self, totals: Array) -> Array:
        """Return the quadratic form of each row."""
        return both_sides(totals, self.matrix, totals)


def both_sides(left: Array, matrix: Array, right: Array) -> Array:
    """Return ``l · matrix · r`` for each pair of rows."""
    found: Array = np.einsum("rk,rk->r", left @ matrix, right)
    return found


def graded(name: str, size: int) -> Array:
    """Return the agreement weights of `size` ordered categories.

    ``identity``: only equal ones count. ``linear``: 1 − steps ÷ (size − 1). ``quadratic``: the same
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


Answer = frozenset[str]


def jaccard(a: Answer, b: Answer) -> float:
    """Return the Jaccard index of two sets; 1 for two empty sets."""
    return len(a & b) / len(a | b) if a or b else 1.0


def exact_match(answers: Sequence[Answer | None]) -> float | None:
    """Return 1 if all answers to an item are the same set, else 0; None for fewer than two."""
    given = [answer for answer in answers if answer is not None]
    return float(len(set(given)) == 1) if len(given) > 1 else None


def mean_jaccard(answers: Sequence[Answer | None]) -> float | None:
    """Return the mean Jaccard over all pairs of answers to an item; None for fewer than two."""
    given = [answer for answer in answers if answer is not None]
    pairs = [jaccard(a, b) for a, b in combinations(given, 2)]
    return sum(pairs) / len(pairs) if pairs else None


_LARGE = 6  # members; a set of this many has 63 subsets
_CELLS_AT_ONCE = 4_000_000  # bounds the memory of listed pairs of sets


class OfSets(Likeness):
    """Jaccard or MASI (Passonneau 2006) of sets."""

    def __init__(self, sets: Sequence[Hashable], masi: bool) -> None:
        self.size = len(sets)
        self._masi = masi
        _, self._members = members_of(sets)
        self._sizes: Array = np.diff(self._members.indptr).astype(np.float64)

    def within(self, kinds: Kinds) -> Array:
        """Return the sums over pairs, each distinct pair of sets computed once."""
        found = np.zeros(len(kinds.codes))
        width = kinds.codes.shape[1]
        for left in range(width):
            for right in range(left + 1, width):
                found += 2 * self._pair_likeness(kinds.codes[:, left], kinds.codes[:, right])
        return found

    def product(self, totals: Array) -> Array:
        """Return the quadratic form of each row, over pairs of sets that share a member."""
        columns = np.ascontiguousarray(totals.T)
        small = self._shared
        found: Array = np.einsum("k,kr,kr->r", small.rest, columns, columns)
        groups = small.groups @ columns
        found += np.einsum("gr,gr->r", small.weights @ groups, groups)
        for pairs in self._large:
            found += 2 * np.einsum("kr,kr->r", pairs @ columns, columns)
        return found

    def _pair_likeness(self, left: Codes, right: Codes) -> Array:
        """Return the likeness of each pair of codes; 0 where one is missing."""
        found = np.zeros(len(left))
        given = (left != MISSING) & (right != MISSING)
        pairs, back = np.unique(np.stack([left[given], right[given]]), axis=1, return_inverse=True)
        a, b = pairs
        shared = self._members[a].multiply(self._members[b]).sum(axis=1)
        likeness = alike(np.asarray(shared), self._sizes[a], self._sizes[b], self._masi)
        likeness[a == b] = 1.0
        found[given] = likeness[back.ravel()]
        return found

    @cached_property
    def _shared(self) -> _Shared:
        """The subsets that small sets share, weighted so that their sums give the likenesses."""
        return _shared_subsets(self._members, self._masi)

    @cached_property
    def _ends(self) -> list[int]:
        """Boundaries that split the large sets into parts whose pairs fit into memory."""
        large = np.flatnonzero(self._sizes > _LARGE)
        uses = np.asarray(self._members.sum(axis=0)).ravel()
        parts = np.cumsum(self._members[large] @ uses) // _CELLS_AT_ONCE
        return [0, *(np.flatnonzero(np.diff(parts)) + 1).tolist(), len(large)]

    @cached_property
    def _first_pairs(self) -> csr_array:
        return self._pairs(0, self._ends[1])

    @property
    def _large(self) -> Iterator[csr_array]:
        """Yield, part by part, the likenesses of the large sets with other sets."""
        yield self._first_pairs  # cached: mostly the only part
        for start, end in pairwise(self._ends[1:]):
            yield self._pairs(start, end)

    def _pairs(self, start: int, end: int) -> csr_array:
        """Return the likeness of these large sets with each small and each later large set."""
        large = np.flatnonzero(self._sizes > _LARGE)[start:end]
        shared = coo_array(self._members[large] @ self._members.T)
        row, column = large[shared.coords[0]], shared.coords[1]
        once = (row < column) | (self._sizes[column] <= _LARGE)
        row, column, common = row[once], column[once], shared.data[once]
        likeness = alike(common, self._sizes[row], self._sizes[column], self._masi)
        return csr_array((likeness, (row, column)), shape=(self.size, self.size))


def alike(shared: Array, a: Array, b: Array, masi: bool) -> Array:
    """Return the likeness of sets from their number of shared members and their sizes.

    Jaccard is shared ÷ all; MASI that × 1 for equal sets, 2/3 where one contains the other, 1/3
    where they overlap otherwise. Two empty sets give 0: callers handle equal sets.
    """
    jaccard: Array = shared / np.maximum(a + b - shared, 1)
    if not masi:
        return jaccard
    contained = shared == np.minimum(a, b)
    return jaccard * np.where(contained, np.where(a == b, 1, 2 / 3), 1 / 3)


@dataclass(frozen=True, slots=True)
class _Shared:
    """The likeness of all pairs of small sets as ``groups.T · weights · groups`` + diagonal `rest`.

    A group is a subset shared by several sets, with one size of these sets.
    """

    groups: csr_array  # groups × sets
    weights: csr_array  # groups × groups
    rest: Array  # 1 minus the diagonal of the product


def _shared_subsets(members: csr_array, masi: bool) -> _Shared:
    """Return the subsets that small sets share, weighted so that their sums give the likenesses."""
    sizes = np.diff(members.indptr)
    differences = _differences(masi)
    rest = np.ones(len(sizes))
    belongs: list[tuple[int, int]] = []  # group, set
    weights: list[tuple[int, int, float]] = []
    count = 0
    for subset, places in _shared_subset_owners(members, sizes).items():
        group = {size: count + n for n, size in enumerate(np.unique(sizes[places]).tolist())}
        count += len(group)
        by_size = differences[:, :, len(subset)]
        weights += [(p, q, by_size[a, b]) for a, p in group.items() for b, q in group.items()]
        belongs += [(group[sizes[place]], place) for place in places]
        rest[places] -= by_size[sizes[places], sizes[places]]
    ones = [(group, place, 1.0) for group, place in belongs]
    return _Shared(
        _sparse_matrix(ones, count, len(sizes)), _sparse_matrix(weights, count, count), rest
    )


def _shared_subset_owners(
    members: csr_array, sizes: NDArray[np.int32]
) -> dict[tuple[int, ...], list[int]]:
    """Return each subset that several small sets share, with the numbers of these sets."""
    found: dict[tuple[int, ...], list[int]] = {}
    for place in np.flatnonzero(sizes <= _LARGE).tolist():
        own = members.indices[members.indptr[place] : members.indptr[place + 1]].tolist()
        for size in range(1, len(own) + 1):
            for subset in combinations(own, size):
                found.setdefault(subset, []).append(place)
    return {subset: places for subset, places in found.items() if len(places) > 1}


def _differences(masi: bool) -> Array:
    """Return, for sets of sizes a and b, the j-th difference of their likeness at 0 shared."""
    found = np.zeros((_LARGE + 1, _LARGE + 1, _LARGE + 1))
    for a in range(1, _LARGE + 1):
        for b in range(1, _LARGE + 1):
            shared = np.arange(min(a, b) + 1, dtype=np.float64)
            values = alike(shared, np.full_like(shared, a), np.full_like(shared, b), masi)
            for j in range(len(values)):
                signs = [(-1) ** (j - i) * comb(j, i) for i in range(j + 1)]
                found[a, b, j] = np.dot(signs, values[: j + 1])
    return found


def _sparse_matrix(entries: list[tuple[int, int, float]], rows: int, columns: int) -> csr_array:
    """Return the matrix of (row, column, value) entries."""
    table = np.array(entries, dtype=np.float64).reshape(-1, 3)
    places = table[:, :2].astype(np.intp).T
    return csr_array((table[:, 2], (places[0], places[1])), shape=(rows, columns))


def members_of(sets: Sequence[Hashable]) -> tuple[tuple[Hashable, ...], csr_array]:
    """Return the members of the sets, sorted, and a sets × members indicator matrix."""
    frozen = [each for each in sets if isinstance(each, frozenset)]
    members = tuple(sorted({member for each in frozen for member in each}, key=str))
    place = {member: index for index, member in enumerate(members)}
    ends = np.cumsum([0, *(len(each) for each in frozen)])
    columns = [at for each in frozen for at in sorted(place[member] for member in each)]
    ones = np.ones(len(columns))
    return members, csr_array((ones, columns, ends), shape=(len(frozen), len(members)))
