"""Where provisions went that another snapshot has under another id."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from corpus.compare.compare import compare
from corpus.compare.model import Status
from storage.corpus import load_statutes
from storage.differing import differing
from storage.workspace import Workspace


@dataclass(frozen=True)
class _Pair:
    """Two snapshots of one database, as a cache key."""

    ws: Workspace = field(compare=False)
    database: Path
    old_id: int
    new_id: int


def moved(ws: Workspace, old_id: int, new_id: int) -> Mapping[str, str]:
    """Return the semantic id in the newer snapshot of each renumbered unit of the older one."""
    return _moved(_Pair(ws, ws.database.resolve(), old_id, new_id))


# Snapshots never change, so what a comparison of two found is good for as long as the process.
@lru_cache(maxsize=16)
def _moved(pair: _Pair) -> Mapping[str, str]:
    with pair.ws.reading() as session:
        found = differing(session, pair.old_id, pair.new_id).statutes
        laws = [load_statutes(session, each, found) for each in (pair.old_id, pair.new_id)]
    return {
        each.old.semantic_id: each.new.semantic_id
        for statute in compare(*laws).statutes
        for each in statute.units
        if each.status is Status.RENUMBERED and each.old and each.new
    }
