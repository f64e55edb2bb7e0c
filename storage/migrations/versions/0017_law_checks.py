"""What people said of items that rest on law which was amended.

Written out in full and never edited: it must make the same tables whatever the code becomes.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from storage.migrations.guards import only_added

revision = "0017"
down_revision = "0016"

_TO = {
    "item_id": "item",
    "unit_id": "unit",
    "snapshot_id": "snapshot",
    "settlement_id": "settlement",
    "supersedes_id": "law_check",
    "person_id": "person",
}
_KIND = "kind IN ('confirm', 'send_back', 'set_aside', 'reopen')"


def upgrade() -> None:
    """Make the table and guard it. Of an older workspace nobody has said anything yet."""
    op.create_table(
        "law_check",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("item_id", sa.Integer(), nullable=False),
        sa.Column("unit_id", sa.Integer(), nullable=False),
        sa.Column("snapshot_id", sa.Integer(), nullable=False),
        sa.Column("now_unit_ids", sa.JSON(), nullable=False),
        sa.Column("wording", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("annotation_ids", sa.JSON(), nullable=False),
        sa.Column("settlement_id", sa.Integer(), nullable=True),
        sa.Column("supersedes_id", sa.Integer(), nullable=True),
        sa.Column("person_id", sa.Integer(), nullable=True),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.CheckConstraint(_KIND, name=op.f("ck_law_check_kind_is_known")),
        *(
            sa.ForeignKeyConstraint(
                [column], [f"{table}.id"], name=op.f(f"fk_law_check_{column}_{table}")
            )
            for column, table in _TO.items()
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_law_check")),
        sa.UniqueConstraint("supersedes_id", name=op.f("uq_law_check_supersedes_id")),
    )
    op.create_index(op.f("ix_law_check_item_id"), "law_check", ["item_id"])
    first = sa.text("supersedes_id IS NULL")
    op.create_index(
        "ux_law_check_first",
        "law_check",
        ["item_id", "unit_id"],
        unique=True,
        sqlite_where=first,
        postgresql_where=first,
    )
    only_added("law_check")


def downgrade() -> None:
    """Refuse: the way back is the copy that `storage.db.migrate` made."""
    raise NotImplementedError
