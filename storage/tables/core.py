"""The core tables. Rows of people's decisions are only ever added, never changed or removed.

Law (`Snapshot`, `StatuteRow`, `UnitRow`) and questions come from imports; `CandidateSet` holds
suggestions; `DraftEvent`, `Annotation` and `Adjudication` are people's acts; `RunRow` is a
retrieval method's result. Times are UTC. `docs/data-model.md` describes what is derived from them.
"""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

from sqlalchemy import JSON, CheckConstraint, Column, Index, UniqueConstraint, false
from sqlalchemy import text as sql_text
from sqlmodel import Field

from storage.db.columns import AppendOnly, Dated, Row, UtcDateTime, first_of, one_of


class Account(Row, table=True):
    """A sign-in: with a password (argon2 hash), or through an identity provider.

    `subject` is the provider's issuer and subject. `steward` may make projects and accounts.
    """

    login: str = Field(unique=True)  # lower case
    name: str
    password_hash: str | None = None
    subject: str | None = Field(default=None, unique=True)
    steward: bool = False
    active: bool = True
    created_at: datetime = Field(sa_type=UtcDateTime)


class SignInFailure(Row, table=True):
    """Failed sign-ins in a row for a login or from an address, and the time of the last.

    `key_hash` is keyed with the workspace's secret. Rows expire after an hour and are removed.
    """

    key_hash: str = Field(unique=True)
    failures: int
    at: datetime = Field(sa_type=UtcDateTime, index=True)


class Project(Row, table=True):
    """One benchmark under construction.

    `open_pool` is whether people with a batch of a task may also work on its items in no batch,
    `evidence` whether the words of accepted provisions that answer are asked for.
    """

    slug: str = Field(unique=True)
    title: str
    overlap: int = 2  # independent submissions wanted per item
    open_pool: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    evidence: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    created_at: datetime = Field(sa_type=UtcDateTime)


class Person(Row, table=True):
    """Somebody with a role in a project; `active` says whether they may still act in it."""

    __table_args__ = (
        UniqueConstraint("project_id", "name"),
        UniqueConstraint("project_id", "account_id"),
        one_of("role", "annotator", "lawyer", "adjudicator", "researcher", "administrator"),
    )
    project_id: int = Field(foreign_key="project.id")
    account_id: int | None = Field(default=None, foreign_key="account.id", index=True)
    name: str
    role: str
    active: bool = True
    created_at: datetime = Field(sa_type=UtcDateTime)


class Snapshot(Row, table=True):
    """A corpus effective as of a date. Equal content has one snapshot per project."""

    __table_args__ = (UniqueConstraint("project_id", "content_hash"),)
    project_id: int = Field(foreign_key="project.id")
    name: str
    effective: date | None = None
    content_hash: str
    created_at: datetime = Field(sa_type=UtcDateTime)


class SnapshotUse(Row, table=True):
    """The change of a project's snapshot in use: this one from `at` on."""

    project_id: int = Field(foreign_key="project.id", index=True)
    snapshot_id: int = Field(foreign_key="snapshot.id")
    at: datetime = Field(sa_type=UtcDateTime)


class StatuteRow(Row, table=True):
    """One instrument in a snapshot."""

    __table_args__ = (UniqueConstraint("snapshot_id", "semantic_id"),)
    snapshot_id: int = Field(foreign_key="snapshot.id")
    semantic_id: str
    title: str
    kind: str
    tier: int
    language: str
    promulgated: date | None = None
    number: str = ""
    effective: date | None = None
    source: str = ""
    file: str = ""
    jurisdiction: str = Field(default="", sa_column_kwargs={"server_default": sql_text("''")})


class UnitRow(Row, table=True):
    """One retrieval unit in a snapshot; `parts` is a list of [path, start, end]."""

    __table_args__ = (UniqueConstraint("snapshot_id", "semantic_id"),)
    snapshot_id: int = Field(foreign_key="snapshot.id")
    statute_id: int = Field(foreign_key="statute.id", index=True)
    semantic_id: str
    level: str
    label: str
    heading: str
    text: str
    order: int
    path: list[str] = Field(default_factory=list, sa_column=Column(JSON, nullable=False))
    parts: list[list[Any]] = Field(default_factory=list, sa_column=Column(JSON, nullable=False))
    deleted: bool = False
    text_missing: bool = False
    effective: date | None = None


class QuestionRow(Row, table=True):
    """An imported question with its official answer; `source` keeps further fields of the file."""

    __table_args__ = (UniqueConstraint("project_id", "external_id"),)
    project_id: int = Field(foreign_key="project.id")
    external_id: str
    text: str
    answer: str
    language: str
    source: dict[str, Any] = Field(default_factory=dict, sa_column=Column(JSON, nullable=False))
    jurisdiction: str = Field(default="", sa_column_kwargs={"server_default": sql_text("''")})


