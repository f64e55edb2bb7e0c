"""Tables on the law: its citation graph, parallel groups, and decisions on amended law.

The tables of the citation graph. Unlike people's decisions they may be rebuilt.

Parallel groups of a project: versions of its declaration, and decisions on proposals.

Rows are only ever added.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, Column, Index
from sqlmodel import Field

from storage.db.columns import (
    Authored,
    Dated,
    Row,
    UtcDateTime,
    Version,
    first_of,
    one_of,
)
from storage.tables import core as _tables

__all__ = ["EdgeRow", "GraphRow", "LinkRow", "ReferenceRow"]


_FIRST = (_tables.Item,)  # what this table refers to


class LawCheck(Dated, table=True):
    """A decision on an item and an amended provision that it rests on.

    `unit_id` is the provision as the item rests on it; `snapshot_id` the law it was compared with,
    `now_unit_ids` the units in its place there and `wording` a digest of their text: the row holds
    for that wording only. A row that sends back names the submissions or the decision to be redone.
    `person_id` is None for the operator. The rows of an item on a unit form one chain without
    forks.
    """

    __table_args__ = (
        first_of("ux_law_check_first", "item_id", "unit_id"),
        one_of("kind", "confirm", "send_back", "set_aside", "reopen"),
    )
    item_id: int = Field(foreign_key="item.id", index=True)
    unit_id: int = Field(foreign_key="unit.id")
    snapshot_id: int = Field(foreign_key="snapshot.id")
    now_unit_ids: list[int] = Field(default_factory=list, sa_column=Column(JSON, nullable=False))
    wording: str
    kind: str
    reason: str = ""
    annotation_ids: list[int] = Field(default_factory=list, sa_column=Column(JSON, nullable=False))
    settlement_id: int | None = Field(default=None, foreign_key="settlement.id")
    supersedes_id: int | None = Field(default=None, foreign_key="law_check.id", unique=True)
    person_id: int | None = Field(default=None, foreign_key="person.id")


_LAW = (_tables.Snapshot, _tables.UnitRow)  # what these tables refer to


def _index(*columns: str) -> Index:
    """Return an index of the edges' columns."""
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


_OTHERS = (_tables.Project, _tables.Snapshot, _tables.Person)  # what these tables refer to


class ParallelGroupsRow(Version, table=True):
    """A version of the project's parallel groups; the newest is in force."""


class ParallelDecision(Authored, table=True):
    """A decision on a proposed group; the newest of equal `units` counts.

    `units` are their semantic ids in order. `score` (0 to 1) and `reason` are what was shown then,
    in the law of `snapshot_id`. `by_person_id` is None for the operator.
    """

    __table_args__ = (one_of("verdict", "confirmed", "refused"),)
    project_id: int = Field(foreign_key="project.id", index=True)
    snapshot_id: int = Field(foreign_key="snapshot.id")
    units: list[str] = Field(sa_column=Column(JSON, nullable=False))
    verdict: str
    score: float
    reason: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False))
    note: str = ""
