"""Tables of the tasks that projects bring."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from storage.migrations.guards import only_added

revision = "v1_0002"
down_revision = "v1_0001"


def upgrade() -> None:
    """Make the tables of declarations and of the rows they ask about."""
    op.create_table(
        "task_declaration",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("project_id", sa.Integer, nullable=False),
        sa.Column("key", sa.String, nullable=False),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("text", sa.String, nullable=False),
        sa.Column("file", sa.String, nullable=False),
        sa.Column("file_hash", sa.String, nullable=False),
        sa.Column("by_person_id", sa.Integer, nullable=True),
        sa.Column("at", sa.DateTime, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_task_declaration"),
        sa.ForeignKeyConstraint(
            ["project_id"], ["project.id"], name="fk_task_declaration_project_id_project"
        ),
        sa.ForeignKeyConstraint(
            ["by_person_id"], ["person.id"], name="fk_task_declaration_by_person_id_person"
        ),
        sa.UniqueConstraint("project_id", "key", name="uq_task_declaration_project_id_key"),
        sa.UniqueConstraint(
            "project_id", "name", "version", name="uq_task_declaration_project_id_name_version"
        ),
    )
    op.create_table(
        "task_subject",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("task_declaration_id", sa.Integer, nullable=False),
        sa.Column("external_id", sa.String, nullable=False),
        sa.Column("row", sa.JSON, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_task_subject"),
        sa.ForeignKeyConstraint(
            ["task_declaration_id"],
            ["task_declaration.id"],
            name="fk_task_subject_task_declaration_id_task_declaration",
        ),
        sa.UniqueConstraint(
            "task_declaration_id",
            "external_id",
            name="uq_task_subject_task_declaration_id_external_id",
        ),
    )
    only_added("task_declaration", "task_subject")


def downgrade() -> None:
    """Refuse: people's answers would lose what they were asked."""
    raise NotImplementedError
