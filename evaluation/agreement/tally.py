"""What a statistic needs of its items, summed over any resample of them at once.

Every statistic here is a formula of sums over items. So items that add the same to those sums
are one kind, and a resample of the items is a number of times for each kind. That makes the item
bootstrap of 100,000 ratings a few matrix products.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from evaluation.agreement.ratings import Array
from evaluation.interval import Interval, percentile

Formula = Callable[[Array], Array]  # rows of sums → one value per row, NaN where undefined
_CELLS_AT_ONCE = 16_000_000  # bounds memory to about 130 MB
_DRAW_BY_KIND = 12  # a binomial draw per kind costs about as much as this many draws of an item


@dataclass(frozen=True, slots=True)
class Tally:
    """Kinds of items: what one of each adds to the sums (`features`), and how many there are."""

    features: csr_array
    times: NDArray[np.int64]
    formula: Formula

    def value(self) -> float | None:
        """Return the statistic of the items as they are; None where it is undefined."""
        found = float(self._of(self.times[None, :])[0])
        return found if np.isfinite(found) else None

    def resampled(self, resamples: int, seed: int) -> Array:
        """Return the statistic of each resample of the items; NaN where it is undefined."""
        rng = np.random.default_rng(seed)
        return np.concatenate([self._of(drawn) for drawn in self._draws(resamples, rng)])

    def interval(self, resamples: int, seed: int) -> Interval:
        """Return the 95 % percentile interval over resamples of the items."""
        return percentile(self.resampled(resamples, seed))

    def _of(self, times: NDArray[np.int64]) -> Array:
        sums: Array = times.astype(np.float64) @ self.features
        with np.errstate(invalid="ignore", divide="ignore"):
            return self.formula(sums)

    def _draws(self, resamples: int, rng: np.random.Generator) -> Iterator[NDArray[np.int64]]:
        """Yield resamples as rows: how many times each kind was drawn.

        Either number by number for each kind (multinomial), or item by item where there are
        almost as many kinds as items. Both draw from the same distribution.
        """
        kinds, items = len(self.times), int(self.times.sum())
        by_kind = kinds * _DRAW_BY_KIND <= items
        widest = max(1, kinds, self.features.shape[1], 0 if by_kind else items)
        rows = max(1, _CELLS_AT_ONCE // widest)
        for start in range(0, resamples, rows):
            count = min(rows, resamples - start)
            if by_kind:
                yield rng.multinomial(items, self.times / items, size=count)
            else:
                yield self._item_by_item(count, rng)

    def _item_by_item(self, rows: int, rng: np.random.Generator) -> NDArray[np.int64]:
        kinds, items = len(self.times), int(self.times.sum())
        kind_of = np.repeat(np.arange(kinds), self.times)
        picked = kind_of[rng.integers(0, items, size=(rows, items), dtype=np.int32)]
        picked += np.arange(rows)[:, None] * kinds
        return np.bincount(picked.ravel(), minlength=rows * kinds).reshape(rows, kinds)
