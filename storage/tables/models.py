"""Calls to language models, and a project's own versions of prompts. Rows are only ever added."""

from __future__ import annotations

from typing import Any

from sqlalchemy import JSON, Column, UniqueConstraint
from sqlmodel import Field

from storage.db.columns import Authored, Dated, one_of
from storage.tables import core as _tables

_OTHERS = (_tables.Project, _tables.Person)  # what this table refers to

FROM_FILE = "file:"
"""The server prefix of imported replies: it is always shown, so they never pass as ours."""


class LlmCall(Dated, table=True):
    """One call to a language model; the fields are those of `llm.reply.Reply`.

    A call that failed may have later rows with the same hash. Of the final rows (answered, refused,
    invalid) the first counts.
    """

    __table_args__ = (one_of("status", "answered", "refused", "invalid", "failed"),)
    request_hash: str = Field(index=True)
    role: str
    prompt_id: str
    prompt_version: str
    server: str
    model: str
    parameters: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False))
    status: str
    problem: str | None = None
    response: str
    finish_reason: str
    tokens_in: int | None = None
    tokens_out: int | None = None
    cost: float | None = None
    seconds: float
    attempts: int
    form: str
    logprobs: list[Any] | None = Field(sa_column=Column(JSON(none_as_null=True)))
    vectors: list[str] = Field(sa_column=Column(JSON, nullable=False))


class PromptText(Authored, table=True):
    """One version of a prompt's text in one language; `number` continues the packaged ones'.

    `text` is the whole file as `llm.prompts.prompt_files` reads it.
    """

    __table_args__ = (UniqueConstraint("project_id", "prompt_id", "language", "number"),)
    project_id: int = Field(foreign_key="project.id")
    prompt_id: str
    language: str
    number: int
    text: str
    note: str = ""
