"""How each candidate set was made, so that equal ones can be made from other law.

Written out in full and never edited: it must make the same tables whatever the code becomes.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from storage.migrations.guards import only_added

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    """Make the table and guard it. Sets that are there get no row: nobody kept what to write."""
    op.create_table(
        "candidate_way",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("candidate_set_id", sa.Integer(), nullable=False),
        sa.Column("spec", sa.JSON(), nullable=False),
        sa.Column("in_place_of", sa.String(), nullable=True),
        sa.ForeignKeyConstraint(
            ["candidate_set_id"],
            ["candidate_set.id"],
            name=op.f("fk_candidate_way_candidate_set_id_candidate_set"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_candidate_way")),
        sa.UniqueConstraint("candidate_set_id", name=op.f("uq_candidate_way_candidate_set_id")),
    )
    only_added("candidate_way")


def downgrade() -> None:
    """Refuse: the way back is the copy that `storage.db.migrate` made."""
    raise NotImplementedError
