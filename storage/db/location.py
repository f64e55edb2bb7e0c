"""Where a workspace is, known without the packages that its database takes."""

from __future__ import annotations

import os
from pathlib import Path

DATABASE_FILE = "touchstone.db"


def workspace_folder(explicit: Path | None = None) -> Path:
    """Return the chosen folder: `explicit`, else $TOUCHSTONE_WORKSPACE, else ``.touchstone``."""
    return explicit or Path(os.environ.get("TOUCHSTONE_WORKSPACE", ".touchstone"))
