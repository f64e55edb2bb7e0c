"""A workspace as a cache key."""

from __future__ import annotations

from dataclasses import dataclass, field

from storage.db.workspace import Workspace


@dataclass(frozen=True)
class ByDatabase:
    """Equal for two objects that open the same database and keep files in the same folder."""

    ws: Workspace = field(compare=False)
    place: str
    folder: str

    @classmethod
    def of(cls, ws: Workspace) -> ByDatabase:
        """Return the key of a workspace."""
        folder = ws.folder.resolve()
        file = str(folder / ws.database.name)
        return cls(ws, ws.place if ws.address.is_postgres else file, str(folder))
