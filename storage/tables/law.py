"""What people said of items that rest on law which was amended. Rows are only ever added."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import JSON, Column
from sqlmodel import Field

from storage.db.columns import AppendOnly, UtcDateTime, first_of, one_of
from storage.tables import core as _tables

_FIRST = (_tables.Item,)  # what this table refers to


class LawCheck(AppendOnly, table=True):
    """What a person said of an item and a provision that it rests on, when that had been amended.

    `unit_id` is the provision as the item rests on it; `snapshot_id` the law it was held against,
    `now_unit_ids` the units that stood there instead and `wording` a digest of what they said: the
    row speaks of that wording and of no other. A row that sends back names the submissions or the
    decision that are to be made anew. `person_id` is None for the operator. The rows of an item on
    a unit form one chain without forks.
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
