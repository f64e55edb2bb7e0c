"""Closure of gold: versions of a project's rules, and decisions on their proposals.

Gaps in the gold are derived by the rules at every call; these rows are people's decisions on them.
Rows are only ever added.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, CheckConstraint, Column
from sqlmodel import Field

from storage.db.columns import AppendOnly, UtcDateTime, Version, one_of
from storage.tables import augmentation as _augmentation
from storage.tables import core as _tables

_OTHERS = _tables.Project, _tables.Item, _augmentation.AugmentedQuestion  # what is referred to


class ClosureRulesRow(Version, table=True):
    """A version of the project's closure rules; the newest is in force, else the packaged one."""


class ClosureDecision(AppendOnly, table=True):
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
    at: datetime = Field(sa_type=UtcDateTime)
