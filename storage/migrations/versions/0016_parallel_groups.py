"""Parallel groups that a project declares, decisions on proposed ones, and a name of its own for
the edge between a decree and a rule that take up one paragraph.

Written out in full and never edited: it must make the same tables whatever the code becomes.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from storage.migrations.guards import only_added

revision = "0016"
down_revision = "0015"

_VERDICTS = "verdict IN ('confirmed', 'refused')"


def upgrade() -> None:
    """Make the tables and guard them; what was called ``parallel`` is ``co_specifies``."""
    op.create_table(
        "parallel_groups",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("project_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("note", sa.String(), nullable=False),
        sa.Column("by_person_id", sa.Integer(), nullable=True),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["by_person_id"], ["person.id"], name=op.f("fk_parallel_groups_by_person_id_person")
        ),
        sa.ForeignKeyConstraint(
            ["project_id"], ["project.id"], name=op.f("fk_parallel_groups_project_id_project")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_parallel_groups")),
        sa.UniqueConstraint(
            "project_id", "number", name=op.f("uq_parallel_groups_project_id_number")
        ),
    )
    op.create_table(
        "parallel_decision",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("project_id", sa.Integer(), nullable=False),
        sa.Column("snapshot_id", sa.Integer(), nullable=False),
        sa.Column("units", sa.JSON(), nullable=False),
        sa.Column("verdict", sa.String(), nullable=False),
        sa.Column("score", sa.Float(), nullable=False),
        sa.Column("reason", sa.JSON(), nullable=False),
        sa.Column("note", sa.String(), nullable=False),
        sa.Column("by_person_id", sa.Integer(), nullable=True),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.CheckConstraint(_VERDICTS, name=op.f("ck_parallel_decision_verdict_is_known")),
        sa.ForeignKeyConstraint(
            ["by_person_id"], ["person.id"], name=op.f("fk_parallel_decision_by_person_id_person")
        ),
        sa.ForeignKeyConstraint(
            ["project_id"], ["project.id"], name=op.f("fk_parallel_decision_project_id_project")
        ),
        sa.ForeignKeyConstraint(
            ["snapshot_id"], ["snapshot.id"], name=op.f("fk_parallel_decision_snapshot_id_snapshot")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_parallel_decision")),
    )
    op.create_index(op.f("ix_parallel_decision_project_id"), "parallel_decision", ["project_id"])
    only_added("parallel_groups", "parallel_decision")
    op.execute("UPDATE edge SET type = 'co_specifies' WHERE type = 'parallel'")


def downgrade() -> None:
    """Refuse: the way back is the copy that `storage.db.migrate` made."""
    raise NotImplementedError
