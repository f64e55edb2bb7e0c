"""The data model of retrieval (documents, corpus, queries) and the parameters of methods.

Each parameter has a type, bounds and a default. A method is described by
plain data, a spec: ``{"method": "bm25", "k1": 1.2}``. All readers of specs (the command line,
experiment files, the form on screen) take the valid values from here.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import astuple, dataclass
from functools import cached_property
from hashlib import sha256
from typing import Any, Literal

from corpus.run import Hit as Hit
from corpus.run import Run as Run
from corpus.run import best as best
from corpus.run import continued as continued
from errors import UserError
from messages import Localized, say

MAX_DEPTH = 1000
"""The most units that a run keeps per question."""


@dataclass(frozen=True, slots=True)
class Document:
    """One retrieval unit as methods see it; `id` is its semantic id.

    `statute` is the semantic id of its instrument, `tier` its authority (1 act, 2 decree, 3 rule,
    4 notice, 5 manual; 0 unknown), `path` the chapters it stands under, outermost first, and
    `order` its place in the instrument. `jurisdiction` says whose law it is, "" where nobody said.
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
    jurisdiction: str = ""

    @property
    def title(self) -> str:
        """Statute title, label and heading on one line."""
        return " ".join(part for part in (self.statute_title, self.label, self.heading) if part)

    @property
    def text(self) -> str:
        """Everything that is searched: title and body."""
        return " ".join(part for part in (self.title, self.body) if part)

    def compared(self, spec: Spec) -> str:
        """Return the text that a method of `spec` compares: title and body, or the body alone."""
        return self.body if spec.get(COMPARED.name) == PASSAGE else self.text


class Corpus:
    """The documents of one snapshot, in ascending order of id, so that position settles ties.

    The documents themselves are read only when somebody asks for them: a saved index needs the
    ids alone. Two corpora of equal `fingerprint` have equal documents.

    A corpus may hold the law of several jurisdictions. What is searched for a question is then
    `within` its jurisdiction, a corpus of its own: the methods fitted to it know of no other law.
    """

    def __init__(
        self,
        ids: Iterable[str],
        fingerprint: str,
        read: Callable[[], Sequence[Document]],
        jurisdictions: Mapping[str, str] | None = None,
    ) -> None:
        """Take `ids` in ascending order; `read` returns the documents in that order.

        `jurisdictions` says whose law the documents are, by id; those of nobody may be left out.
        The fingerprint has them in it. Raises ValueError for ids that repeat or stand in another
        order.
        """
        self.ids: tuple[str, ...] = tuple(ids)
        self.fingerprint = fingerprint
        self._read = read
        self._jurisdictions = {unit: of for unit, of in (jurisdictions or {}).items() if of}
        self._within: dict[str, Corpus] = {}
        if any(a >= b for a, b in zip(self.ids, self.ids[1:], strict=False)):
            raise ValueError("ids must ascend, each once")

    @classmethod
    def of(cls, documents: Iterable[Document]) -> Corpus:
        """Return the corpus of `documents`, in whatever order they come."""
        ordered = sorted(documents, key=lambda document: document.id)
        said = sha256()
        for document in ordered:
            said.update(repr(_fingerprinted_fields(document)).encode("utf-8", "surrogatepass"))
        of = {each.id: each.jurisdiction for each in ordered}
        return cls([each.id for each in ordered], said.hexdigest(), lambda: ordered, of)

    def __len__(self) -> int:
        return len(self.ids)

    @cached_property
    def jurisdictions(self) -> tuple[str, ...]:
        """The jurisdictions whose law is in it, ascending; documents of none do not count."""
        return tuple(sorted(set(self._jurisdictions.values())))

    def within(self, jurisdiction: str) -> Corpus:
        """Return the part searched for a jurisdiction: its own law and law without one.

        That is the corpus itself where `jurisdiction` is "" and where no document is of another.
        What is returned has no jurisdictions: it is searched whole whoever asks.
        """
        if not jurisdiction or not set(self.jurisdictions) - {jurisdiction}:
            return self
        said = jurisdiction if jurisdiction in self.jurisdictions else ""
        if said not in self._within:
            self._within[said] = self._part(said)
        return self._within[said]

    def _part(self, jurisdiction: str) -> Corpus:
        """Return the corpus of a jurisdiction's law and law without one; it reads on demand."""
        of = self._jurisdictions
        inside = [unit for unit in self.ids if of.get(unit, jurisdiction) == jurisdiction]
        said = repr([self.fingerprint, "within", jurisdiction]).encode()

        def read() -> Sequence[Document]:
            """Read the documents of the part."""
            # Reads its own copy if the corpus holds none: a part must not hold the whole.
            documents = self.__dict__.get("documents") or self._read()
            wanted = set(inside)
            return [each for each in documents if each.id in wanted]

        return Corpus(inside, sha256(said).hexdigest(), read)

    def without_documents(self) -> Corpus:
        """Return the same corpus, which shares all but the documents: it reads its own if need be.

        For who holds on to it long after fitting, when the documents are no longer wanted.
        """
        shared = copy(self)
        shared.__dict__.pop("documents", None)
        shared._within = {}
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
        """Position of each id."""
        return {unit: at for at, unit in enumerate(self.ids)}


def _fingerprinted_fields(document: Document) -> tuple[Any, ...]:
    """Return the fields that a fingerprint is made of; the older ones if without jurisdiction."""
    said = astuple(document)
    return said if document.jurisdiction else said[:-1]


