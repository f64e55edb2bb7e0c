"""How a project divides its gold into train, dev and test.

Written out in full and never edited: it must make the same tables whatever the code becomes.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from storage.migrations.guards import only_added

revision = "0024"
down_revision = "0023"


def upgrade() -> None:
    """Make the tables and guard them. An older workspace has divided nothing yet."""
    op.create_table(
        "split",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("project_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("recipe", sa.JSON(), nullable=False),
        sa.Column("snapshot_id", sa.Integer(), nullable=False),
        sa.Column("gold_hash", sa.String(), nullable=False),
        sa.Column("note", sa.String(), nullable=False),
        sa.Column("by_person_id", sa.Integer(), nullable=True),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["by_person_id"], ["person.id"], name=op.f("fk_split_by_person_id_person")
        ),
        sa.ForeignKeyConstraint(
            ["project_id"], ["project.id"], name=op.f("fk_split_project_id_project")
        ),
        sa.ForeignKeyConstraint(
            ["snapshot_id"], ["snapshot.id"], name=op.f("fk_split_snapshot_id_snapshot")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_split")),
        sa.UniqueConstraint("project_id", "number", name=op.f("uq_split_project_id_number")),
    )
    op.create_table(
        "split_member",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("split_id", sa.Integer(), nullable=False),
        sa.Column("question_id", sa.Integer(), nullable=False),
        sa.Column("part", sa.String(), nullable=False),
        sa.CheckConstraint(
            "part IN ('train', 'dev', 'test')", name=op.f("ck_split_member_part_is_known")
        ),
        sa.ForeignKeyConstraint(
            ["question_id"], ["question.id"], name=op.f("fk_split_member_question_id_question")
        ),
        sa.ForeignKeyConstraint(
            ["split_id"], ["split.id"], name=op.f("fk_split_member_split_id_split")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_split_member")),
        sa.UniqueConstraint(
            "split_id", "question_id", name=op.f("uq_split_member_split_id_question_id")
        ),
    )
    only_added("split", "split_member")


def downgrade() -> None:
    """Refuse: the way back is the copy that `storage.db.migrate` made."""
    raise NotImplementedError
