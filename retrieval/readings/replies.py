"""Prompts about one unit, and parsing of the replies.

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

from corpus.model import language_of
from normalization import composed_value
from retrieval.core.method import ModelPrompt, ModelReply
from retrieval.core.model import Document
from retrieval.readings.model import Entity, Kind, Reading, Relation, State, Triple
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
    """Merge the two readings of a unit that was asked about twice.

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
    some = reading.entities or reading.relations or reading.triples or reading.atoms
    return replace(reading, state=State.READ if some else State.EMPTY)


def _lines_of(before: Reading | None) -> str:
    """List what was found, a line each: names, then relations."""
    if before is None:
        return _NOTHING
    names = [each.name for each in before.entities]
    pairs = [f"{each.source} – {each.target}" for each in before.relations]
    return "\n".join(names + pairs) or _NOTHING


def _dicts(said: Mapping[str, Any], name: str) -> list[dict[str, str | float]]:
    return [
        {key: _plain(value) if isinstance(value, str) else value for key, value in each.items()}
        for each in said[name]
    ]


def _plain(text: str) -> str:
    return " ".join(text.split())


def _texts(said: Iterable[str]) -> tuple[str, ...]:
    """Return the distinct plain texts in order, empty ones left out."""
    return tuple(dict.fromkeys(filter(None, map(_plain, said))))


def _entities(said: Sequence[Mapping[str, Any]]) -> tuple[Entity, ...]:
    found = [Entity(each["name"], each["type"], each["description"]) for each in said]
    return _without_duplicates([each for each in found if each.name], lambda each: each.name)


def _relations(said: Sequence[Mapping[str, Any]]) -> tuple[Relation, ...]:
    found = [Relation(**each) for each in said]
    return _without_duplicates(
        [each for each in found if each.source and each.target and each.source != each.target],
        _ordered_ends,
    )


def _triples(said: Sequence[Mapping[str, Any]]) -> tuple[Triple, ...]:
    found = [Triple(**each) for each in said]
    whole = [each for each in found if each.subject and each.predicate and each.object]
    return tuple(dict.fromkeys(whole))


def _ordered_ends(relation: Relation) -> tuple[str, str]:
    """Return the two ends in order; relations have no direction."""
    first, second = sorted((relation.source, relation.target))
    return first, second


def _with_ends(entities: Sequence[Entity], relations: Sequence[Relation]) -> tuple[Entity, ...]:
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
