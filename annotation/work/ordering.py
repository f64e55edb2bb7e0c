"""In which order items come: pure rules, so that the same data always give the same order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from random import Random
from typing import Any, TypeVar

_FIRST = 10  # of the results of text search, those that an annotator surely looks at
Kept = TypeVar("Kept")


@dataclass(frozen=True, slots=True)
class Offered:
    """What was suggested for an item: how each citation ended, and which units came from where.

    `statuses` are resolved, ambiguous or unresolved. `cited` are the units that the resolver names,
    `found` those among the first ten of text search.
    """

    statuses: tuple[str, ...]
    cited: frozenset[int]
    found: frozenset[int]


def offered(
    citations: Iterable[dict[str, Any]], candidates: Iterable[tuple[int, Sequence[dict[str, Any]]]]
) -> Offered:
    """Return what a candidate set offers, from its stored citations and (unit id, why) rows."""
    cited, found = set(), set()
    for unit_id, why in candidates:
        if any(each["source"] == "citation" for each in why):
            cited.add(unit_id)
        if any(each["source"] == "text" and (each["rank"] or 0) <= _FIRST for each in why):
            found.add(unit_id)
    statuses = tuple(each["status"] for each in citations)
    return Offered(statuses, frozenset(cited), frozenset(found))


def informativeness(what: Offered | None) -> float:
    """Return how much a person's answer to the item should teach, from 0 (little) to 2.

    The sum of two shares: of its citations, those that the resolver could not resolve to one
    place; and of the units that the resolver names, those that are not among the first ten that
    text search finds. Where there is nothing to take a share of, it counts as 1: nobody knows yet.
    """
    if what is None:
        return 2.0
    doubtful = sum(status != "resolved" for status in what.statuses)
    doubt = doubtful / len(what.statuses) if what.statuses else 1.0
    apart = len(what.cited - what.found) / len(what.cited) if what.cited else 1.0
    return doubt + apart


def random_key(seed: int, person_id: int, item_id: int) -> bytes:
    """Return what sorts a person's items at random.

    The key of an item depends on nothing but its batch's seed, the person and the item: whoever
    and whatever is added later, the items that were there keep their order.
    """
    return blake2b(f"{seed} {person_id} {item_id}".encode(), digest_size=8).digest()


def sample(things: Sequence[Kept], size: int, seed: int) -> list[Kept]:
    """Return `size` of the things, drawn without replacement by `seed`, in their old order."""
    drawn = Random(seed).sample(range(len(things)), min(size, len(things)))
    return [things[index] for index in sorted(drawn)]


def spread(things: Sequence[Kept], among: Sequence[Kept], seed: int) -> list[Kept]:
    """Return both: `among` in its order, the other things at places drawn by `seed`."""
    total = len(things) + len(among)
    places = set(Random(seed).sample(range(total), len(things)))
    mixed, rest = iter(Random(seed).sample(list(things), len(things))), iter(among)
    return [next(mixed if place in places else rest) for place in range(total)]
