"""A project's own wordings of prompts. Rows are only ever added."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import UniqueConstraint
from sqlmodel import Field, SQLModel

from storage.db.columns import UtcDateTime
from storage.tables import core as _tables

_OTHERS = (_tables.Project, _tables.Person)  # what this table refers to

# Triggers of the ninth migration refuse UPDATE and DELETE on these.
PROMPT_APPEND_ONLY = ("prompt_text",)


class PromptText(SQLModel, table=True):
    """One version of a prompt's wording in one language; `number` counts on from the packaged.

    `text` is the whole file as `llm.prompts.prompt_files` reads it.
    """

    __tablename__ = "prompt_text"
    __table_args__ = (UniqueConstraint("project_id", "prompt_id", "language", "number"),)
    id: int | None = Field(default=None, primary_key=True)
    project_id: int = Field(foreign_key="project.id")
    prompt_id: str
    language: str
    number: int
    text: str
    note: str = ""
    by_person_id: int | None = Field(default=None, foreign_key="person.id")
    at: datetime = Field(sa_type=UtcDateTime)
