"""The reader that asks a language model, in batches, with cached replies.

graph     `read_graph`, then once more for what was missed (gleaning), as LightRAG does (Guo et al.
          2024, §3.1): a second call that is shown what the first one found
phrases   `read_phrases`, and
triples   `read_triples`, given the phrases (HippoRAG 2, Gutiérrez et al. 2025, §3.1)
atoms     `read_atoms`: as many questions as the text answers (PIKE-RAG, Wang et al. 2025)

The `Asker` caches replies by prompt; so readings are shared between methods,
and an interrupted reading continues where it stopped.

Choice of the reader of units: a language model, or the rules that replace it.

Prompts about one unit, and parsing of the replies.

A reply is JSON of the form that its prompt asks for. It is parsed leniently where it does not
matter (white space, an invalid weight, a missing description, further keys) and strictly
everywhere else:

* names and texts are composed (NFC) and trimmed; items without a name then are dropped, and so are
  self-relations
* of duplicates the longest description counts, in the place of the first
* an end of a relation that is not among the entities is added to them, without type or description
  (as LightRAG does)
* a reply of another form, or a truncated one, is invalid as a whole: its beginning is no
  reading of the unit
"""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from corpus.long_work import Progress
from corpus.model import language_of
from errors import UserError
from normalization import composed_value
from retrieval.core.method import Asker, ModelCall, ModelPrompt, ModelReply, Resources
from retrieval.core.model import Document, Parameter, Spec, specs_within
from retrieval.readings.model import (
    Entity,
    Kind,
    Reading,
    ReadingCost,
    Relation,
    State,
    Triple,
    UnitReader,
)
from retrieval.readings.stand_in import StandIn
from retrieval.text.passages import readable

LONGEST = 12_000
"""Characters of a unit that a model is shown: annexes can exceed a model's context."""

PROMPTS: Mapping[Kind, tuple[str, ...]] = {
    Kind.GRAPH: ("read_graph", "read_graph_more"),
    Kind.PHRASES: ("read_phrases",),
    Kind.TRIPLES: ("read_phrases", "read_triples"),
    Kind.ATOMS: ("read_atoms",),
}
"""The prompts of each kind, in order; a later one is given the result of the one before."""

_KINDS = {
    "read_graph": Kind.GRAPH,
    "read_graph_more": Kind.GRAPH,
    "read_phrases": Kind.PHRASES,
    "read_triples": Kind.TRIPLES,
    "read_atoms": Kind.ATOMS,
}
_NOTHING = "–"
_Described = TypeVar("_Described", Entity, Relation)


def usable(reading: Reading) -> bool:
    """Return whether the unit was read, even if nothing was found."""
    return reading.state in (State.READ, State.EMPTY)


def asked_of(prompt: str, document: Document, before: Reading | None = None) -> ModelPrompt:
    """Return the prompt about a unit; `before` is the result of the prompt before it."""
    text = readable("\n".join(part for part in (document.title, document.body) if part))
    values = {"text": text[:LONGEST]}
    if prompt == "read_graph_more":
        values["found"] = _lines_of(before)
    elif prompt == "read_triples":
        values["phrases"] = _lines_of(before)
    return ModelPrompt(prompt, language_of(text), values)


def reading_of(prompt: str, document: Document, reply: ModelReply) -> Reading:
    """Parse the reply to a prompt into a reading of a unit."""
    kind = _KINDS[prompt]
    if reply.problem:
        return Reading(document.id, kind, State(reply.problem), problem=reply.reason)
    said = composed_value(json.loads(reply.text))
    reading = Reading(document.id, kind, State.READ)
    if kind is Kind.GRAPH:
        relations = _relations(_dicts(said, "relations"))
        entities = _with_ends(_entities(_dicts(said, "entities")), relations)
        return _with_state(replace(reading, entities=entities, relations=relations))
    if kind is Kind.PHRASES:
        phrases = tuple(Entity(name) for name in _texts(said["phrases"]))
        return _with_state(replace(reading, entities=phrases))
    if kind is Kind.TRIPLES:
        return _with_state(replace(reading, triples=_triples(_dicts(said, "triples"))))
    return _with_state(replace(reading, atoms=_texts(said["questions"])))


