"""Which linked provisions a question can rest on, and a seeded sample of them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

from construction.mcq.model import Pair, Passage, drawn
from corpus.graph.model import Edge, EdgeType
from corpus.model import Tier

LEADING = frozenset({EdgeType.DELEGATES_TO, EdgeType.REFERENCES, EdgeType.APPLIES})
"""Edges whose source leaves something to its target."""


@dataclass(frozen=True, slots=True)
class PairFilter:
    """Which pairs are wanted. An empty set of tiers or statutes is any.

    `tiers` are pairs of source's and target's; `statutes` are semantic ids, one of which the
    source is of. Texts are between `shortest` and `longest` characters.
    """

    types: Collection[EdgeType] = field(default=frozenset({EdgeType.DELEGATES_TO}))
    tiers: Collection[tuple[Tier, Tier]] = ()
    statutes: Collection[str] = ()
    shortest: int = 40
    longest: int = 6_000


def linked_pairs(
    edges: Iterable[Edge], passages: Mapping[str, Passage], wanted: PairFilter
) -> list[Pair]:
    """Return the wanted pairs by their ids; edges of several types make one pair.

    `passages` are the provisions that have a text, by unit id: an edge to anything else (a statute
    as a whole, a deleted provision) makes no pair. Neither does an edge from a unit to itself.
    """
    types: dict[tuple[str, str], set[EdgeType]] = {}
    for edge in edges:
        if edge.type in wanted.types and edge.source != edge.target:
            types.setdefault((edge.source, edge.target), set()).add(edge.type)
    found = []
    for (source, target), kinds in sorted(types.items()):
        if source in passages and target in passages:
            pair = Pair(passages[source], passages[target], tuple(sorted(kinds)))
            if _fits(pair, wanted):
                found.append(pair)
    return found


def sample_pairs(
    pairs: Iterable[Pair], number: int, seed: int, per_source: int | None = None
) -> list[Pair]:
    """Return `number` of the pairs, or all if there are fewer, drawn by the seed.

    A larger sample of the same seed begins with the smaller one, and whether a pair is drawn
    before another does not depend on third ones. At most `per_source` pairs share their source.
    """
    order = sorted(pairs, key=lambda pair: (drawn(seed, pair.id), pair.id))
    taken: dict[str, int] = {}
    sample = []
    for pair in order:
        source = pair.source.unit_id
        if per_source is None or taken.get(source, 0) < per_source:
            taken[source] = taken.get(source, 0) + 1
            sample.append(pair)
    return sample[: max(0, number)]


def _fits(pair: Pair, wanted: PairFilter) -> bool:
    tiers = (pair.source.tier, pair.target.tier)
    lengths = (len(pair.source.text.strip()), len(pair.target.text.strip()))
    return (
        (not wanted.tiers or tiers in wanted.tiers)
        and (not wanted.statutes or pair.source.statute_id in wanted.statutes)
        and all(wanted.shortest <= length <= wanted.longest for length in lengths)
    )
