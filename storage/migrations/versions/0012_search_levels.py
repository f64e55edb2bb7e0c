"""Which levels of units retrieval searches.

Written out in full and never edited: it must make the same table whatever the code becomes.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from storage.migrations.guards import only_added

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    """Make the table and guard it."""
    op.create_table(
        "search_levels",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("project_id", sa.Integer(), nullable=False),
        sa.Column("levels", sa.JSON(), nullable=False),
        sa.Column("by_person_id", sa.Integer(), nullable=True),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["by_person_id"], ["person.id"], name=op.f("fk_search_levels_by_person_id_person")
        ),
        sa.ForeignKeyConstraint(
            ["project_id"], ["project.id"], name=op.f("fk_search_levels_project_id_project")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_search_levels")),
    )
    op.create_index("ix_search_levels_project_id", "search_levels", ["project_id"])
    only_added("search_levels")


def downgrade() -> None:
    """Refuse: the way back is the copy that `storage.db.migrate` made."""
    raise NotImplementedError
