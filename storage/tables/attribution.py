"""Tables of attribution: answers cut into claims, and how each claim stands to the gold claims.

Rows are only ever added; the newest row of the same asking counts.
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
    `text_sha256` the digest of the text that was cut. `splitter` names who cut it: a model, or
    ``form`` for an answer that lists its claims by provision. `claims` lists {text, cites}, where
    `cites` are the ids that stand at the claim, as written. ``unread`` is a reply that is not of
    the form asked for, ``cut_off`` one that reached its limit.
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
    """An answer's claims beside the gold claims that they are held against."""

    __table_args__ = (UniqueConstraint("predicted_id", "gold_id"),)
    project_id: int = Field(foreign_key="project.id", index=True)
    case_id: int = Field(foreign_key="judge_case.id", index=True)
    predicted_id: int = Field(foreign_key="answer_claims.id")
    gold_id: int = Field(foreign_key="answer_claims.id")
    at: datetime = Field(sa_type=UtcDateTime)


class ClaimLabels(AppendOnly, table=True):
    """What a judge says of every predicted claim of a case, in their order.

    `labels` lists {label, gold, supported, also}: ``match``, ``partial`` or ``none``, the place of
    the gold claim that it matches (from 0, None for none), whether the provisions that the claim
    cites support it (None where nobody said), and the other gold claims that it matches, {gold,
    label} each, which may be left out.
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
