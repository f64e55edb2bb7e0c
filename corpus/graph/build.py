"""Construction of the citation graph from statutes, and of the edges of one reference."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from corpus.citations.catalogue import Catalogue
from corpus.citations.model import Status
from corpus.graph.application import applied
from corpus.graph.definitions import of_definitions
from corpus.graph.delegation import Delegations, co_specifying
from corpus.graph.model import Edge, EdgeType, Graph, Origin, Reference
from corpus.graph.namer import part_at
from corpus.graph.resolve import READ, Reading, read_statute
from corpus.long_work import Progress, check_stop, in_bulk
from corpus.model import Statute, Tier, Unit, split_id

_FORM = re.compile(r"별지(?:\d+(?:의\d+)?)?서식|form(?:-\d+)*")


def part_of(statute: Statute) -> Iterator[Edge]:
    """Yield the edges from a statute's units to the statute, and from paragraphs to their units."""
    for unit in statute.units:
        own = unit.semantic_id
        yield Edge(own, statute.semantic_id, EdgeType.PART_OF, Origin.STRUCTURE)
        for path in unit.paragraphs():
            yield Edge(f"{own}/{path}", own, EdgeType.PART_OF, Origin.STRUCTURE)


def of_references(unit: Unit, references: Sequence[Reference]) -> Iterator[Edge]:
    """Yield the edges of a unit's resolved references: REFERENCES, and more by their context.

    A reference that its sentence applies (준용) also APPLIES; one to a form also REQUIRES_FORM.
    `references` are all of the unit's, in text order. A reference that is a link of the source
    keeps that as its origin.
    """
    applying = applied(unit.text, references)
    for one in references:
        if one.status is not Status.RESOLVED:
            continue
        linked = any(link.start < one.end and one.start < link.end for link in unit.links)
        origin = Origin.HYPERLINK if linked else Origin.TEXT
        part = part_at(unit, one.start)
        for target in one.targets:
            for kind in _types(target.unit_id, applies=one.start in applying):
                ends, span = (unit.semantic_id, target.unit_id), (one.start, one.end)
                yield Edge(*ends, kind, origin, *span, target.pinpoint, part)


def of_links(statutes: Sequence[Statute]) -> Iterator[Edge]:
    """Yield a REFERENCES edge for each link whose destination is a unit of the corpus.

    Some documents link to related units as a whole; such a link spans nothing. Citations in a text
    under a link are edges of :func:`of_references`.
    """
    linked = [unit for one in statutes for unit in one.units if unit.links]
    known = {unit.semantic_id for one in statutes for unit in one.units} if linked else set()
    for unit in linked:
        own = unit.semantic_id
        for link in unit.links:
            if link.href in known and link.href != own:
                part = part_at(unit, link.start) if link.start < link.end else ""
                span = (link.start, link.end)
                yield Edge(own, link.href, EdgeType.REFERENCES, Origin.HYPERLINK, *span, part=part)


def _types(target: str, *, applies: bool) -> list[EdgeType]:
    """Return the edge types of a reference to this unit."""
    found = [EdgeType.REFERENCES]
    if _FORM.fullmatch(split_id(target)[1]):
        found.append(EdgeType.REQUIRES_FORM)
    if applies:
        found.append(EdgeType.APPLIES)
    return found


@dataclass(slots=True)
class GraphBuild:
    """The edges and the references of a corpus, by statute id, in document order."""

    edges: list[Edge] = field(default_factory=list)
    references: list[Reference] = field(default_factory=list)


def build_graph(statutes: Sequence[Statute], progress: Progress | None = None) -> GraphBuild:
    """Build every edge and every reference of the statutes.

    The order of `statutes` makes no difference. Both ends of an edge are units of the corpus,
    except for PART_OF, from paragraph to unit to statute. `progress` gets (statutes read, total).
    """
    ordered = sorted(statutes, key=lambda one: one.semantic_id)
    catalogue = Catalogue.from_statutes(ordered)
    readings: dict[str, Reading] = {}
    with in_bulk():
        for done, statute in enumerate(ordered, 1):
            check_stop()
            readings[statute.semantic_id] = read_statute(statute, catalogue)
            if progress:
                progress(done, len(ordered))
        return _graph_of(ordered, readings)


def nodes_of(statutes: Sequence[Statute]) -> dict[str, Tier]:
    """Return the nodes of the statutes' graph with their authority tiers."""
    nodes: dict[str, Tier] = {}
    for statute in sorted(statutes, key=lambda one: one.semantic_id):
        nodes[statute.semantic_id] = statute.tier
        for unit in statute.units:
            nodes[unit.semantic_id] = statute.tier
            for path in unit.paragraphs():
                nodes[f"{unit.semantic_id}/{path}"] = statute.tier
    return nodes


def graph_of(statutes: Sequence[Statute], built: GraphBuild) -> Graph:
    """Return the graph built from the statutes, indexed for traversal."""
    return Graph(nodes_of(statutes), built.edges)


def _graph_of(statutes: Sequence[Statute], readings: Mapping[str, Reading]) -> GraphBuild:
    """Build the graph from statutes that have been read."""
    built = GraphBuild()
    tiers = {one.semantic_id: one.tier for one in statutes}
    families = {key: reading.family for key, reading in readings.items()}
    units = {u.semantic_id: u for one in statutes for u in one.units if u.level in READ and u.text}
    delegations = Delegations(units, tiers)
    pairs: list[Edge] = []
    for statute in statutes:
        references = readings[statute.semantic_id].references
        grouped = groupby(references, key=lambda one: one.unit_id)
        by_unit = {unit: list(group) for unit, group in grouped}
        built.references += references
        built.edges += part_of(statute)
        for unit, cited in by_unit.items():
            built.edges += of_references(units[unit], cited)
        pairs += delegations.pairs(statute, by_unit, families)
    unit_tiers = {key: tiers[unit.statute_id] for key, unit in units.items()}
    built.edges += [*pairs, *co_specifying(pairs, unit_tiers), *of_links(statutes)]
    built.edges += of_definitions(statutes, units, families)
    return built
