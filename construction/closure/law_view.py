"""The interface through which closure reads provisions and edges."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Protocol

from corpus.graph.model import Direction, Edge, EdgeType
from corpus.model import Unit


class LawView(Protocol):
    """A law for closure. All results use semantic ids, and are the same at every call."""

    def unit(self, unit_id: str) -> Unit | None:
        """Return a provision; None for an unknown id."""
        ...

    def edges(
        self, unit_id: str, types: Collection[EdgeType], direction: Direction
    ) -> Sequence[Edge]:
        """Return the edges of the types at a provision, without loops."""
        ...

    def beside(self, statute_id: str) -> Sequence[str]:
        """Return the ids of a statute's provisions in document order."""
        ...
