"""Decisions on items that rest on amended law. Rows are only ever added."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import JSON, Column
from sqlmodel import Field

from storage.db.columns import AppendOnly, UtcDateTime, first_of, one_of
from storage.tables import core as _tables

_FIRST = (_tables.Item,)  # what this table refers to


class LawCheck(AppendOnly, table=True):
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
    at: datetime = Field(sa_type=UtcDateTime)
