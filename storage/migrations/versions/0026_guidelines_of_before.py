"""The guidelines and codebooks that came with Touchstone until now, kept where they hold.

Written out in full and never edited: it must write the same rows whatever the code becomes.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from storage.migrations.documents import texts_before

revision = "0026"
down_revision = "0025"

_FIRST = 1  # the number that these texts state


def upgrade() -> None:
    """Keep version 1 in each project, as a first edit does; what a project has stays as it is.

    Nobody did anything: no person is named, and the text holds since the project was made.
    """
    document, project = _document(), sa.table("project", sa.column("id"), sa.column("created_at"))
    connection = op.get_bind()
    named = sa.select(document.c.project_id, document.c.kind, document.c.task)
    own = {tuple(row) for row in connection.execute(named)}
    rows = [
        {
            "project_id": number,
            "kind": kind,
            "task": task,
            "number": _FIRST,
            "language": language,
            "text": text,
            "note": "",
            "by_person_id": None,
            "at": made,
        }
        for number, made in connection.execute(
            sa.select(project.c.id, project.c.created_at).order_by(project.c.id)
        ).all()
        for (kind, task), texts in texts_before(revision).items()
        if (number, kind, task) not in own
        for language, text in texts.items()
    ]
    if rows:
        connection.execute(document.insert(), rows)


def downgrade() -> None:
    """Refuse: the way back is the copy that `storage.db.migrate` made."""
    raise NotImplementedError


def _document() -> sa.TableClause:
    names = ("project_id", "kind", "task", "number", "language", "text", "note", "by_person_id")
    return sa.table("document", *map(sa.column, names), sa.column("at"))
