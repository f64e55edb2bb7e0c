"""LightRAG's graph: what was read out of every unit, put together by name.

An entity is whatever has one name (white space made even; upper and lower case tell apart), an
undirected relation whatever joins one pair of entities. Of an entity that several units name, the
type is the one said most often, of equals the one said first; descriptions are those that differ,
in the order of the units. Keywords of a relation are those of all its readings in order of
the alphabet, its weight is the sum of theirs, at least the number of its units. An end of a
relation that nobody described is an entity of the relation's description; a relation of an entity
with itself is none. Entities stand in the order of their names, relations in that of their ends.

The units of an entity are those that describe it, then those of its relations, at most
`most_units`, the first; what units beyond these say of it is left out. So it is in the code of
LightRAG 1.5.7, but that there the first units are those that were read first.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from retrieval.readings.model import Entity, Reading, Relation

UNKNOWN = "UNKNOWN"  # the type of an entity of which no reading says one
BYTES_A_TOKEN = 4

Name = TypeVar("Name", str, tuple[str, str])
Summarise = Callable[[Sequence[tuple[str, Sequence[str]]]], Sequence[str]]
"""Makes one description of several: takes (name, descriptions) of each, returns one text each."""


@dataclass(frozen=True, slots=True)
class Node:
    """An entity of the graph; `units` are positions in the corpus."""

    name: str
    type: str
    description: str
    units: tuple[int, ...]

    @property
    def text(self) -> str:
        """What is made a vector of it."""
        return f"{self.name}\n{self.description}"

    @property
    def size(self) -> int:
        """How many bytes of the budget of entities it takes."""
        said = {"entity": self.name, "type": self.type, "description": self.description}
        return _of_line(said)


@dataclass(frozen=True, slots=True)
class Link:
    """A relation of the graph; its ends are places among the entities, the first the smaller."""

    ends: tuple[int, int]
    names: tuple[str, str]
    keywords: str
    description: str
    weight: float
    units: tuple[int, ...]

    @property
    def text(self) -> str:
        """What is made a vector of it."""
        return f"{self.keywords}\t{self.names[0]}\n{self.names[1]}\n{self.description}"

    @property
    def size(self) -> int:
        """How many bytes of the budget of relations it takes."""
        one, other = self.names
        said = {"entity1": one, "entity2": other, "description": self.description}
        return _of_line(said)


def size_of(line: str) -> int:
    """Return how many bytes a line takes, its end with it.

    Budgets are in tokens, of BYTES_A_TOKEN each. LightRAG counts those of a model's tokeniser,
    whose files are a download.
    """
    return len(line.encode("utf-8", "surrogatepass")) + 1


def _of_line(said: Mapping[str, str]) -> int:
    return size_of(json.dumps(said, ensure_ascii=False))


@dataclass
class _Said:
    """What was read of one entity or relation."""

    units: dict[int, None] = field(default_factory=dict)
    types: Counter[str] = field(default_factory=Counter)
    descriptions: dict[str, None] = field(default_factory=dict)
    keywords: set[str] = field(default_factory=set)
    weight: float = 0.0

    def takes(self, unit: int, most: int) -> bool:
        """Return whether a reading of `unit` still counts, and count the unit."""
        if unit not in self.units and len(self.units) >= most:
            return False
        self.units[unit] = None
        return True


def name_of(said: str) -> str:
    """Return a name as the graph has it, "" for none."""
    return " ".join(said.split())


def merged(
    readings: Sequence[Reading], most_units: int, summarise: Summarise
) -> tuple[list[Node], list[Link]]:
    """Return the graph of `readings`, the i-th of which is of the i-th unit of the corpus."""
    entities: dict[str, _Said] = {}
    links: dict[tuple[str, str], _Said] = {}
    for unit, reading in enumerate(readings):
        for entity in reading.entities:
            _take_entity(entities, entity, unit, most_units)
        for relation in reading.relations:
            _take_relation(links, relation, unit, most_units)
    texts = _described(links, summarise)
    for pair in sorted(links):
        for end in pair:
            _take_end(entities, end, links[pair], texts[pair], most_units)
    return _graph(entities, links, _described(entities, summarise), texts)


def _take_entity(found: dict[str, _Said], entity: Entity, unit: int, most: int) -> None:
    name = name_of(entity.name)
    if name and (said := found.setdefault(name, _Said())).takes(unit, most):
        _describe(said, entity.description)
        if kind := entity.type.strip():
            said.types[kind] += 1


def _take_relation(
    found: dict[tuple[str, str], _Said], relation: Relation, unit: int, most: int
) -> None:
    one, other = sorted((name_of(relation.source), name_of(relation.target)))
    if not one or one == other:
        return
    said = found.setdefault((one, other), _Said())
    if said.takes(unit, most):
        _describe(said, relation.description)
        said.keywords |= set(filter(None, map(str.strip, relation.keywords.split(","))))
        said.weight += relation.weight


def _take_end(found: dict[str, _Said], name: str, link: _Said, text: str, most: int) -> None:
    said = found.setdefault(name, _Said())
    if not said.descriptions:
        _describe(said, text)
    for unit in link.units:
        said.takes(unit, most)


def _describe(said: _Said, description: str) -> None:
    if text := description.strip():
        said.descriptions[text] = None


def _described(found: dict[Name, _Said], summarise: Summarise) -> dict[Name, str]:
    names = sorted(found)
    asked = [
        (each if isinstance(each, str) else ", ".join(each), list(found[each].descriptions))
        for each in names
    ]
    return dict(zip(names, summarise(asked), strict=True))


def _graph(
    entities: dict[str, _Said],
    links: dict[tuple[str, str], _Said],
    described: dict[str, str],
    texts: dict[tuple[str, str], str],
) -> tuple[list[Node], list[Link]]:
    names = sorted(entities)
    place = {name: at for at, name in enumerate(names)}
    nodes = [
        Node(name, _type(entities[name].types), described[name], tuple(entities[name].units))
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


def _type(said: Counter[str]) -> str:
    return max(said, key=lambda each: said[each]) if said else UNKNOWN


def joined(descriptions: Iterable[str], most_tokens: int) -> str:
    """Return the first of `descriptions` that fit into `most_tokens`, a line each; one at least."""
    kept: list[str] = []
    left = most_tokens * BYTES_A_TOKEN
    for each in descriptions:
        left -= size_of(each)
        if kept and left < 0:
            break
        kept.append(each)
    return "\n".join(kept)
