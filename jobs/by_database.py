"""A workspace as a cache key."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from storage.workspace import Workspace


@dataclass(frozen=True)
class ByDatabase:
    """Equal for two objects that open the same database file."""

    ws: Workspace = field(compare=False)
    database: Path

    @classmethod
    def of(cls, ws: Workspace) -> ByDatabase:
        """Return the key of a workspace."""
        return cls(ws, ws.database.resolve())
