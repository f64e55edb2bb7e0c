"""First tables.

Written out in full and never edited: it must make the same tables whatever the code becomes.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

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
    op.create_table(
        "project",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("slug", sa.String(), nullable=False),
        sa.Column("title", sa.String(), nullable=False),
        sa.Column("overlap", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_project")),
        sa.UniqueConstraint("slug", name=op.f("uq_project_slug")),
    )
    op.create_table(
        "person",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("project_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("role", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.CheckConstraint(
            "role IN ('annotator', 'adjudicator')", name=op.f("ck_person_role_is_known")
        ),
        sa.ForeignKeyConstraint(
            ["project_id"], ["project.id"], name=op.f("fk_person_project_id_project")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_person")),
        sa.UniqueConstraint("project_id", "name", name=op.f("uq_person_project_id_name")),
    )
    op.create_table(
        "question",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("project_id", sa.Integer(), nullable=False),
        sa.Column("external_id", sa.String(), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("answer", sa.String(), nullable=False),
        sa.Column("language", sa.String(), nullable=False),
        sa.Column("source", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(
            ["project_id"], ["project.id"], name=op.f("fk_question_project_id_project")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_question")),
        sa.UniqueConstraint(
            "project_id", "external_id", name=op.f("uq_question_project_id_external_id")
        ),
    )
    op.create_table(
        "snapshot",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("project_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("effective", sa.Date(), nullable=True),
        sa.Column("content_hash", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["project_id"], ["project.id"], name=op.f("fk_snapshot_project_id_project")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_snapshot")),
        sa.UniqueConstraint(
            "project_id", "content_hash", name=op.f("uq_snapshot_project_id_content_hash")
        ),
    )
    op.create_table(
        "item",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("project_id", sa.Integer(), nullable=False),
        sa.Column("question_id", sa.Integer(), nullable=False),
        sa.Column("task", sa.String(), nullable=False),
        sa.Column("order", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["project_id"], ["project.id"], name=op.f("fk_item_project_id_project")
        ),
        sa.ForeignKeyConstraint(
            ["question_id"], ["question.id"], name=op.f("fk_item_question_id_question")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_item")),
        sa.UniqueConstraint(
            "project_id", "task", "order", name=op.f("uq_item_project_id_task_order")
        ),
        sa.UniqueConstraint("question_id", "task", name=op.f("uq_item_question_id_task")),
    )
    op.create_table(
        "run",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("project_id", sa.Integer(), nullable=False),
        sa.Column("snapshot_id", sa.Integer(), nullable=False),
        sa.Column("method", sa.String(), nullable=False),
        sa.Column("params", sa.JSON(), nullable=False),
        sa.Column("gold_hash", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["project_id"], ["project.id"], name=op.f("fk_run_project_id_project")
        ),
        sa.ForeignKeyConstraint(
            ["snapshot_id"], ["snapshot.id"], name=op.f("fk_run_snapshot_id_snapshot")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_run")),
    )
    op.create_index(op.f("ix_run_project_id"), "run", ["project_id"], unique=False)
    op.create_table(
        "statute",
        sa.Column("id", sa.Integer(), nullable=False),
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
        sa.ForeignKeyConstraint(
            ["snapshot_id"], ["snapshot.id"], name=op.f("fk_statute_snapshot_id_snapshot")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_statute")),
        sa.UniqueConstraint(
            "snapshot_id", "semantic_id", name=op.f("uq_statute_snapshot_id_semantic_id")
        ),
    )
    op.create_table(
        "candidate_set",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("item_id", sa.Integer(), nullable=False),
        sa.Column("snapshot_id", sa.Integer(), nullable=False),
        sa.Column("method", sa.String(), nullable=False),
        sa.Column("citations", sa.JSON(), nullable=False),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["item_id"], ["item.id"], name=op.f("fk_candidate_set_item_id_item")
        ),
        sa.ForeignKeyConstraint(
            ["snapshot_id"], ["snapshot.id"], name=op.f("fk_candidate_set_snapshot_id_snapshot")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_candidate_set")),
    )
    op.create_index(op.f("ix_candidate_set_item_id"), "candidate_set", ["item_id"], unique=False)
    op.create_table(
        "draft_event",
        sa.Column("id", sa.Integer(), nullable=False),
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
        sa.ForeignKeyConstraint(["item_id"], ["item.id"], name=op.f("fk_draft_event_item_id_item")),
        sa.ForeignKeyConstraint(
            ["person_id"], ["person.id"], name=op.f("fk_draft_event_person_id_person")
        ),
        sa.ForeignKeyConstraint(
            ["undoes_id"], ["draft_event.id"], name=op.f("fk_draft_event_undoes_id_draft_event")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_draft_event")),
        sa.UniqueConstraint("undoes_id", name=op.f("uq_draft_event_undoes_id")),
    )
    op.create_index(
        "ix_draft_event_item_person", "draft_event", ["item_id", "person_id"], unique=False
    )
    op.create_index(op.f("ix_draft_event_person_id"), "draft_event", ["person_id"], unique=False)
    op.create_table(
        "run_hits",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("run_id", sa.Integer(), nullable=False),
        sa.Column("question_id", sa.Integer(), nullable=False),
        sa.Column("hits", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(
            ["question_id"], ["question.id"], name=op.f("fk_run_hits_question_id_question")
        ),
        sa.ForeignKeyConstraint(["run_id"], ["run.id"], name=op.f("fk_run_hits_run_id_run")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_run_hits")),
        sa.UniqueConstraint("run_id", "question_id", name=op.f("uq_run_hits_run_id_question_id")),
    )
    op.create_table(
        "unit",
        sa.Column("id", sa.Integer(), nullable=False),
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
        sa.ForeignKeyConstraint(
            ["snapshot_id"], ["snapshot.id"], name=op.f("fk_unit_snapshot_id_snapshot")
        ),
        sa.ForeignKeyConstraint(
            ["statute_id"], ["statute.id"], name=op.f("fk_unit_statute_id_statute")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_unit")),
        sa.UniqueConstraint(
            "snapshot_id", "semantic_id", name=op.f("uq_unit_snapshot_id_semantic_id")
        ),
    )
    op.create_index(op.f("ix_unit_statute_id"), "unit", ["statute_id"], unique=False)
    op.create_table(
        "adjudication",
        sa.Column("id", sa.Integer(), nullable=False),
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
        sa.ForeignKeyConstraint(
            ["candidate_set_id"],
            ["candidate_set.id"],
            name=op.f("fk_adjudication_candidate_set_id_candidate_set"),
        ),
        sa.ForeignKeyConstraint(
            ["item_id"], ["item.id"], name=op.f("fk_adjudication_item_id_item")
        ),
        sa.ForeignKeyConstraint(
            ["person_id"], ["person.id"], name=op.f("fk_adjudication_person_id_person")
        ),
        sa.ForeignKeyConstraint(
            ["snapshot_id"], ["snapshot.id"], name=op.f("fk_adjudication_snapshot_id_snapshot")
        ),
        sa.ForeignKeyConstraint(
            ["supersedes_id"],
            ["adjudication.id"],
            name=op.f("fk_adjudication_supersedes_id_adjudication"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_adjudication")),
        sa.UniqueConstraint("supersedes_id", name=op.f("uq_adjudication_supersedes_id")),
    )
    op.create_index(op.f("ix_adjudication_item_id"), "adjudication", ["item_id"], unique=False)
    op.create_index(
        "ux_adjudication_first",
        "adjudication",
        ["item_id"],
        unique=True,
        sqlite_where=sa.text("supersedes_id IS NULL"),
        postgresql_where=sa.text("supersedes_id IS NULL"),
    )
    op.create_table(
        "annotation",
        sa.Column("id", sa.Integer(), nullable=False),
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
        sa.ForeignKeyConstraint(
            ["candidate_set_id"],
            ["candidate_set.id"],
            name=op.f("fk_annotation_candidate_set_id_candidate_set"),
        ),
        sa.ForeignKeyConstraint(
            ["event_id"], ["draft_event.id"], name=op.f("fk_annotation_event_id_draft_event")
        ),
        sa.ForeignKeyConstraint(["item_id"], ["item.id"], name=op.f("fk_annotation_item_id_item")),
        sa.ForeignKeyConstraint(
            ["person_id"], ["person.id"], name=op.f("fk_annotation_person_id_person")
        ),
        sa.ForeignKeyConstraint(
            ["snapshot_id"], ["snapshot.id"], name=op.f("fk_annotation_snapshot_id_snapshot")
        ),
        sa.ForeignKeyConstraint(
            ["supersedes_id"],
            ["annotation.id"],
            name=op.f("fk_annotation_supersedes_id_annotation"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_annotation")),
        sa.UniqueConstraint("event_id", name=op.f("uq_annotation_event_id")),
        sa.UniqueConstraint("supersedes_id", name=op.f("uq_annotation_supersedes_id")),
    )
    op.create_index(
        "ix_annotation_item_person", "annotation", ["item_id", "person_id"], unique=False
    )
    op.create_index(op.f("ix_annotation_person_id"), "annotation", ["person_id"], unique=False)
    op.create_index(
        "ux_annotation_first",
        "annotation",
        ["item_id", "person_id"],
        unique=True,
        sqlite_where=sa.text("supersedes_id IS NULL"),
        postgresql_where=sa.text("supersedes_id IS NULL"),
    )
    op.create_table(
        "candidate",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("candidate_set_id", sa.Integer(), nullable=False),
        sa.Column("unit_id", sa.Integer(), nullable=False),
        sa.Column("rank", sa.Integer(), nullable=False),
        sa.Column("why", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(
            ["candidate_set_id"],
            ["candidate_set.id"],
            name=op.f("fk_candidate_candidate_set_id_candidate_set"),
        ),
        sa.ForeignKeyConstraint(["unit_id"], ["unit.id"], name=op.f("fk_candidate_unit_id_unit")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_candidate")),
        sa.UniqueConstraint(
            "candidate_set_id", "rank", name=op.f("uq_candidate_candidate_set_id_rank")
        ),
        sa.UniqueConstraint(
            "candidate_set_id", "unit_id", name=op.f("uq_candidate_candidate_set_id_unit_id")
        ),
    )
    op.create_table(
        "adjudication_label",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("adjudication_id", sa.Integer(), nullable=False),
        sa.Column("unit_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["adjudication_id"],
            ["adjudication.id"],
            name=op.f("fk_adjudication_label_adjudication_id_adjudication"),
        ),
        sa.ForeignKeyConstraint(
            ["unit_id"], ["unit.id"], name=op.f("fk_adjudication_label_unit_id_unit")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_adjudication_label")),
        sa.UniqueConstraint(
            "adjudication_id", "unit_id", name=op.f("uq_adjudication_label_adjudication_id_unit_id")
        ),
    )
    op.create_table(
        "annotation_label",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("annotation_id", sa.Integer(), nullable=False),
        sa.Column("unit_id", sa.Integer(), nullable=False),
        sa.Column("label", sa.String(), nullable=False),
        sa.CheckConstraint(
            "label IN ('accept', 'reject', 'unsure')",
            name=op.f("ck_annotation_label_label_is_known"),
        ),
        sa.ForeignKeyConstraint(
            ["annotation_id"],
            ["annotation.id"],
            name=op.f("fk_annotation_label_annotation_id_annotation"),
        ),
        sa.ForeignKeyConstraint(
            ["unit_id"], ["unit.id"], name=op.f("fk_annotation_label_unit_id_unit")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_annotation_label")),
        sa.UniqueConstraint(
            "annotation_id", "unit_id", name=op.f("uq_annotation_label_annotation_id_unit_id")
        ),
    )
    for table in _APPEND_ONLY:
        for act in ("UPDATE", "DELETE"):
            op.execute(
                f"CREATE TRIGGER {table}_no_{act.lower()} BEFORE {act} ON {table} "
                f"BEGIN SELECT RAISE(ABORT, 'rows of {table} are only ever added'); END"
            )


def downgrade() -> None:
    """Refuse: the way back is the copy that `storage.migrate` made."""
    raise NotImplementedError
