"""Items of other tasks than citation mapping, and answers to their forms.

Written out in full and never edited: it must make the same tables whatever the code becomes.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from storage.migrations.guards import only_added

revision = "0005"
down_revision = "0004"

_ONE_THING = "(question_id IS NULL) <> (subject_id IS NULL)"


def upgrade() -> None:
    """Widen what an item can be, and make the tables of answers."""
    if op.get_context().dialect.name == "postgresql":
        _widen_items()
        op.add_column("candidate_set", sa.Column("shown", sa.JSON(), nullable=True))
    else:
        _items()
        _candidate_sets()
    _answers()
    _settlements()
    only_added("annotation_answer", "settlement")


def downgrade() -> None:
    """Refuse: the way back is the copy that `storage.db.migrate` made."""
    raise NotImplementedError


def _widen_items() -> None:
    op.alter_column("item", "question_id", nullable=True)
    op.add_column("item", sa.Column("subject_id", sa.Integer(), nullable=True))
    op.add_column("item", sa.Column("external_id", sa.String(), nullable=True))
    op.add_column("item", sa.Column("title", sa.String(), nullable=True))
    op.create_unique_constraint(op.f("uq_item_task_subject_id"), "item", ["task", "subject_id"])
    op.create_check_constraint(op.f("ck_item_is_of_one_thing"), "item", _ONE_THING)


def _items() -> None:
    """Build the table of items anew: SQLite cannot let a column be empty that could not be.

    The foreign keys of others name it and stay as they are, since nothing is checked until the
    migration ends (`storage.db.migrate`).
    """
    op.create_table(
        "item_wider",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("project_id", sa.Integer(), nullable=False),
        sa.Column("question_id", sa.Integer(), nullable=True),
        sa.Column("task", sa.String(), nullable=False),
        sa.Column("order", sa.Integer(), nullable=False),
        sa.Column("subject_id", sa.Integer(), nullable=True),
        sa.Column("external_id", sa.String(), nullable=True),
        sa.Column("title", sa.String(), nullable=True),
        sa.CheckConstraint(_ONE_THING, name=op.f("ck_item_is_of_one_thing")),
        sa.ForeignKeyConstraint(
            ["project_id"], ["project.id"], name=op.f("fk_item_project_id_project")
        ),
        sa.ForeignKeyConstraint(
            ["question_id"], ["question.id"], name=op.f("fk_item_question_id_question")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_item")),
        sa.UniqueConstraint(
            "project_id", "task", "order", name=op.f("uq_item_project_id_task_order")
        ),
        sa.UniqueConstraint("question_id", "task", name=op.f("uq_item_question_id_task")),
        sa.UniqueConstraint("task", "subject_id", name=op.f("uq_item_task_subject_id")),
    )
    op.execute(
        'INSERT INTO item_wider (id, project_id, question_id, task, "order") '
        'SELECT id, project_id, question_id, task, "order" FROM item ORDER BY id'
    )
    op.drop_table("item")
    op.rename_table("item_wider", "item")


def _candidate_sets() -> None:
    """Build the table of what was suggested anew, with one column more, and guard it again."""
    op.create_table(
        "candidate_set_wider",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("item_id", sa.Integer(), nullable=False),
        sa.Column("snapshot_id", sa.Integer(), nullable=False),
        sa.Column("method", sa.String(), nullable=False),
        sa.Column("citations", sa.JSON(), nullable=False),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.Column("shown", sa.JSON(), nullable=True),
        sa.ForeignKeyConstraint(
            ["item_id"], ["item.id"], name=op.f("fk_candidate_set_item_id_item")
        ),
        sa.ForeignKeyConstraint(
            ["snapshot_id"], ["snapshot.id"], name=op.f("fk_candidate_set_snapshot_id_snapshot")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_candidate_set")),
    )
    columns = "id, item_id, snapshot_id, method, citations, created_at"
    op.execute(
        f"INSERT INTO candidate_set_wider ({columns}) "  # noqa: S608  (names of columns)
        f"SELECT {columns} FROM candidate_set ORDER BY id"
    )
    op.drop_table("candidate_set")
    op.rename_table("candidate_set_wider", "candidate_set")
    op.create_index(op.f("ix_candidate_set_item_id"), "candidate_set", ["item_id"])
    only_added("candidate_set")


def _answers() -> None:
    op.create_table(
        "annotation_answer",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("annotation_id", sa.Integer(), nullable=False),
        sa.Column("field", sa.String(), nullable=False),
        sa.Column("value", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(
            ["annotation_id"],
            ["annotation.id"],
            name=op.f("fk_annotation_answer_annotation_id_annotation"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_annotation_answer")),
        sa.UniqueConstraint(
            "annotation_id", "field", name=op.f("uq_annotation_answer_annotation_id_field")
        ),
    )


def _settlements() -> None:
    op.create_table(
        "settlement",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("item_id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("answers", sa.JSON(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("annotation_ids", sa.JSON(), nullable=False),
        sa.Column("supersedes_id", sa.Integer(), nullable=True),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(["item_id"], ["item.id"], name=op.f("fk_settlement_item_id_item")),
        sa.ForeignKeyConstraint(
            ["person_id"], ["person.id"], name=op.f("fk_settlement_person_id_person")
        ),
        sa.ForeignKeyConstraint(
            ["supersedes_id"],
            ["settlement.id"],
            name=op.f("fk_settlement_supersedes_id_settlement"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_settlement")),
        sa.UniqueConstraint("supersedes_id", name=op.f("uq_settlement_supersedes_id")),
    )
    op.create_index(op.f("ix_settlement_item_id"), "settlement", ["item_id"])
    first = sa.text("supersedes_id IS NULL")
    op.create_index(
        "ux_settlement_first",
        "settlement",
        ["item_id"],
        unique=True,
        sqlite_where=first,
        postgresql_where=first,
    )
