"""The rule-based reader that replaces a language model: deterministic, no model.

It extracts what the law marks itself:

entities   the unit by its name, its heading, terms that it defines, terms that it uses as its
           statutes define them, and the provisions that it cites (`corpus.graph`)
relations  between the heading and each of the others; citations by their kind
triples    the same as subject, predicate and object, with a predicate in the language of the text
atoms      the heading, and each paragraph and list item under it: topics rather than questions

A reading depends on its unit and on the citation graph of its corpus alone, never on
other units read with it. A unit is named by its semantic id, so that citations of it and its own
text give the same name. For units unknown to the graph, as in law whose citations are not resolved,
definitions and citations are found by the wording (Korean, German, English).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from corpus.graph.definitions import terms_of
from corpus.graph.model import Direction, Edge, EdgeType, Graph
from corpus.model import split_id
from corpus.progress import Progress
from normalization import composed
from retrieval.core.method import telling
from retrieval.core.model import Document
from retrieval.readings.model import Entity, Kind, Reading, ReadingCost, Relation, State, Triple
from retrieval.readings.wording import (
    Wording,
    citations_in,
    definitions_in,
    heading_of,
    items_of,
    sentence_at,
    wording_of,
)

VERSION = 2
MOST = 60  # of each: a unit that lists very many would be near everything
_CITING = (
    EdgeType.DELEGATES_TO,
    EdgeType.SPECIFIES,
    EdgeType.APPLIES,
    EdgeType.REQUIRES_FORM,
    EdgeType.REFERENCES,
)
"""Kinds of citation, the most specific first: REFERENCES may be any of the others too."""

_ARTICLE = re.compile(r"([0-9]+)조(의[0-9]+)?")
_ANNEX = re.compile(r"(별표|별지)([0-9].*)")


@dataclass(frozen=True, slots=True)
class _Found:
    """An item named in a unit, and its relation to the unit."""

    name: str
    type: str
    does: str  # a field of `Wording`
    sentence: str
    times: int = 1


class StandIn:
    """Reads units by rule; see the module."""

    def __init__(self, graph: Callable[[], Graph] | None, version: str = "") -> None:
        """Take the citation graph, if there is one, and the version of its parser."""
        self._read_graph, self._version = graph, version

    @property
    def cost(self) -> ReadingCost:
        """Zero: no model is asked."""
        return ReadingCost()

    def identity(self, kind: Kind) -> str:
        """Return the version of the rules, with that of the citation graph."""
        graph = "" if self._read_graph is None else f"/{self._version}"
        return f"stand_in{VERSION}{graph}"

    def __call__(
        self, kind: Kind, documents: Sequence[Document], progress: Progress | None = None
    ) -> list[Reading]:
        """Return one reading per document, in order."""
        return [
            self._reading(kind, document)
            for document in telling(documents, len(documents), progress)
        ]

    def _reading(self, kind: Kind, document: Document) -> Reading:
        if not (document.heading.strip() or document.body.strip()):
            return Reading(document.id, kind, State.EMPTY)
        if kind is Kind.ATOMS:
            atoms = tuple(items_of(document))[:MOST]
            return Reading(document.id, kind, _state(atoms), atoms=atoms)
        own, found = unit_name(document.id), self._named_items(document)
        if kind is Kind.PHRASES:
            names = tuple(Entity(name) for name in dict.fromkeys([own, *(f.name for f in found)]))
            return Reading(document.id, kind, State.READ, entities=names)
        if kind is Kind.TRIPLES:
            triples = tuple(_triples(own, found, wording_of(document)))
            return Reading(document.id, kind, _state(triples), triples=triples)
        entities = Entity(own, "provision", sentence_at(document.body, 0)), *map(_entity, found)
        relations = tuple(_relations(own, found, wording_of(document)))
        return Reading(document.id, kind, State.READ, entities, relations)

    def _named_items(self, document: Document) -> list[_Found]:
        """Return the items named in the unit, without itself, each name once."""
        found: dict[str, _Found] = {}
        for each in self._all_items(document):
            if each.name and each.name != unit_name(document.id):
                found.setdefault(each.name, each)
        return list(found.values())[:MOST]

    def _all_items(self, document: Document) -> Iterator[_Found]:
        body = document.body
        yield _Found(heading_of(document), "subject", "concerns", sentence_at(body, 0))
        yield from self._defined_terms(document)
        yield from self._cited_provisions(document)
        for edge in self._edges(document, (EdgeType.DEFINES,), "in"):
            term = _normalised(edge.term)
            yield _Found(term, "term", "mentions", sentence_at(body, max(body.find(edge.term), 0)))

    def _defined_terms(self, document: Document) -> Iterator[_Found]:
        terms = terms_of(document.body) if document.id in self._graph else ()
        spans = [(one.start, _normalised(one.text)) for one in terms]
        for start, term in spans or definitions_in(document.body):
            yield _Found(term, "term", "defines", sentence_at(document.body, start))

    def _cited_provisions(self, document: Document) -> Iterator[_Found]:
        kinds: dict[str, list[tuple[int, int]]] = {}
        for edge in self._edges(document, _CITING):
            kinds.setdefault(edge.target, []).append((_CITING.index(edge.type), edge.start))
        for target in sorted(kinds, key=lambda each: (min(at for _, at in kinds[each]), each)):
            kind, start = min(kinds[target])
            does, sentence = _CITING[kind].value, sentence_at(document.body, start)
            times = len({at for _, at in kinds[target]})
            yield _Found(unit_name(target), "provision", does, sentence, times)
        if not kinds:
            for start, name in citations_in(document.body, _statute_name(document.id)):
                said = sentence_at(document.body, start)
                yield _Found(name, "provision", EdgeType.REFERENCES.value, said)

    def _edges(
        self, document: Document, types: Collection[EdgeType], direction: Direction = "out"
    ) -> Sequence[Edge]:
        graph = self._graph
        return graph.edges_of(document.id, types, direction) if document.id in graph else ()

    @cached_property
    def _graph(self) -> Graph:
        return Graph({}, ()) if self._read_graph is None else self._read_graph()


@lru_cache(65_536)  # units cited often are named again and again
def unit_name(unit_id: str) -> str:
    """Return a unit's name in readings, from its semantic id: ``소방기본법 제2조의2``."""
    _, place = split_id(unit_id)
    if article := _ARTICLE.fullmatch(place):
        place = f"제{article[1]}조{article[2] or ''}"
    elif annex := _ANNEX.fullmatch(place):
        place = f"{annex[1]} {annex[2]}"
    else:
        place = place.replace("-", " ")
    return _normalised(f"{_statute_name(unit_id)} {place}")


