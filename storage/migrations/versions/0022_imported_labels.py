"""Where labels of other tools came from; a submission whose time nobody measured says none.

Written out in full and never edited: it must make the same tables whatever the code becomes.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from storage.migrations.guards import only_added

revision = "0022"
down_revision = "0021"

_FIRST = sa.text("supersedes_id IS NULL")


def upgrade() -> None:
    """Let seconds be missing, and make the tables; what stands keeps all its values."""
    if op.get_context().dialect.name == "postgresql":
        op.alter_column("annotation", "seconds", existing_type=sa.Float(), nullable=True)
    else:
        _annotations()
    _label_files()
    _imported_labels()
    only_added("label_file", "imported_label")


def _annotations() -> None:
    """Build the table of submissions anew, and guard it again.

    SQLite cannot let a column be empty that could not be. The foreign keys of others name it and
    stay as they are, since nothing is checked until the migration ends (`storage.db.migrate`).
    """
    op.create_table(
        "annotation_wider",
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
        sa.Column("seconds", sa.Float(), nullable=True),
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
    columns = (
        "id, item_id, person_id, kind, no_provision, comment, flag, supersedes_id, snapshot_id, "
        "candidate_set_id, guideline_version, codebook_version, event_id, seconds, at"
    )
    op.execute(
        f"INSERT INTO annotation_wider ({columns}) "  # noqa: S608  (names of columns)
        f"SELECT {columns} FROM annotation ORDER BY id"
    )
    op.drop_table("annotation")
    op.rename_table("annotation_wider", "annotation")
    op.create_index(op.f("ix_annotation_person_id"), "annotation", ["person_id"])
    op.create_index(
        "ix_annotation_item_person_kind", "annotation", ["item_id", "person_id", "kind"]
    )
    op.create_index(
        "ux_annotation_first",
        "annotation",
        ["item_id", "person_id"],
        unique=True,
        sqlite_where=_FIRST,
        postgresql_where=_FIRST,
    )
    only_added("annotation")


def _label_files() -> None:
    op.create_table(
        "label_file",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("project_id", sa.Integer(), nullable=False),
        sa.Column("tool", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("sha256", sa.String(), nullable=False),
        sa.Column("guide_sha256", sa.String(), nullable=False),
        sa.Column("labels", sa.Integer(), nullable=False),
        sa.Column("by_person_id", sa.Integer(), nullable=True),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["by_person_id"], ["person.id"], name=op.f("fk_label_file_by_person_id_person")
        ),
        sa.ForeignKeyConstraint(
            ["project_id"], ["project.id"], name=op.f("fk_label_file_project_id_project")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_label_file")),
        sa.UniqueConstraint(
            "project_id",
            "tool",
            "sha256",
            "guide_sha256",
            name=op.f("uq_label_file_project_id_tool_sha256_guide_sha256"),
        ),
    )


def _imported_labels() -> None:
    op.create_table(
        "imported_label",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("label_file_id", sa.Integer(), nullable=False),
        sa.Column("item_id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("place", sa.String(), nullable=False),
        sa.Column("source_user", sa.String(), nullable=False),
        sa.Column("made_at", sa.DateTime(), nullable=True),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("said", sa.String(), nullable=False),
        sa.Column("first_event_id", sa.Integer(), nullable=False),
        sa.Column("event_id", sa.Integer(), nullable=False),
        sa.CheckConstraint(
            "status IN ('submitted', 'draft', 'discarded')",
            name=op.f("ck_imported_label_status_is_known"),
        ),
        sa.ForeignKeyConstraint(
            ["event_id"], ["draft_event.id"], name=op.f("fk_imported_label_event_id_draft_event")
        ),
        sa.ForeignKeyConstraint(
            ["first_event_id"],
            ["draft_event.id"],
            name=op.f("fk_imported_label_first_event_id_draft_event"),
        ),
        sa.ForeignKeyConstraint(
            ["item_id"], ["item.id"], name=op.f("fk_imported_label_item_id_item")
        ),
        sa.ForeignKeyConstraint(
            ["label_file_id"],
            ["label_file.id"],
            name=op.f("fk_imported_label_label_file_id_label_file"),
        ),
        sa.ForeignKeyConstraint(
            ["person_id"], ["person.id"], name=op.f("fk_imported_label_person_id_person")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_imported_label")),
        sa.UniqueConstraint("event_id", name=op.f("uq_imported_label_event_id")),
    )
    op.create_index(op.f("ix_imported_label_item_id"), "imported_label", ["item_id"])
    op.create_index(op.f("ix_imported_label_label_file_id"), "imported_label", ["label_file_id"])
    op.create_index("ix_imported_label_person_item", "imported_label", ["person_id", "item_id"])
