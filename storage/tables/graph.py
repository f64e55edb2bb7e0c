"""The tables of the citation graph. Unlike people's decisions they may be rebuilt."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, Column, Index
from sqlmodel import Field

from storage.db.columns import Row, UtcDateTime
from storage.tables import core as _tables  # the naming convention must be set before any table

__all__ = ["EdgeRow", "GraphRow", "LinkRow", "ReferenceRow"]
_LAW = (_tables.Snapshot, _tables.UnitRow)  # what these tables refer to


def _index(*columns: str) -> Index:
    return Index("_".join(("ix_edge", *columns)), *columns)


class LinkRow(Row, table=True):
    """A hyperlink that a unit's source put on a stretch of its text."""

    __tablename__ = "unit_link"
    unit_id: int = Field(foreign_key="unit.id", index=True)
    start: int
    end: int
    href: str


class GraphRow(Row, table=True):
    """The record of a snapshot's complete graph; `method` is the version of the reading."""

    snapshot_id: int = Field(foreign_key="snapshot.id", unique=True)
    method: str
    edges: int
    references: int
    created_at: datetime = Field(sa_type=UtcDateTime)


class EdgeRow(Row, table=True):
    """One edge between units. PART_OF is not stored: it is `unit.statute_id`."""

    __table_args__ = (
        Index("ix_edge_snapshot_id_type", "snapshot_id", "type"),
        _index("source_unit_id", "type", "target_unit_id"),
        _index("target_unit_id", "type", "source_unit_id"),
    )
    snapshot_id: int = Field(foreign_key="snapshot.id")
    source_unit_id: int = Field(foreign_key="unit.id")
    target_unit_id: int = Field(foreign_key="unit.id")
    type: str
    origin: str
    start: int
    end: int
    pinpoint: str
    part: str
    term: str


class ReferenceRow(Row, table=True):
    """One citation in a unit's text; `targets` is a list of [unit semantic id, pinpoint]."""

    __table_args__ = (
        Index("ix_reference_snapshot_id_form_status", "snapshot_id", "form", "status"),
    )
    snapshot_id: int = Field(foreign_key="snapshot.id")
    unit_id: int = Field(foreign_key="unit.id", index=True)
    start: int
    end: int
    text: str
    status: str
    reason: str | None = None
    form: str
    targets: list[list[Any]] = Field(default_factory=list, sa_column=Column(JSON, nullable=False))
