"""What people say for the datasheets of a project.

Written out in full and never edited: it must make the same tables whatever the code becomes.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from storage.migrations.guards import only_added

revision = "0025"
down_revision = "0024"


def upgrade() -> None:
    """Make the table and guard it. In an older workspace nobody has said anything yet."""
    op.create_table(
        "datasheet_answers",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("project_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("note", sa.String(), nullable=False),
        sa.Column("by_person_id", sa.Integer(), nullable=True),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["by_person_id"], ["person.id"], name=op.f("fk_datasheet_answers_by_person_id_person")
        ),
        sa.ForeignKeyConstraint(
            ["project_id"], ["project.id"], name=op.f("fk_datasheet_answers_project_id_project")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_datasheet_answers")),
        sa.UniqueConstraint(
            "project_id", "number", name=op.f("uq_datasheet_answers_project_id_number")
        ),
    )
    only_added("datasheet_answers")


def downgrade() -> None:
    """Refuse: the way back is the copy that `storage.db.migrate` made."""
    raise NotImplementedError
