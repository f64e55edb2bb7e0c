"""Building the citation graph of a corpus from its statutes: no model, no chance."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from corpus.citations.catalogue import Catalogue
from corpus.gc_pause import in_bulk
from corpus.graph.delegation import Delegations, parallels
from corpus.graph.edges import of_definitions, of_links, of_references, part_of
from corpus.graph.model import Edge, Graph, Reference
from corpus.graph.resolve import READ, Reading, read_statute
from corpus.model import Statute, Tier, Unit

Progress = Callable[[int, int], None]


@dataclass(slots=True)
class GraphBuild:
    """The edges and the references of a corpus, by statute id, in document order."""

    edges: list[Edge] = field(default_factory=list)
    references: list[Reference] = field(default_factory=list)


def build_graph(statutes: Sequence[Statute], progress: Progress | None = None) -> GraphBuild:
    """Return every edge and every reference of the statutes.

    The order of `statutes` makes no difference. Both ends of an edge are units of the corpus,
    but for PART_OF, whose target is a statute. `progress` gets (statutes read, statutes in all).
    """
    ordered = sorted(statutes, key=lambda one: one.semantic_id)
    catalogue = Catalogue.from_statutes(ordered)
    readings: dict[str, Reading] = {}
    with in_bulk():
        for done, statute in enumerate(ordered, 1):
            readings[statute.semantic_id] = read_statute(statute, catalogue)
            if progress:
                progress(done, len(ordered))
        return _joined(ordered, readings)


def nodes_of(statutes: Sequence[Statute]) -> dict[str, Tier]:
    """Return the nodes of the statutes' graph with their authority tiers."""
    nodes: dict[str, Tier] = {}
    for statute in sorted(statutes, key=lambda one: one.semantic_id):
        nodes[statute.semantic_id] = statute.tier
        nodes.update(dict.fromkeys((u.semantic_id for u in statute.units), statute.tier))
    return nodes


def graph_of(statutes: Sequence[Statute], built: GraphBuild) -> Graph:
    """Return the graph that was built from the statutes, indexed for walking."""
    return Graph(nodes_of(statutes), built.edges)


def _joined(statutes: Sequence[Statute], readings: Mapping[str, Reading]) -> GraphBuild:
    built = GraphBuild()
    tiers = {one.semantic_id: one.tier for one in statutes}
    families = {key: reading.family for key, reading in readings.items()}
    units = {u.semantic_id: u for one in statutes for u in one.units if u.level in READ and u.text}
    delegations = Delegations(units, tiers)
    pairs: list[Edge] = []
    for statute in statutes:
        references = readings[statute.semantic_id].references
        built.references += references
        built.edges += part_of(statute)
        by_unit = _by_unit(references)
        for unit in statute.units:
            if unit.level in READ:
                built.edges += _of_unit(unit, by_unit.get(unit.semantic_id, []))
                cited = by_unit.get(unit.semantic_id, [])
                pairs += delegations.pairs(unit, cited, families)
    unit_tiers = {key: tiers[unit.statute_id] for key, unit in units.items()}
    built.edges += [*pairs, *parallels(pairs, unit_tiers), *of_links(statutes)]
    return built


def _of_unit(unit: Unit, references: Sequence[Reference]) -> list[Edge]:
    return [*of_references(unit, references), *of_definitions(unit)]


def _by_unit(references: Sequence[Reference]) -> dict[str, list[Reference]]:
    grouped = groupby(references, key=lambda one: one.unit_id)
    return {unit: list(group) for unit, group in grouped}
