"""What each rater said of each item, as a compact table of category numbers with gaps."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

Codes = NDArray[np.int32]
Array = NDArray[np.float64]
Rating = tuple[Hashable, Hashable, Hashable | None]  # item, rater, value; None is a missing value
MISSING = -1


class Scale(StrEnum):
    """How values compare."""

    NOMINAL = "nominal"  # the same or not
    ORDINAL = "ordinal"  # in an order, with unknown distances
    INTERVAL = "interval"  # numbers whose differences mean something
    SETS = "sets"  # frozen sets of units; the empty set is an answer too


@dataclass(frozen=True, slots=True)
class Kinds:
    """Items told apart by nothing but what was said of them, whoever said it.

    `codes` holds one row per kind: the category numbers said, ascending, with −1 in front where a
    row has fewer than the longest. `times` counts the items of each kind. No statistic that
    treats raters alike needs more than this, however many items there are.
    """

    codes: Codes
    times: NDArray[np.int64]

    @property
    def ratings(self) -> NDArray[np.int64]:
        """How many ratings an item of each kind has."""
        found: NDArray[np.int64] = (self.codes != MISSING).sum(axis=1)
        return found

    def with_at_least(self, ratings: int) -> Kinds:
        """Return the kinds whose items have at least this many ratings."""
        kept = self.ratings >= ratings
        return Kinds(self.codes[kept], self.times[kept])

    def counts(self, categories: int) -> csr_array:
        """Return how often each kind of item got each category: kinds × categories, sparse."""
        rows, columns = np.nonzero(self.codes != MISSING)
        ones = np.ones(len(rows))
        shape = (len(self.codes), categories)
        return csr_array((ones, (rows, self.codes[rows, columns])), shape=shape)


@dataclass(frozen=True, eq=False)
class Ratings:
    """Items × raters, with gaps.

    `codes` holds for each item (row) and rater (column) the number of the value in `categories`,
    −1 where the rater did not say. Categories of an ordinal scale are in their order.
    """

    items: tuple[Hashable, ...]
    raters: tuple[Hashable, ...]
    scale: Scale
    categories: tuple[Hashable, ...]
    codes: Codes

    @classmethod
    def of(
        cls,
        ratings: Iterable[Rating],
        scale: Scale,
        categories: Sequence[Hashable] | None = None,
    ) -> Ratings:
        """Return the table of (item, rater, value) triples, in the order in which they first come.

        `categories` are all values that raters could choose, used or not; by default those that
        occur, sorted. An ordinal scale needs them, in order: nothing else tells it.
        Raises ValueError when a rater rates an item twice, a value is no category, an interval
        value is no finite number, or an ordinal scale comes without categories.
        """
        triples = list(ratings)
        values = dict.fromkeys(value for _, _, value in triples if value is not None)
        if categories is None and scale is Scale.ORDINAL:
            raise ValueError("an ordinal scale needs its categories in order")
        kinds = _sorted(values, scale) if categories is None else tuple(categories)
        if categories is not None:
            _check(kinds, values, scale)
        items = tuple(dict.fromkeys(item for item, _, _ in triples))
        raters = tuple(dict.fromkeys(rater for _, rater, _ in triples))
        return cls(items, raters, scale, kinds, _codes(triples, items, raters, kinds))

    @cached_property
    def per_item(self) -> NDArray[np.int64]:
        """How many ratings each item has."""
        found: NDArray[np.int64] = (self.codes != MISSING).sum(axis=1)
        return found

    @property
    def pairable(self) -> int:
        """How many items have at least two ratings: the n of most statistics."""
        return int((self.per_item >= 2).sum())

    @property
    def missing(self) -> bool:
        """Whether any rater left out any item."""
        return bool((self.codes == MISSING).any())

    @cached_property
    def kinds(self) -> Kinds:
        """The kinds of items that have any rating, in ascending order of their codes."""
        most = int(self.per_item.max(initial=0))
        rows = np.sort(self.codes[self.per_item > 0], axis=1)[:, len(self.raters) - most :]
        codes, times = np.unique(rows, axis=0, return_counts=True)
        return Kinds(codes, times)

    def of_raters(self, *raters: Hashable) -> Ratings:
        """Return the columns of these raters. Raises ValueError for an unknown one."""
        columns = [self.raters.index(rater) for rater in raters]
        return replace(self, raters=raters, codes=self.codes[:, columns])

    def at(self, positions: Sequence[int] | NDArray[np.intp]) -> Ratings:
        """Return the rows at these positions, in this order; a position may come again."""
        items = tuple(self.items[position] for position in positions)
        return replace(self, items=items, codes=self.codes[np.asarray(positions, dtype=np.intp)])


def _sorted(values: Iterable[Hashable], scale: Scale) -> tuple[Hashable, ...]:
    if scale is Scale.SETS:
        return tuple(sorted(values, key=_set_order))
    if scale is Scale.INTERVAL:
        return tuple(sorted(values, key=_number))
    return tuple(sorted(values, key=lambda value: (type(value).__name__, str(value))))


def _set_order(value: Hashable) -> tuple[int, list[str]]:
    if not isinstance(value, frozenset):
        raise ValueError(f"{value!r} is no frozen set")
    return len(value), sorted(map(str, value))


def _number(value: Hashable) -> float:
    if not isinstance(value, int | float) or not np.isfinite(value):
        raise ValueError(f"{value!r} is no finite number")
    return float(value)


def _check(categories: tuple[Hashable, ...], values: Iterable[Hashable], scale: Scale) -> None:
    if len(set(categories)) != len(categories):
        raise ValueError("a category is listed twice")
    known = set(categories)
    for value in values:
        if value not in known:
            raise ValueError(f"{value!r} is not among the categories")
    if scale in (Scale.SETS, Scale.INTERVAL):
        _sorted(categories, scale)  # for its check of each value


def _codes(
    triples: list[Rating],
    items: tuple[Hashable, ...],
    raters: tuple[Hashable, ...],
    categories: tuple[Hashable, ...],
) -> Codes:
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
