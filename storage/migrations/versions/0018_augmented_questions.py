"""Questions written by axes, the layers that they went through, and those that people admitted.

Written out in full and never edited: it must make the same tables whatever the code becomes.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from storage.migrations.guards import only_added

revision = "0018"
down_revision = "0017"


def upgrade() -> None:
    """Make the tables and guard them. An older workspace has no such questions yet."""
    op.create_table(
        "axes",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("project_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("note", sa.String(), nullable=False),
        sa.Column("by_person_id", sa.Integer(), nullable=True),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["by_person_id"], ["person.id"], name=op.f("fk_axes_by_person_id_person")
        ),
        sa.ForeignKeyConstraint(
            ["project_id"], ["project.id"], name=op.f("fk_axes_project_id_project")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_axes")),
        sa.UniqueConstraint("project_id", "number", name=op.f("uq_axes_project_id_number")),
    )
    op.create_table(
        "augmentation_making",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("project_id", sa.Integer(), nullable=False),
        sa.Column("snapshot_id", sa.Integer(), nullable=False),
        sa.Column("axes_number", sa.Integer(), nullable=False),
        sa.Column("wanted", sa.JSON(), nullable=False),
        sa.Column("seed", sa.Integer(), nullable=False),
        sa.Column("server", sa.String(), nullable=False),
        sa.Column("model", sa.String(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=True),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["person_id"], ["person.id"], name=op.f("fk_augmentation_making_person_id_person")
        ),
        sa.ForeignKeyConstraint(
            ["project_id"], ["project.id"], name=op.f("fk_augmentation_making_project_id_project")
        ),
        sa.ForeignKeyConstraint(
            ["snapshot_id"],
            ["snapshot.id"],
            name=op.f("fk_augmentation_making_snapshot_id_snapshot"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_augmentation_making")),
    )
    op.create_index(
        op.f("ix_augmentation_making_project_id"),
        "augmentation_making",
        ["project_id"],
        unique=False,
    )
    op.create_table(
        "augmented_question",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("project_id", sa.Integer(), nullable=False),
        sa.Column("external_id", sa.String(), nullable=False),
        sa.Column("snapshot_id", sa.Integer(), nullable=False),
        sa.Column("axes_number", sa.Integer(), nullable=False),
        sa.Column("parent_question_id", sa.Integer(), nullable=True),
        sa.Column("axes", sa.JSON(), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("answer", sa.String(), nullable=False),
        sa.Column("language", sa.String(), nullable=False),
        sa.Column("gold", sa.JSON(), nullable=False),
        sa.Column("seed", sa.Integer(), nullable=False),
        sa.Column("llm_call_id", sa.Integer(), nullable=True),
        sa.Column("prompt_version", sa.String(), nullable=False),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["llm_call_id"],
            ["llm_call.id"],
            name=op.f("fk_augmented_question_llm_call_id_llm_call"),
        ),
        sa.ForeignKeyConstraint(
            ["parent_question_id"],
            ["question.id"],
            name=op.f("fk_augmented_question_parent_question_id_question"),
        ),
        sa.ForeignKeyConstraint(
            ["project_id"], ["project.id"], name=op.f("fk_augmented_question_project_id_project")
        ),
        sa.ForeignKeyConstraint(
            ["snapshot_id"],
            ["snapshot.id"],
            name=op.f("fk_augmented_question_snapshot_id_snapshot"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_augmented_question")),
        sa.UniqueConstraint(
            "project_id", "external_id", name=op.f("uq_augmented_question_project_id_external_id")
        ),
    )
    op.create_table(
        "augmentation_attempt",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("making_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("cell", sa.JSON(), nullable=False),
        sa.Column("gold", sa.JSON(), nullable=False),
        sa.Column("outcome", sa.String(), nullable=False),
        sa.Column("detail", sa.String(), nullable=False),
        sa.Column("draft", sa.JSON(), nullable=True),
        sa.Column("llm_call_id", sa.Integer(), nullable=True),
        sa.Column("augmented_question_id", sa.Integer(), nullable=True),
        sa.Column("prompt_version", sa.String(), nullable=False),
        sa.CheckConstraint(
            "(outcome = 'kept') = (augmented_question_id IS NOT NULL)",
            name=op.f("ck_augmentation_attempt_kept_has_its_question"),
        ),
        sa.CheckConstraint(
            "outcome IN ('kept', 'refused', 'invalid', 'duplicate')",
            name=op.f("ck_augmentation_attempt_outcome_is_known"),
        ),
        sa.ForeignKeyConstraint(
            ["augmented_question_id"],
            ["augmented_question.id"],
            name=op.f("fk_augmentation_attempt_augmented_question_id_augmented_question"),
        ),
        sa.ForeignKeyConstraint(
            ["llm_call_id"],
            ["llm_call.id"],
            name=op.f("fk_augmentation_attempt_llm_call_id_llm_call"),
        ),
        sa.ForeignKeyConstraint(
            ["making_id"],
            ["augmentation_making.id"],
            name=op.f("fk_augmentation_attempt_making_id_augmentation_making"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_augmentation_attempt")),
        sa.UniqueConstraint(
            "augmented_question_id", name=op.f("uq_augmentation_attempt_augmented_question_id")
        ),
        sa.UniqueConstraint(
            "making_id", "name", name=op.f("uq_augmentation_attempt_making_id_name")
        ),
    )
    op.create_table(
        "cascade_layers",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("project_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("note", sa.String(), nullable=False),
        sa.Column("by_person_id", sa.Integer(), nullable=True),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["by_person_id"], ["person.id"], name=op.f("fk_cascade_layers_by_person_id_person")
        ),
        sa.ForeignKeyConstraint(
            ["project_id"], ["project.id"], name=op.f("fk_cascade_layers_project_id_project")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_cascade_layers")),
        sa.UniqueConstraint(
            "project_id", "number", name=op.f("uq_cascade_layers_project_id_number")
        ),
    )
    op.create_table(
        "cascade_run",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("project_id", sa.Integer(), nullable=False),
        sa.Column("snapshot_id", sa.Integer(), nullable=False),
        sa.Column("layers_number", sa.Integer(), nullable=False),
        sa.Column("server", sa.String(), nullable=False),
        sa.Column("model", sa.String(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=True),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["person_id"], ["person.id"], name=op.f("fk_cascade_run_person_id_person")
        ),
        sa.ForeignKeyConstraint(
            ["project_id"], ["project.id"], name=op.f("fk_cascade_run_project_id_project")
        ),
        sa.ForeignKeyConstraint(
            ["snapshot_id"], ["snapshot.id"], name=op.f("fk_cascade_run_snapshot_id_snapshot")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_cascade_run")),
    )
    op.create_index(op.f("ix_cascade_run_project_id"), "cascade_run", ["project_id"], unique=False)
    op.create_table(
        "layer_result",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("cascade_run_id", sa.Integer(), nullable=False),
        sa.Column("augmented_question_id", sa.Integer(), nullable=False),
        sa.Column("layer", sa.String(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("outcome", sa.String(), nullable=False),
        sa.Column("reasons", sa.JSON(), nullable=False),
        sa.Column("llm_call_id", sa.Integer(), nullable=True),
        sa.Column("prompt_version", sa.String(), nullable=False),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.CheckConstraint(
            "outcome IN ('passed', 'rejected', 'unjudged')",
            name=op.f("ck_layer_result_outcome_is_known"),
        ),
        sa.ForeignKeyConstraint(
            ["augmented_question_id"],
            ["augmented_question.id"],
            name=op.f("fk_layer_result_augmented_question_id_augmented_question"),
        ),
        sa.ForeignKeyConstraint(
            ["cascade_run_id"],
            ["cascade_run.id"],
            name=op.f("fk_layer_result_cascade_run_id_cascade_run"),
        ),
        sa.ForeignKeyConstraint(
            ["llm_call_id"], ["llm_call.id"], name=op.f("fk_layer_result_llm_call_id_llm_call")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_layer_result")),
        sa.UniqueConstraint(
            "cascade_run_id",
            "augmented_question_id",
            "layer",
            name=op.f("uq_layer_result_cascade_run_id_augmented_question_id_layer"),
        ),
    )
    op.create_index(
        op.f("ix_layer_result_augmented_question_id"),
        "layer_result",
        ["augmented_question_id"],
        unique=False,
    )
    op.create_table(
        "restoration",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("augmented_question_id", sa.Integer(), nullable=False),
        sa.Column("layer_result_id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=True),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.CheckConstraint(
            "kind IN ('restore', 'withdraw')", name=op.f("ck_restoration_kind_is_known")
        ),
        sa.ForeignKeyConstraint(
            ["augmented_question_id"],
            ["augmented_question.id"],
            name=op.f("fk_restoration_augmented_question_id_augmented_question"),
        ),
        sa.ForeignKeyConstraint(
            ["layer_result_id"],
            ["layer_result.id"],
            name=op.f("fk_restoration_layer_result_id_layer_result"),
        ),
        sa.ForeignKeyConstraint(
            ["person_id"], ["person.id"], name=op.f("fk_restoration_person_id_person")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_restoration")),
    )
    op.create_index(
        op.f("ix_restoration_augmented_question_id"),
        "restoration",
        ["augmented_question_id"],
        unique=False,
    )
    op.create_table(
        "admission",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("augmented_question_id", sa.Integer(), nullable=False),
        sa.Column("question_id", sa.Integer(), nullable=False),
        sa.Column("item_id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=True),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["augmented_question_id"],
            ["augmented_question.id"],
            name=op.f("fk_admission_augmented_question_id_augmented_question"),
        ),
        sa.ForeignKeyConstraint(["item_id"], ["item.id"], name=op.f("fk_admission_item_id_item")),
        sa.ForeignKeyConstraint(
            ["person_id"], ["person.id"], name=op.f("fk_admission_person_id_person")
        ),
        sa.ForeignKeyConstraint(
            ["question_id"], ["question.id"], name=op.f("fk_admission_question_id_question")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_admission")),
        sa.UniqueConstraint(
            "augmented_question_id", name=op.f("uq_admission_augmented_question_id")
        ),
        sa.UniqueConstraint("question_id", name=op.f("uq_admission_question_id")),
    )
    only_added(
        "axes",
        "augmentation_making",
        "augmented_question",
        "augmentation_attempt",
        "cascade_layers",
        "cascade_run",
        "layer_result",
        "restoration",
        "admission",
    )


def downgrade() -> None:
    """Refuse: the way back is the copy that `storage.db.migrate` made."""
    raise NotImplementedError
