"""What a model, or the reader that stands in for one, reads out of one unit.

A reading is of one kind; each kind has its own prompt and its own items (see `Kind`). Every unit
that was asked about has a reading, whatever came of it: `state` says so, and a reading that is not
`State.READ` has no items.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Protocol

from corpus.progress import Progress
from retrieval.core.model import Document


class Kind(StrEnum):
    """What is read out of a unit."""

    GRAPH = "graph"  # LightRAG: entities with types and descriptions, relations between them
    PHRASES = "phrases"  # HippoRAG-2: the named entities of the text
    TRIPLES = "triples"  # HippoRAG-2: subject, predicate, object, given the phrases
    ATOMS = "atoms"  # PIKE-RAG: the questions that the text answers


class State(StrEnum):
    """What came of reading a unit."""

    READ = "read"
    EMPTY = "empty"  # it was read, and there is nothing in it
    REFUSED = "refused"
    INVALID = "invalid"  # the reply has not the form that was asked for
    FAILED = "failed"  # the call failed; it is asked again another time


@dataclass(frozen=True, slots=True)
class Entity:
    """Something that the text names; `type` and `description` may be empty."""

    name: str
    type: str = ""
    description: str = ""


@dataclass(frozen=True, slots=True)
class Relation:
    """An undirected relation between two entities by their names."""

    source: str
    target: str
    keywords: str = ""
    description: str = ""
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Triple:
    """A fact of the text."""

    subject: str
    predicate: str
    object: str


@dataclass(frozen=True, slots=True)
class Reading:
    """What came of reading one unit for one kind.

    `entities` are those of `Kind.GRAPH` and `Kind.PHRASES`, `relations` those of `Kind.GRAPH`,
    `triples` those of `Kind.TRIPLES`, `atoms` those of `Kind.ATOMS`: each once, in the order of
    the reply. `problem` says what was wrong where the state is neither READ nor EMPTY.
    """

    unit_id: str
    kind: Kind
    state: State
    entities: tuple[Entity, ...] = ()
    relations: tuple[Relation, ...] = ()
    triples: tuple[Triple, ...] = ()
    atoms: tuple[str, ...] = ()
    problem: str = ""


@dataclass(frozen=True, slots=True)
class ReadingCost:
    """What readings cost: calls of a model, their tokens, and the seconds that it took to answer.

    A call counts once, whether it was made now or its reply was kept from before: so an index that
    shares its readings with another one costs what it would cost alone. `untold` calls did not tell
    their tokens, which are then missing from the sums.
    """

    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    seconds: float = 0.0
    untold: int = 0

    def __add__(self, other: ReadingCost) -> ReadingCost:
        return ReadingCost(
            self.calls + other.calls,
            self.tokens_in + other.tokens_in,
            self.tokens_out + other.tokens_out,
            self.seconds + other.seconds,
            self.untold + other.untold,
        )

    def as_json(self) -> dict[str, float]:
        """Return it as plain data, to be kept beside an index."""
        return asdict(self)


class UnitReader(Protocol):
    """Reads units: a language model, or the rules that stand in where there is none."""

    @property
    def cost(self) -> ReadingCost:
        """What the readings that this reader has given so far cost, each call once."""
        ...

    def identity(self, kind: Kind) -> str:
        """Return what readings of `kind` depend on beyond the text: model, settings, wordings."""
        ...

    def __call__(
        self, kind: Kind, documents: Sequence[Document], progress: Progress | None = None
    ) -> list[Reading]:
        """Return one reading per document, in their order; nothing is asked twice.

        Raises UserError where a model is to read and there is none, where it takes no calls, and
        where calls failed that may succeed another time: what was read until then is kept, and
        nothing that is built on readings is kept without the missing ones.
        """
        ...
