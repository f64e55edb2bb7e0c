"""Tables of ratings (items × raters), and the base class of agreement statistics.

Every statistic is a formula of sums over items. So items that add the same to those sums are one
kind, and a resample of the items is a number of times for each kind. That makes the item bootstrap
of 100,000 ratings a few matrix products.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from evaluation.figure import RESAMPLES, Figure, Interval, percentile, share_of

Codes = NDArray[np.int32]
Array = NDArray[np.float64]
Rating = tuple[Hashable, Hashable, Hashable | None]  # item, rater, value; None is a missing value
MISSING = -1


class Scale(StrEnum):
    """The scale of measurement of the ratings."""

    NOMINAL = "nominal"  # equal or not
    ORDINAL = "ordinal"  # ordered, with unknown distances
    INTERVAL = "interval"  # numbers with meaningful differences
    SETS = "sets"  # frozen sets of units; the empty set is an answer too


@dataclass(frozen=True, slots=True)
class Kinds:
    """Distinct combinations of an item's ratings, regardless of rater, with their frequency.

    `codes` holds one row per kind: the category numbers, ascending, with −1 in front where a
    row has fewer than the longest. `times` counts the items of each kind. No statistic that
    treats raters alike needs more than this, however many items there are.
    """

    codes: Codes
    times: NDArray[np.int64]

    @property
    def ratings(self) -> NDArray[np.int64]:
        """The number of ratings of an item of each kind."""
        found: NDArray[np.int64] = (self.codes != MISSING).sum(axis=1)
        return found

    def with_at_least(self, ratings: int) -> Kinds:
        """Return the kinds whose items have at least this many ratings."""
        kept = self.ratings >= ratings
        return Kinds(self.codes[kept], self.times[kept])

    def counts(self, categories: int) -> csr_array:
        """Return the category counts of each kind: kinds × categories, sparse."""
        rows, columns = np.nonzero(self.codes != MISSING)
        ones = np.ones(len(rows))
        shape = (len(self.codes), categories)
        return csr_array((ones, (rows, self.codes[rows, columns])), shape=shape)


@dataclass(frozen=True, eq=False)
class Ratings:
    """A table of ratings, items × raters, with gaps.

    `codes` holds for each item (row) and rater (column) the index of the value in `categories`,
    −1 for a missing rating. Categories of an ordinal scale are in their order.
    """

    items: tuple[Hashable, ...]
    raters: tuple[Hashable, ...]
    scale: Scale
    categories: tuple[Hashable, ...]
    codes: Codes

    @classmethod
    def of(
        cls, ratings: Iterable[Rating], scale: Scale, categories: Sequence[Hashable] | None = None
    ) -> Ratings:
        """Return the table of (item, rater, value) triples, in order of first occurrence.

        `categories` are all values that raters could choose, used or not; by default those that
        occur, sorted. An ordinal scale needs them, in order.
        Raises ValueError when a rater rates an item twice, a value is no category, an interval
        value is no finite number, or an ordinal scale comes without categories.
        """
        triples = list(ratings)
        values = dict.fromkeys(value for _, _, value in triples if value is not None)
        if categories is None and scale is Scale.ORDINAL:
            raise ValueError("an ordinal scale needs its categories in order")
        kinds = _sorted_values(values, scale) if categories is None else tuple(categories)
        if categories is not None:
            _require_valid_categories(kinds, values, scale)
        items = tuple(dict.fromkeys(item for item, _, _ in triples))
        raters = tuple(dict.fromkeys(rater for _, rater, _ in triples))
        return cls(items, raters, scale, kinds, _codes(triples, items, raters, kinds))

    @cached_property
    def per_item(self) -> NDArray[np.int64]:
        """The number of ratings of each item."""
        found: NDArray[np.int64] = (self.codes != MISSING).sum(axis=1)
        return found

    @property
    def pairable(self) -> int:
        """The number of items with at least two ratings: the n of most statistics."""
        return int((self.per_item >= 2).sum())

    @property
    def missing(self) -> bool:
        """Whether any rater left out any item."""
        return bool((self.codes == MISSING).any())

    @cached_property
    def kinds(self) -> Kinds:
        """The kinds of items with any rating, in ascending order of their codes."""
        most = int(self.per_item.max(initial=0))
        rows = np.sort(self.codes[self.per_item > 0], axis=1)[:, len(self.raters) - most :]
        codes, times = np.unique(rows, axis=0, return_counts=True)
        return Kinds(codes, times)

    def of_raters(self, *raters: Hashable) -> Ratings:
        """Return the columns of these raters. Raises ValueError for an unknown one."""
        columns = [self.raters.index(rater) for rater in raters]
        return replace(self, raters=raters, codes=self.codes[:, columns])

    def at(self, positions: Sequence[int] | NDArray[np.intp]) -> Ratings:
        """Return the rows at these positions, in this order; positions may repeat."""
        items = tuple(self.items[position] for position in positions)
        return replace(self, items=items, codes=self.codes[np.asarray(positions, dtype=np.intp)])


def _sorted_values(values: Iterable[Hashable], scale: Scale) -> tuple[Hashable, ...]:
    """Return categories in the order of their scale."""
    if scale is Scale.SETS:
        return tuple(sorted(values, key=_set_order))
    if scale is Scale.INTERVAL:
        return tuple(sorted(values, key=_finite_number))
    return tuple(sorted(values, key=lambda value: (type(value).__name__, str(value))))


def _set_order(value: Hashable) -> tuple[int, list[str]]:
    if not isinstance(value, frozenset):
        raise ValueError(f"{value!r} is no frozen set")
    return len(value), sorted(map(str, value))


def _finite_number(value: Hashable) -> float:
    if not isinstance(value, int | float) or not np.isfinite(value):
        raise ValueError(f"{value!r} is no finite number")
    return float(value)


def _require_valid_categories(
    categories: tuple[Hashable, ...], values: Iterable[Hashable], scale: Scale
) -> None:
    """Raise ValueError for a category listed twice, or a value that is none or invalid."""
    if len(set(categories)) != len(categories):
        raise ValueError("a category is listed twice")
    known = set(categories)
    for value in values:
        if value not in known:
            raise ValueError(f"{value!r} is not among the categories")
    if scale in (Scale.SETS, Scale.INTERVAL):
        _sorted_values(categories, scale)  # raises ValueError for an invalid value


def _codes(
    triples: list[Rating],
    items: tuple[Hashable, ...],
    raters: tuple[Hashable, ...],
    categories: tuple[Hashable, ...],
) -> Codes:
    """Return the ratings as category numbers, items × raters; MISSING where there is none."""
    row = {item: index for index, item in enumerate(items)}
    column = {rater: index for index, rater in enumerate(raters)}
    number: dict[Hashable | None, int] = {value: code for code, value in enumerate(categories)}
    number[None] = MISSING
    rows = np.fromiter((row[item] for item, _, _ in triples), np.intp, len(triples))
    columns = np.fromiter((column[rater] for _, rater, _ in triples), np.intp, len(triples))
    cells = rows * len(raters) + columns
    if len(np.unique(cells)) != len(cells):
        raise ValueError("a rater rates an item twice")
    codes = np.full(len(items) * len(raters), MISSING, dtype=np.int32)
    codes[cells] = np.fromiter((number[value] for _, _, value in triples), np.int32, len(triples))
    return codes.reshape(len(items), len(raters))


Formula = Callable[[Array], Array]  # rows of sums → one value per row, NaN where undefined
_CELLS_AT_ONCE = 16_000_000  # bounds memory to about 130 MB
_DRAW_BY_KIND = 12  # a binomial draw per kind costs about as much as this many draws of an item


@dataclass(frozen=True, slots=True)
class Tally:
    """Kinds of items: their contributions to the sums (`features`), and their frequencies."""

    features: csr_array
    times: NDArray[np.int64]
    formula: Formula

    def value(self) -> float | None:
        """Return the statistic of the items without resampling; None where it is undefined."""
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
        """Compute the statistic for each row of multiplicities."""
        sums: Array = times.astype(np.float64) @ self.features
        with np.errstate(invalid="ignore", divide="ignore"):
            return self.formula(sums)

    def _draws(self, resamples: int, rng: np.random.Generator) -> Iterator[NDArray[np.int64]]:
        """Yield resamples as rows: the number of draws of each kind.

        Either by a multinomial draw over the kinds, or item by item where there are
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
        """Resample items one by one; return how often each kind was drawn."""
        kinds, items = len(self.times), int(self.times.sum())
        kind_of = np.repeat(np.arange(kinds), self.times)
        picked = kind_of[rng.integers(0, items, size=(rows, items), dtype=np.int32)]
        picked += np.arange(rows)[:, None] * kinds
        return np.bincount(picked.ravel(), minlength=rows * kinds).reshape(rows, kinds)