class Item(Row, table=True):
    """One subject to annotate under a task, in queue order.

    For citation mapping it is a question. For every other task it is row `subject_id` of the task's
    own table, with its own name: `external_id`, and a `title` for lists.
    """

    __table_args__ = (
        UniqueConstraint("question_id", "task"),
        UniqueConstraint("project_id", "task", "order"),
        UniqueConstraint("task", "subject_id"),
        CheckConstraint("(question_id IS NULL) <> (subject_id IS NULL)", name="is_of_one_thing"),
    )
    project_id: int = Field(foreign_key="project.id")
    question_id: int | None = Field(default=None, foreign_key="question.id")
    task: str = "citation_mapping"
    order: int
    subject_id: int | None = None
    external_id: str | None = None
    title: str | None = None


class CandidateSet(AppendOnly, table=True):
    """The candidates of one item on one snapshot; a new draft is shown the newest set.

    `citations` is a list of objects {text, start, end, status, reason, instrument, targets: [{unit,
    pinpoint}]} where `unit` is a semantic id of the snapshot. `shown` is what a task other than
    citation mapping showed, in the task's own shape.
    """

    item_id: int = Field(foreign_key="item.id", index=True)
    snapshot_id: int = Field(foreign_key="snapshot.id")
    method: str
    citations: list[dict[str, Any]] = Field(
        default_factory=list, sa_column=Column(JSON, nullable=False)
    )
    created_at: datetime = Field(sa_type=UtcDateTime)
    shown: dict[str, Any] | None = Field(default=None, sa_column=Column(JSON(none_as_null=True)))


class CandidateRow(AppendOnly, table=True):
    """One suggested unit; `why` is a list of objects {source, rank, score, citation, pinpoint}."""

    __table_args__ = (
        UniqueConstraint("candidate_set_id", "rank"),
        UniqueConstraint("candidate_set_id", "unit_id"),
    )
    candidate_set_id: int = Field(foreign_key="candidate_set.id")
    unit_id: int = Field(foreign_key="unit.id")
    rank: int
    why: list[dict[str, Any]] = Field(default_factory=list, sa_column=Column(JSON, nullable=False))


class DraftEvent(Dated, table=True):
    """One act of a person on an item. The draft is the fold of these rows, in order of id.

    `undoes_id` names the event that an undo row reverts; no event is reverted twice.
    """

    __table_args__ = (
        Index("ix_draft_event_item_person", "item_id", "person_id"),
        one_of(
            "kind",
            *("open", "label", "add", "no_provision", "comment", "flag", "skip", "undo"),
            *("submit", "withdraw", "migrate"),
        ),
    )
    item_id: int = Field(foreign_key="item.id")
    person_id: int = Field(foreign_key="person.id", index=True)
    kind: str
    payload: dict[str, Any] = Field(default_factory=dict, sa_column=Column(JSON, nullable=False))
    undoes_id: int | None = Field(default=None, foreign_key="draft_event.id", unique=True)


class Annotation(Dated, table=True):
    """One person's submission, or its withdrawal (`kind`); it supersedes an earlier row.

    It records its context: snapshot, candidate set shown, guideline and codebook versions, and the
    active seconds spent on the item before it, None where they were not measured. `event_id` is the
    submit, withdraw or migrate event that it was made by. A person's rows on an item form one chain
    without forks.
    """

    __table_args__ = (
        Index("ix_annotation_item_person_kind", "item_id", "person_id", "kind"),
        first_of("ux_annotation_first", "item_id", "person_id"),
        one_of("kind", "submit", "withdraw"),
    )
    item_id: int = Field(foreign_key="item.id")
    person_id: int = Field(foreign_key="person.id", index=True)
    kind: str
    no_provision: bool = False
    comment: str = ""
    flag: str = ""
    supersedes_id: int | None = Field(default=None, foreign_key="annotation.id", unique=True)
    snapshot_id: int = Field(foreign_key="snapshot.id")
    candidate_set_id: int = Field(foreign_key="candidate_set.id")
    guideline_version: str
    codebook_version: str
    event_id: int = Field(foreign_key="draft_event.id", unique=True)
    seconds: float | None


class AnnotationLabel(AppendOnly, table=True):
    """The label of one unit in a submission: accept, reject or unsure.

    `evidence` are the words that answer, as `annotation.mapping.evidence` has them, if marked.
    """

    __table_args__ = (
        UniqueConstraint("annotation_id", "unit_id"),
        one_of("label", "accept", "reject", "unsure"),
    )
    annotation_id: int = Field(foreign_key="annotation.id")
    unit_id: int = Field(foreign_key="unit.id")
    label: str
    evidence: dict[str, Any] | None = Field(default=None, sa_column=Column(JSON(none_as_null=True)))


