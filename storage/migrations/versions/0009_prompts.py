"""A project's own wordings of prompts.

Written out in full and never edited: it must make the same tables whatever the code becomes.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from storage.migrations.guards import only_added

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Make the table of wordings and guard it."""
    op.create_table(
        "prompt_text",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("project_id", sa.Integer(), nullable=False),
        sa.Column("prompt_id", sa.String(), nullable=False),
        sa.Column("language", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("note", sa.String(), nullable=False),
        sa.Column("by_person_id", sa.Integer(), nullable=True),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["by_person_id"], ["person.id"], name=op.f("fk_prompt_text_by_person_id_person")
        ),
        sa.ForeignKeyConstraint(
            ["project_id"], ["project.id"], name=op.f("fk_prompt_text_project_id_project")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_prompt_text")),
        sa.UniqueConstraint(
            "project_id",
            "prompt_id",
            "language",
            "number",
            name=op.f("uq_prompt_text_project_id_prompt_id_language_number"),
        ),
    )
    only_added("prompt_text")


def downgrade() -> None:
    """Refuse: the way back is the copy that `storage.db.migrate` made."""
    raise NotImplementedError
