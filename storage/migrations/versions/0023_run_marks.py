"""What people say of runs: retired, taken back, tagged, noted.

Written out in full and never edited: it must make the same table whatever the code becomes.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from storage.migrations.guards import only_added

revision = "0023"
down_revision = "0022"


def upgrade() -> None:
    """Make the table and guard it. Of the runs of an older workspace nobody has said anything."""
    op.create_table(
        "run_mark",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("run_id", sa.Integer(), nullable=False),
        sa.Column("mark", sa.String(), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("by_person_id", sa.Integer(), nullable=True),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.CheckConstraint(
            "mark IN ('retired', 'restored', 'tagged', 'untagged', 'noted')",
            name=op.f("ck_run_mark_mark_is_known"),
        ),
        sa.ForeignKeyConstraint(
            ["by_person_id"], ["person.id"], name=op.f("fk_run_mark_by_person_id_person")
        ),
        sa.ForeignKeyConstraint(["run_id"], ["run.id"], name=op.f("fk_run_mark_run_id_run")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_run_mark")),
    )
    op.create_index(op.f("ix_run_mark_run_id"), "run_mark", ["run_id"], unique=False)
    only_added("run_mark")


def downgrade() -> None:
    """Refuse: the way back is the copy that `storage.db.migrate` made."""
    raise NotImplementedError
