"""Pages, what engines read on them, and the units they became.

Written out in full and never edited: it must make the same tables whatever the code becomes.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from storage.migrations.guards import only_added

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Make the tables and guard them."""
    _images()
    _pages()
    _drafts()
    _units()
    only_added("page_image", "page", "page_draft", "unit_page")


def _images() -> None:
    op.create_table(
        "page_image",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("project_id", sa.Integer(), nullable=False),
        sa.Column("sha256", sa.String(), nullable=False),
        sa.Column("media_type", sa.String(), nullable=False),
        sa.Column("width", sa.Integer(), nullable=False),
        sa.Column("height", sa.Integer(), nullable=False),
        sa.Column("turned", sa.Float(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["project_id"], ["project.id"], name=op.f("fk_page_image_project_id_project")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_page_image")),
        sa.UniqueConstraint("project_id", "sha256", name=op.f("uq_page_image_project_id_sha256")),
    )


def _pages() -> None:
    op.create_table(
        "page",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("project_id", sa.Integer(), nullable=False),
        sa.Column("external_id", sa.String(), nullable=False),
        sa.Column("document", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("language", sa.String(), nullable=False),
        sa.Column("unit", sa.String(), nullable=False),
        sa.Column("image_id", sa.Integer(), nullable=False),
        sa.Column("file", sa.String(), nullable=False),
        sa.Column("file_sha256", sa.String(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=True),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["image_id"], ["page_image.id"], name=op.f("fk_page_image_id_page_image")
        ),
        sa.ForeignKeyConstraint(
            ["person_id"], ["person.id"], name=op.f("fk_page_person_id_person")
        ),
        sa.ForeignKeyConstraint(
            ["project_id"], ["project.id"], name=op.f("fk_page_project_id_project")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_page")),
        sa.UniqueConstraint(
            "project_id", "external_id", name=op.f("uq_page_project_id_external_id")
        ),
    )


def _drafts() -> None:
    op.create_table(
        "page_draft",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("page_id", sa.Integer(), nullable=False),
        sa.Column("engine", sa.String(), nullable=False),
        sa.Column("engine_version", sa.String(), nullable=False),
        sa.Column("parameters", sa.JSON(), nullable=False),
        sa.Column("blocks", sa.JSON(), nullable=False),
        sa.Column("words", sa.JSON(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("problem", sa.String(), nullable=True),
        sa.Column("seconds", sa.Float(), nullable=False),
        sa.Column("llm_call_id", sa.Integer(), nullable=True),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.CheckConstraint(
            "state IN ('drafted', 'failed')", name=op.f("ck_page_draft_state_is_known")
        ),
        sa.ForeignKeyConstraint(
            ["llm_call_id"], ["llm_call.id"], name=op.f("fk_page_draft_llm_call_id_llm_call")
        ),
        sa.ForeignKeyConstraint(["page_id"], ["page.id"], name=op.f("fk_page_draft_page_id_page")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_page_draft")),
    )
    op.create_index("ix_page_draft_page_id", "page_draft", ["page_id"])


def _units() -> None:
    op.create_table(
        "unit_page",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("unit_id", sa.Integer(), nullable=False),
        sa.Column("page_id", sa.Integer(), nullable=False),
        sa.Column("order", sa.Integer(), nullable=False),
        sa.Column("correction_id", sa.Integer(), nullable=False),
        sa.Column("verification_id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=True),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["correction_id"], ["annotation.id"], name=op.f("fk_unit_page_correction_id_annotation")
        ),
        sa.ForeignKeyConstraint(["page_id"], ["page.id"], name=op.f("fk_unit_page_page_id_page")),
        sa.ForeignKeyConstraint(
            ["person_id"], ["person.id"], name=op.f("fk_unit_page_person_id_person")
        ),
        sa.ForeignKeyConstraint(["unit_id"], ["unit.id"], name=op.f("fk_unit_page_unit_id_unit")),
        sa.ForeignKeyConstraint(
            ["verification_id"],
            ["annotation.id"],
            name=op.f("fk_unit_page_verification_id_annotation"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_unit_page")),
        sa.UniqueConstraint(
            "unit_id",
            "page_id",
            "verification_id",
            name=op.f("uq_unit_page_unit_id_page_id_verification_id"),
        ),
    )
    op.create_index("ix_unit_page_page_id", "unit_page", ["page_id"])


def downgrade() -> None:
    """Refuse: the way back is the copy that `storage.db.migrate` made."""
    raise NotImplementedError
