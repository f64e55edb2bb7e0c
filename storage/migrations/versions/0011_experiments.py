"""How runs were made, and experiments.

Written out in full and never edited: it must make the same tables whatever the code becomes.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from storage.migrations.guards import only_added

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    """Make the tables and guard them."""
    _records()
    _experiments()
    only_added("run_record", "experiment", "experiment_run")


def downgrade() -> None:
    """Refuse: the way back is the copy that `storage.db.migrate` made."""
    raise NotImplementedError


def _refers(table: str, column: str, to: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint([column], [f"{to}.id"], name=op.f(f"fk_{table}_{column}_{to}"))


def _records() -> None:
    op.create_table(
        "run_record",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("run_id", sa.Integer(), nullable=False),
        sa.Column("label", sa.String(), nullable=False),
        sa.Column("origin", sa.String(), nullable=False),
        sa.Column("environment", sa.JSON(), nullable=False),
        sa.Column("cost", sa.JSON(), nullable=False),
        sa.Column("by_person_id", sa.Integer(), nullable=True),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.CheckConstraint(
            "origin IN ('computed', 'imported')", name=op.f("ck_run_record_origin_is_known")
        ),
        _refers("run_record", "by_person_id", "person"),
        _refers("run_record", "run_id", "run"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_run_record")),
        sa.UniqueConstraint("run_id", name=op.f("uq_run_record_run_id")),
    )


def _experiments() -> None:
    op.create_table(
        "experiment",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("project_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("snapshot_id", sa.Integer(), nullable=False),
        sa.Column("gold_hash", sa.String(), nullable=False),
        sa.Column("content_hash", sa.String(), nullable=False),
        sa.Column("by_person_id", sa.Integer(), nullable=True),
        sa.Column("at", sa.DateTime(), nullable=False),
        _refers("experiment", "by_person_id", "person"),
        _refers("experiment", "project_id", "project"),
        _refers("experiment", "snapshot_id", "snapshot"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_experiment")),
        sa.UniqueConstraint(
            "project_id", "content_hash", name=op.f("uq_experiment_project_id_content_hash")
        ),
        sa.UniqueConstraint("project_id", "number", name=op.f("uq_experiment_project_id_number")),
    )
    op.create_table(
        "experiment_run",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("experiment_id", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("label", sa.String(), nullable=False),
        sa.Column("run_id", sa.Integer(), nullable=False),
        _refers("experiment_run", "experiment_id", "experiment"),
        _refers("experiment_run", "run_id", "run"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_experiment_run")),
        sa.UniqueConstraint(
            "experiment_id", "position", name=op.f("uq_experiment_run_experiment_id_position")
        ),
    )