@dataclass(frozen=True, slots=True)
class Query:
    """A question to be answered; `id` names it in the run.

    With a `jurisdiction` the law of no other one is searched (see `Corpus.within`).
    """

    id: str
    text: str
    jurisdiction: str = ""


@dataclass(frozen=True, slots=True)
class JudgedQuestion:
    """A question with its gold, for methods that learn from gold; `gold` may be empty.

    `family` is shared by questions derived from one another ("": none).
    """

    id: str
    text: str
    gold: tuple[str, ...]
    family: str = ""


Spec = Mapping[str, Any]
Kind = Literal["int", "float", "bool", "choice", "text", "numbers", "texts", "method", "methods"]
TEXT_LENGTH = 500


def specs_within(spec: Spec) -> Iterator[Spec]:
    """Yield a spec, then those of the methods within it, also of methods that no longer exist."""
    yield spec
    for value in spec.values():
        for each in value if isinstance(value, list | tuple) else [value]:
            if isinstance(each, Mapping):
                yield from specs_within(each)


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a method.

    `default` None means that it must be given. `low` and `high` bound numbers (each of several),
    `choices` says what a choice (or each of several texts, where not empty) may be. A ``method``
    is the spec of another method or the name of one or of a preset, ``methods`` a list of at least
    one. `help` says what it does, for methods that are not ours: the catalogue says it of those
    that are. `when` names another parameter and the values of it with which this one has an effect;
    without `orders` it changes scores, and never the order of a ranking.
    """

    name: str
    kind: Kind
    default: Any = None
    low: float = -math.inf
    high: float = math.inf
    choices: tuple[str, ...] = ()
    help: str = ""
    when: tuple[str, tuple[Any, ...]] | None = None
    orders: bool = True

    def check(self, method: str, value: Any) -> Any:
        """Return `value` in its canonical form. Raises UserError for one that cannot be."""
        read = _READERS[self.kind](self, value)
        if read is None:
            raise UserError(
                "method_parameter",
                method=method,
                name=self.name,
                value=repr(value)[:80],
                wanted=Localized(self.takes),
            )
        return read

    def takes(self, language: str = "en") -> str:
        """Describe the allowed values: ``a whole number, 1 to 100``."""
        bounds = self.bounds(language)
        if self.choices and self.kind != "texts":
            return bounds
        kind = say(f"parameter.kind_{self.kind}", language)
        return f"{kind}, {bounds}" if bounds else kind

    def bounds(self, language: str = "en") -> str:
        """Say its range or its choices: ``0 to 1``; "" where it has neither."""
        if self.choices:
            several = "any_of" if self.kind == "texts" else "one_of"
            return say(f"parameter.{several}", language, choices=", ".join(self.choices))
        if math.isfinite(self.low) and math.isfinite(self.high):
            low, high = (f"{each:,.10g}" for each in (self.low, self.high))
            return say("parameter.range", language, low=low, high=high)
        return ""


PASSAGE, TITLED = "passage", "titled"
COMPARED = Parameter("compared", "choice", TITLED, choices=(TITLED, PASSAGE))
"""The parameter for the compared text of a unit: title and passage, or the passage alone."""


def _number(parameter: Parameter, value: Any) -> float | None:
    """Parse a finite number within the parameter's bounds; None if it is none."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    if not abs(value) <= sys.float_info.max:  # NaN, infinite, or a whole number that no float holds
        return None
    return float(value) if parameter.low <= value <= parameter.high else None


def _whole(parameter: Parameter, value: Any) -> int | None:
    """Parse a whole number within the parameter's bounds; None if it is none."""
    number = _number(parameter, value)
    return int(number) if number is not None and number == int(number) else None


def _text(parameter: Parameter, value: Any) -> str | None:
    """Parse a text, one of the choices if there are any; None if it is none."""
    if not isinstance(value, str) or len(value) > TEXT_LENGTH:
        return None
    return value if not parameter.choices or value in parameter.choices else None


def _truth(_: Parameter, value: Any) -> bool | None:
    """Parse true or false; None if it is neither."""
    return value if isinstance(value, bool) else None


def _several(one: Any, value: Any) -> list[Any] | None:
    """Parse a list, each entry by the parser `one`; None if one fails."""
    if isinstance(value, str) or not isinstance(value, Sequence):
        return None
    read = [one(each) for each in value]
    return None if any(each is None for each in read) else read


def _nested_spec(_: Parameter, value: Any) -> dict[str, Any] | str | None:
    """Parse a method as parameter: a spec or the name of a preset; None if it is neither."""
    # Validated by `retrieval.core.registry`, which knows the methods and the presets.
    if isinstance(value, str):
        return value or None
    return (
        dict(value) if isinstance(value, Mapping) and isinstance(value.get("method"), str) else None
    )


_READERS: dict[Kind, Callable[[Parameter, Any], Any]] = {
    "int": _whole,
    "float": _number,
    "bool": _truth,
    "choice": _text,
    "text": _text,
    "numbers": lambda p, value: _several(lambda each: _number(p, each), value),
    "texts": lambda p, value: _several(lambda each: _text(p, each), value),
    "method": _nested_spec,
    "methods": lambda p, value: _several(lambda each: _nested_spec(p, each), value) or None,
}
