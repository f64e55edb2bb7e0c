"""Answers for judges, and their verdicts. Rows are only ever added."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, CheckConstraint, Column, Index, UniqueConstraint
from sqlmodel import Field

from storage.db.columns import AppendOnly, UtcDateTime, one_of
from storage.tables import core as _tables
from storage.tables import models as _models

_OTHERS = (_tables.Project, _tables.QuestionRow, _models.LlmCall)  # what these tables refer to


class JudgeCase(AppendOnly, table=True):
    """One system's answer to one question, with all that is needed to judge it.

    `external_id` is the question's id as the file has it, `reference` the official answer, `kind`
    the type of question, empty if unknown. `provisions` is a list of objects {label, text} that may
    have a `unit`, its semantic id. `question_id` is the project's question of that id.
    """

    __table_args__ = (UniqueConstraint("project_id", "external_id", "system"),)
    project_id: int = Field(foreign_key="project.id")
    external_id: str
    system: str
    question: str
    reference: str
    provisions: list[dict[str, str]] = Field(
        default_factory=list, sa_column=Column(JSON, nullable=False)
    )
    kind: str = ""
    language: str
    answer: str
    question_id: int | None = Field(default=None, foreign_key="question.id")
    source: dict[str, Any] = Field(default_factory=dict, sa_column=Column(JSON, nullable=False))
    at: datetime = Field(sa_type=UtcDateTime)


class Verdict(AppendOnly, table=True):
    """A judge's verdict on an answer or a pair; the newest row per key counts.

    `judge` is the judge's name in reports. A pairwise verdict compares the case's answer, the
    `first`, with that of `other_case_id`, or with the official answer where that is null; the first
    was shown second where `swapped` is true. `verdict` is null unless `state` is ``said``: the
    judge answered something else (``unread``), declined, or no answer came. `raw` is its reply,
    `prompt` the prompt's name and version, and `source` further fields of a file.
    """

    __table_args__ = (
        Index("ix_verdict_case_id_judge", "case_id", "judge"),
        one_of("kind", "binary", "pairwise"),
        one_of("verdict", "correct", "incorrect", "first", "second", "tie"),
        one_of("state", "said", "unread", "refused", "failed"),
        CheckConstraint("(verdict IS NULL) <> (state = 'said')", name="says_what_is_said"),
    )
    case_id: int = Field(foreign_key="judge_case.id")
    other_case_id: int | None = Field(default=None, foreign_key="judge_case.id")
    judge: str
    kind: str
    swapped: bool = False
    verdict: str | None = None
    state: str
    raw: str = ""
    prompt: str = ""
    llm_call_id: int | None = Field(default=None, foreign_key="llm_call.id")
    imported: bool
    source: dict[str, Any] = Field(default_factory=dict, sa_column=Column(JSON, nullable=False))
    at: datetime = Field(sa_type=UtcDateTime)
