"""Where provisions went that another snapshot has under another id."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from corpus.compare.model import Status
from storage.db.workspace import Workspace
from storage.db.workspace_key import ByDatabase
from storage.law.comparison import compared


def mapped_units(ws: Workspace, old_id: int, new_id: int) -> Mapping[str, str]:
    """Return the semantic id in the newer snapshot of each renumbered unit of the older one."""
    return _moved(ByDatabase.of(ws), old_id, new_id)


@lru_cache(maxsize=16)  # small beside the comparison, and asked for while others wait to write
def _moved(source: ByDatabase, old_id: int, new_id: int) -> Mapping[str, str]:
    return {
        each.old.semantic_id: each.new.semantic_id
        for statute in compared(source.ws, old_id, new_id).comparison.statutes
        for each in statute.units
        if each.status is Status.RENUMBERED and each.old and each.new
    }
