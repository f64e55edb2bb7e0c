"""Map of the law: statutes or units of the snapshot in use, laid out in the plane.

Screen and command line request the same map by the same `MapQuery`. The graph is read once per
snapshot and kept in memory as arrays; a map is selected from these, and only drawn nodes are laid
out, once.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from functools import lru_cache

import numpy as np
from sqlmodel import Session

from annotation.people.roles import Act, reading_as
from corpus.graph.communities import divide
from corpus.graph.law_map import (
    MOST_NODES,
    TYPES,
    MapChoice,
    MapGraph,
    Mask,
    choose,
    positions,
)
from corpus.graph.model import EdgeType
from corpus.model import Tier
from errors import UserError
from evaluation.tables import csv_text
from messages import say
from storage.db.workspace import ByDatabase, Workspace
from storage.law.corpus import required_snapshot
from storage.law.graph import GraphView, graph_view
from storage.law.law_map import LawArrays, law_arrays, units_naming
from storage.law.neighbours import node_views
from storage.law.parallel_groups import declared_version

__all__ = ["MOST_NODES", "TYPES", "LawMap", "MapQuery", "Nodes", "law_map"]
COMMUNITIES = 50  # number of largest communities that can be selected
_LONGEST = 200  # characters of a filter


class Nodes(StrEnum):
    """Kind of the map's nodes."""

    STATUTES = "statutes"
    UNITS = "units"


@dataclass(frozen=True, slots=True)
class MapQuery:
    """Selection of a map: statutes or units, and filters.

    `statute` is a semantic id: with units, its units; with statutes, itself and its neighbours.
    `community` is a number of :func:`communities_of`, for units only; 0 is none. `text` is part of
    a name. `most` bounds the nodes; no map has more than `MOST_NODES`.
    """

    nodes: Nodes = Nodes.STATUTES
    statute: str = ""
    community: int = 0
    tiers: tuple[Tier, ...] = tuple(Tier)
    types: tuple[EdgeType, ...] = TYPES
    text: str = ""
    most: int = MOST_NODES // 2


@dataclass(frozen=True, slots=True)
class MapNode:
    """A statute or unit drawn at (x, y), y growing downwards.

    `label` and `heading` are empty for a statute. `degree` counts its neighbours that match the
    query, drawn or not.
    """

    id: str
    statute: str
    label: str
    heading: str
    tier: Tier
    degree: int
    x: int
    y: int


@dataclass(frozen=True, slots=True)
class MapEdge:
    """`count` edges of one type between two nodes, drawn as one; ends are node ids."""

    source: str
    target: str
    type: EdgeType
    count: int


@dataclass(frozen=True, slots=True)
class LawMap:
    """A drawn map: the matching nodes of highest degree, and the strongest edges.

    `matching` counts the nodes that match the query, `total` all of that kind. Edges count once per
    pair and type: `among` those between drawn nodes, `joining` between all matching ones.
    """

    query: MapQuery
    nodes: tuple[MapNode, ...]
    edges: tuple[MapEdge, ...]
    total: int
    matching: int
    among: int
    joining: int


@dataclass(frozen=True, slots=True)
class CommunityLine:
    """A community of units: its number from 1 (the largest), its size, and its main statute.

    `statute` is the title of the statute with most of its units, `share` how many.
    """

    number: int
    units: int
    statutes: int
    statute: str
    share: int


def law_map(ws: Workspace, project_slug: str, query: MapQuery, by: int | None = None) -> LawMap:
    """Return the map of the project's snapshot in use.

    Raises UserError for an unknown project, statute or community, a project without law, one whose
    graph has not been built, and for `by` (None: the operator) of another one.
    """
    text = unicodedata.normalize("NFC", " ".join(query.text.split()))[:_LONGEST]
    most = min(max(query.most, 1), MOST_NODES)
    return _map(*_map_source(ws, project_slug, by), replace(query, text=text, most=most))


