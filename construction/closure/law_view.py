"""The law as closure reads it: provisions and the edges between them, wherever they are kept."""

from __future__ import annotations

from collections.abc import Collection, Sequence
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
