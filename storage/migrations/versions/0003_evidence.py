"""The words of an accepted provision that answer its question."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "v1_0003"
down_revision = "v1_0002"


def upgrade() -> None:
    """Let labels and decisions carry evidence, and a project ask for it."""
    for table in ("annotation_label", "adjudication_label"):
        op.add_column(table, sa.Column("evidence", sa.JSON, nullable=True))
    asks = sa.Column("evidence", sa.Boolean, nullable=False, server_default=sa.false())
    op.add_column("project", asks)


def downgrade() -> None:
    """Refuse: what people marked would be lost."""
    raise NotImplementedError
