"""Checks by law: provisions that an answer cites or that rules imply, and nobody judged.

They are run where most ids of documents name places of law. Rules of closure are those that
projects start from; the citation graph that they need is built where the corpus is one file that
can be read as statutes, of at most `MOST_UNITS` documents.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import cached_property

from construction.closure.engine import GoldSet, missing
from construction.closure.rules import parse, starter
from corpus.citations.catalogue import Catalogue, CatalogueEntry
from corpus.citations.find import find
from corpus.citations.labels import unit_of_label
from corpus.citations.resolve import resolve
from corpus.graph.build import build_graph, graph_of
from corpus.graph.model import Direction, Edge, EdgeType
from corpus.importers.registry import read_statutes
from corpus.model import Statute, Tier, Unit, parse_place, split_id
from errors import UserError
from normalization import composed
from services.audit.material import EVERY_PART, Case, Check, Material, Text
from services.audit.texts import snippet

MOST_UNITS = 30_000
_FEWEST = 0.5  # share of documents whose ids name a place of law, for the corpus to be law


class _Law:
    """Statutes of a corpus as closure reads them."""

    def __init__(self, statutes: Sequence[Statute]) -> None:
        self._statutes = {each.semantic_id: each for each in statutes}
        self._units = {unit.semantic_id: unit for each in statutes for unit in each.units}
        self._graph = graph_of(statutes, build_graph(statutes))

    def unit(self, unit_id: str) -> Unit | None:
        """Return a provision; None for an unknown id."""
        return self._units.get(unit_id)

    def edges(
        self, unit_id: str, types: Collection[EdgeType], direction: Direction
    ) -> Sequence[Edge]:
        """Return the edges of the types at a provision, without loops."""
        if unit_id not in self._graph:
            return ()
        found = self._graph.edges_of(unit_id, types, direction)
        return [each for each in found if each.source != each.target]

    def beside(self, statute_id: str) -> Sequence[str]:
        """Return the ids of a statute's provisions in document order."""
        found = self._statutes.get(statute_id)
        return [unit.semantic_id for unit in found.units] if found else ()


class _Gold:
    """Judged queries of a benchmark as units of law; none unless half of the ids name a place."""

    def __init__(self, material: Material) -> None:
        law = [each for each in material.documents if parse_place(split_id(composed(each.id))[1])]
        self._material = material
        self._law = law if len(law) >= _FEWEST * len(material.documents) else []

    def __iter__(self) -> Iterator[tuple[Text, set[str], list[str]]]:
        """Yield each judged query, its judged units and its gold; none if documents are no law."""
        for each in self._material.queries if self._law else ():
            if (judged := self._material.grades.get(each.id)) is not None:
                gold = (key for key, grade in judged.items() if grade > 0)
                yield each, set(map(self._unit, judged)), list(map(self._unit, gold))

    @cached_property
    def catalogue(self) -> Catalogue:
        """The catalogue of the corpus, by the ids alone: a broken document does no harm."""
        return Catalogue(map(_entry, self._law))

    def _unit(self, document: str) -> str:
        """Return the unit that a document's id or label names, else the id."""
        label = composed(document)
        return unit_of_label(label, self.catalogue) or label


def _entry(document: Text) -> CatalogueEntry:
    """Return a document as an entry of the catalogue of statutes."""
    unit = composed(document.id)
    statute = split_id(unit)[0]
    title = composed(document.statute) or statute.replace("-", " ")
    return CatalogueEntry(statute, title, "", Tier.ACT, unit)


def _cited_unjudged(material: Material) -> Iterator[Case]:
    """Yield provisions that a question or its official answer cites and nobody judged."""
    gold = _Gold(material)
    for query, judged, _ in gold:
        for unit, words in _cited(query, gold.catalogue).items():
            if unit not in judged:
                yield Case(query.place, query.id, unit, words)


def _cited(query: Text, catalogue: Catalogue) -> dict[str, str]:
    """Return the units that question and answer cite, each with the words around."""
    asked, answer = composed(query.text), composed(query.answer)
    found: dict[str, str] = {}
    before = resolve(find(asked), asked, catalogue)
    after = resolve(find(answer), answer, catalogue, before)
    for text, resolutions in ((asked, before), (answer, after)):
        for each in resolutions:
            words = snippet(text, each.citation.start, each.citation.end)
            for target in each.targets:
                found.setdefault(target.unit_id, words)
    return found


def _implied_unjudged(material: Material) -> Iterator[Case]:
    """Yield unjudged provisions that starter rules derive from gold, if one file has the law."""
    files = material.benchmark.documents.files
    gold = list(_Gold(material))
    if not gold or len(files) != 1 or len(material.documents) > MOST_UNITS:
        return
    try:
        _, reading = read_statutes(material.benchmark.home / files[0])
    except UserError:  # other checks say what is wrong with it
        return
    law, rules = _Law(reading.statutes), parse(starter())
    for query, judged, units in gold:
        known = tuple(unit for unit in units if law.unit(unit))
        lacking = missing(GoldSet(known, query.text, query.answer), rules, law)
        for each in lacking.added if known else ():
            if each.unit not in judged:
                why = f"{each.rule}: {each.via} {each.fired[0].text}"
                yield Case(query.place, query.id, each.unit, snippet(why))


CHECKS = (
    Check("cited_unjudged", "warning", "queries", _cited_unjudged, EVERY_PART),
    Check("implied_unjudged", "warning", "queries", _implied_unjudged, EVERY_PART),
)
