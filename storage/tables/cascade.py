"""Tables of the quality cascade: layers, runs, results and restorations.

Whether a generated question has passed is derived from these rows, which are only added.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, Column, UniqueConstraint
from sqlmodel import Field

from storage.db.columns import AppendOnly, UtcDateTime, Version, one_of
from storage.tables import augmentation as _augmentation

_OTHERS = (_augmentation.AugmentedQuestion,)  # what these tables refer to


class CascadeLayersRow(Version, table=True):
    """A version of the cascade's layers; the newest is in force, else the packaged one."""


class CascadeRun(AppendOnly, table=True):
    """One run of questions through the layers of version `layers_number`."""

    project_id: int = Field(foreign_key="project.id", index=True)
    snapshot_id: int = Field(foreign_key="snapshot.id")
    layers_number: int
    server: str = ""
    model: str = ""
    person_id: int | None = Field(default=None, foreign_key="person.id")
    at: datetime = Field(sa_type=UtcDateTime)


class LayerResult(AppendOnly, table=True):
    """The result of one layer, at `place` in its run, for one question.

    `reasons` lists what it found, {code, values}; `unjudged` is a layer that had no reply to read.
    """

    __table_args__ = (
        UniqueConstraint("cascade_run_id", "augmented_question_id", "layer"),
        one_of("outcome", "passed", "rejected", "unjudged"),
    )
    cascade_run_id: int = Field(foreign_key="cascade_run.id")
    augmented_question_id: int = Field(foreign_key="augmented_question.id", index=True)
    layer: str
    place: int
    outcome: str
    reasons: list[dict[str, Any]] = Field(sa_column=Column(JSON, nullable=False))
    llm_call_id: int | None = Field(default=None, foreign_key="llm_call.id")
    prompt_version: str = ""
    at: datetime = Field(sa_type=UtcDateTime)


class Restoration(AppendOnly, table=True):
    """A restoration of a rejected question, or its withdrawal; the newest row counts."""

    __table_args__ = (one_of("kind", "restore", "withdraw"),)
    augmented_question_id: int = Field(foreign_key="augmented_question.id", index=True)
    layer_result_id: int = Field(foreign_key="layer_result.id")
    kind: str
    reason: str
    person_id: int | None = Field(default=None, foreign_key="person.id")
    at: datetime = Field(sa_type=UtcDateTime)
