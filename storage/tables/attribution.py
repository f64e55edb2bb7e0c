"""Tables of attribution: answers split into claims, and the labels of claims against gold.

Rows are only ever added; the newest row per key counts.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, Column, UniqueConstraint
from sqlmodel import Field

from storage.db.columns import AppendOnly, UtcDateTime, one_of
from storage.tables import core as _tables
from storage.tables import judging as _judging
from storage.tables import models as _models

_OTHERS = _tables.Project, _judging.JudgeCase, _models.LlmCall  # what these tables refer to


class AnswerClaims(AppendOnly, table=True):
    """The atomic claims of one text: of an answer, or of a question's official answer.

    Of an official answer `case_id` is None. `question` is the question's id as the file has it,
    `text_sha256` the digest of the text that was split. `splitter` names who split it: a model, or
    ``form`` for an answer that lists its claims by provision. `claims` lists {text, cites}, where
    `cites` are the ids cited for the claim, as written. ``unread`` is a reply that does not have
    the form asked for, ``cut_off`` one that reached its token limit.
    """

    __table_args__ = (one_of("state", "said", "unread", "refused", "cut_off", "failed"),)
    project_id: int = Field(foreign_key="project.id", index=True)
    case_id: int | None = Field(default=None, foreign_key="judge_case.id", index=True)
    question: str
    text_sha256: str
    splitter: str
    state: str
    claims: list[dict[str, Any]] = Field(sa_column=Column(JSON, nullable=False))
    raw: str = ""
    prompt_version: str = ""
    llm_call_id: int | None = Field(default=None, foreign_key="llm_call.id")
    at: datetime = Field(sa_type=UtcDateTime)


class AttributionCase(AppendOnly, table=True):
    """A pair of an answer's claims and the gold claims that they are compared with."""

    __table_args__ = (UniqueConstraint("predicted_id", "gold_id"),)
    project_id: int = Field(foreign_key="project.id", index=True)
    case_id: int = Field(foreign_key="judge_case.id", index=True)
    predicted_id: int = Field(foreign_key="answer_claims.id")
    gold_id: int = Field(foreign_key="answer_claims.id")
    at: datetime = Field(sa_type=UtcDateTime)


class ClaimLabels(AppendOnly, table=True):
    """A judge's labels of every predicted claim of a case, in order.

    `labels` lists {label, gold, supported, also}: ``match``, ``partial`` or ``none``, the index of
    the gold claim that it matches (from 0, None for none), whether the provisions that the claim
    cites support it (None if not judged), and the other gold claims that it matches, {gold, label}
    each, which may be left out.
    """

    __table_args__ = (one_of("state", "said", "unread", "refused", "cut_off", "failed"),)
    attribution_case_id: int = Field(foreign_key="attribution_case.id", index=True)
    judge: str
    state: str
    labels: list[dict[str, Any]] = Field(sa_column=Column(JSON, nullable=False))
    raw: str = ""
    prompt_version: str = ""
    llm_call_id: int | None = Field(default=None, foreign_key="llm_call.id")
    at: datetime = Field(sa_type=UtcDateTime)
