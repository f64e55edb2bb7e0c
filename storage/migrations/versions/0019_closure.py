"""Rules of closure of a project, and decisions on the provisions that they propose for gold.

Written out in full and never edited: it must make the same tables whatever the code becomes.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from storage.migrations.guards import only_added

revision = "0019"
down_revision = "0018"

_KINDS = "kind IN ('added', 'dismissed', 'reopened')"
_ONE_SET = "(item_id IS NULL) <> (augmented_question_id IS NULL)"
_REFERRED = {
    "project_id": "project",
    "item_id": "item",
    "augmented_question_id": "augmented_question",
    "snapshot_id": "snapshot",
    "adjudication_id": "adjudication",
    "person_id": "person",
}


def upgrade() -> None:
    """Make the tables and guard them. An older workspace has decided on nothing yet."""
    op.create_table(
        "closure_rules",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("project_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("note", sa.String(), nullable=False),
        sa.Column("by_person_id", sa.Integer(), nullable=True),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["by_person_id"], ["person.id"], name=op.f("fk_closure_rules_by_person_id_person")
        ),
        sa.ForeignKeyConstraint(
            ["project_id"], ["project.id"], name=op.f("fk_closure_rules_project_id_project")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_closure_rules")),
        sa.UniqueConstraint(
            "project_id", "number", name=op.f("uq_closure_rules_project_id_number")
        ),
    )
    op.create_table(
        "closure_decision",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("project_id", sa.Integer(), nullable=False),
        sa.Column("item_id", sa.Integer(), nullable=True),
        sa.Column("augmented_question_id", sa.Integer(), nullable=True),
        sa.Column("snapshot_id", sa.Integer(), nullable=False),
        sa.Column("rules_number", sa.Integer(), nullable=False),
        sa.Column("unit", sa.String(), nullable=False),
        sa.Column("rule", sa.String(), nullable=False),
        sa.Column("fired", sa.JSON(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("annotation_ids", sa.JSON(), nullable=False),
        sa.Column("adjudication_id", sa.Integer(), nullable=True),
        sa.Column("person_id", sa.Integer(), nullable=True),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.CheckConstraint(_KINDS, name=op.f("ck_closure_decision_kind_is_known")),
        sa.CheckConstraint(_ONE_SET, name=op.f("ck_closure_decision_one_gold_set")),
        *(
            sa.ForeignKeyConstraint(
                [column], [f"{table}.id"], name=op.f(f"fk_closure_decision_{column}_{table}")
            )
            for column, table in _REFERRED.items()
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_closure_decision")),
    )
    for column in ("project_id", "item_id", "augmented_question_id"):
        op.create_index(op.f(f"ix_closure_decision_{column}"), "closure_decision", [column])
    only_added("closure_rules", "closure_decision")


def downgrade() -> None:
    """Refuse: the way back is the copy that `storage.db.migrate` made."""
    raise NotImplementedError
