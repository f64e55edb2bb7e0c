"""First tables.

Written out in full and never edited: it must make the same tables whatever the code becomes.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from storage.migrations.guards import only_added

revision = "0001"
down_revision = None

_FIRST = sa.text("supersedes_id IS NULL")
_APPEND_ONLY = (
    "candidate_set",
    "candidate",
    "draft_event",
    "annotation",
    "annotation_label",
    "adjudication",
    "adjudication_label",
)


def upgrade() -> None:
    """Make every table, and let no one change or remove what people did."""
    _projects()
    _law()
    _questions()
    _decisions()
    _runs()
    only_added(*_APPEND_ONLY)


def downgrade() -> None:
    """Refuse: the way back is the copy that `storage.db.migrate` made."""
    raise NotImplementedError


def _id() -> sa.Column[int]:
    return sa.Column("id", sa.Integer(), nullable=False)


def _reference(table: str, column: str, to: str) -> sa.ForeignKeyConstraint:
    name = op.f(f"fk_{table}_{column}_{to}")
    return sa.ForeignKeyConstraint([column], [f"{to}.id"], name=name)


def _unique(table: str, *columns: str) -> sa.UniqueConstraint:
    return sa.UniqueConstraint(*columns, name=op.f("_".join(("uq", table, *columns))))


def _projects() -> None:
    """Make the tables of projects and people."""
    op.create_table(
        "project",
        _id(),
        sa.Column("slug", sa.String(), nullable=False),
        sa.Column("title", sa.String(), nullable=False),
        sa.Column("overlap", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        _unique("project", "slug"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_project")),
    )
    op.create_table(
        "person",
        _id(),
        sa.Column("project_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("role", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.CheckConstraint(
            "role IN ('annotator', 'adjudicator')", name=op.f("ck_person_role_is_known")
        ),
        _reference("person", "project_id", "project"),
        _unique("person", "project_id", "name"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_person")),
    )


def _law() -> None:
    """Make the tables of law."""
    op.create_table(
        "snapshot",
        _id(),
        sa.Column("project_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("effective", sa.Date(), nullable=True),
        sa.Column("content_hash", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        _reference("snapshot", "project_id", "project"),
        _unique("snapshot", "project_id", "content_hash"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_snapshot")),
    )
    op.create_table(
        "statute",
        _id(),
        sa.Column("snapshot_id", sa.Integer(), nullable=False),
        sa.Column("semantic_id", sa.String(), nullable=False),
        sa.Column("title", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("tier", sa.Integer(), nullable=False),
        sa.Column("language", sa.String(), nullable=False),
        sa.Column("promulgated", sa.Date(), nullable=True),
        sa.Column("number", sa.String(), nullable=False),
        sa.Column("effective", sa.Date(), nullable=True),
        sa.Column("source", sa.String(), nullable=False),
        sa.Column("file", sa.String(), nullable=False),
        _reference("statute", "snapshot_id", "snapshot"),
        _unique("statute", "snapshot_id", "semantic_id"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_statute")),
    )
    op.create_table(
        "unit",
        _id(),
        sa.Column("snapshot_id", sa.Integer(), nullable=False),
        sa.Column("statute_id", sa.Integer(), nullable=False),
        sa.Column("semantic_id", sa.String(), nullable=False),
        sa.Column("level", sa.String(), nullable=False),
        sa.Column("label", sa.String(), nullable=False),
        sa.Column("heading", sa.String(), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("order", sa.Integer(), nullable=False),
        sa.Column("path", sa.JSON(), nullable=False),
        sa.Column("parts", sa.JSON(), nullable=False),
        sa.Column("deleted", sa.Boolean(), nullable=False),
        sa.Column("text_missing", sa.Boolean(), nullable=False),
        sa.Column("effective", sa.Date(), nullable=True),
        _reference("unit", "snapshot_id", "snapshot"),
        _reference("unit", "statute_id", "statute"),
        _unique("unit", "snapshot_id", "semantic_id"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_unit")),
    )
    op.create_index(op.f("ix_unit_statute_id"), "unit", ["statute_id"])


def _questions() -> None:
    """Make the tables of questions and what is suggested for them."""
    op.create_table(
        "question",
        _id(),
        sa.Column("project_id", sa.Integer(), nullable=False),
        sa.Column("external_id", sa.String(), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("answer", sa.String(), nullable=False),
        sa.Column("language", sa.String(), nullable=False),
        sa.Column("source", sa.JSON(), nullable=False),
        _reference("question", "project_id", "project"),
        _unique("question", "project_id", "external_id"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_question")),
    )
    op.create_table(
        "item",
        _id(),
        sa.Column("project_id", sa.Integer(), nullable=False),
        sa.Column("question_id", sa.Integer(), nullable=False),
        sa.Column("task", sa.String(), nullable=False),
        sa.Column("order", sa.Integer(), nullable=False),
        _reference("item", "project_id", "project"),
        _reference("item", "question_id", "question"),
        _unique("item", "project_id", "task", "order"),
        _unique("item", "question_id", "task"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_item")),
    )
    op.create_table(
        "candidate_set",
        _id(),
        sa.Column("item_id", sa.Integer(), nullable=False),
        sa.Column("snapshot_id", sa.Integer(), nullable=False),
        sa.Column("method", sa.String(), nullable=False),
        sa.Column("citations", sa.JSON(), nullable=False),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        _reference("candidate_set", "item_id", "item"),
        _reference("candidate_set", "snapshot_id", "snapshot"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_candidate_set")),
    )
    op.create_index(op.f("ix_candidate_set_item_id"), "candidate_set", ["item_id"])
    op.create_table(
        "candidate",
        _id(),
        sa.Column("candidate_set_id", sa.Integer(), nullable=False),
        sa.Column("unit_id", sa.Integer(), nullable=False),
        sa.Column("rank", sa.Integer(), nullable=False),
        sa.Column("why", sa.JSON(), nullable=False),
        _reference("candidate", "candidate_set_id", "candidate_set"),
        _reference("candidate", "unit_id", "unit"),
        _unique("candidate", "candidate_set_id", "rank"),
        _unique("candidate", "candidate_set_id", "unit_id"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_candidate")),
    )


def _decisions() -> None:
    """Make the tables of what people did."""
    op.create_table(
        "draft_event",
        _id(),
        sa.Column("item_id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("payload", sa.JSON(), nullable=False),
        sa.Column("undoes_id", sa.Integer(), nullable=True),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.CheckConstraint(
            "kind IN ('open', 'label', 'add', 'no_provision', 'comment', 'flag', 'skip', 'undo', "
            "'submit', 'withdraw')",
            name=op.f("ck_draft_event_kind_is_known"),
        ),
        _reference("draft_event", "item_id", "item"),
        _reference("draft_event", "person_id", "person"),
        _reference("draft_event", "undoes_id", "draft_event"),
        _unique("draft_event", "undoes_id"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_draft_event")),
    )
    op.create_index(op.f("ix_draft_event_item_person"), "draft_event", ["item_id", "person_id"])
    op.create_index(op.f("ix_draft_event_person_id"), "draft_event", ["person_id"])
    op.create_table(
        "annotation",
        _id(),
        sa.Column("item_id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("no_provision", sa.Boolean(), nullable=False),
        sa.Column("comment", sa.String(), nullable=False),
        sa.Column("flag", sa.String(), nullable=False),
        sa.Column("supersedes_id", sa.Integer(), nullable=True),
        sa.Column("snapshot_id", sa.Integer(), nullable=False),
        sa.Column("candidate_set_id", sa.Integer(), nullable=False),
        sa.Column("guideline_version", sa.String(), nullable=False),
        sa.Column("codebook_version", sa.String(), nullable=False),
        sa.Column("event_id", sa.Integer(), nullable=False),
        sa.Column("seconds", sa.Float(), nullable=False),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.CheckConstraint(
            "kind IN ('submit', 'withdraw')", name=op.f("ck_annotation_kind_is_known")
        ),
        _reference("annotation", "candidate_set_id", "candidate_set"),
        _reference("annotation", "event_id", "draft_event"),
        _reference("annotation", "item_id", "item"),
        _reference("annotation", "person_id", "person"),
        _reference("annotation", "snapshot_id", "snapshot"),
        _reference("annotation", "supersedes_id", "annotation"),
        _unique("annotation", "event_id"),
        _unique("annotation", "supersedes_id"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_annotation")),
    )
    op.create_index(op.f("ix_annotation_item_person"), "annotation", ["item_id", "person_id"])
    op.create_index(op.f("ix_annotation_person_id"), "annotation", ["person_id"])
    op.create_index(
        op.f("ux_annotation_first"),
        "annotation",
        ["item_id", "person_id"],
        unique=True,
        sqlite_where=_FIRST,
        postgresql_where=_FIRST,
    )
    op.create_table(
        "annotation_label",
        _id(),
        sa.Column("annotation_id", sa.Integer(), nullable=False),
        sa.Column("unit_id", sa.Integer(), nullable=False),
        sa.Column("label", sa.String(), nullable=False),
        sa.CheckConstraint(
            "label IN ('accept', 'reject', 'unsure')",
            name=op.f("ck_annotation_label_label_is_known"),
        ),
        _reference("annotation_label", "annotation_id", "annotation"),
        _reference("annotation_label", "unit_id", "unit"),
        _unique("annotation_label", "annotation_id", "unit_id"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_annotation_label")),
    )
    op.create_table(
        "adjudication",
        _id(),
        sa.Column("item_id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("no_provision", sa.Boolean(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("annotation_ids", sa.JSON(), nullable=False),
        sa.Column("supersedes_id", sa.Integer(), nullable=True),
        sa.Column("snapshot_id", sa.Integer(), nullable=False),
        sa.Column("candidate_set_id", sa.Integer(), nullable=False),
        sa.Column("guideline_version", sa.String(), nullable=False),
        sa.Column("codebook_version", sa.String(), nullable=False),
        sa.Column("seconds", sa.Float(), nullable=False),
        sa.Column("at", sa.DateTime(), nullable=False),
        _reference("adjudication", "candidate_set_id", "candidate_set"),
        _reference("adjudication", "item_id", "item"),
        _reference("adjudication", "person_id", "person"),
        _reference("adjudication", "snapshot_id", "snapshot"),
        _reference("adjudication", "supersedes_id", "adjudication"),
        _unique("adjudication", "supersedes_id"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_adjudication")),
    )
    op.create_index(op.f("ix_adjudication_item_id"), "adjudication", ["item_id"])
    op.create_index(
        op.f("ux_adjudication_first"),
        "adjudication",
        ["item_id"],
        unique=True,
        sqlite_where=_FIRST,
        postgresql_where=_FIRST,
    )
    op.create_table(
        "adjudication_label",
        _id(),
        sa.Column("adjudication_id", sa.Integer(), nullable=False),
        sa.Column("unit_id", sa.Integer(), nullable=False),
        _reference("adjudication_label", "adjudication_id", "adjudication"),
        _reference("adjudication_label", "unit_id", "unit"),
        _unique("adjudication_label", "adjudication_id", "unit_id"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_adjudication_label")),
    )


def _runs() -> None:
    """Make the tables of what retrieval returned."""
    op.create_table(
        "run",
        _id(),
        sa.Column("project_id", sa.Integer(), nullable=False),
        sa.Column("snapshot_id", sa.Integer(), nullable=False),
        sa.Column("method", sa.String(), nullable=False),
        sa.Column("params", sa.JSON(), nullable=False),
        sa.Column("gold_hash", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        _reference("run", "project_id", "project"),
        _reference("run", "snapshot_id", "snapshot"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_run")),
    )
    op.create_index(op.f("ix_run_project_id"), "run", ["project_id"])
    op.create_table(
        "run_hits",
        _id(),
        sa.Column("run_id", sa.Integer(), nullable=False),
        sa.Column("question_id", sa.Integer(), nullable=False),
        sa.Column("hits", sa.JSON(), nullable=False),
        _reference("run_hits", "question_id", "question"),
        _reference("run_hits", "run_id", "run"),
        _unique("run_hits", "run_id", "question_id"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_run_hits")),
    )
