"""Answers that judges judged, and their verdicts.

Written out in full and never edited: it must make the same tables whatever the code becomes.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from storage.migrations.guards import only_added

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Make the tables and guard them."""
    _cases()
    _verdicts()
    only_added("judge_case", "verdict")


def downgrade() -> None:
    """Refuse: the way back is the copy that `storage.db.migrate` made."""
    raise NotImplementedError


def _cases() -> None:
    op.create_table(
        "judge_case",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("project_id", sa.Integer(), nullable=False),
        sa.Column("external_id", sa.String(), nullable=False),
        sa.Column("system", sa.String(), nullable=False),
        sa.Column("question", sa.String(), nullable=False),
        sa.Column("reference", sa.String(), nullable=False),
        sa.Column("provisions", sa.JSON(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("language", sa.String(), nullable=False),
        sa.Column("answer", sa.String(), nullable=False),
        sa.Column("question_id", sa.Integer(), nullable=True),
        sa.Column("source", sa.JSON(), nullable=False),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["project_id"], ["project.id"], name=op.f("fk_judge_case_project_id_project")
        ),
        sa.ForeignKeyConstraint(
            ["question_id"], ["question.id"], name=op.f("fk_judge_case_question_id_question")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_judge_case")),
        sa.UniqueConstraint(
            "project_id",
            "external_id",
            "system",
            name=op.f("uq_judge_case_project_id_external_id_system"),
        ),
    )


def _verdicts() -> None:
    op.create_table(
        "verdict",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("case_id", sa.Integer(), nullable=False),
        sa.Column("other_case_id", sa.Integer(), nullable=True),
        sa.Column("judge", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("swapped", sa.Boolean(), nullable=False),
        sa.Column("verdict", sa.String(), nullable=True),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("raw", sa.String(), nullable=False),
        sa.Column("prompt", sa.String(), nullable=False),
        sa.Column("llm_call_id", sa.Integer(), nullable=True),
        sa.Column("imported", sa.Boolean(), nullable=False),
        sa.Column("source", sa.JSON(), nullable=False),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.CheckConstraint("kind IN ('binary', 'pairwise')", name=op.f("ck_verdict_kind_is_known")),
        sa.CheckConstraint(
            "verdict IN ('correct', 'incorrect', 'first', 'second', 'tie')",
            name=op.f("ck_verdict_verdict_is_known"),
        ),
        sa.CheckConstraint(
            "state IN ('said', 'unread', 'refused', 'failed')",
            name=op.f("ck_verdict_state_is_known"),
        ),
        sa.CheckConstraint(
            "(verdict IS NULL) <> (state = 'said')", name=op.f("ck_verdict_says_what_is_said")
        ),
        sa.ForeignKeyConstraint(
            ["case_id"], ["judge_case.id"], name=op.f("fk_verdict_case_id_judge_case")
        ),
        sa.ForeignKeyConstraint(
            ["other_case_id"], ["judge_case.id"], name=op.f("fk_verdict_other_case_id_judge_case")
        ),
        sa.ForeignKeyConstraint(
            ["llm_call_id"], ["llm_call.id"], name=op.f("fk_verdict_llm_call_id_llm_call")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_verdict")),
    )
    op.create_index("ix_verdict_case_id_judge", "verdict", ["case_id", "judge"])
