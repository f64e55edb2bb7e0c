"""Whether people with a batch may work on items in no batch too.

Written out in full and never edited: it must make the same tables whatever the code becomes.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0029"
down_revision = "0028"


def upgrade() -> None:
    """Add the column: in projects of before, too, a batch is all that its people see of a task."""
    op.add_column(
        "project",
        sa.Column("open_pool", sa.Boolean(), nullable=False, server_default=sa.false()),
    )


def downgrade() -> None:
    """Refuse: the way back is the copy that `storage.db.migrate` made."""
    raise NotImplementedError