def communities_of(
    ws: Workspace, project_slug: str, by: int | None = None
) -> tuple[CommunityLine, ...]:
    """Return the largest communities of units, as the graph report counts them.

    The first call partitions the graph, which takes minutes for a very large one; the result is
    cached in memory. Raises UserError as :func:`law_map` does.
    """
    return _communities(*_map_source(ws, project_slug, by))


def as_csv(drawn: LawMap) -> str:
    """Return nodes and edges as one CSV, a line each; the first column is the kind."""
    head = ("kind", "id", "target", "type", "tier", "degree", "count", "x", "y", "name")
    nodes = (
        ("node", n.id, "", drawn.query.nodes, int(n.tier), n.degree, "", n.x, n.y, name_of(n))
        for n in drawn.nodes
    )
    edges = (("edge", e.source, e.target, e.type, "", "", e.count, "", "", "") for e in drawn.edges)
    return csv_text((head, *nodes, *edges))


def as_json(drawn: LawMap) -> str:
    """Return the map with its query and counts as JSON."""
    return json.dumps(asdict(drawn), ensure_ascii=False, indent=1) + "\n"


def name_of(node: MapNode) -> str:
    """Return a node's full name: statute title, place and heading."""
    return " ".join(part for part in (node.statute, node.label, node.heading) if part)


def summary(drawn: LawMap, language: str = "en") -> str:
    """Describe how many nodes and edges are drawn of how many, and how they were selected."""
    of = drawn.query.nodes
    counts = {name: getattr(drawn, name) for name in ("matching", "total", "among", "joining")}
    counts |= {"nodes": len(drawn.nodes), "edges": len(drawn.edges)}
    nodes = "all_nodes" if len(drawn.nodes) == drawn.matching else "nodes"
    edges = "all" if len(drawn.edges) == drawn.among else "some"
    written = {name: f"{count:,}" for name, count in counts.items()}
    keys = (f"{nodes}.{of}", f"edges.{edges}", f"edges.{of}")
    return " ".join(say(f"law_map.{key}", language, **written) for key in keys)


_Source = tuple[ByDatabase, int, str, GraphView]


def _map_source(ws: Workspace, project_slug: str, by: int | None) -> _Source:
    """Return the key of the snapshot in use and its graph. Raises UserError without a graph."""
    with reading_as(ws, project_slug, by, Act.READ_LAW) as (session, project, _):
        snapshot = required_snapshot(session, project)
        view = graph_view(session, snapshot.id)
        digest = snapshot.content_hash + declared_version(session, snapshot.id)
    if view is None:
        raise UserError("graph_missing")
    return ByDatabase.of(ws), snapshot.id, digest, view


@lru_cache(maxsize=2)
def _arrays(source: ByDatabase, snapshot_id: int, _digest: str, _view: GraphView) -> LawArrays:
    """Return the graph as arrays, cached by its digest."""
    with source.ws.reading() as session:
        return law_arrays(session, snapshot_id)


@lru_cache(maxsize=64)
def _map(
    source: ByDatabase, snapshot_id: int, digest: str, view: GraphView, query: MapQuery
) -> LawMap:
    """Return the part of the map that a query selects, cached."""
    law = _arrays(source, snapshot_id, digest, view)
    with source.ws.reading() as session:
        if query.nodes is Nodes.STATUTES:
            return _map_of_statutes(law, query)
        return _map_of_units(session, snapshot_id, law, query)


def _map_of_statutes(law: LawArrays, query: MapQuery) -> LawMap:
    """Return the map whose nodes are statutes."""
    tiers = np.array([int(one.tier) for one in law.statutes], dtype=np.int64)
    graph = law.graph.folded(law.statute_of, tiers)
    matching = _tier_mask(graph, query)
    if query.text:
        wanted = query.text.casefold()
        titles = (unicodedata.normalize("NFC", one.title).casefold() for one in law.statutes)
        matching &= np.array([wanted in title for title in titles], dtype=np.bool_)
    if query.statute:
        matching &= _neighbour_mask(graph, _statute_index(law, query.statute), query.types)
    chosen = choose(graph, matching, query.types, query.most)
    statutes = [law.statutes[place] for place in chosen.nodes.tolist()]
    nodes = [MapNode(s.id, s.title, "", "", s.tier, 0, 0, 0) for s in statutes]
    return _laid_out(query, chosen, nodes, len(law.statutes))


