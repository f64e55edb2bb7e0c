"""A stored snapshot as closure reads it: provisions, edges and statutes, each read once."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cache
from typing import Any

from sqlalchemy import Table, bindparam
from sqlmodel import Session, col, select

from corpus.graph.model import Direction, Edge, EdgeType
from corpus.model import Unit
from storage.law.graph import edge_of
from storage.law.units import unit_of
from storage.tables.core import StatuteRow, UnitRow
from storage.tables.law import EdgeRow

_EDGE: Table = EdgeRow.__table__  # type: ignore[attr-defined]
_UNIT: Table = UnitRow.__table__  # type: ignore[attr-defined]


class StoredLaw:
    """The law of a snapshot, read on demand within a session and cached for this object's life.

    A few gold sets in a large law cost little.
    """

    def __init__(self, session: Session, snapshot_id: int) -> None:
        """Open the law of a snapshot without reading anything."""
        self._session, self._snapshot_id = session, snapshot_id
        self._units: dict[str, Unit | None] = {}
        self._names: dict[str, str] = {}
        self._edges: dict[str, tuple[list[Edge], list[Edge]]] = {}
        self._beside: dict[str, tuple[str, ...]] = {}

    def unit(self, unit_id: str) -> Unit | None:
        """Return a provision; None where the snapshot has none of that id."""
        if unit_id not in self._units:
            asked = {"snapshot": self._snapshot_id, "unit": unit_id}
            found = self._session.execute(_unit(), asked).first()
            self._units[unit_id] = None if found is None else unit_of(found, found.of_statute, ())
            if found is not None:
                self._names[unit_id] = f"{found.title} {found.label}"
        return self._units[unit_id]

    def place(self, unit_id: str) -> str:
        """Return a provision's display name: its statute's title and its label; else the id."""
        self.unit(unit_id)
        return self._names.get(unit_id, unit_id)

    def edges(
        self, unit_id: str, types: Collection[EdgeType], direction: Direction
    ) -> Sequence[Edge]:
        """Return a provision's edges of the types, outgoing first, in stored order; no loops."""
        if unit_id not in self._edges:
            self._edges[unit_id] = self._read(unit_id, out=True), self._read(unit_id, out=False)
        out, into = self._edges[unit_id]
        found = [*(out if direction != "in" else ()), *(into if direction != "out" else ())]
        return [each for each in found if each.type in types]

    def beside(self, statute_id: str) -> Sequence[str]:
        """Return the ids of a statute's provisions in the order of its text."""
        if statute_id not in self._beside:
            query = select(UnitRow.semantic_id, UnitRow.order)
            query = query.join(StatuteRow)
            here = (
                StatuteRow.snapshot_id == self._snapshot_id,
                StatuteRow.semantic_id == statute_id,
            )
            rows = self._session.exec(query.where(*here).order_by(col(UnitRow.order)))
            self._beside[statute_id] = tuple(unit for unit, _ in rows)
        return self._beside[statute_id]

    def _read(self, unit_id: str, *, out: bool) -> list[Edge]:
        """Read the edges out of, or into, a unit."""
        asked = {"snapshot": self._snapshot_id, "unit": unit_id}
        rows = self._session.execute(_edges(out=out), asked)
        if out:
            return [edge_of(row, unit_id, row.other) for row in rows]
        return [edge_of(row, row.other, unit_id) for row in rows]


@cache  # building a statement takes longer than running it
def _edges(*, out: bool) -> Any:
    """Build the query of the edges out of a unit, or into it, without loops."""
    here, there = _UNIT.alias("here"), _UNIT.alias("there")
    near, far = _EDGE.c.source_unit_id, _EDGE.c.target_unit_id
    if not out:
        near, far = far, near
    return (
        _EDGE.select()
        .add_columns(there.c.semantic_id.label("other"))
        .join(here, here.c.id == near)
        .join(there, there.c.id == far)
        .where(here.c.snapshot_id == bindparam("snapshot"))
        .where(here.c.semantic_id == bindparam("unit"), near != far)
        .order_by(_EDGE.c.id)
    )


@cache
def _unit() -> Any:
    """Build the query of a unit with its statute's id and title."""
    statute: Table = StatuteRow.__table__  # type: ignore[attr-defined]
    query = _UNIT.select().add_columns(statute.c.semantic_id.label("of_statute"), statute.c.title)
    query = query.join(statute)
    return query.where(
        _UNIT.c.snapshot_id == bindparam("snapshot"), _UNIT.c.semantic_id == bindparam("unit")
    )
