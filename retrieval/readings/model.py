"""Readings: what a model, or a rule-based stand-in, extracts from one unit.

A reading is of one kind; each kind has its own prompt and its own items (see `Kind`). Every unit
that was asked about has a reading, whatever the outcome: `state` records it, and a reading that is
not `State.READ` has no items.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Protocol

from corpus.long_work import Progress
from retrieval.core.model import Document


class Kind(StrEnum):
    """The kind of information read from a unit."""

    GRAPH = "graph"  # LightRAG: entities with types and descriptions, relations between them
    PHRASES = "phrases"  # HippoRAG-2: the named entities of the text
    TRIPLES = "triples"  # HippoRAG-2: subject, predicate, object, given the phrases
    ATOMS = "atoms"  # PIKE-RAG: the questions that the text answers


class State(StrEnum):
    """The outcome of reading a unit."""

    READ = "read"
    EMPTY = "empty"  # it was read and yielded no items
    REFUSED = "refused"
    INVALID = "invalid"  # the reply does not have the required form
    FAILED = "failed"  # the call failed and will be retried later


@dataclass(frozen=True, slots=True)
class Entity:
    """An entity named in the text; `type` and `description` may be empty."""

    name: str
    type: str = ""
    description: str = ""


@dataclass(frozen=True, slots=True)
class Relation:
    """An undirected relation between two entities, by name."""

    source: str
    target: str
    keywords: str = ""
    description: str = ""
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Triple:
    """A fact of the text: subject, predicate, object."""

    subject: str
    predicate: str
    object: str


@dataclass(frozen=True, slots=True)
class Reading:
    """The result of reading one unit for one kind.

    `entities` are those of `Kind.GRAPH` and `Kind.PHRASES`, `relations` those of `Kind.GRAPH`,
    `triples` those of `Kind.TRIPLES`, `atoms` those of `Kind.ATOMS`: each once, in the order of
    the reply. `problem` is the error where the state is neither READ nor EMPTY.
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
    """The cost of readings: model calls, their tokens, and the model's seconds.

    A call counts once, whether made now or cached: so an index that
    shares its readings with another one costs what it would cost alone. `untold` is the number of
    calls without reported tokens, which are then missing from the sums.
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
        """Return it as plain data, to be stored beside an index."""
        return asdict(self)


class UnitReader(Protocol):
    """Reads units: a language model, or the rules that replace it."""

    @property
    def cost(self) -> ReadingCost:
        """The cost of all readings given so far, each call once."""
        ...

    def identity(self, kind: Kind) -> str:
        """Return an identifier of the model, settings and wordings of readings of `kind`."""
        ...

    def __call__(
        self, kind: Kind, documents: Sequence[Document], progress: Progress | None = None
    ) -> list[Reading]:
        """Return one reading per document, in order; nothing is asked twice.

        Raises UserError where a model is required and missing, where it takes no calls, and
        where calls failed that may succeed later: the readings so far are cached, but
        nothing built on readings is stored without the missing ones.
        """
        ...