def _map_of_units(session: Session, snapshot_id: int, law: LawArrays, query: MapQuery) -> LawMap:
    """Return the map whose nodes are units."""
    matching = _tier_mask(law.graph, query)
    if query.statute:
        matching &= law.statute_of == _statute_index(law, query.statute)
    if query.community:
        matching &= _community_mask(law, query.community)
    if query.text:
        matching &= np.isin(law.numbers, units_naming(session, snapshot_id, query.text))
    chosen = choose(law.graph, matching, query.types, query.most)
    numbers = law.numbers[chosen.nodes].tolist()
    views = node_views(session, numbers)
    units = [views[number] for number in numbers]
    nodes = [MapNode(u.unit_id, u.statute, u.label, u.heading, u.tier, 0, 0, 0) for u in units]
    return _laid_out(query, chosen, nodes, len(law.numbers))


def _laid_out(query: MapQuery, chosen: MapChoice, nodes: Sequence[MapNode], total: int) -> LawMap:
    """Return the chosen nodes with their places on the map."""
    pairs: list[tuple[int, int]] = [(low, high) for low, high in chosen.ends.tolist()]
    places = positions(len(nodes), frozenset((min(pair), max(pair)) for pair in pairs))
    placed = (
        replace(node, degree=degree, x=x, y=y)
        for node, degree, (x, y) in zip(nodes, chosen.degrees.tolist(), places, strict=True)
    )
    joined = zip(pairs, chosen.kinds.tolist(), chosen.counts.tolist(), strict=True)
    edges = (
        MapEdge(nodes[source].id, nodes[target].id, TYPES[kind], count)
        for (source, target), kind, count in joined
    )
    counts = chosen.matching, chosen.among, chosen.joining
    return LawMap(query, tuple(placed), tuple(edges), total, *counts)


def _tier_mask(graph: MapGraph, query: MapQuery) -> Mask:
    """Return a mask of the nodes in the chosen tiers."""
    return np.isin(graph.tiers, [int(tier) for tier in query.tiers])


def _neighbour_mask(graph: MapGraph, place: int, types: Sequence[EdgeType]) -> Mask:
    """Mask a node and its neighbours along edges of these types."""
    kinds = [at for at, kind in enumerate(TYPES) if kind in types]
    at_it = (graph.ends == place).any(axis=1) & np.isin(graph.kinds, kinds)
    found = np.zeros(len(graph.tiers), dtype=np.bool_)
    found[[place, *graph.ends[at_it].ravel().tolist()]] = True
    return found


def _statute_index(law: LawArrays, statute: str) -> int:
    """Return a statute's place in the arrays. Raises UserError for an unknown one."""
    places = {each.id: place for place, each in enumerate(law.statutes)}
    if statute not in places:
        raise UserError("map_statute_unknown", statute=statute)
    return places[statute]


def _community_mask(law: LawArrays, number: int) -> Mask:
    """Return a mask of a community's units. Raises UserError for an unknown number."""
    found = divide(law.graph.ends)
    inside = found.nodes[found.community == number - 1]
    if not len(inside):
        raise UserError("map_community_unknown", number=number)
    return np.isin(np.arange(len(law.numbers)), inside)


@lru_cache(maxsize=4)
def _communities(
    source: ByDatabase, snapshot_id: int, digest: str, view: GraphView
) -> tuple[CommunityLine, ...]:
    """Compute the largest communities, cached by the graph's digest."""
    law = _arrays(source, snapshot_id, digest, view)
    division, lines = divide(law.graph.ends), []
    for at in range(min(COMMUNITIES, int(division.community.max(initial=-1)) + 1)):
        inside = division.nodes[division.community == at]
        sizes = np.bincount(law.statute_of[inside], minlength=len(law.statutes))
        most = int(sizes.argmax())
        spans, title = int((sizes > 0).sum()), law.statutes[most].title
        lines.append(CommunityLine(at + 1, len(inside), spans, title, int(sizes[most])))
    return tuple(lines)
