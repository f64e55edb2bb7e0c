"""What became of the law between two snapshots, compared once for as long as the process lives."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from corpus.compare.compare import compare
from corpus.compare.model import Comparison
from storage.db.workspace import Workspace
from storage.db.workspace_key import ByDatabase
from storage.law.corpus import load_statutes
from storage.law.statute_differences import differing


@dataclass(frozen=True, slots=True)
class Compared:
    """The statutes that differ, compared; of the others, how many there are with how many units."""

    comparison: Comparison
    same_statutes: int
    same_units: int


def compared(ws: Workspace, old_id: int, new_id: int) -> Compared:
    """Return what became of the law of the older snapshot in the newer one."""
    return _compared(ByDatabase.of(ws), old_id, new_id)


# Snapshots never change, so what a comparison of two found is good for ever.
@lru_cache(maxsize=4)
def _compared(source: ByDatabase, old_id: int, new_id: int) -> Compared:
    with source.ws.reading() as session:
        found = differing(session, old_id, new_id)
        laws = [load_statutes(session, each, found.statutes) for each in (old_id, new_id)]
    return Compared(compare(*laws), found.same_statutes, found.same_units)
