"""What a message is: words, a request to have a submission back, or why it was declined.

Written out in full and never edited: it must make the same tables whatever the code becomes.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    """Add the column; what was written before are words."""
    op.add_column("comment", sa.Column("kind", sa.String(), nullable=False, server_default=""))


def downgrade() -> None:
    """Refuse: the way back is the copy that `storage.db.migrate` made."""
    raise NotImplementedError
