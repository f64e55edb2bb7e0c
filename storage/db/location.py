"""The place of a workspace, known without importing its database's packages."""

from __future__ import annotations

import os
from pathlib import Path

DATABASE_FILE = "touchstone.db"


def workspace_folder(explicit: Path | None = None) -> Path:
    """Return the workspace folder: `explicit`, else $TOUCHSTONE_WORKSPACE, else ``.touchstone``."""
    return explicit or Path(os.environ.get("TOUCHSTONE_WORKSPACE", ".touchstone"))