def joined(before: Reading, after: Reading) -> Reading:
    """Return the second reading of a unit; of entities and relations, both readings merged.

    Where the second look for entities failed, the first is kept, with the failure in `problem`.
    """
    if after.kind is not Kind.GRAPH:
        return after
    if not usable(after):
        return replace(before, problem=f"{after.state}: {after.problem}".removesuffix(": "))
    relations = _without_duplicates([*before.relations, *after.relations], _ordered_ends)
    entities = _without_duplicates([*before.entities, *after.entities], lambda each: each.name)
    return _with_state(
        replace(before, entities=_with_ends(entities, relations), relations=relations)
    )


def of_kind(kind: Kind, reading: Reading) -> Reading:
    """Return a reading as one of `kind`; a failed prompt is a failed reading of the kind."""
    if reading.kind is kind:
        return reading
    return Reading(reading.unit_id, kind, reading.state, problem=reading.problem)


def _with_state(reading: Reading) -> Reading:
    """Set the state of a reading: read, or empty if it found nothing."""
    some = reading.entities or reading.relations or reading.triples or reading.atoms
    return replace(reading, state=State.READ if some else State.EMPTY)


def _lines_of(before: Reading | None) -> str:
    """List what was found, a line each: names, then relations."""
    if before is None:
        return _NOTHING
    names = [each.name for each in before.entities]
    pairs = [f"{each.source} – {each.target}" for each in before.relations]
    return "\n".join(names + pairs) or _NOTHING


def _dicts(values: Mapping[str, Any], name: str) -> list[dict[str, str | float]]:
    """Return the objects under a name, their texts on one line."""
    return [
        {key: _plain(value) if isinstance(value, str) else value for key, value in each.items()}
        for each in values[name]
    ]


def _plain(text: str) -> str:
    """Return a text on one line."""
    return " ".join(text.split())


def _texts(said: Iterable[str]) -> tuple[str, ...]:
    """Return the distinct plain texts in order, empty ones left out."""
    return tuple(dict.fromkeys(filter(None, map(_plain, said))))


def _entities(rows: Sequence[Mapping[str, Any]]) -> tuple[Entity, ...]:
    """Parse entities; the first of each name counts."""
    found = [Entity(each["name"], each["type"], each["description"]) for each in rows]
    return _without_duplicates([each for each in found if each.name], lambda each: each.name)


def _relations(said: Sequence[Mapping[str, Any]]) -> tuple[Relation, ...]:
    """Parse relations between two different entities, each pair once."""
    found = [Relation(**each) for each in said]
    return _without_duplicates(
        [each for each in found if each.source and each.target and each.source != each.target],
        _ordered_ends,
    )


def _triples(said: Sequence[Mapping[str, Any]]) -> tuple[Triple, ...]:
    """Parse complete triples, each once."""
    found = [Triple(**each) for each in said]
    whole = [each for each in found if each.subject and each.predicate and each.object]
    return tuple(dict.fromkeys(whole))


def _ordered_ends(relation: Relation) -> tuple[str, str]:
    """Return the two ends in order; relations have no direction."""
    first, second = sorted((relation.source, relation.target))
    return first, second


def _with_ends(entities: Sequence[Entity], relations: Sequence[Relation]) -> tuple[Entity, ...]:
    """Return the entities, with the ends of relations that are none of them yet."""
    known = {each.name for each in entities}
    ends = dict.fromkeys(end for each in relations for end in (each.source, each.target))
    return (*entities, *(Entity(end) for end in ends if end not in known))


def _without_duplicates(
    items: Sequence[_Described], key: Callable[[_Described], Hashable]
) -> tuple[_Described, ...]:
    """Merge duplicates by `key`, in the place of the first, with the longest description."""
    kept: dict[Hashable, _Described] = {}
    for each in items:
        place = key(each)
        if place not in kept or len(each.description) > len(kept[place].description):
            kept[place] = each
    return tuple(kept.values())


