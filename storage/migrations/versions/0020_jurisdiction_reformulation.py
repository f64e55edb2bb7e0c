"""Whose law a statute is and a question asks about; options worded as questions of their own.

Written out in full and never edited: it must make the same tables whatever the code becomes.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from storage.migrations.guards import only_added

revision = "0020"
down_revision = "0019"


def upgrade() -> None:
    """Add the columns and make the tables. Of what is there nobody has said whose law it is."""
    for table in ("statute", "question"):
        op.add_column(
            table, sa.Column("jurisdiction", sa.String(), nullable=False, server_default="")
        )
    op.create_table(
        "reformulation",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("project_id", sa.Integer(), nullable=False),
        sa.Column("question_id", sa.Integer(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("label", sa.String(), nullable=False),
        sa.Column("option", sa.String(), nullable=False),
        sa.Column("correct", sa.Boolean(), nullable=True),
        sa.Column("wording", sa.String(), nullable=False),
        sa.Column("worded_by", sa.String(), nullable=False),
        sa.Column("llm_call_id", sa.Integer(), nullable=True),
        sa.Column("prompt_version", sa.String(), nullable=False),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.CheckConstraint("place > 0", name=op.f("ck_reformulation_counted_from_one")),
        sa.CheckConstraint(
            "worded_by IN ('template', 'model')", name=op.f("ck_reformulation_worded_by_is_known")
        ),
        sa.ForeignKeyConstraint(
            ["llm_call_id"], ["llm_call.id"], name=op.f("fk_reformulation_llm_call_id_llm_call")
        ),
        sa.ForeignKeyConstraint(
            ["project_id"], ["project.id"], name=op.f("fk_reformulation_project_id_project")
        ),
        sa.ForeignKeyConstraint(
            ["question_id"], ["question.id"], name=op.f("fk_reformulation_question_id_question")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_reformulation")),
    )
    for column in ("project_id", "question_id"):
        op.create_index(op.f(f"ix_reformulation_{column}"), "reformulation", [column], unique=False)
    op.create_table(
        "reformulation_decision",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("reformulation_id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("wording", sa.String(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=True),
        sa.Column("made_question_id", sa.Integer(), nullable=True),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.CheckConstraint(
            "(kind = 'refuse') = (made_question_id IS NULL)",
            name=op.f("ck_reformulation_decision_approved_has_its_question"),
        ),
        sa.CheckConstraint(
            "kind IN ('approve', 'edit', 'refuse')",
            name=op.f("ck_reformulation_decision_kind_is_known"),
        ),
        sa.ForeignKeyConstraint(
            ["made_question_id"],
            ["question.id"],
            name=op.f("fk_reformulation_decision_made_question_id_question"),
        ),
        sa.ForeignKeyConstraint(
            ["person_id"], ["person.id"], name=op.f("fk_reformulation_decision_person_id_person")
        ),
        sa.ForeignKeyConstraint(
            ["reformulation_id"],
            ["reformulation.id"],
            name=op.f("fk_reformulation_decision_reformulation_id_reformulation"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_reformulation_decision")),
        sa.UniqueConstraint(
            "made_question_id", name=op.f("uq_reformulation_decision_made_question_id")
        ),
    )
    op.create_index(
        op.f("ix_reformulation_decision_reformulation_id"),
        "reformulation_decision",
        ["reformulation_id"],
        unique=False,
    )
    only_added("reformulation", "reformulation_decision")


def downgrade() -> None:
    """Refuse: the way back is the copy that `storage.db.migrate` made."""
    raise NotImplementedError
