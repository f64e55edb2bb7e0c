"""Gold: versions of its split into train, dev and test, and of the datasheet form.

Gold itself is derived and not stored. Rows are only ever added.
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
    """A version of a project's split of its gold; the newest is in force.

    `recipe` has the grouping, shares and seed (`construction.gold.splitting`), on the gold of
    `gold_hash` in the law of `snapshot_id`.
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
    """A question in a version of a split, with its part."""

    __table_args__ = (
        UniqueConstraint("split_id", "question_id"),
        one_of("part", "train", "dev", "test"),
    )
    split_id: int = Field(foreign_key="split.id")
    question_id: int = Field(foreign_key="question.id")
    part: str


class DatasheetAnswersRow(Version, table=True):
    """A version of the project's answers in the datasheet form; the newest is in force."""
