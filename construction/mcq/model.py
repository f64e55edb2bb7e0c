"""The shapes of multi-hop questions: linked pairs of provisions, drafts, and items to check."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from corpus.graph.model import EdgeType
from corpus.model import Statute, Tier, Unit

WRITTEN = 4  # options that a draft has; the item's last one says that it cannot be told
CANNOT_TELL = {
    "en": "It cannot be determined from the information given.",
    "ko": "주어진 정보만으로는 판단할 수 없다.",
}


@dataclass(frozen=True, slots=True)
class Passage:
    """A provision as it is shown to whoever writes or solves a question."""

    unit_id: str
    statute_id: str
    tier: Tier
    language: str
    head: str
    text: str

    @property
    def shown(self) -> str:
        """The provision under the line that says where it stands."""
        return f"{self.head}\n{self.text}"


@dataclass(frozen=True, slots=True)
class Pair:
    """Two provisions, the first of which leads to the second by edges of these types."""

    source: Passage
    target: Passage
    types: tuple[EdgeType, ...]

    @property
    def id(self) -> str:
        """What tells the pair from every other of its snapshot."""
        return f"{self.source.unit_id} → {self.target.unit_id}"


@dataclass(frozen=True, slots=True)
class Draft:
    """A question as it was written: options without numbers, `answer` counted from 1."""

    query: str
    options: tuple[str, ...]
    answer: int
    explanation: str


@dataclass(frozen=True, slots=True)
class Mcq:
    """An item: five options, the last of which is that it cannot be told; `answer` from 1."""

    id: str
    pair: Pair
    query: str
    options: tuple[str, ...]
    answer: int
    explanation: str

    @property
    def right(self) -> str:
        """The words of the right option."""
        return self.options[self.answer - 1]

    @property
    def abstention(self) -> int:
        """The option that says it cannot be told, counted from 1."""
        return len(self.options)


def passage(statute: Statute, unit: Unit) -> Passage:
    """Return a unit of a statute as a passage."""
    return Passage(
        unit_id=unit.semantic_id,
        statute_id=statute.semantic_id,
        tier=statute.tier,
        language=statute.language,
        head=head_of(statute.title, unit.label, unit.heading),
        text=unit.text,
    )


def head_of(title: str, label: str, heading: str) -> str:
    """Return the line that says where a provision stands."""
    return f"{title} {label}{f'({heading})' if heading else ''}"


def drawn(seed: int, *parts: str) -> int:
    """Return a number that depends on the seed and the parts alone, evenly spread over 128 bits.

    What it decides for one thing stays as it is whatever other things there are.
    """
    text = "\x1f".join((str(seed), *parts))
    return int.from_bytes(hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[:16])
