"""The table of how candidate sets were made. Rows are only ever added.

Sets from before it was kept, and those of other tasks than citation mapping, have no row.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import JSON, Column, UniqueConstraint
from sqlmodel import Field, SQLModel

from storage.tables import core as _tables

_OTHERS = (_tables.CandidateSet,)  # what this table refers to

# Triggers of migration 0014 refuse UPDATE and DELETE on these.
WAY_APPEND_ONLY = ("candidate_way",)


class CandidateWay(SQLModel, table=True):
    """How a candidate set was made, so that an equal one can be made from other law.

    `spec` describes the retrieval method that searched the texts, {} for the standard one.
    `in_place_of` is the name of the method that was wanted, where that could not be had.
    """

    __tablename__ = "candidate_way"
    __table_args__ = (UniqueConstraint("candidate_set_id"),)
    id: int | None = Field(default=None, primary_key=True)
    candidate_set_id: int = Field(foreign_key="candidate_set.id")
    spec: dict[str, Any] = Field(default_factory=dict, sa_column=Column(JSON, nullable=False))
    in_place_of: str | None = None
