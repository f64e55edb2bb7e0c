"""The law as closure reads it: provisions and the edges between them, wherever they are kept."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from typing import Protocol

from corpus.graph.model import Direction, Edge, EdgeType
from corpus.model import Unit


class LawView(Protocol):
    """What closure asks of a law. All answers are by semantic ids, and the same at every call."""

    def unit(self, unit_id: str) -> Unit | None:
        """Return a provision; None where the law has none of that id."""
        ...

    def edges(
        self, unit_id: str, types: Collection[EdgeType], direction: Direction
    ) -> Sequence[Edge]:
        """Return the edges of the types at a provision, without those to itself."""
        ...

    def beside(self, statute_id: str) -> Sequence[str]:
        """Return the ids of a statute's provisions in the order of its text."""
        ...


class LawInMemory:
    """A law whose provisions and edges are given; for a notebook, and for tests."""

    def __init__(self, units: Iterable[Unit], edges: Iterable[Edge] = ()) -> None:
        """Index the provisions by id, the edges by their ends."""
        self._units = {each.semantic_id: each for each in units}
        self._out: dict[str, list[Edge]] = defaultdict(list)
        self._in: dict[str, list[Edge]] = defaultdict(list)
        self._statutes: dict[str, list[str]] = defaultdict(list)
        for unit in self._units.values():
            self._statutes[unit.statute_id].append(unit.semantic_id)
        for edge in edges:
            if edge.source != edge.target:
                self._out[edge.source].append(edge)
                self._in[edge.target].append(edge)

    def unit(self, unit_id: str) -> Unit | None:
        """Return a provision; None where there is none of that id."""
        return self._units.get(unit_id)

    def edges(
        self, unit_id: str, types: Collection[EdgeType], direction: Direction
    ) -> Sequence[Edge]:
        """Return the edges of the types at a provision, outgoing ones first."""
        found = list(self._out.get(unit_id, ())) if direction != "in" else []
        found += self._in.get(unit_id, ()) if direction != "out" else ()
        return [each for each in found if each.type in types]

    def beside(self, statute_id: str) -> Sequence[str]:
        """Return the ids of a statute's provisions as they were given."""
        return tuple(self._statutes.get(statute_id, ()))
