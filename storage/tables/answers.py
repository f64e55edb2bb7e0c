"""What people answered where a task asks for more than labels of units.

Rows are only ever added.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, Column, UniqueConstraint
from sqlmodel import Field, SQLModel

from storage.db.columns import UtcDateTime, first_of
from storage.tables import core as _tables

_OTHERS = (_tables.Annotation, _tables.Item, _tables.Person)  # what these tables refer to

# Triggers of the fifth migration refuse UPDATE and DELETE on these.
ANSWER_APPEND_ONLY = ("annotation_answer", "settlement")


class AnnotationAnswer(SQLModel, table=True):
    """What a submission says in one field of its task's form."""

    __tablename__ = "annotation_answer"
    __table_args__ = (UniqueConstraint("annotation_id", "field"),)
    id: int | None = Field(default=None, primary_key=True)
    annotation_id: int = Field(foreign_key="annotation.id")
    field: str
    value: Any = Field(sa_column=Column(JSON, nullable=False))


class Settlement(SQLModel, table=True):
    """An adjudicator's answers to an item on which submissions differ; newer rows supersede.

    `annotation_ids` are the submissions that it decides between. An item's rows form one chain
    without forks.
    """

    __table_args__ = (first_of("ux_settlement_first", "item_id"),)
    id: int | None = Field(default=None, primary_key=True)
    item_id: int = Field(foreign_key="item.id", index=True)
    person_id: int = Field(foreign_key="person.id")
    answers: dict[str, Any] = Field(default_factory=dict, sa_column=Column(JSON, nullable=False))
    reason: str
    annotation_ids: list[int] = Field(default_factory=list, sa_column=Column(JSON, nullable=False))
    supersedes_id: int | None = Field(default=None, foreign_key="settlement.id", unique=True)
    at: datetime = Field(sa_type=UtcDateTime)
