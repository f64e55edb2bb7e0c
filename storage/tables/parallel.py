"""Parallel groups of a project: versions of its declaration, and decisions on proposals.

Rows are only ever added.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, Column
from sqlmodel import Field

from storage.db.columns import AppendOnly, UtcDateTime, Version, one_of
from storage.tables import core as _tables

_OTHERS = (_tables.Project, _tables.Snapshot, _tables.Person)  # what these tables refer to


class ParallelGroupsRow(Version, table=True):
    """A version of the project's parallel groups; the newest is in force."""


class ParallelDecision(AppendOnly, table=True):
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
    by_person_id: int | None = Field(default=None, foreign_key="person.id")
    at: datetime = Field(sa_type=UtcDateTime)
