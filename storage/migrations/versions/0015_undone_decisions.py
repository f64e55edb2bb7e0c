"""Decisions that their adjudicators have withdrawn.

Written out in full and never edited: it must make the same tables whatever the code becomes.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from storage.migrations.guards import only_added

revision = "0015"
down_revision = "0014"

_ONE_DECISION = "(adjudication_id IS NULL) <> (settlement_id IS NULL)"


def upgrade() -> None:
    """Make the table and guard it. No decision of before has been withdrawn."""
    op.create_table(
        "undone_decision",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("item_id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("adjudication_id", sa.Integer(), nullable=True),
        sa.Column("settlement_id", sa.Integer(), nullable=True),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.CheckConstraint(_ONE_DECISION, name=op.f("ck_undone_decision_is_of_one_decision")),
        sa.ForeignKeyConstraint(
            ["adjudication_id"],
            ["adjudication.id"],
            name=op.f("fk_undone_decision_adjudication_id_adjudication"),
        ),
        sa.ForeignKeyConstraint(
            ["item_id"], ["item.id"], name=op.f("fk_undone_decision_item_id_item")
        ),
        sa.ForeignKeyConstraint(
            ["person_id"], ["person.id"], name=op.f("fk_undone_decision_person_id_person")
        ),
        sa.ForeignKeyConstraint(
            ["settlement_id"],
            ["settlement.id"],
            name=op.f("fk_undone_decision_settlement_id_settlement"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_undone_decision")),
        sa.UniqueConstraint("adjudication_id", name=op.f("uq_undone_decision_adjudication_id")),
        sa.UniqueConstraint("settlement_id", name=op.f("uq_undone_decision_settlement_id")),
    )
    op.create_index(op.f("ix_undone_decision_item_id"), "undone_decision", ["item_id"])
    only_added("undone_decision")


def downgrade() -> None:
    """Refuse: the way back is the copy that `storage.db.migrate` made."""
    raise NotImplementedError
