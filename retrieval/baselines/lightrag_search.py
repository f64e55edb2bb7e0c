"""LightRAG's search over its graph, in the order of its own code (1.5.7), over arrays.

1. Low-level keywords find entities by cosine, and all their relations, ordered by the sum of the
   degrees of their ends, then by weight, then in the order of the entities.
   High-level keywords find relations by cosine, and their ends, in order.
2. The entities of both ways are interleaved, and so are the relations, without repetition.
3. The first entities, and the first relations, that fit a budget of tokens are kept.
4. The units of the entities are cut to the `related` · n / 2 nearest to the question, n being the
   number of entities that have any; then the units of the relations that are not among these.
5. Units near the question (mode mix), of entities and of relations are interleaved.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, zip_longest
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from retrieval.baselines.lightrag_graph import BYTES_A_TOKEN
from retrieval.baselines.lists import PositionLists
from retrieval.baselines.nearest_rows import all_nearest
from retrieval.baselines.text_vectors import Vectors, unit_vectors
from retrieval.core.method import Dense
from retrieval.engines.local import LocalEngine, products

_ARRAYS = (
    *("ends", "weights", "entity_sizes", "relation_sizes"),
    *("entity_vectors", "relation_vectors"),
)
_LISTS = ("entity_units", "relation_units")
MODES = ("local", "global", "hybrid", "mix")


@dataclass(frozen=True)
class GraphArrays:
    """The graph as arrays for search; entities and relations by number.

    `ends` has two columns. Sizes are bytes of the budgets. Vectors are of length one or zero.
    """

    ends: NDArray[np.int64]
    weights: NDArray[np.float64]
    entity_sizes: NDArray[np.int64]
    relation_sizes: NDArray[np.int64]
    entity_units: PositionLists
    relation_units: PositionLists
    entity_vectors: Vectors
    relation_vectors: Vectors

    def save(self, folder: Path) -> None:
        """Write the arrays into `folder`."""
        for name in _ARRAYS:
            np.save(folder / f"{name}.npy", getattr(self, name))
        for name in _LISTS:
            getattr(self, name).save(folder, name)

    @classmethod
    def load(cls, folder: Path, units: int) -> GraphArrays:
        """Read what `save` wrote, memory-mapped.

        Raises ValueError if the arrays do not form one graph over this number of units.
        """
        arrays: dict[str, Any] = {
            name: np.load(folder / f"{name}.npy", mmap_mode="r") for name in _ARRAYS
        }
        arrays |= {name: PositionLists.load(folder, name, units) for name in _LISTS}
        graph = cls(**arrays)
        graph._require_consistent()
        return graph

    def _require_consistent(self) -> None:
        entities = {len(self.entity_sizes), len(self.entity_units), len(self.entity_vectors)}
        relations = {len(self.ends), len(self.weights), len(self.relation_sizes)}
        relations |= {len(self.relation_units), len(self.relation_vectors)}
        if len(entities) > 1 or len(relations) > 1 or self.ends.shape[1:] != (2,):
            raise ValueError("arrays of two graphs")
        if self.ends.size and (self.ends.min() < 0 or self.ends.max() >= entities.pop()):
            raise ValueError("relations of entities that are not there")


@dataclass(frozen=True, slots=True)
class Sought:
    """The vectors of a question and its keywords, length one; None for a level without keywords."""

    question: Vectors
    low: Vectors | None
    high: Vectors | None


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of the search; see the parameters of `LightRAG`."""

    mode: str
    top_k: int
    chunk_top_k: int
    cosine: float
    related: int
    entity_tokens: int
    relation_tokens: int


