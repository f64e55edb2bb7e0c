"""Paired randomisation tests, Holm's correction, and wins and losses of two methods.

The test is the paired randomisation test (Fisher 1935; for retrieval Smucker, Allan and Carterette
2007): were the two methods the same, each query's difference could as well have had the other
sign. p is the share of all sign patterns whose mean difference is at least as far from zero as the
one observed. For several p-values together, :func:`holm` keeps the probability of even one
false positive below the level (Holm 1979).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

PERMUTATIONS = 10_000
PATTERNS_PER_TEST = 100  # per test corrected together: the smallest corrected p is then below .01
EXACT_UP_TO = 14  # non-zero differences: all 16,384 patterns are tried
LEVEL = 0.05
TIE = 1e-9  # scores this close are equal: rounding errors are no wins

_CELLS_AT_ONCE = 250_000  # 2 MB, to fit the processor's cache; p does not depend on it
_WORD = 64
_SLACK = 1e-9  # relative: the order of addition changes sums by less

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class PairedTest:
    """A two-sided p-value; None without a pair.

    `exact`: every pattern was tried; else p is from random patterns, including the observed one, so
    that it is never 0.
    """

    p: float | None
    exact: bool


@dataclass(frozen=True, slots=True)
class Tally:
    """The number of queries on which one method scores above, equal to, and below another."""

    wins: int
    ties: int
    losses: int


def paired_tests(
    rows: Sequence[Sequence[float] | Array], seed: int = 0, n: int = PERMUTATIONS
) -> list[PairedTest]:
    """Test each row of differences; rows of equal length share the same `n` random patterns.

    All patterns are tried if at most EXACT_UP_TO differences of a row are not zero, since a
    zero has no sign to change. Equal arguments give equal results. Raises ValueError for a
    difference that is not finite.
    """
    arrays = [_finite_differences(row) for row in rows]
    results = {
        at: PairedTest(_exact_p(row[row != 0]) if row.size else None, exact=True)
        for at, row in enumerate(arrays)
        if np.count_nonzero(row) <= EXACT_UP_TO
    }
    widths = sorted({row.size for at, row in enumerate(arrays) if at not in results})
    for width in widths:
        places = [at for at, row in enumerate(arrays) if at not in results and row.size == width]
        drawn = _sampled_p(np.stack([arrays[at] for at in places]), seed, n)
        results |= {at: PairedTest(p, exact=False) for at, p in zip(places, drawn, strict=True)}
    return [results[at] for at in range(len(arrays))]


def holm(ps: Sequence[float | None]) -> list[float | None]:
    """Return the p-values with Holm's correction, in the order given.

    None marks a comparison that could not be made; it stays None and is not
    counted. Raises ValueError for a number outside 0 to 1.
    """
    known = sorted((p, at) for at, p in enumerate(ps) if p is not None)
    if any(not 0 <= p <= 1 for p, _ in known):
        raise ValueError("a p-value lies from 0 to 1")
    adjusted: list[float | None] = [None] * len(ps)
    highest = 0.0
    for rank, (p, at) in enumerate(known):
        highest = max(highest, min(1.0, (len(known) - rank) * p))
        adjusted[at] = highest
    return adjusted


def patterns_for(tests: int) -> int:
    """Return the number of random patterns needed if `tests` p-values are corrected together.

    The smallest p that n patterns can give is 1 / (n + 1), and Holm's correction multiplies it by
    the number of tests: with too few patterns no difference could ever be significant.
    """
    return max(PERMUTATIONS, PATTERNS_PER_TEST * tests)


def tally(differences: Sequence[float] | Array) -> Tally:
    """Count wins, ties and losses; a difference of at most TIE either way is a tie."""
    row = _finite_differences(differences)
    wins, losses = int((row > 0).sum()), int((row < 0).sum())
    return Tally(wins, row.size - wins - losses, losses)


def _finite_differences(differences: Sequence[float] | Array) -> Array:
    """Return the differences as array, those within TIE as 0; ValueError unless all are finite."""
    row = np.asarray(differences, dtype=np.float64)
    if not np.isfinite(row).all():
        raise ValueError("only finite differences can be tested; leave unscored queries out")
    return np.where(np.abs(row) <= TIE, 0.0, row)


def _exact_p(row: Array) -> float:
    """Return p over all sign patterns; a pattern and its mirror are equally far from zero."""
    sums = np.zeros(1)
    for at, value in enumerate(row):
        sums = sums + value if at == 0 else np.concatenate((sums + value, sums - value))
    return float((np.abs(sums) >= _extreme_sum(row)).mean())


def _sampled_p(rows: Array, seed: int, n: int) -> list[float]:
    """Return p of each row from `n` random patterns that all rows share."""
    far = np.zeros(len(rows), dtype=np.int64)
    bars = np.array([_extreme_sum(row) for row in rows])
    for minus in _patterns(rows.shape[1], seed, n):
        sums = rows.sum(axis=1) - 2 * (minus @ rows.T)
        far += (np.abs(sums) >= bars).sum(axis=0)
    return [(int(count) + 1) / (n + 1) for count in far]


def _patterns(width: int, seed: int, n: int) -> Iterator[Array]:
    """Yield `n` random patterns in parts: 1 if a difference changes its sign, else 0."""
    rng = np.random.default_rng(seed)
    words = -(-width // _WORD)
    at_once = max(1, _CELLS_AT_ONCE // width)
    for start in range(0, n, at_once):
        count = min(at_once, n - start)
        drawn = rng.integers(0, 2**64, size=(count, words), dtype=np.uint64).astype("<u8")
        bits = np.unpackbits(drawn.view(np.uint8), axis=1, count=width)
        yield bits.astype(np.float64)


def _extreme_sum(row: Array) -> float:
    """Return the absolute sum from which a pattern is as extreme as the observed one."""
    return float(abs(row.sum()) - _SLACK * np.abs(row).sum())
