"""Whether a difference between two methods is more than chance: paired tests and wins.

The test is the paired randomisation test (Fisher 1935; for retrieval Smucker, Allan and Carterette
2007): were the two methods the same, each query's difference could as well have had the other
sign. p is the share of all sign patterns whose mean difference is at least as far from zero as the
one observed. Of several p-values that are read together, :func:`holm` keeps the chance of even one
false alarm below the level asked for (Holm 1979).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

PERMUTATIONS = 10_000
PATTERNS_PER_TEST = 100  # of those corrected together: the least corrected p is then below .01
EXACT_UP_TO = 14  # differences other than zero: 16,384 patterns are all tried
LEVEL = 0.05
TIE = 1e-9  # scores this close are equal: what arithmetic leaves is no win

_CELLS_AT_ONCE = 250_000  # 2 MB, which a processor keeps close by; whatever it is, p is the same
_WORD = 64
_SLACK = 1e-9  # relative: sums of one pattern in another order are the same sum

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class PairedTest:
    """A two-sided p-value; None where there is no pair. `exact` says that every pattern was tried,
    else p is from random patterns, with the observed one counted among them, so never 0.
    """

    p: float | None
    exact: bool


@dataclass(frozen=True, slots=True)
class Tally:
    """On how many queries one method scores above, as high as, and below another."""

    wins: int
    ties: int
    losses: int


def paired_tests(
    rows: Sequence[Sequence[float] | Array], seed: int = 0, n: int = PERMUTATIONS
) -> list[PairedTest]:
    """Test each row of differences; rows of equal length see the same `n` random patterns.

    All patterns are tried where at most EXACT_UP_TO differences of a row are not zero, since a
    zero has no sign to change. Equal arguments give equal results. Raises ValueError for a
    difference that is not finite.
    """
    arrays = [_checked(row) for row in rows]
    results = {
        at: PairedTest(_exact(row[row != 0]) if row.size else None, exact=True)
        for at, row in enumerate(arrays)
        if np.count_nonzero(row) <= EXACT_UP_TO
    }
    widths = sorted({row.size for at, row in enumerate(arrays) if at not in results})
    for width in widths:
        places = [at for at, row in enumerate(arrays) if at not in results and row.size == width]
        drawn = _drawn(np.stack([arrays[at] for at in places]), seed, n)
        results |= {at: PairedTest(p, exact=False) for at, p in zip(places, drawn, strict=True)}
    return [results[at] for at in range(len(arrays))]


def holm(ps: Sequence[float | None]) -> list[float | None]:
    """Return the p-values adjusted for being read together, in the order given.

    None marks a comparison that could not be made; it stays None and does not count among those
    that are read together. Raises ValueError for a number outside 0 to 1.
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
    """Return how many random patterns to draw where `tests` p-values are corrected together.

    The smallest p that n patterns can give is 1 / (n + 1), and Holm's correction multiplies it by
    the number of tests: with too few patterns no difference could ever be significant.
    """
    return max(PERMUTATIONS, PATTERNS_PER_TEST * tests)


def tally(differences: Sequence[float] | Array) -> Tally:
    """Count wins, ties and losses; a difference of at most TIE either way is a tie."""
    row = _checked(differences)
    wins, losses = int((row > 0).sum()), int((row < 0).sum())
    return Tally(wins, row.size - wins - losses, losses)


def _checked(differences: Sequence[float] | Array) -> Array:
    row = np.asarray(differences, dtype=np.float64)
    if not np.isfinite(row).all():
        raise ValueError("only finite differences can be tested; leave unscored queries out")
    return np.where(np.abs(row) <= TIE, 0.0, row)


def _exact(row: Array) -> float:
    """Return p over all sign patterns. A pattern and its mirror are equally far from zero."""
    sums = np.zeros(1)
    for at, value in enumerate(row):
        sums = sums + value if at == 0 else np.concatenate((sums + value, sums - value))
    return float((np.abs(sums) >= _bar(row)).mean())


def _drawn(rows: Array, seed: int, n: int) -> list[float]:
    """Return p of each row from `n` random patterns that all rows share."""
    far = np.zeros(len(rows), dtype=np.int64)
    bars = np.array([_bar(row) for row in rows])
    for minus in _patterns(rows.shape[1], seed, n):
        sums = rows.sum(axis=1) - 2 * (minus @ rows.T)
        far += (np.abs(sums) >= bars).sum(axis=0)
    return [(int(count) + 1) / (n + 1) for count in far]


def _patterns(width: int, seed: int, n: int) -> Iterator[Array]:
    """Yield `n` random patterns in parts: 1 where a difference changes its sign, else 0."""
    rng = np.random.default_rng(seed)
    words = -(-width // _WORD)
    at_once = max(1, _CELLS_AT_ONCE // width)
    for start in range(0, n, at_once):
        count = min(at_once, n - start)
        drawn = rng.integers(0, 2**64, size=(count, words), dtype=np.uint64).astype("<u8")
        bits = np.unpackbits(drawn.view(np.uint8), axis=1, count=width)
        yield bits.astype(np.float64)


def _bar(row: Array) -> float:
    """Return how far from zero a sum must be to count as far as the observed one."""
    return float(abs(row.sum()) - _SLACK * np.abs(row).sum())
