"""Files of questions that were brought in, among the files of which that is kept.

Written out in full and never edited: it must make the same tables whatever the code becomes.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from storage.migrations.guards import only_added

revision = "0028"
down_revision = "0027"

_KINDS = "kind IN ('votes', 'verdicts', 'questions')"


def upgrade() -> None:
    """Let the table have one kind of file more. Of files of before nobody recorded who brought."""
    if op.get_context().dialect.name == "postgresql":
        name = op.f("ck_imported_file_kind_is_known")
        op.drop_constraint(name, "imported_file")
        op.create_check_constraint(name, "imported_file", _KINDS)
    else:
        _rebuild()


def _rebuild() -> None:
    """Build the table anew, as SQLite changes no rule of one that stands, and guard it again."""
    op.create_table(
        "imported_file_wider",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("project_id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("sha256", sa.String(), nullable=False),
        sa.Column("lines", sa.Integer(), nullable=False),
        sa.Column("by_person_id", sa.Integer(), nullable=True),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.CheckConstraint(_KINDS, name=op.f("ck_imported_file_kind_is_known")),
        sa.ForeignKeyConstraint(
            ["by_person_id"], ["person.id"], name=op.f("fk_imported_file_by_person_id_person")
        ),
        sa.ForeignKeyConstraint(
            ["project_id"], ["project.id"], name=op.f("fk_imported_file_project_id_project")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_imported_file")),
    )
    columns = "id, project_id, kind, name, sha256, lines, by_person_id, at"
    op.execute(
        f"INSERT INTO imported_file_wider ({columns}) "  # noqa: S608  (names of columns)
        f"SELECT {columns} FROM imported_file ORDER BY id"
    )
    op.drop_table("imported_file")
    op.rename_table("imported_file_wider", "imported_file")
    only_added("imported_file")


def downgrade() -> None:
    """Refuse: the way back is the copy that `storage.db.migrate` made."""
    raise NotImplementedError
