"""Tables of the tasks that projects bring: their declarations, and the rows they ask about.

Rows are only ever added.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import JSON, Column, UniqueConstraint
from sqlmodel import Field

from storage.db.columns import AppendOnly, Authored
from storage.tables import core as _tables

_FIRST = _tables.Project  # it is referred to


class TaskDeclaration(Authored, table=True):
    """One version of a project's own task: its text, and the key that its items carry.

    A changed text is a new version with a key and items of its own, so whoever has begun the one
    before goes on with it. `file_hash` is that of the file whose rows it asks about.
    """

    __table_args__ = (
        UniqueConstraint("project_id", "key"),
        UniqueConstraint("project_id", "name", "version"),
    )
    project_id: int = Field(foreign_key="project.id")
    key: str
    name: str
    version: int
    text: str
    file: str
    file_hash: str


class TaskSubject(AppendOnly, table=True):
    """A row that an own task asks about: a text by column."""

    __table_args__ = (UniqueConstraint("task_declaration_id", "external_id"),)
    task_declaration_id: int = Field(foreign_key="task_declaration.id")
    external_id: str
    row: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False))
