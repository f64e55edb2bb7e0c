"""The neighbourhood of one unit, read from the indexed tables."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import BindParameter, ColumnElement, Row, Table, bindparam, select
from sqlmodel import Session

from corpus.graph.model import Direction, Edge, EdgeType, Origin, Reference
from corpus.model import Tier
from storage.db.columns import view_of
from storage.law.corpus import units_called
from storage.law.graph import edge_of, reference_of
from storage.tables.core import StatuteRow, UnitRow
from storage.tables.law import EdgeRow, ReferenceRow

_EDGE: Table = EdgeRow.__table__  # type: ignore[attr-defined]
_UNIT: Table = UnitRow.__table__  # type: ignore[attr-defined]
_STATUTE: Table = StatuteRow.__table__  # type: ignore[attr-defined]
_REFERENCE: Table = ReferenceRow.__table__  # type: ignore[attr-defined]
# Built once: compiling a statement takes longer than running it.
_SOURCE, _TARGET = _EDGE.c.source_unit_id, _EDGE.c.target_unit_id
_THESE: BindParameter[Any] = bindparam("numbers", expanding=True)
_TYPES: BindParameter[Any] = bindparam("types", expanding=True)
_ENDS = tuple(
    select(far).where(near.in_(_THESE), _EDGE.c.type.in_(_TYPES)).distinct()
    for near, far in ((_SOURCE, _TARGET), (_TARGET, _SOURCE))
)
_AMONG = (
    select(_EDGE)
    .where(_SOURCE.in_(_THESE), _TARGET.in_(_THESE), _SOURCE != _TARGET, _EDGE.c.type.in_(_TYPES))
    .order_by(_EDGE.c.id)
)
_NODES = (
    select(_UNIT.c.id, _UNIT.c.semantic_id, _UNIT.c.label, _UNIT.c.heading, _UNIT.c.deleted)
    .add_columns(
        _UNIT.c.level, _STATUTE.c.semantic_id.label("of_statute"), _STATUTE.c.title, _STATUTE.c.tier
    )
    .join(_STATUTE)
    .where(_UNIT.c.id.in_(_THESE))
)
STORED = tuple(kind for kind in EdgeType if kind is not EdgeType.PART_OF)


@dataclass(frozen=True, slots=True)
class NodeView:
    """A node to draw. `label` and `heading` are empty for a statute as a whole.

    `unit_id` and `statute_id` are semantic ids; `statute` is the statute's title.
    """

    unit_id: str
    statute_id: str
    statute: str
    label: str
    heading: str
    tier: Tier
    deleted: bool = False
    level: str = ""


def joined_to(session: Session, row_ids: Collection[int], types: Collection[EdgeType]) -> list[int]:
    """Return the database ids of units joined to units `row_ids` by an edge, ascending."""
    asked = {"numbers": list(row_ids), "types": _values(types)}
    return sorted({end for query in _ENDS for end in session.execute(query, asked).scalars()})


def pairs_at(
    session: Session,
    row_ids: Collection[int],
    types: Collection[EdgeType],
    direction: Direction = "both",
    origins: Collection[Origin] = tuple(Origin),
) -> list[tuple[int, int]]:
    """Return (one of `row_ids`, neighbour) pairs, ascending, each once.

    ``out`` follows edges from `row_ids`, ``in`` those into them.
    """
    wanted = _EDGE.c.type.in_(_values(types)), _EDGE.c.origin.in_([each.value for each in origins])
    source, target = _EDGE.c.source_unit_id, _EDGE.c.target_unit_id
    pairs = set[tuple[int, int]]()
    ways = {"out": [(source, target)], "in": [(target, source)]}
    for near, far in ways.get(direction, [*ways["out"], *ways["in"]]):
        query = select(near, far).where(near.in_(row_ids), *wanted)
        pairs.update((row[0], row[1]) for row in session.execute(query.distinct()))
    return sorted(pairs)


def unit_numbers(session: Session, snapshot_id: int, unit_ids: Collection[str]) -> dict[str, int]:
    """Return the database ids of the units that the snapshot has, by semantic id."""
    return units_called(session, snapshot_id, unit_ids)


def node_views(session: Session, row_ids: Collection[int]) -> dict[int, NodeView]:
    """Return the units with these database ids as nodes, by database id."""
    rows = session.execute(_NODES, {"numbers": list(row_ids)})
    return {
        row.id: view_of(
            NodeView,
            row,
            unit_id=row.semantic_id,
            statute_id=row.of_statute,
            statute=row.title,
            tier=Tier(row.tier),
        )
        for row in rows
    }


def edges_among(
    session: Session, nodes: dict[int, NodeView], types: Collection[EdgeType]
) -> list[Edge]:
    """Return the edges with both ends among the nodes, without loops."""
    asked = {"numbers": list(nodes), "types": _values(types)}
    return _as_edges(session.execute(_AMONG, asked).all(), nodes)


def edges_at(session: Session, row_id: int, limit: int) -> tuple[list[Edge], dict[str, NodeView]]:
    """Return up to `limit` edges out of a unit and as many into it, and their nodes by id."""
    source, target = _EDGE.c.source_unit_id, _EDGE.c.target_unit_id
    rows = [*_rows(session, source == row_id, limit)]
    rows += _rows(session, (target == row_id) & (source != row_id), limit)
    ends = {n for row in rows for n in (row.source_unit_id, row.target_unit_id)}
    nodes = node_views(session, ends)
    return _as_edges(rows, nodes), {node.unit_id: node for node in nodes.values()}


def edges_of_text(session: Session, row_id: int) -> list[Edge]:
    """Return the edges out of a unit (database id) but DEFINES, and the DEFINES edges into it."""
    defines = _EDGE.c.type == EdgeType.DEFINES.value
    either = ((_EDGE.c.source_unit_id == row_id) & ~defines) | (
        (_EDGE.c.target_unit_id == row_id) & defines
    )
    rows = session.execute(select(_EDGE).where(either).order_by(_EDGE.c.id)).all()
    ends = {end for row in rows for end in (row.source_unit_id, row.target_unit_id)}
    return _as_edges(rows, node_views(session, ends))


def references_of(session: Session, row_id: int, unit_id: str) -> list[Reference]:
    """Return the references in a unit's text, in the order of the text."""
    query = select(_REFERENCE).where(_REFERENCE.c.unit_id == row_id).order_by(_REFERENCE.c.id)
    return [reference_of(row, unit_id) for row in session.execute(query)]


def _rows(session: Session, which: ColumnElement[bool], limit: int) -> Sequence[Row[Any]]:
    """Return the first `limit` edges that meet a condition."""
    query = select(_EDGE).where(which).order_by(_EDGE.c.id).limit(limit)
    return session.execute(query).all()


def _as_edges(rows: Iterable[Row[Any]], nodes: dict[int, NodeView]) -> list[Edge]:
    """Return rows as edges."""
    return [
        edge_of(row, nodes[row.source_unit_id].unit_id, nodes[row.target_unit_id].unit_id)
        for row in rows
    ]


def _values(types: Iterable[EdgeType]) -> list[str]:
    """Return edge types as stored."""
    return [kind.value for kind in EdgeType if kind in set(types)]
