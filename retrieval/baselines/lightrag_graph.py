"""LightRAG's graph: the readings of all units merged by name.

Entities are identified by name (white space normalised, case-sensitive), undirected relations by
their pair of entities. The type of an entity is the most frequent one, the first of equals;
descriptions are the distinct ones,
in the order of the units. Keywords of a relation are those of all its readings in alphabetical
order, its weight is the sum of theirs, at least the number of its units. An end of a
relation without a description of its own is an entity with the relation's description; relations
of an entity with itself are dropped. Entities are ordered by name, relations by their ends.

The units of an entity are those that describe it, then those of its relations, at most
`most_units`, the first; readings of further units are ignored. This follows the code of
LightRAG 1.5.7, except that there the first units are those that were read first.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from retrieval.readings.model import Entity, Reading, Relation

UNKNOWN = "UNKNOWN"  # the type of an entity without a type in any reading
BYTES_A_TOKEN = 4

Name = TypeVar("Name", str, tuple[str, str])
Summarise = Callable[[Sequence[tuple[str, Sequence[str]]]], Sequence[str]]
"""Merges descriptions: takes (name, descriptions) pairs, returns one text each."""


@dataclass(frozen=True, slots=True)
class Node:
    """An entity of the graph; `units` are positions in the corpus."""

    name: str
    type: str
    description: str
    units: tuple[int, ...]

    @property
    def text(self) -> str:
        """The text that is embedded."""
        return f"{self.name}\n{self.description}"

    @property
    def size(self) -> int:
        """Its size in bytes, as counted by the budget of entities."""
        said = {"entity": self.name, "type": self.type, "description": self.description}
        return _size_as_json(said)


@dataclass(frozen=True, slots=True)
class Link:
    """A relation of the graph; its ends are entity numbers, the smaller first."""

    ends: tuple[int, int]
    names: tuple[str, str]
    keywords: str
    description: str
    weight: float
    units: tuple[int, ...]

    @property
    def text(self) -> str:
        """The text that is embedded."""
        return f"{self.keywords}\t{self.names[0]}\n{self.names[1]}\n{self.description}"

    @property
    def size(self) -> int:
        """Its size in bytes, as counted by the budget of relations."""
        one, other = self.names
        said = {"entity1": one, "entity2": other, "description": self.description}
        return _size_as_json(said)


def size_of(line: str) -> int:
    """Return the size of a line in bytes, with its newline.

    Budgets are in tokens, of BYTES_A_TOKEN each. LightRAG counts those of a model's tokeniser,
    whose files are a download.
    """
    return len(line.encode("utf-8", "surrogatepass")) + 1


def _size_as_json(values: Mapping[str, str]) -> int:
    """Return the size in bytes of values as JSON."""
    return size_of(json.dumps(values, ensure_ascii=False))


@dataclass
class _Said:
    """The merged readings of one entity or relation."""

    units: dict[int, None] = field(default_factory=dict)
    types: Counter[str] = field(default_factory=Counter)
    descriptions: dict[str, None] = field(default_factory=dict)
    keywords: set[str] = field(default_factory=set)
    weight: float = 0.0

    def takes(self, unit: int, most: int) -> bool:
        """Add `unit` if fewer than `most` are known; return whether its reading counts."""
        if unit not in self.units and len(self.units) >= most:
            return False
        self.units[unit] = None
        return True


def name_of(text: str) -> str:
    """Normalise the white space of a name; "" for none."""
    return " ".join(text.split())


def merged(
    readings: Sequence[Reading], most_units: int, summarise: Summarise
) -> tuple[list[Node], list[Link]]:
    """Merge `readings`, one per unit of the corpus in order, into entities and relations."""
    entities: dict[str, _Said] = {}
    links: dict[tuple[str, str], _Said] = {}
    for unit, reading in enumerate(readings):
        for entity in reading.entities:
            _add_entity(entities, entity, unit, most_units)
        for relation in reading.relations:
            _add_relation(links, relation, unit, most_units)
    texts = _descriptions_by_name(links, summarise)
    for pair in sorted(links):
        for end in pair:
            _add_end(entities, end, links[pair], texts[pair], most_units)
    return _graph(entities, links, _descriptions_by_name(entities, summarise), texts)


def _add_entity(entries: dict[str, _Said], entity: Entity, unit: int, most: int) -> None:
    """Add a mention of an entity by a unit: its description and type."""
    name = name_of(entity.name)
    if name and (said := entries.setdefault(name, _Said())).takes(unit, most):
        _add_description(said, entity.description)
        if kind := entity.type.strip():
            said.types[kind] += 1


def _add_relation(
    entries: dict[tuple[str, str], _Said], relation: Relation, unit: int, most: int
) -> None:
    """Add a mention of a relation by a unit, unless its ends are one; description and keywords."""
    one, other = sorted((name_of(relation.source), name_of(relation.target)))
    if not one or one == other:
        return
    said = entries.setdefault((one, other), _Said())
    if said.takes(unit, most):
        _add_description(said, relation.description)
        said.keywords |= set(filter(None, map(str.strip, relation.keywords.split(","))))
        said.weight += relation.weight


def _add_end(entries: dict[str, _Said], name: str, link: _Said, text: str, most: int) -> None:
    """Add an end of a relation as an entity: its units, and `text` if nothing describes it."""
    said = entries.setdefault(name, _Said())
    if not said.descriptions:
        _add_description(said, text)
    for unit in link.units:
        said.takes(unit, most)


def _add_description(entry: _Said, description: str) -> None:
    if text := description.strip():
        entry.descriptions[text] = None


def _descriptions_by_name(entries: dict[Name, _Said], summarise: Summarise) -> dict[Name, str]:
    """Return one description per entity or relation, summarised from all."""
    names = sorted(entries)
    asked = [
        (each if isinstance(each, str) else ", ".join(each), list(entries[each].descriptions))
        for each in names
    ]
    return dict(zip(names, summarise(asked), strict=True))


def _graph(
    entities: dict[str, _Said],
    links: dict[tuple[str, str], _Said],
    described: dict[str, str],
    texts: dict[tuple[str, str], str],
) -> tuple[list[Node], list[Link]]:
    """Return nodes and links with their descriptions, types and units."""
    names = sorted(entities)
    place = {name: at for at, name in enumerate(names)}
    nodes = [
        Node(
            name,
            _most_frequent_type(entities[name].types),
            described[name],
            tuple(entities[name].units),
        )
        for name in names
    ]
    return nodes, [
        Link(
            (place[pair[0]], place[pair[1]]),
            pair,
            ",".join(sorted(said.keywords)),
            texts[pair],
            max(said.weight, float(len(said.units))),
            tuple(said.units),
        )
        for pair, said in sorted(links.items())
    ]


def _most_frequent_type(counts: Counter[str]) -> str:
    return max(counts, key=lambda each: counts[each]) if counts else UNKNOWN


def joined(descriptions: Iterable[str], most_tokens: int) -> str:
    """Join the first of `descriptions` that fit into `most_tokens` by newlines; at least one."""
    kept: list[str] = []
    left = most_tokens * BYTES_A_TOKEN
    for each in descriptions:
        left -= size_of(each)
        if kept and left < 0:
            break
        kept.append(each)
    return "\n".join(kept)
