"""The citation graph of a snapshot: storage, reading, and figures for its report.

PART_OF edges are not stored: a unit's row names its statute. A graph exists when its `graph` row
does: edges and row are written in one transaction.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import tee
from typing import TYPE_CHECKING, Any

from sqlalchemy import Table, delete
from sqlalchemy import select as rows_of
from sqlmodel import Session, SQLModel, col, func, select

from corpus.citations.model import Reason, Status, Target
from corpus.graph.model import READING, Edge, EdgeType, Form, Graph, Origin, Reference
from corpus.graph.report import ReferenceFacts, UnitFacts
from corpus.long_work import Progress, check_stop, in_bulk
from corpus.model import Level, Part, Tier, is_sub_item, paragraph_count, paragraphs
from storage.db.rows import insert_rows
from storage.db.workspace import Workspace
from storage.law.corpus import unit_ids
from storage.law.parallel_groups import keep_declared
from storage.tables.core import StatuteRow, UnitRow
from storage.tables.law import EdgeRow, GraphRow, ReferenceRow

if TYPE_CHECKING:
    from corpus.graph.build import GraphBuild

METHOD = READING


@dataclass(frozen=True, slots=True)
class GraphView:
    """A snapshot's graph: reading method, and numbers of edges (with PART_OF) and references."""

    method: str
    edges: int
    references: int


def graph_view(session: Session, snapshot_id: int) -> GraphView | None:
    """Return a summary of the snapshot's graph; None if it has none."""
    query = rows_of(col(GraphRow.method), col(GraphRow.edges), col(GraphRow.references))
    row = session.execute(query.where(col(GraphRow.snapshot_id) == snapshot_id)).first()
    return None if row is None else GraphView(*row)


def keep_graph(
    ws: Workspace, snapshot_id: int, built: GraphBuild, progress: Progress | None = None
) -> GraphView:
    """Replace the graph of a snapshot, all of it or nothing.

    Raises KeyError for an edge between units that the snapshot lacks.
    """
    with ws.writing() as session:
        return insert_graph(session, snapshot_id, built, ws.clock(), progress)


def insert_graph(
    session: Session,
    snapshot_id: int,
    built: GraphBuild,
    at: datetime,
    progress: Progress | None,
) -> GraphView:
    """Write the graph as :func:`keep_graph` does, in the transaction of `session`."""
    for table in (GraphRow, EdgeRow, ReferenceRow):
        session.execute(delete(table).where(col(table.snapshot_id) == snapshot_id))
    numbers = unit_ids(session, snapshot_id)
    edges = [edge for edge in built.edges if edge.type is not EdgeType.PART_OF]
    references, total = built.references, len(edges) + len(built.references)

    def told(done: int) -> None:
        """Report progress."""
        if progress:
            progress(done, total)

    links = (_edge_values(edge, snapshot_id, numbers) for edge in edges)
    insert_rows(session, EdgeRow, _EDGE, links, told)
    cited = (_reference_values(one, snapshot_id, numbers) for one in references)
    insert_rows(session, ReferenceRow, _REFERENCE, cited, lambda done: told(len(edges) + done))
    view = GraphView(METHOD, len(built.edges), len(built.references))
    session.add(
        GraphRow(
            snapshot_id=snapshot_id,
            method=METHOD,
            edges=view.edges,
            references=view.references,
            created_at=at,
        )
    )
    session.flush()
    declared = keep_declared(session, snapshot_id)
    return replace(view, edges=view.edges + declared)


@in_bulk()
def load_graph(session: Session, snapshot_id: int) -> Graph:
    """Return the snapshot's graph, with PART_OF edges from its units to its statutes.

    Paragraphs are not nodes: methods walk from unit to unit.
    """
    statutes = _statutes(session, snapshot_id)
    nodes = dict(statutes.values())
    names: dict[int, str] = {}
    edges: list[Edge] = []
    query = rows_of(col(UnitRow.id), col(UnitRow.semantic_id), col(UnitRow.statute_id))
    query = query.where(col(UnitRow.snapshot_id) == snapshot_id).order_by(col(UnitRow.id))
    for number, unit, statute in session.execute(query):
        whole, tier = statutes[statute]
        names[number], nodes[unit] = unit, tier
        edges.append(Edge(unit, whole, EdgeType.PART_OF, Origin.STRUCTURE))
    return Graph(nodes, [*edges, *_load_edges(session, snapshot_id, names)])


def _statutes(session: Session, snapshot_id: int) -> dict[int, tuple[str, Tier]]:
    """Return each statute's semantic id and tier by database id, in order of semantic id."""
    query = rows_of(col(StatuteRow.id), col(StatuteRow.semantic_id), col(StatuteRow.tier))
    query = query.where(col(StatuteRow.snapshot_id) == snapshot_id)
    rows = session.execute(query.order_by(col(StatuteRow.semantic_id)))
    return {number: (name, Tier(tier)) for number, name, tier in rows}


def edge_of(row: Any, source: str, target: str) -> Edge:
    """Convert a stored edge, given the semantic ids of its ends."""
    kind, origin = EdgeType(row.type), Origin(row.origin)
    return Edge(source, target, kind, origin, row.start, row.end, row.pinpoint, row.part, row.term)


