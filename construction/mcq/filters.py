"""Which items people need not look at, and why: each filter counts what it takes out.

Filters come in the order of `Reason`; an item falls to the first that finds something. What a
filter takes out depends on the items and the seed alone, never on their order.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations

from rapidfuzz.fuzz import ratio

from construction.mcq.model import WRITTEN, Mcq, drawn
from construction.mcq.wording import CITING, META, comparable, in_language, says


class Reason(StrEnum):
    """Why an item is out."""

    FORMAT = "format"  # empty, wrong language, options alike, or one that leaves it open
    META = "meta"  # speaks of the material instead of the matter
    CITING = "citing"  # names the law or the article
    DUPLICATE = "duplicate"  # another item asks the same
    LEAKED = "leaked"  # the right option's words stand in the first provision or the question
    POSITION = "position"  # too many right answers at this place


@dataclass(frozen=True, slots=True)
class Limits:
    """Where filters draw the line.

    `alike` (0 to 100) is how alike two questions about one provision may be. `surplus` is how much
    more than its even share of right answers a position may have, as a share of it, beyond the
    two standard deviations that chance explains.
    """

    shortest_query: int = 10
    longest_query: int = 1_000
    longest_option: int = 400
    alike: float = 92.0
    surplus: float = 0.1


@dataclass(frozen=True, slots=True)
class Dropped:
    """An item that a filter took out; `detail` is the words or the item that it is for."""

    item: Mcq
    reason: Reason
    detail: str


@dataclass(frozen=True, slots=True)
class Filtered:
    """The items left, by id, and those taken out, by filter and id."""

    kept: tuple[Mcq, ...]
    dropped: tuple[Dropped, ...]

    @property
    def counts(self) -> dict[Reason, int]:
        """How many items each filter took out, in the order of the filters."""
        counted = Counter(each.reason for each in self.dropped)
        return {reason: counted[reason] for reason in Reason}


_Found = Iterator[tuple[Mcq, str]]
_LEAVING_OPEN = (
    "cannot be determined", "cannot be known", "not enough information", "none of the above",
    "all of the above", "알 수 없다", "판단할 수 없다", "모두 맞다", "모두 옳다", "모두 틀리다",
    "위의 모두", "정답 없음", "해당 없음",
)  # fmt: skip


def filtered(items: Iterable[Mcq], seed: int = 0, limits: Limits | None = None) -> Filtered:
    """Return which items are left and which are not. Raises ValueError for ids that repeat."""
    left = {item.id: item for item in sorted(items, key=lambda item: item.id)}
    lines = limits or Limits()
    dropped: list[Dropped] = []
    for reason, find in _FILTERS.items():
        for item, detail in list(find(tuple(left.values()), seed, lines)):
            dropped.append(Dropped(item, reason, detail))
            del left[item.id]
    return Filtered(tuple(left.values()), tuple(dropped))


def _format(items: Sequence[Mcq], seed: int, limits: Limits) -> _Found:
    for item in items:
        fault = _fault(item, limits)
        if fault:
            yield item, fault


def _fault(item: Mcq, limits: Limits) -> str:
    written = [comparable(option) for option in item.options[:WRITTEN]]
    open_ones = [o for o in written if any(comparable(each) in o for each in _LEAVING_OPEN)]
    checks = {
        "query": limits.shortest_query <= len(item.query) <= limits.longest_query,
        "language": in_language(item.query, item.pair.source.language),
        "explanation": bool(item.explanation),
        "options": len(item.options) == WRITTEN + 1 and all(written),
        "alike": len(set(written)) == len(written),
        "long": all(len(option) <= limits.longest_option for option in item.options),
        "open": not open_ones,
        "answer": 1 <= item.answer <= WRITTEN,
    }
    return next((name for name, holds in checks.items() if not holds), "")


def _wording(patterns: Sequence[object]) -> Callable[[Sequence[Mcq], int, Limits], _Found]:
    def find(items: Sequence[Mcq], seed: int, limits: Limits) -> _Found:
        for item in items:
            said = "\n".join((item.query, *item.options[:WRITTEN]))
            hit = next((m for p in patterns if (m := p.search(said))), None)  # type: ignore[attr-defined]
            if hit:
                yield item, hit[0]

    return find


def _duplicate(items: Sequence[Mcq], seed: int, limits: Limits) -> _Found:
    """Yield every item that is like one of a smaller id; chains fall to their first."""
    out: set[str] = set()
    for first, second in _close(items):
        if second.id in out or first.id in out:
            continue
        if _alike(first, second, limits.alike):
            out.add(second.id)
            yield second, first.id


def _close(items: Sequence[Mcq]) -> Iterator[tuple[Mcq, Mcq]]:
    """Yield pairs of items that share a provision or the very words, in the order of ids."""
    groups: dict[str, list[int]] = {}
    for number, item in enumerate(items):
        ends = (item.pair.source.unit_id, item.pair.target.unit_id)
        for name in {*(f"unit {end}" for end in ends), f"words {comparable(item.query)}"}:
            groups.setdefault(name, []).append(number)
    near = {two for group in groups.values() for two in combinations(group, 2)}
    yield from ((items[first], items[second]) for first, second in sorted(near))


def _alike(first: Mcq, second: Mcq, limit: float) -> bool:
    return ratio(comparable(first.query), comparable(second.query)) >= limit


def _leaked(items: Sequence[Mcq], seed: int, limits: Limits) -> _Found:
    for item in items:
        if says(item.pair.source.text, item.right) or says(item.query, item.right):
            yield item, item.right


def _position(items: Sequence[Mcq], seed: int, limits: Limits) -> _Found:
    """Yield the surplus of each position, drawn by the seed."""
    even, chance = len(items) / WRITTEN, math.sqrt(len(items) * (WRITTEN - 1)) / WRITTEN
    allowed = math.ceil(even * (1 + limits.surplus) + 2 * chance)
    places: dict[int, list[Mcq]] = {}
    for item in items:
        places.setdefault(item.answer, []).append(item)
    for place, there in sorted(places.items()):
        order = sorted(there, key=lambda item: (drawn(seed, "position", item.id), item.id))
        for item in sorted(order[allowed:], key=lambda item: item.id):
            yield item, str(place)


_FILTERS: dict[Reason, Callable[[Sequence[Mcq], int, Limits], _Found]] = {
    Reason.FORMAT: _format,
    Reason.META: _wording(META),
    Reason.CITING: _wording(CITING),
    Reason.DUPLICATE: _duplicate,
    Reason.LEAKED: _leaked,
    Reason.POSITION: _position,
}