class Reason(StrEnum):
    """The reason for a missing value, shown as ``statistics.reason.<value>``."""

    SCALE = "scale"  # the statistic is not for this scale
    RATERS = "raters"  # it is for exactly two raters
    UNEQUAL = "unequal"  # it needs the same number of ratings on every item
    NO_PAIRS = "no_pairs"  # no item has two ratings
    NO_VARIATION = "no_variation"  # one category throughout: agreement is undefined
    NOT_USED = "not_used"  # nobody chose the category
    NO_PAGES = "no_pages"  # no page was transcribed by one person and checked by another
    NO_CALIBRATION = "no_calibration"  # the rater rated no item whose answer is known


@dataclass(frozen=True, slots=True)
class Finding:
    """The figure of a statistic, or the reason why it has none.

    The figure's n counts the items that have at least two ratings. `undefined` counts the
    resamples in which the statistic has no value; its interval is over the others.
    """

    figure: Figure
    reason: Reason | None = None
    undefined: int = 0

    @property
    def statistic(self) -> str:
        """The key of the statistic."""
        return self.figure.name


class Statistic(ABC):
    """Base class of agreement statistics; instances compare by value, `key` is a unique name."""

    @property
    @abstractmethod
    def key(self) -> str:
        """The name, as in ``statistics.name.<key>``."""

    @property
    @abstractmethod
    def scales(self) -> frozenset[Scale]:
        """The scales to which the statistic applies."""

    @property
    def two_raters(self) -> bool:
        """Whether it requires exactly two raters."""
        return False

    def shares(self, ratings: Ratings) -> Array | None:
        """Return each paired item's share of agreement, if the value is their mean; else None."""
        return None

    def unfit(self, ratings: Ratings) -> Reason | None:
        """Return why the statistic does not apply to `ratings`; None if it does."""
        if ratings.scale not in self.scales:
            return Reason.SCALE
        if self.two_raters and len(ratings.raters) != 2:
            return Reason.RATERS
        return None if ratings.pairable else Reason.NO_PAIRS

    @abstractmethod
    def tally(self, ratings: Ratings) -> Tally:
        """Return the sums of `ratings` that the statistic is computed from."""

    def __repr__(self) -> str:
        return self.key


def measure(
    ratings: Ratings, statistic: Statistic, resamples: int = RESAMPLES, seed: int = 0
) -> Finding:
    """Measure `statistic` with its interval; without a value, and with the reason, if undefined.

    A share's interval is Wilson's over items, any
    other's the percentiles of an item bootstrap.
    Equal arguments give an equal finding. With `resamples` 0 there is no interval.
    """
    reason = statistic.unfit(ratings)
    if reason is not None:
        return Finding(Figure(statistic.key, None, ratings.pairable), reason)
    tally = statistic.tally(ratings)
    value = tally.value()
    if value is None:
        return Finding(Figure(statistic.key, None, ratings.pairable), Reason.NO_VARIATION)
    if not resamples:
        return Finding(Figure(statistic.key, value, ratings.pairable))
    if (shares := statistic.shares(ratings)) is not None:
        return Finding(share_of(statistic.key, shares.tolist()))
    around = tally.interval(resamples, seed)
    figure = Figure(statistic.key, value, ratings.pairable, around.low, around.high)
    return Finding(figure, undefined=around.undefined)
