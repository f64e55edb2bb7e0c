"""How alike two categories are, from 0 to 1: what a statistic counts as (partial) agreement.

Each likeness is the same for a pair in both directions, and 1 for a category with itself.
1 − likeness is the distance of Krippendorff's alpha; the likeness itself is the agreement weight
of Cohen's weighted kappa (1968) and Gwet's AC2.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np

from evaluation.agreement.ratings import Array, Kinds


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
