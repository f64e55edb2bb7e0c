"""Tables of generated questions: axes, attempts, layers of the cascade, closure, admission.

Whether a generated question is kept is decided by the layers of the cascade and by people. Rows are
only ever added.

Tables of the quality cascade: layers, runs, results and restorations.

Whether a generated question has passed is derived from these rows, which are only added.

Closure of gold: versions of a project's rules, and decisions on their proposals.

Gaps in the gold are derived by the rules at every call; these rows are people's decisions on them.
Rows are only ever added.

The table of curated questions admitted to the project. Rows are only ever added.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import JSON, CheckConstraint, Column, UniqueConstraint
from sqlmodel import Field

from storage.db.columns import AppendOnly, Dated, Version, one_of
from storage.tables import core as _tables
from storage.tables import models as _models

_OTHERS = _tables.Project, _tables.QuestionRow, _models.LlmCall  # what these tables refer to


class AxesRow(Version, table=True):
    """A version of the project's axes; the newest is in force, else the packaged one."""


class AugmentationMaking(Dated, table=True):
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


class AugmentedQuestion(Dated, table=True):
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


class CascadeLayersRow(Version, table=True):
    """A version of the cascade's layers; the newest is in force, else the packaged one."""


class CascadeRun(Dated, table=True):
    """One run of questions through the layers of version `layers_number`."""

    project_id: int = Field(foreign_key="project.id", index=True)
    snapshot_id: int = Field(foreign_key="snapshot.id")
    layers_number: int
    server: str = ""
    model: str = ""
    person_id: int | None = Field(default=None, foreign_key="person.id")


class LayerResult(Dated, table=True):
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


class Restoration(Dated, table=True):
    """A restoration of a rejected question, or its withdrawal; the newest row counts."""

    __table_args__ = (one_of("kind", "restore", "withdraw"),)
    augmented_question_id: int = Field(foreign_key="augmented_question.id", index=True)
    layer_result_id: int = Field(foreign_key="layer_result.id")
    kind: str
    reason: str
    person_id: int | None = Field(default=None, foreign_key="person.id")


class ClosureRulesRow(Version, table=True):
    """A version of the project's closure rules; the newest is in force, else the packaged one."""


class ClosureDecision(Dated, table=True):
    """A decision on a provision that a rule proposes for a gold set; the newest row counts.

    The set is that of an item of citation mapping or of a generated question. ``added`` sends an
    item back: to the annotators of the named submissions, or to the adjudicator of the named
    decision. A generated question's gold has the provision from then on. ``dismissed`` rejects it,
    with a reason; ``reopened`` revokes the row before it. `unit` is its semantic id in the law of
    `snapshot_id`, `rule` the key of the rule in version `rules_number`, and `fired` the words that
    triggered it, as they were shown.
    """

    __table_args__ = (
        one_of("kind", "added", "dismissed", "reopened"),
        CheckConstraint(
            "(item_id IS NULL) <> (augmented_question_id IS NULL)", name="one_gold_set"
        ),
    )
    project_id: int = Field(foreign_key="project.id", index=True)
    item_id: int | None = Field(default=None, foreign_key="item.id", index=True)
    augmented_question_id: int | None = Field(
        default=None, foreign_key="augmented_question.id", index=True
    )
    snapshot_id: int = Field(foreign_key="snapshot.id")
    rules_number: int
    unit: str
    rule: str
    fired: list[dict[str, Any]] = Field(sa_column=Column(JSON, nullable=False))
    kind: str
    reason: str = ""
    annotation_ids: list[int] = Field(default_factory=list, sa_column=Column(JSON, nullable=False))
    adjudication_id: int | None = Field(default=None, foreign_key="adjudication.id")
    person_id: int | None = Field(default=None, foreign_key="person.id")


class Admission(Dated, table=True):
    """The admission of a curated question, and the project's question made from it.

    `item_id` is the item that it was curated under; `person_id` is None for the operator.
    """

    augmented_question_id: int = Field(foreign_key="augmented_question.id", unique=True)
    question_id: int = Field(foreign_key="question.id", unique=True)
    item_id: int = Field(foreign_key="item.id")
    person_id: int | None = Field(default=None, foreign_key="person.id")
