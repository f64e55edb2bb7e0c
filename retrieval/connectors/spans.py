"""Sets of spans of positions, and the connectors as merge operations on two sets.

A span is from the position of its first word to that of its last, both included. A set holds each
span once, ordered by start and then by end. Operations take time in the size of the smaller
set times the logarithm of the larger one where possible, and return at most as many spans as given.

Connectors without an order keep the spans of both sides that have a partner. Connectors with an
order join: each span of the left with the nearest on its right, each of the right with the nearest
on its left, into spans from the start of one to the end of the other.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.signedinteger[Any]]
Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class Spans:
    """A set of spans; `ends` is `starts` itself where all are single words."""

    starts: Numbers
    ends: Numbers

    def __len__(self) -> int:
        return len(self.starts)

    @property
    def thin(self) -> bool:
        """Whether every span is a single word."""
        return self.ends is self.starts

    def taken(self, which: Flags | Numbers) -> Spans:
        """Return the spans at these ascending indices."""
        starts = self.starts[which]
        return Spans(starts, starts if self.thin else self.ends[which])

    @cached_property
    def by_end(self) -> Spans:
        """The same spans ordered by end and then by start."""
        if self.thin:
            return self
        order = np.lexsort((self.starts, self.ends))
        return Spans(self.starts[order], self.ends[order])


def words(positions: Numbers) -> Spans:
    """Return the spans of single words at ascending positions, each once."""
    return Spans(positions, positions)


NONE = words(np.zeros(0, dtype=np.int32))


def union(*sets: Spans) -> Spans:
    """Return the union of sets of spans."""
    sets = tuple(each for each in sets if len(each))
    if len(sets) < 2:
        return sets[0] if sets else NONE
    starts = np.concatenate([each.starts for each in sets])
    if all(each.thin for each in sets):
        return words(_unique(starts))
    return _span_set(starts, np.concatenate([each.ends for each in sets]))


def phrase(parts: list[Numbers]) -> Spans:
    """Return the occurrences of a phrase, given the ascending positions of its words."""
    rarest = min(range(len(parts)), key=lambda at: len(parts[at]))
    starts = parts[rarest] - rarest
    for at in sorted(range(len(parts)), key=lambda at: len(parts[at])):
        if at != rarest:
            starts = starts[_is_in(starts + at, parts[at])]
    return Spans(starts, starts + (len(parts) - 1)) if len(parts) > 1 else words(starts)


def near(left: Spans, right: Spans, n: int) -> Spans:
    """Return the spans of each side within `n` words of one of the other, before or after."""
    few, many = (left, right) if len(left) <= len(right) else (right, left)
    after_from = np.searchsorted(many.starts, few.ends, "right")
    after_to = np.searchsorted(many.starts, few.ends + n, "right")
    ends = many.by_end.ends
    before_from = np.searchsorted(ends, few.starts - n, "left")
    before_to = np.searchsorted(ends, few.starts, "left")
    kept = few.taken((after_to > after_from) | (before_to > before_from))
    return union(
        kept,
        many.taken(_union_of_ranges(after_from, after_to, len(many))),
        _reordered(many, _union_of_ranges(before_from, before_to, len(many))),
    )


def before(left: Spans, right: Spans, n: int) -> Spans:
    """Return spans of `left` joined with those of `right` that follow within `n` words."""
    starts, ends = [], []
    for lefts, rights in _neighbours(left, right):
        close = rights.starts - lefts.ends <= n
        starts.append(lefts.starts[close])
        ends.append(rights.ends[close])
    return _span_set(np.concatenate(starts), np.concatenate(ends))


def before_within(left: Spans, right: Spans, bounds: Numbers) -> Spans:
    """Return spans of `left` joined with those of `right` that follow in the same section.

    `bounds` are the ascending first positions of sections. Spans across sections are left out.
    """
    pairs = _neighbours(within_sections(left, bounds), within_sections(right, bounds))
    starts = np.concatenate([lefts.starts for lefts, _ in pairs])
    ends = np.concatenate([rights.ends for _, rights in pairs])
    # There was no nearer one, so a pair across sections hides none within a section.
    return within_sections(_span_set(starts, ends), bounds)


def within(left: Spans, right: Spans, bounds: Numbers) -> Spans:
    """Return the spans of each side that begin in a section where one of the other does.

    A span of both sides is its own partner.
    """
    few, many = (left, right) if len(left) <= len(right) else (right, left)
    first, last = _of_same_section(few, many, bounds)
    return union(few.taken(last > first), many.taken(_union_of_ranges(first, last, len(many))))


def without(left: Spans, right: Spans, bounds: Numbers) -> Spans:
    """Return the spans of `left` that begin in a section where none of `right` does."""
    if len(left) <= len(right):
        first, last = _of_same_section(left, right, bounds)
        return left.taken(first == last)
    first, last = _of_same_section(right, left, bounds)
    kept = np.ones(len(left), dtype=bool)
    kept[_union_of_ranges(first, last, len(left))] = False
    return left.taken(kept)


def within_sections(spans: Spans, bounds: Numbers) -> Spans:
    """Return the spans that do not cross a section boundary."""
    if spans.thin or not len(spans):
        return spans
    first = np.searchsorted(bounds, spans.starts, "right")
    return spans.taken(first == np.searchsorted(bounds, spans.ends, "right"))


def sections(spans: Spans, bounds: Numbers) -> tuple[Numbers, Numbers]:
    """Return the sections in which spans begin, ascending, and the number of spans in each."""
    if len(spans) > len(bounds) // 2:
        edges = np.searchsorted(spans.starts, bounds)
        counts = np.diff(edges, append=len(spans))
        found = np.flatnonzero(counts)
        return found, counts[found]
    where = np.searchsorted(bounds, spans.starts, "right") - 1
    return np.unique(where, return_counts=True)


def _neighbours(left: Spans, right: Spans) -> list[tuple[Spans, Spans]]:
    """Pair each left span with the nearest after it, each right span with the nearest before it.

    Of spans with the same start (or end) the shortest is the nearest.
    """
    after = np.searchsorted(right.starts, left.ends, "right")
    has_after = after < len(right)
    ordered = left.by_end
    ahead = np.searchsorted(ordered.ends, right.starts, "left") - 1
    has_ahead = ahead >= 0
    return [
        (left.taken(has_after), right.taken(after[has_after])),
        (ordered.taken(ahead[has_ahead]), right.taken(has_ahead)),
    ]


def _of_same_section(few: Spans, many: Spans, bounds: Numbers) -> tuple[Numbers, Numbers]:
    """Return, for each of `few`, the half-open range of spans of `many` in its section."""
    section = np.searchsorted(bounds, few.starts, "right")
    first = np.searchsorted(many.starts, bounds[section - 1])
    last = np.searchsorted(many.starts, bounds[np.minimum(section, len(bounds) - 1)])
    last[section == len(bounds)] = len(many)
    return first, last


def _union_of_ranges(first: Numbers, last: Numbers, size: int) -> Numbers:
    """Return the union of half-open index ranges, ascending."""
    lengths = np.maximum(last - first, 0)
    total = int(lengths.sum())
    if total > size:
        change = np.bincount(first, minlength=size + 1) - np.bincount(
            np.maximum(last, first), minlength=size + 1
        )
        return np.flatnonzero(np.cumsum(change[:size]) > 0)
    offsets = np.cumsum(lengths) - lengths
    places = np.arange(total) - np.repeat(offsets - first, lengths)
    return _unique(places)


def _reordered(spans: Spans, places: Numbers) -> Spans:
    """Return the spans at these indices of `by_end`, in the usual order."""
    found = spans.by_end.taken(places)
    return found if found.thin else _span_set(found.starts, found.ends)


def _span_set(starts: Numbers, ends: Numbers) -> Spans:
    """Return the sorted, distinct set of these spans."""
    keys = _unique((starts.astype(np.int64) << 32) | ends.astype(np.int64))
    return Spans((keys >> 32).astype(starts.dtype), (keys & 0xFFFFFFFF).astype(ends.dtype))


def _unique(values: Numbers) -> Numbers:
    """Return distinct values, ascending."""
    ordered = np.sort(values)
    if len(ordered) < 2:
        return ordered
    first = np.empty(len(ordered), dtype=bool)
    first[0] = True
    np.not_equal(ordered[1:], ordered[:-1], out=first[1:])
    return ordered[first]


def _is_in(values: Numbers, ordered: Numbers) -> Flags:
    """Return a mask of the values that are among ordered ones."""
    if not len(ordered):
        return np.zeros(len(values), dtype=bool)
    at = np.searchsorted(ordered, values)
    at[at == len(ordered)] = 0
    return np.asarray(ordered[at] == values)
