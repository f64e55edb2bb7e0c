"""Multiple-choice questions, how they came to be, and what models chose.

Written out in full and never edited: it must make the same tables whatever the code becomes.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from storage.migrations.guards import only_added

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Make the tables and guard them."""
    _makings()
    _questions()
    _attempts()
    _votes()
    only_added("mcq_making", "mcq", "mcq_attempt", "mcq_vote")


def downgrade() -> None:
    """Refuse: the way back is the copy that `storage.db.migrate` made."""
    raise NotImplementedError


def _makings() -> None:
    op.create_table(
        "mcq_making",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("project_id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("snapshot_id", sa.Integer(), nullable=False),
        sa.Column("wanted", sa.JSON(), nullable=False),
        sa.Column("linked", sa.Integer(), nullable=True),
        sa.Column("seed", sa.Integer(), nullable=False),
        sa.Column("server", sa.String(), nullable=False),
        sa.Column("model", sa.String(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=True),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.CheckConstraint(
            "kind IN ('generate', 'import')", name=op.f("ck_mcq_making_kind_is_known")
        ),
        sa.ForeignKeyConstraint(
            ["person_id"], ["person.id"], name=op.f("fk_mcq_making_person_id_person")
        ),
        sa.ForeignKeyConstraint(
            ["project_id"], ["project.id"], name=op.f("fk_mcq_making_project_id_project")
        ),
        sa.ForeignKeyConstraint(
            ["snapshot_id"], ["snapshot.id"], name=op.f("fk_mcq_making_snapshot_id_snapshot")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_mcq_making")),
    )
    op.create_index("ix_mcq_making_project_id", "mcq_making", ["project_id"])


def _questions() -> None:
    op.create_table(
        "mcq",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("project_id", sa.Integer(), nullable=False),
        sa.Column("external_id", sa.String(), nullable=False),
        sa.Column("snapshot_id", sa.Integer(), nullable=False),
        sa.Column("a_unit_id", sa.Integer(), nullable=False),
        sa.Column("b_unit_id", sa.Integer(), nullable=False),
        sa.Column("edge_kind", sa.String(), nullable=False),
        sa.Column("query", sa.String(), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("answer", sa.Integer(), nullable=False),
        sa.Column("explanation", sa.String(), nullable=False),
        sa.Column("language", sa.String(), nullable=False),
        sa.Column("llm_call_id", sa.Integer(), nullable=True),
        sa.Column("prompt_version", sa.String(), nullable=False),
        sa.Column("seed", sa.Integer(), nullable=False),
        sa.Column("source", sa.JSON(), nullable=False),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.CheckConstraint("answer BETWEEN 0 AND 3", name=op.f("ck_mcq_answer_is_in_bounds")),
        sa.ForeignKeyConstraint(["a_unit_id"], ["unit.id"], name=op.f("fk_mcq_a_unit_id_unit")),
        sa.ForeignKeyConstraint(["b_unit_id"], ["unit.id"], name=op.f("fk_mcq_b_unit_id_unit")),
        sa.ForeignKeyConstraint(
            ["llm_call_id"], ["llm_call.id"], name=op.f("fk_mcq_llm_call_id_llm_call")
        ),
        sa.ForeignKeyConstraint(
            ["project_id"], ["project.id"], name=op.f("fk_mcq_project_id_project")
        ),
        sa.ForeignKeyConstraint(
            ["snapshot_id"], ["snapshot.id"], name=op.f("fk_mcq_snapshot_id_snapshot")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_mcq")),
        sa.UniqueConstraint(
            "project_id", "external_id", name=op.f("uq_mcq_project_id_external_id")
        ),
    )
    op.create_index("ix_mcq_a_unit_id", "mcq", ["a_unit_id"])
    op.create_index("ix_mcq_b_unit_id", "mcq", ["b_unit_id"])


def _attempts() -> None:
    op.create_table(
        "mcq_attempt",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("making_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("a_unit_id", sa.Integer(), nullable=False),
        sa.Column("b_unit_id", sa.Integer(), nullable=False),
        sa.Column("edge_kind", sa.String(), nullable=False),
        sa.Column("outcome", sa.String(), nullable=False),
        sa.Column("detail", sa.String(), nullable=False),
        sa.Column("draft", sa.JSON(), nullable=True),
        sa.Column("llm_call_id", sa.Integer(), nullable=True),
        sa.Column("mcq_id", sa.Integer(), nullable=True),
        sa.Column("prompt_version", sa.String(), nullable=False),
        sa.CheckConstraint(
            "(outcome = 'kept') = (mcq_id IS NOT NULL)",
            name=op.f("ck_mcq_attempt_kept_has_its_question"),
        ),
        sa.CheckConstraint(
            "outcome IN ('kept', 'refused', 'invalid', 'format', 'meta', 'citing', "
            "'duplicate', 'leaked', 'position')",
            name=op.f("ck_mcq_attempt_outcome_is_known"),
        ),
        sa.ForeignKeyConstraint(
            ["a_unit_id"], ["unit.id"], name=op.f("fk_mcq_attempt_a_unit_id_unit")
        ),
        sa.ForeignKeyConstraint(
            ["b_unit_id"], ["unit.id"], name=op.f("fk_mcq_attempt_b_unit_id_unit")
        ),
        sa.ForeignKeyConstraint(
            ["llm_call_id"], ["llm_call.id"], name=op.f("fk_mcq_attempt_llm_call_id_llm_call")
        ),
        sa.ForeignKeyConstraint(
            ["making_id"], ["mcq_making.id"], name=op.f("fk_mcq_attempt_making_id_mcq_making")
        ),
        sa.ForeignKeyConstraint(["mcq_id"], ["mcq.id"], name=op.f("fk_mcq_attempt_mcq_id_mcq")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_mcq_attempt")),
        sa.UniqueConstraint("making_id", "name", name=op.f("uq_mcq_attempt_making_id_name")),
        sa.UniqueConstraint("mcq_id", name=op.f("uq_mcq_attempt_mcq_id")),
    )
    op.create_index("ix_mcq_attempt_a_unit_id", "mcq_attempt", ["a_unit_id"])


def _votes() -> None:
    op.create_table(
        "mcq_vote",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("mcq_id", sa.Integer(), nullable=False),
        sa.Column("setting", sa.String(), nullable=False),
        sa.Column("server", sa.String(), nullable=False),
        sa.Column("model", sa.String(), nullable=False),
        sa.Column("repeat", sa.Integer(), nullable=False),
        sa.Column("choice", sa.Integer(), nullable=True),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("raw", sa.String(), nullable=False),
        sa.Column("logprobs", sa.JSON(), nullable=True),
        sa.Column("wording", sa.String(), nullable=False),
        sa.Column("llm_call_id", sa.Integer(), nullable=True),
        sa.Column("prompt_version", sa.String(), nullable=False),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.CheckConstraint(
            "(state = 'chosen') = (choice IS NOT NULL)",
            name=op.f("ck_mcq_vote_chosen_has_a_choice"),
        ),
        sa.CheckConstraint(
            "setting IN ('zero', 'a', 'b', 'ab')", name=op.f("ck_mcq_vote_setting_is_known")
        ),
        sa.CheckConstraint(
            "state IN ('chosen', 'empty', 'several', 'out_of_range', 'unparsed', 'refused')",
            name=op.f("ck_mcq_vote_state_is_known"),
        ),
        sa.CheckConstraint("choice BETWEEN 0 AND 4", name=op.f("ck_mcq_vote_choice_is_in_bounds")),
        sa.ForeignKeyConstraint(
            ["llm_call_id"], ["llm_call.id"], name=op.f("fk_mcq_vote_llm_call_id_llm_call")
        ),
        sa.ForeignKeyConstraint(["mcq_id"], ["mcq.id"], name=op.f("fk_mcq_vote_mcq_id_mcq")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_mcq_vote")),
        sa.UniqueConstraint(
            "mcq_id",
            "setting",
            "repeat",
            "llm_call_id",
            name=op.f("uq_mcq_vote_mcq_id_setting_repeat_llm_call_id"),
        ),
    )
    op.create_index("ix_mcq_vote_llm_call_id", "mcq_vote", ["llm_call_id"])
    op.create_index("ix_mcq_vote_mcq_id", "mcq_vote", ["mcq_id"])