def reference_of(row: Any, unit_id: str) -> Reference:
    """Convert a stored reference, given its unit's semantic id."""
    return Reference(
        unit_id,
        row.start,
        row.end,
        row.text,
        Status(row.status),
        Reason(row.reason) if row.reason else None,
        tuple(Target(*target) for target in row.targets),
        Form(row.form),
    )


def _load_edges(session: Session, snapshot_id: int, names: dict[int, str]) -> Iterator[Edge]:
    table = _table(EdgeRow)
    query = rows_of(table).where(table.c.snapshot_id == snapshot_id).order_by(table.c.id)
    for row in session.execute(query):
        check_stop()
        yield edge_of(row, names[row.source_unit_id], names[row.target_unit_id])


_EDGE = (
    *("snapshot_id", "source_unit_id", "target_unit_id", "type", "origin"),
    *("start", "end", "pinpoint", "part", "term"),
)


def _edge_values(edge: Edge, snapshot_id: int, numbers: Mapping[str, int]) -> tuple[object, ...]:
    """Return the values of the columns `_EDGE`."""
    ends = numbers[edge.source], numbers[edge.target]
    kind = edge.type.value, edge.origin.value
    return (snapshot_id, *ends, *kind, edge.start, edge.end, edge.pinpoint, edge.part, edge.term)


_REFERENCE = (
    *("snapshot_id", "unit_id", "start", "end", "text"),
    *("status", "reason", "form", "targets"),
)


def _reference_values(
    one: Reference, snapshot_id: int, numbers: Mapping[str, int]
) -> tuple[object, ...]:
    """Return the values of the columns `_REFERENCE`."""
    reason = one.reason.value if one.reason else None
    targets = [[target.unit_id, target.pinpoint] for target in one.targets]
    written = one.start, one.end, one.text
    found = one.status.value, reason, one.form.value
    return (snapshot_id, numbers[one.unit_id], *written, *found, targets)


def _table(row: type[SQLModel]) -> Table:
    """Return the table of a row class."""
    table: Table = row.__table__  # type: ignore[attr-defined]
    return table


_TEXTS = 2_000  # texts in memory at a time
_ROWS = 50_000


def unit_facts(
    session: Session, snapshot_id: int, tokens: Callable[[Iterable[str]], Iterator[int]]
) -> Iterator[UnitFacts]:
    """Yield the facts of every unit, in order of import; `tokens` counts the tokens of each text.

    As many texts are in memory as `tokens` reads ahead.
    """
    query = (
        select(  # type: ignore[call-overload]
            UnitRow.semantic_id,
            StatuteRow.semantic_id,
            UnitRow.level,
            StatuteRow.tier,
            UnitRow.text,
            UnitRow.deleted,
            UnitRow.parts,
        )
        .join(StatuteRow)
        .where(UnitRow.snapshot_id == snapshot_id)
        .order_by(col(UnitRow.id))
        .execution_options(yield_per=_TEXTS)
    )
    rows, again = tee(session.execute(query))
    counts = tokens(row.text for row in again)
    for (unit, statute, level, tier, text, deleted, parts), count in zip(rows, counts, strict=True):
        below = [Part(*part) for part in parts]
        yield UnitFacts(
            *(unit, statute, Level(level), Tier(tier), len(text), count, deleted),
            *(len(paragraphs(below)), sum(is_sub_item(part.path) for part in below)),
            paragraph_count(below),
        )


def edge_facts(session: Session, snapshot_id: int, units: Iterable[UnitFacts]) -> Iterator[Edge]:
    """Yield the snapshot's edges reduced to type, origin and ends; `units` are its units' facts."""
    for unit in units:
        yield Edge(unit.unit_id, unit.statute_id, EdgeType.PART_OF, Origin.STRUCTURE)
    named = select(UnitRow.id, UnitRow.semantic_id).where(UnitRow.snapshot_id == snapshot_id)
    names = dict(session.exec(named).all())
    kinds, origins = ({str(e): e for e in EdgeType}, {str(e): e for e in Origin})
    query = (
        select(EdgeRow.source_unit_id, EdgeRow.target_unit_id, EdgeRow.type, EdgeRow.origin)
        .where(EdgeRow.snapshot_id == snapshot_id)
        .execution_options(yield_per=_ROWS)
    )
    for source, target, kind, origin in session.execute(query):
        yield Edge(names[source], names[target], kinds[kind], origins[origin])


def reference_facts(session: Session, snapshot_id: int) -> list[ReferenceFacts]:
    """Count the references per form, status and reason."""
    kinds = (col(ReferenceRow.form), col(ReferenceRow.status), col(ReferenceRow.reason))
    query = (
        select(*kinds, func.count())
        .where(ReferenceRow.snapshot_id == snapshot_id)
        .group_by(*kinds)
        .order_by(*kinds)
    )
    return [
        ReferenceFacts(Form(form), Status(status), count, Reason(reason) if reason else None)
        for form, status, reason, count in session.exec(query)
    ]
