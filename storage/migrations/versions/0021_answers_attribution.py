"""Answers that models write under stated contexts, their claims, and the labels of claims.

Written out in full and never edited: it must make the same tables whatever the code becomes.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from storage.migrations.guards import only_added

revision = "0021"
down_revision = "0020"


def upgrade() -> None:
    """Make the tables and guard them. An older workspace has no such answers yet."""
    op.create_table(
        "answer_run",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("project_id", sa.Integer(), nullable=False),
        sa.Column("snapshot_id", sa.Integer(), nullable=True),
        sa.Column("system", sa.String(), nullable=False),
        sa.Column("context", sa.JSON(), nullable=False),
        sa.Column("format", sa.String(), nullable=False),
        sa.Column("seed", sa.Integer(), nullable=False),
        sa.Column("role", sa.String(), nullable=False),
        sa.Column("server", sa.String(), nullable=False),
        sa.Column("model", sa.String(), nullable=False),
        sa.Column("prompt_version", sa.String(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=True),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.CheckConstraint(
            "format IN ('free', 'per_provision', 'choice_generated', 'choice_likelihood')",
            name=op.f("ck_answer_run_format_is_known"),
        ),
        sa.ForeignKeyConstraint(
            ["person_id"], ["person.id"], name=op.f("fk_answer_run_person_id_person")
        ),
        sa.ForeignKeyConstraint(
            ["project_id"], ["project.id"], name=op.f("fk_answer_run_project_id_project")
        ),
        sa.ForeignKeyConstraint(
            ["snapshot_id"], ["snapshot.id"], name=op.f("fk_answer_run_snapshot_id_snapshot")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_answer_run")),
        sa.UniqueConstraint("project_id", "system", name=op.f("uq_answer_run_project_id_system")),
    )
    op.create_table(
        "model_answer",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("answer_run_id", sa.Integer(), nullable=False),
        sa.Column("question_id", sa.Integer(), nullable=False),
        sa.Column("passage", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("raw", sa.String(), nullable=False),
        sa.Column("answer", sa.String(), nullable=False),
        sa.Column("claims", sa.JSON(), nullable=True),
        sa.Column("context", sa.JSON(), nullable=False),
        sa.Column("choice", sa.String(), nullable=True),
        sa.Column("logprobs", sa.JSON(), nullable=True),
        sa.Column("judge_case_id", sa.Integer(), nullable=True),
        sa.Column("llm_call_id", sa.Integer(), nullable=True),
        sa.Column("prompt_version", sa.String(), nullable=False),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.CheckConstraint(
            "state IN ('answered', 'refused', 'empty', 'cut_off', 'invalid', 'unread', "
            "'no_logprobs', 'failed')",
            name=op.f("ck_model_answer_state_is_known"),
        ),
        sa.CheckConstraint("passage >= 0", name=op.f("ck_model_answer_passage_is_counted")),
        sa.ForeignKeyConstraint(
            ["answer_run_id"],
            ["answer_run.id"],
            name=op.f("fk_model_answer_answer_run_id_answer_run"),
        ),
        sa.ForeignKeyConstraint(
            ["judge_case_id"],
            ["judge_case.id"],
            name=op.f("fk_model_answer_judge_case_id_judge_case"),
        ),
        sa.ForeignKeyConstraint(
            ["llm_call_id"], ["llm_call.id"], name=op.f("fk_model_answer_llm_call_id_llm_call")
        ),
        sa.ForeignKeyConstraint(
            ["question_id"], ["question.id"], name=op.f("fk_model_answer_question_id_question")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_model_answer")),
        sa.UniqueConstraint(
            "answer_run_id",
            "question_id",
            "passage",
            "llm_call_id",
            name=op.f("uq_model_answer_answer_run_id_question_id_passage_llm_call_id"),
        ),
    )
    op.create_index(
        op.f("ix_model_answer_answer_run_id"), "model_answer", ["answer_run_id"], unique=False
    )
    op.create_index(
        op.f("ix_model_answer_judge_case_id"), "model_answer", ["judge_case_id"], unique=False
    )
    op.create_index(
        op.f("ix_model_answer_question_id"), "model_answer", ["question_id"], unique=False
    )
    op.create_table(
        "answer_claims",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("project_id", sa.Integer(), nullable=False),
        sa.Column("case_id", sa.Integer(), nullable=True),
        sa.Column("question", sa.String(), nullable=False),
        sa.Column("text_sha256", sa.String(), nullable=False),
        sa.Column("splitter", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("claims", sa.JSON(), nullable=False),
        sa.Column("raw", sa.String(), nullable=False),
        sa.Column("prompt_version", sa.String(), nullable=False),
        sa.Column("llm_call_id", sa.Integer(), nullable=True),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.CheckConstraint(
            "state IN ('said', 'unread', 'refused', 'cut_off', 'failed')",
            name=op.f("ck_answer_claims_state_is_known"),
        ),
        sa.ForeignKeyConstraint(
            ["case_id"], ["judge_case.id"], name=op.f("fk_answer_claims_case_id_judge_case")
        ),
        sa.ForeignKeyConstraint(
            ["llm_call_id"], ["llm_call.id"], name=op.f("fk_answer_claims_llm_call_id_llm_call")
        ),
        sa.ForeignKeyConstraint(
            ["project_id"], ["project.id"], name=op.f("fk_answer_claims_project_id_project")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_answer_claims")),
    )
    op.create_index(op.f("ix_answer_claims_case_id"), "answer_claims", ["case_id"], unique=False)
    op.create_index(
        op.f("ix_answer_claims_project_id"), "answer_claims", ["project_id"], unique=False
    )
    op.create_table(
        "attribution_case",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("project_id", sa.Integer(), nullable=False),
        sa.Column("case_id", sa.Integer(), nullable=False),
        sa.Column("predicted_id", sa.Integer(), nullable=False),
        sa.Column("gold_id", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["case_id"], ["judge_case.id"], name=op.f("fk_attribution_case_case_id_judge_case")
        ),
        sa.ForeignKeyConstraint(
            ["gold_id"],
            ["answer_claims.id"],
            name=op.f("fk_attribution_case_gold_id_answer_claims"),
        ),
        sa.ForeignKeyConstraint(
            ["predicted_id"],
            ["answer_claims.id"],
            name=op.f("fk_attribution_case_predicted_id_answer_claims"),
        ),
        sa.ForeignKeyConstraint(
            ["project_id"], ["project.id"], name=op.f("fk_attribution_case_project_id_project")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_attribution_case")),
        sa.UniqueConstraint(
            "predicted_id", "gold_id", name=op.f("uq_attribution_case_predicted_id_gold_id")
        ),
    )
    op.create_index(
        op.f("ix_attribution_case_case_id"), "attribution_case", ["case_id"], unique=False
    )
    op.create_index(
        op.f("ix_attribution_case_project_id"), "attribution_case", ["project_id"], unique=False
    )
    op.create_table(
        "claim_labels",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("attribution_case_id", sa.Integer(), nullable=False),
        sa.Column("judge", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("labels", sa.JSON(), nullable=False),
        sa.Column("raw", sa.String(), nullable=False),
        sa.Column("prompt_version", sa.String(), nullable=False),
        sa.Column("llm_call_id", sa.Integer(), nullable=True),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.CheckConstraint(
            "state IN ('said', 'unread', 'refused', 'cut_off', 'failed')",
            name=op.f("ck_claim_labels_state_is_known"),
        ),
        sa.ForeignKeyConstraint(
            ["attribution_case_id"],
            ["attribution_case.id"],
            name=op.f("fk_claim_labels_attribution_case_id_attribution_case"),
        ),
        sa.ForeignKeyConstraint(
            ["llm_call_id"], ["llm_call.id"], name=op.f("fk_claim_labels_llm_call_id_llm_call")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_claim_labels")),
    )
    op.create_index(
        op.f("ix_claim_labels_attribution_case_id"),
        "claim_labels",
        ["attribution_case_id"],
        unique=False,
    )
    only_added("answer_run", "model_answer", "answer_claims", "attribution_case", "claim_labels")


def downgrade() -> None:
    """Refuse: the way back is the copy that `storage.db.migrate` made."""
    raise NotImplementedError
