"""What retrieval works on: documents, the corpus they make up, queries, and rankings of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import astuple, dataclass
from functools import cached_property
from hashlib import sha256

MAX_DEPTH = 1000
"""The most units that a run keeps of one question."""


@dataclass(frozen=True, slots=True)
class Document:
    """One retrieval unit as methods see it; `id` is its semantic id.

    `statute` is the semantic id of its instrument, `tier` its authority (1 act, 2 decree, 3 rule,
    4 notice, 5 manual; 0 unknown), `path` the chapters it stands under, outermost first, and
    `order` its place in the instrument.
    """

    id: str
    statute_title: str = ""
    label: str = ""
    heading: str = ""
    body: str = ""
    statute: str = ""
    tier: int = 0
    path: tuple[str, ...] = ()
    order: int = 0

    @property
    def title(self) -> str:
        """Statute title, label and heading on one line."""
        return " ".join(part for part in (self.statute_title, self.label, self.heading) if part)

    @property
    def text(self) -> str:
        """Everything that is searched: title and body."""
        return " ".join(part for part in (self.title, self.body) if part)


class Corpus:
    """The documents of one snapshot, in ascending order of id, so that position settles ties.

    The documents themselves are read only when somebody asks for them: a saved index needs the
    ids alone. Two corpora of equal `fingerprint` have equal documents.
    """

    def __init__(
        self, ids: Iterable[str], fingerprint: str, read: Callable[[], Sequence[Document]]
    ) -> None:
        """Take `ids` in ascending order; `read` returns the documents in that order.

        Raises ValueError for ids that repeat or stand in another order.
        """
        self.ids: tuple[str, ...] = tuple(ids)
        self.fingerprint = fingerprint
        self._read = read
        if any(a >= b for a, b in zip(self.ids, self.ids[1:], strict=False)):
            raise ValueError("ids must ascend, each once")

    @classmethod
    def of(cls, documents: Iterable[Document]) -> Corpus:
        """Return the corpus of `documents`, in whatever order they come."""
        ordered = sorted(documents, key=lambda document: document.id)
        said = sha256()
        for document in ordered:
            said.update(repr(astuple(document)).encode("utf-8", "surrogatepass"))
        return cls([each.id for each in ordered], said.hexdigest(), lambda: ordered)

    def __len__(self) -> int:
        return len(self.ids)

    def without_documents(self) -> Corpus:
        """Return the same corpus, which shares all but the documents: it reads its own if need be.

        For who holds on to it long after fitting, when the documents are no longer wanted.
        """
        shared = copy(self)
        shared.__dict__.pop("documents", None)
        return shared

    @cached_property
    def documents(self) -> Sequence[Document]:
        """The documents, the i-th under the i-th of `ids`."""
        documents = self._read()
        if tuple(document.id for document in documents) != self.ids:
            raise ValueError("the documents read are not those of the ids")
        return documents

    @cached_property
    def positions(self) -> Mapping[str, int]:
        """Where each id stands."""
        return {unit: at for at, unit in enumerate(self.ids)}


@dataclass(frozen=True, slots=True)
class Query:
    """A question to be answered; `id` names it in the run."""

    id: str
    text: str


@dataclass(frozen=True, slots=True)
class Hit:
    """A unit found, with its score. Scores compare within one query of one method only."""

    unit_id: str
    score: float


Run = Mapping[str, Sequence[Hit]]
"""Query id → hits, best first: falling scores, equal ones by ascending unit id, no unit twice."""


def best(scores: Mapping[str, float], k: int) -> tuple[Hit, ...]:
    """Return the best `k` units of `scores` in the order of a run."""
    ordered = sorted(scores.items(), key=lambda each: (-each[1], each[0]))
    return tuple(Hit(unit, score) for unit, score in ordered[:k])
