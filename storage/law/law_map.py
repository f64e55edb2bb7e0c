"""A snapshot's citation graph as arrays, and search for units by name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from sqlalchemy import Table, or_, select
from sqlmodel import Session, col, func

from corpus.graph.law_map import TYPES, MapGraph, Numbers
from corpus.model import Tier
from storage.tables.core import StatuteRow, UnitRow
from storage.tables.law import EdgeRow

_EDGE: Table = EdgeRow.__table__  # type: ignore[attr-defined]
_BATCH = 50_000


@dataclass(frozen=True, slots=True)
class MapStatute:
    """A statute of a map: its semantic id, title and tier."""

    id: str
    title: str
    tier: Tier


@dataclass(frozen=True, slots=True, eq=False)
class LawArrays:
    """A snapshot's graph in arrays: `numbers` are database ids of its units, ascending.

    Nodes of `graph` are indices into `numbers`; `statute_of` has the index of each unit's statute
    in `statutes`, which are in order of tier, then title.
    """

    statutes: tuple[MapStatute, ...]
    numbers: Numbers
    statute_of: Numbers
    graph: MapGraph


def law_arrays(session: Session, snapshot_id: int) -> LawArrays:
    """Load the citation graph of a snapshot as arrays."""
    statutes = _statutes(session, snapshot_id)
    at = {number: place for place, number in enumerate(statutes)}
    query = select(col(UnitRow.id), col(UnitRow.statute_id))
    query = query.where(col(UnitRow.snapshot_id) == snapshot_id).order_by(col(UnitRow.id))
    units = _array(session, query, 2)
    known = tuple(statutes.values())
    statute_of = np.array([at[number] for number in units[:, 1].tolist()], dtype=np.int64)
    tiers = np.array([int(one.tier) for one in known], dtype=np.int64)[statute_of]
    return LawArrays(
        known, units[:, 0], statute_of, _graph(session, snapshot_id, units[:, 0], tiers)
    )


def units_naming(session: Session, snapshot_id: int, text: str) -> Numbers:
    """Return the database ids of units with `text` in their label, heading or statute's title.

    Ignores case.
    """
    named = (UnitRow.label, UnitRow.heading, StatuteRow.title)
    query = (
        select(col(UnitRow.id))
        .join(StatuteRow)
        .where(col(UnitRow.snapshot_id) == snapshot_id)
        .where(or_(*(col(each).icontains(text, autoescape=True) for each in named)))
    )
    return _array(session, query, 1)[:, 0]


def _statutes(session: Session, snapshot_id: int) -> dict[int, MapStatute]:
    """Return the statutes of a snapshot by database id, in order of tier, title, semantic id."""
    row = StatuteRow
    query = select(col(row.id), col(row.semantic_id), col(row.title), col(row.tier))
    found = session.execute(query.where(col(row.snapshot_id) == snapshot_id)).all()
    # Sorted here: databases sort Korean differently.
    return {
        number: MapStatute(name, title, Tier(tier))
        for number, name, title, tier in sorted(found, key=lambda one: (one[3], one[2], one[1]))
    }


def _graph(session: Session, snapshot_id: int, numbers: Numbers, tiers: Numbers) -> MapGraph:
    """Return a snapshot's edges as arrays: no loops, one row per pair and type, with its count."""
    edge, kinds = _EDGE.c, {kind.value: place for place, kind in enumerate(TYPES)}
    columns = (edge.source_unit_id, edge.target_unit_id, edge.type)
    query = select(*columns, func.count()).where(edge.snapshot_id == snapshot_id)
    query = query.where(edge.type.in_(list(kinds)), edge.source_unit_id != edge.target_unit_id)
    rows = [
        (source, target, kinds[kind], count)
        for source, target, kind, count in session.execute(query.group_by(*columns))
    ]
    found = np.array(sorted(rows), dtype=np.int64).reshape(-1, 4)
    ends = np.searchsorted(numbers, found[:, :2])
    return MapGraph(tiers, ends, found[:, 2], found[:, 3])


def _array(session: Session, query: Any, columns: int) -> Numbers:
    """Return the rows of a query as an array."""
    rows = session.execute(query.execution_options(yield_per=_BATCH))
    return np.array([tuple(row) for row in rows], dtype=np.int64).reshape(-1, columns)