def _statute_name(unit_id: str) -> str:
    return split_id(unit_id)[0].replace("-", " ")


def _normalised(text: str) -> str:
    return composed(" ".join(text.split()))


def _state(items: Sequence[object]) -> State:
    return State.READ if items else State.EMPTY


def _entity(found: _Found) -> Entity:
    return Entity(found.name, found.type, found.sentence)


def _subject(own: str, found: Sequence[_Found]) -> str:
    """Return the subject of a unit: its heading, or the unit itself if it has none."""
    return next((each.name for each in found if each.does == "concerns"), own)


def _ends(own: str, found: Sequence[_Found]) -> Iterator[tuple[str, _Found]]:
    """Yield (source, item): terms relate to the subject, provisions to the unit."""
    subject = _subject(own, found)
    for each in found:
        source = subject if each.does in ("defines", "mentions") else own
        if source != each.name:
            yield source, each


def _relations(own: str, found: Sequence[_Found], wording: Wording) -> Iterator[Relation]:
    for source, each in _ends(own, found):
        does = wording.said(each.does)
        yield Relation(source, each.name, does, each.sentence, float(each.times))


def _triples(own: str, found: Sequence[_Found], wording: Wording) -> Iterator[Triple]:
    for source, each in _ends(own, found):
        yield Triple(source, wording.said(each.does), each.name)
