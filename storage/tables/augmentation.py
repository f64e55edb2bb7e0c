"""Tables of generated questions: the axes, each request, and the outcome of each attempt.

Whether a generated question is kept is decided by the layers of the cascade
(`storage.tables.cascade`) and by people. Rows are only ever added.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, CheckConstraint, Column, UniqueConstraint
from sqlmodel import Field

from storage.db.columns import AppendOnly, UtcDateTime, Version, one_of
from storage.tables import core as _tables
from storage.tables import models as _models

_OTHERS = _tables.Project, _tables.QuestionRow, _models.LlmCall  # what these tables refer to


class AxesRow(Version, table=True):
    """A version of the project's axes; the newest is in force, else the packaged one."""


class AugmentationMaking(AppendOnly, table=True):
    """One request for questions: `wanted` are the cells with their targets.

    `axes_number` is the version of the axes. `person_id` is None for the operator.
    """

    project_id: int = Field(foreign_key="project.id", index=True)
    snapshot_id: int = Field(foreign_key="snapshot.id")
    axes_number: int
    wanted: list[dict[str, Any]] = Field(sa_column=Column(JSON, nullable=False))
    seed: int
    server: str = ""
    model: str = ""
    person_id: int | None = Field(default=None, foreign_key="person.id")
    at: datetime = Field(sa_type=UtcDateTime)


class AugmentedQuestion(AppendOnly, table=True):
    """A question that a model wrote from governing provisions, with its answer.

    `axes` are the values it was asked for: {type, difficulty, facets: {facet: value}, domain,
    group}. `gold` lists its governing provisions, {unit: semantic id, pinpoint, role}. The parent,
    if any, is the project's question that served as its example.
    """

    __table_args__ = (UniqueConstraint("project_id", "external_id"),)
    project_id: int = Field(foreign_key="project.id")
    external_id: str
    snapshot_id: int = Field(foreign_key="snapshot.id")
    axes_number: int
    parent_question_id: int | None = Field(default=None, foreign_key="question.id")
    axes: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False))
    text: str
    answer: str
    language: str
    gold: list[dict[str, Any]] = Field(sa_column=Column(JSON, nullable=False))
    seed: int
    llm_call_id: int | None = Field(default=None, foreign_key="llm_call.id")
    prompt_version: str = ""
    at: datetime = Field(sa_type=UtcDateTime)


class AugmentationAttempt(AppendOnly, table=True):
    """One attempt at a question, and its outcome: kept, or why not.

    `cell` are the values of the axes that were asked for, `gold` the provisions that were shown, as
    in `AugmentedQuestion`; `draft` is what was written, None where nothing fits the form.
    """

    __table_args__ = (
        UniqueConstraint("making_id", "name"),
        one_of("outcome", "kept", "refused", "invalid", "duplicate"),
        CheckConstraint(
            "(outcome = 'kept') = (augmented_question_id IS NOT NULL)",
            name="kept_has_its_question",
        ),
    )
    making_id: int = Field(foreign_key="augmentation_making.id")
    name: str
    cell: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False))
    gold: list[dict[str, Any]] = Field(sa_column=Column(JSON, nullable=False))
    outcome: str
    detail: str = ""
    draft: dict[str, Any] | None = Field(sa_column=Column(JSON(none_as_null=True)))
    llm_call_id: int | None = Field(default=None, foreign_key="llm_call.id")
    augmented_question_id: int | None = Field(
        default=None, foreign_key="augmented_question.id", unique=True
    )
    prompt_version: str = ""