class GraphSearch:
    """Ranks the units of a dense base by a graph."""

    def __init__(self, graph: GraphArrays, base: Dense) -> None:
        """Index the relations of each entity; `base` is fitted to the corpus of the graph."""
        self._graph = graph
        self._units = unit_vectors(base)
        self._by_unit = LocalEngine(self._units)
        self._by_entity = LocalEngine(graph.entity_vectors)
        self._by_relation = LocalEngine(graph.relation_vectors)
        entities, relations = len(graph.entity_vectors), len(graph.ends)
        self._degrees = np.bincount(graph.ends.ravel(), minlength=entities)
        order = np.argsort(graph.ends.ravel(), kind="stable")
        starts = np.concatenate(([0], np.cumsum(self._degrees))).astype(np.int64)
        which = np.repeat(np.arange(relations, dtype=np.int64), 2)
        self._relations_of = PositionLists(starts, which[order])

    def ranked(self, sought: Sequence[Sought], limits: Limits) -> list[list[int]]:
        """Return the positions of the units found for each question, best first.

        They are at most `limits.chunk_top_k`. Results do not depend on the other questions.
        """
        mode, k = limits.mode, limits.top_k
        low = [each.low if mode != "global" or each.high is None else None for each in sought]
        high = [each.high if mode != "local" or each.low is None else None for each in sought]
        near = [each.question if mode == "mix" else None for each in sought]
        found = zip(
            sought,
            _nearest(self._by_entity, low, k, limits.cosine),
            _nearest(self._by_relation, high, k, limits.cosine),
            _nearest(self._by_unit, near, limits.chunk_top_k, limits.cosine),
            strict=True,
        )
        return [self._ranked(limits, *each) for each in found]

    def _ranked(
        self,
        limits: Limits,
        sought: Sought,
        entities: list[int],
        relations: list[int],
        units: list[int],
    ) -> list[int]:
        """Return the units of one question from its nearest entities, relations and units."""
        graph, related = self._graph, limits.related
        ends = graph.ends[relations].ravel().tolist()
        relations = in_turns(self._relations(entities), relations)
        entities = within(in_turns(entities, ends), graph.entity_sizes, limits.entity_tokens)
        relations = within(relations, graph.relation_sizes, limits.relation_tokens)
        of_entities = self._nearest_to_question(
            sought, *units_of(graph.entity_units, entities), related
        )
        of_relations = self._nearest_to_question(
            sought, *new_units_of(graph.relation_units, relations, of_entities), related
        )
        return in_turns(units, of_entities, of_relations)[: limits.chunk_top_k]

    def _relations(self, entities: Sequence[int]) -> list[int]:
        """Return the relations of `entities`, by degree of their ends, then by weight."""
        led = dict.fromkeys(chain.from_iterable(self._relations_of[at].tolist() for at in entities))
        found = np.array(list(led), dtype=np.int64)
        ranks = self._degrees[self._graph.ends[found]].sum(axis=1)
        # lexsort: the last key counts first; ties keep the order of the entities
        order = np.lexsort((-self._graph.weights[found], -ranks))
        ordered: list[int] = found[order].tolist()
        return ordered

    def _nearest_to_question(
        self, sought: Sought, units: set[int], holders: int, related: int
    ) -> list[int]:
        """Return the `related` · holders / 2 of `units` nearest to the question."""
        rows = np.array(sorted(units), dtype=np.int64)
        cosines = products(self._units, sought.question, rows)
        order = np.argsort(-cosines, kind="stable")[: related * holders // 2]
        chosen: list[int] = rows[order].tolist()
        return chosen


def _nearest(
    engine: LocalEngine, vectors: Sequence[Vectors | None], k: int, least: float
) -> list[list[int]]:
    """Return the nearest rows of each vector; empty for None."""
    found = iter(all_nearest(engine, [each for each in vectors if each is not None], k, least))
    return [[] if each is None else next(found).rows.tolist() for each in vectors]


def units_of(lists: PositionLists, places: Sequence[int]) -> tuple[set[int], int]:
    """Return the union of the units of `places`, and how many places have any."""
    each = [lists[at].tolist() for at in places]
    return set(chain.from_iterable(each)), sum(map(bool, each))


def new_units_of(
    lists: PositionLists, places: Sequence[int], without: Iterable[int]
) -> tuple[set[int], int]:
    """Return the units of `places` that are not among `without`.

    Also how many of `places` have a new one, not found at an earlier place.
    """
    seen, known, holders = set[int](), set(without), 0
    for at in places:
        mine = set(lists[at].tolist()) - known
        holders += bool(mine - seen)
        seen |= mine
    return seen, holders


def in_turns(*lists: Iterable[int]) -> list[int]:
    """Interleave lists, dropping repetitions.

    What a list says twice takes one turn of it.
    """
    turns = zip_longest(*map(dict.fromkeys, lists))
    return [at for at in dict.fromkeys(chain.from_iterable(turns)) if at is not None]


def within(places: list[int], sizes: NDArray[np.int64], tokens: int) -> list[int]:
    """Return the leading `places` whose sizes fit into a token budget; all if it is 0."""
    if not tokens:
        return places
    total = np.cumsum(sizes[np.array(places, dtype=np.int64)]) - 1  # the last line needs no newline
    return places[: int(np.searchsorted(total, tokens * BYTES_A_TOKEN, side="right"))]
