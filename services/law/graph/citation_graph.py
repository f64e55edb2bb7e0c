"""Citation graph of a snapshot: built once, then queried per unit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from rapidfuzz import process
from rapidfuzz.distance import Indel
from sqlmodel import Session

from annotation.people.roles import Act, reading_as
from corpus.graph.build import build_graph
from corpus.graph.model import WALKED, Edge, EdgeType, Origin, Reference
from corpus.long_work import Progress
from corpus.model import Statute, Unit, split_id
from errors import UserError
from storage.db.workspace import Workspace
from storage.law.corpus import load_statutes, required_snapshot, statute_titles, units_called
from storage.law.graph import METHOD, graph_view, keep_graph
from storage.law.neighbours import (
    STORED,
    NodeView,
    edges_among,
    edges_at,
    joined_to,
    node_views,
    references_of,
)
from storage.law.units import unit_lines, unit_with_statute

__all__ = ["LinkedUnit", "Neighbourhood", "NodeView", "UnitPage"]
LIMIT = 60  # nodes of a neighbourhood
SHOWN = 1_000  # edges of a unit's page, in each direction


@dataclass(frozen=True, slots=True)
class GraphReport:
    """Result of building a graph; `new` is False where the snapshot already had one."""

    snapshot_id: int
    new: bool
    edges: int
    references: int
    by_type: dict[str, int]


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """Nodes around a unit, itself first, then nearest first, and the edges among them.

    Self-loops are left out. `capped`: there were more nodes.
    """

    nodes: tuple[NodeView, ...]
    edges: tuple[Edge, ...]
    capped: bool


@dataclass(frozen=True, slots=True)
class LinkedUnit:
    """A unit at the other end of an edge."""

    node: NodeView
    edge: Edge


@dataclass(frozen=True, slots=True)
class UnitPage:
    """A unit with the units it cites and those that cite it.

    `statute` comes without its units. `cites` are the unit's outgoing edges, self-loops included;
    `cited_by` come from other units; up to `SHOWN` of each.
    """

    unit: Unit
    statute: Statute
    references: tuple[Reference, ...]
    cites: tuple[LinkedUnit, ...]
    cited_by: tuple[LinkedUnit, ...]


def build(
    ws: Workspace, project_slug: str, progress: Progress | None = None, by: int | None = None
) -> GraphReport:
    """Build the graph of the project's snapshot in use, unless it has one by the current method.

    `by` is the requester, None for the operator. Raises UserError for `by` without permission, an
    unknown project and one without a snapshot.
    """
    with reading_as(ws, project_slug, by, Act.IMPORT_LAW) as (session, project, _):
        snapshot = required_snapshot(session, project)
    return build_snapshot(ws, snapshot.id, progress=progress)


def build_snapshot(
    ws: Workspace,
    snapshot_id: int,
    statutes: Sequence[Statute] | None = None,
    progress: Progress | None = None,
) -> GraphReport:
    """Build and store a snapshot's graph, unless it has one by the current method.

    It is one transaction: an interrupted build stores nothing and can be repeated. `statutes` are
    the snapshot's, if already loaded. `progress` gets (statutes read, in all), then (edges and
    references stored, in all).
    """
    with ws.reading() as session:
        known = graph_view(session, snapshot_id)
        if known and known.method == METHOD:
            return GraphReport(snapshot_id, False, known.edges, known.references, {})
        statutes = statutes or load_statutes(session, snapshot_id)
    built = build_graph(statutes, progress)
    keep_graph(ws, snapshot_id, built, progress)
    counts = Counter(edge.type for edge in built.edges)
    by_type = {kind.value: counts[kind] for kind in EdgeType}
    return GraphReport(snapshot_id, True, len(built.edges), len(built.references), by_type)


def neighbourhood(
    ws: Workspace,
    snapshot_id: int,
    unit_id: str,
    types: Collection[EdgeType] | None = None,
    hops: int = 1,
    limit: int = LIMIT,
) -> Neighbourhood:
    """Return up to `limit` nodes within `hops` steps of a unit along edges of `types`.

    By default all types but PART_OF and DEFINES. PART_OF adds the statutes of the nodes found and
    the paragraphs of the unit; it is never traversed. Raises UserError for a unit that the snapshot
    lacks and a snapshot without a graph.
    """
    wanted = [kind for kind in STORED if kind in (WALKED if types is None else types)]
    with ws.reading() as session:
        start = _unit_number(session, snapshot_id, unit_id)
        numbers, capped = _units_within(session, start, wanted, hops, limit)
        views = node_views(session, numbers)
        edges = edges_among(session, views, wanted)
        placed = types is not None and EdgeType.PART_OF in types
        paths = unit_with_statute(session, start)[0].paragraphs() if placed else ()
    nodes = [views[number] for number in numbers]
    if placed:
        wholes = dict.fromkeys(
            NodeView(each.statute_id, each.statute_id, each.statute, "", "", each.tier)
            for each in nodes
        )
        below = [
            replace(nodes[0], unit_id=f"{unit_id}/{path}", label=path, heading="") for path in paths
        ]
        parts = [(each, each.statute_id) for each in nodes] + [(each, unit_id) for each in below]
        contained = EdgeType.PART_OF, Origin.STRUCTURE
        edges += [Edge(part.unit_id, whole, *contained) for part, whole in parts]
        nodes += [*wholes, *below]
    return Neighbourhood(tuple(nodes), tuple(edges), capped)


def unit_page(ws: Workspace, snapshot_id: int, unit_id: str) -> UnitPage:
    """Return a unit with its references and its edges in both directions.

    Raises UserError for a unit that the snapshot lacks and a snapshot without a graph.
    """
    with ws.reading() as session:
        number = _unit_number(session, snapshot_id, unit_id)
        unit, statute = unit_with_statute(session, number)
        references = references_of(session, number, unit_id)
        edges, nodes = edges_at(session, number, SHOWN)
    out = [LinkedUnit(nodes[e.target], e) for e in edges if e.source == unit_id]
    into = [LinkedUnit(nodes[e.source], e) for e in edges if e.source != unit_id]
    return UnitPage(unit, statute, tuple(references), tuple(out), tuple(into))


def _unit_number(session: Session, snapshot_id: int, unit_id: str) -> int:
    """Return the database id of a unit. Raises UserError if it or the graph is missing."""
    number = units_called(session, snapshot_id, [unit_id]).get(unit_id)
    if number is None:
        near = ", ".join(near_units(session, snapshot_id, unit_id)) or "–"
        raise UserError("graph_unit_unknown", unit=unit_id, near=near)
    if graph_view(session, snapshot_id) is None:
        raise UserError("graph_missing")
    return number


def _units_within(
    session: Session, start: int, types: Sequence[EdgeType], hops: int, limit: int
) -> tuple[list[int], bool]:
    """Return database ids of units within `hops`, nearest first; and if `limit` cut them."""
    found, ring = [start], [start]
    for _ in range(hops):
        known = set(found)
        ring = [number for number in joined_to(session, ring, types) if number not in known]
        found += ring
        if len(found) > limit:
            return found[:limit], True
    return found, False


_NEAR = 3  # statutes, and units, that are named


def near_units(session: Session, snapshot_id: int, unit_id: str) -> list[str]:
    """Return the ids of up to three units of the snapshot with the most similar ids.

    They are of the statute that the id names, else of the statutes with the most similar ids.
    """
    wanted = "_".join(unit_id.split())
    statute = split_id(wanted)[0] or wanted
    titles = statute_titles(session, snapshot_id)
    named = [statute] if statute in titles else _most_similar(statute, titles)
    ids = [line.unit_id for each in named for line in unit_lines(session, snapshot_id, each)]
    return _most_similar(wanted, ids)


def _most_similar(name: str, names: Iterable[str]) -> list[str]:
    """Return the three names most similar to one, the most similar first."""
    found = process.extract(name, list(names), scorer=Indel.normalized_similarity, limit=_NEAR)
    return [name for name, _, _ in found]