VERSION = 1
PIECE = 128  # units asked about together; progress is reported between batches


class ModelReader:
    """Reads units by asking a model; see the module."""

    def __init__(self, ask: Asker) -> None:
        """Take the function that asks the model."""
        self._ask = ask
        self._calls: dict[str, ModelCall] = {}
        self._failed: list[str] = []

    @property
    def cost(self) -> ReadingCost:
        """The cost of the readings given so far, each call once, made now or cached."""
        return cost_of(list(self._calls.values()))

    def identity(self, kind: Kind) -> str:
        """Return the model, its settings and the wordings. Raises UserError where none is set."""
        return f"model{VERSION}/{LONGEST}:{self._ask.identity(PROMPTS[kind])}"

    def __call__(
        self, kind: Kind, documents: Sequence[Document], progress: Progress | None = None
    ) -> list[Reading]:
        """Return one reading per document, in order.

        Raises UserError where no model is set or it takes no calls, and, after everything was
        asked, where calls failed that may succeed later.
        """
        readings: list[Reading] = []
        self._failed = []
        for start in range(0, len(documents), PIECE):
            readings += self._read_batch(kind, documents[start : start + PIECE])
            if progress:
                progress(len(readings), len(documents))
        if self._failed:
            total, reason = len(documents), self._failed[0]
            raise UserError("readings_failed", failed=len(self._failed), total=total, reason=reason)
        return readings

    def _read_batch(self, kind: Kind, documents: Sequence[Document]) -> list[Reading]:
        """Ask the prompts of a kind one after the other; return the readings."""
        first, *later = PROMPTS[kind]
        read = self._ask_prompt(first, documents, [None] * len(documents))
        for prompt in later:
            again = [at for at, each in enumerate(read) if usable(each)]
            more = self._ask_prompt(
                prompt, [documents[at] for at in again], [read[at] for at in again]
            )
            for at, each in zip(again, more, strict=True):
                read[at] = joined(read[at], each)
        return [of_kind(kind, each) for each in read]

    def _ask_prompt(
        self, prompt: str, documents: Sequence[Document], before: Sequence[Reading | None]
    ) -> list[Reading]:
        """Ask a prompt about each document, noting calls and failures; return the readings."""
        pairs = list(zip(documents, before, strict=True))
        told = self._ask([asked_of(prompt, *each) for each in pairs]) if pairs else []
        for reply in told:
            self._calls |= {call.key: call for call in reply.calls}
        self._failed += [each.reason or each.problem for each in told if each.passing]
        return [
            reading_of(prompt, document, reply)
            for document, reply in zip(documents, told, strict=True)
        ]


def cost_of(calls: Sequence[ModelCall]) -> ReadingCost:
    """Return the total cost of calls."""
    return ReadingCost(
        len(calls),
        sum(each.tokens_in or 0 for each in calls),
        sum(each.tokens_out or 0 for each in calls),
        round(sum(each.seconds for each in calls), 3),
        sum(each.tokens_in is None or each.tokens_out is None for each in calls),
    )


STAND_IN, MODEL = "stand_in", "model"
READER = Parameter("reader", "choice", STAND_IN, choices=(STAND_IN, MODEL))
"""The reader: ``stand_in`` asks no model."""


def reader_of(spec: Spec, resources: Resources, method_name: str) -> UnitReader:
    """Return the reader that ``spec["reader"]`` names, by default the stand-in; or UserError.

    Raises UserError if a model is required and there is none.
    """
    if spec.get(READER.name, STAND_IN) != MODEL:
        return StandIn(resources.graph, resources.settings.get("graph", ""))
    if resources.ask is None:
        raise UserError("method_needs_model", method=method_name)
    return ModelReader(resources.ask)


def readers_in(spec: Spec) -> frozenset[str]:
    """Return the names of the readers used by the method of a complete `spec` and its parts.

    It reads stored specs, also of methods that no longer exist.
    """
    said = [each.get(READER.name) for each in specs_within(spec)]
    return frozenset(each for each in (STAND_IN, MODEL) if each in said)