class Adjudication(Dated, table=True):
    """An adjudicator's decision on an item whose submissions differ; newer rows supersede.

    `annotation_ids` are the submissions that it decides between. An item's rows form one chain
    without forks.
    """

    __table_args__ = (first_of("ux_adjudication_first", "item_id"),)
    item_id: int = Field(foreign_key="item.id", index=True)
    person_id: int = Field(foreign_key="person.id")
    no_provision: bool = False
    reason: str
    annotation_ids: list[int] = Field(default_factory=list, sa_column=Column(JSON, nullable=False))
    supersedes_id: int | None = Field(default=None, foreign_key="adjudication.id", unique=True)
    snapshot_id: int = Field(foreign_key="snapshot.id")
    candidate_set_id: int = Field(foreign_key="candidate_set.id")
    guideline_version: str
    codebook_version: str
    seconds: float


class AdjudicationLabel(AppendOnly, table=True):
    """A unit that an adjudication accepts, with the evidence decided on, if any."""

    __table_args__ = (UniqueConstraint("adjudication_id", "unit_id"),)
    adjudication_id: int = Field(foreign_key="adjudication.id")
    unit_id: int = Field(foreign_key="unit.id")
    evidence: dict[str, Any] | None = Field(default=None, sa_column=Column(JSON(none_as_null=True)))


class RunRow(Row, table=True):
    """One retrieval method's answer to the gold questions; hits are kept per question."""

    project_id: int = Field(foreign_key="project.id", index=True)
    snapshot_id: int = Field(foreign_key="snapshot.id")
    method: str
    params: dict[str, Any] = Field(default_factory=dict, sa_column=Column(JSON, nullable=False))
    gold_hash: str
    created_at: datetime = Field(sa_type=UtcDateTime)


class RunHits(Row, table=True):
    """The ranked units of one question in a run: a list of [unit semantic id, score]."""

    __table_args__ = (UniqueConstraint("run_id", "question_id"),)
    run_id: int = Field(foreign_key="run.id")
    question_id: int = Field(foreign_key="question.id")
    hits: list[list[Any]] = Field(default_factory=list, sa_column=Column(JSON, nullable=False))


class CandidateWay(AppendOnly, table=True):
    """The method of a candidate set, so that an equal one can be made from other law.

    `spec` describes the retrieval method that searched the texts, {} for the standard one.
    `in_place_of` is the name of the method asked for, if another replaced it.
    """

    __table_args__ = (UniqueConstraint("candidate_set_id"),)
    candidate_set_id: int = Field(foreign_key="candidate_set.id")
    spec: dict[str, Any] = Field(default_factory=dict, sa_column=Column(JSON, nullable=False))
    in_place_of: str | None = None


class UndoneDecision(Dated, table=True):
    """The withdrawal of a decision by its adjudicator: the previous one, if any, is in force again.

    It names an `Adjudication` or a `Settlement`, which stays unchanged.
    """

    __table_args__ = (
        UniqueConstraint("adjudication_id"),
        UniqueConstraint("settlement_id"),
        CheckConstraint(
            "(adjudication_id IS NULL) <> (settlement_id IS NULL)", name="is_of_one_decision"
        ),
    )
    item_id: int = Field(foreign_key="item.id", index=True)
    person_id: int = Field(foreign_key="person.id")
    adjudication_id: int | None = Field(default=None, foreign_key="adjudication.id")
    settlement_id: int | None = Field(default=None, foreign_key="settlement.id")
    reason: str = ""


class AnnotationAnswer(AppendOnly, table=True):
    """The answer of a submission in one field of its task's form."""

    __table_args__ = (UniqueConstraint("annotation_id", "field"),)
    annotation_id: int = Field(foreign_key="annotation.id")
    field: str
    value: Any = Field(sa_column=Column(JSON, nullable=False))


class Settlement(Dated, table=True):
    """An adjudicator's answers to an item on which submissions differ; newer rows supersede.

    `annotation_ids` are the submissions that it decides between. An item's rows form one chain
    without forks.
    """

    __table_args__ = (first_of("ux_settlement_first", "item_id"),)
    item_id: int = Field(foreign_key="item.id", index=True)
    person_id: int = Field(foreign_key="person.id")
    answers: dict[str, Any] = Field(default_factory=dict, sa_column=Column(JSON, nullable=False))
    reason: str
    annotation_ids: list[int] = Field(default_factory=list, sa_column=Column(JSON, nullable=False))
    supersedes_id: int | None = Field(default=None, foreign_key="settlement.id", unique=True)
