"""Gold: versions of its division into train, dev and test, and of what a datasheet is told.

Gold itself is derived and kept nowhere. Rows are only ever added.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, Column, UniqueConstraint
from sqlmodel import Field

from storage.db.columns import AppendOnly, UtcDateTime, Version, one_of
from storage.tables import core as _tables

_OTHERS = _tables.Project, _tables.QuestionRow, _tables.Snapshot  # what these tables refer to


class SplitRow(AppendOnly, table=True):
    """A version of how a project divides its gold; the newest holds.

    `recipe` says by what, in which shares and with which seed (`construction.gold.splitting`), on
    the gold of `gold_hash` in the law of `snapshot_id`.
    """

    __table_args__ = (UniqueConstraint("project_id", "number"),)
    project_id: int = Field(foreign_key="project.id")
    number: int
    recipe: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False))
    snapshot_id: int = Field(foreign_key="snapshot.id")
    gold_hash: str
    note: str = ""
    by_person_id: int | None = Field(default=None, foreign_key="person.id")
    at: datetime = Field(sa_type=UtcDateTime)


class SplitMember(AppendOnly, table=True):
    """A question of a version, with the part that it is in."""

    __table_args__ = (
        UniqueConstraint("split_id", "question_id"),
        one_of("part", "train", "dev", "test"),
    )
    split_id: int = Field(foreign_key="split.id")
    question_id: int = Field(foreign_key="question.id")
    part: str


class DatasheetAnswersRow(Version, table=True):
    """A version of what people say for the datasheets of a project; the newest holds."""
