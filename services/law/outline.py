"""The outline of the corpus that people browse: statutes by tier, units by chapter."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby

from annotation.people.roles import Act, reading_as
from storage.db.workspace import ByDatabase, Workspace
from storage.law.corpus import SnapshotView, required_snapshot, snapshot_by_id
from storage.law.units import StatuteLine, UnitLine, statute_lines, unit_lines


@dataclass(frozen=True, slots=True)
class Chapter:
    """The units under one chapter, in document order; those under none have an empty path."""

    path: tuple[str, ...]
    units: tuple[UnitLine, ...]


def current_snapshot(ws: Workspace, project_slug: str, by: int | None = None) -> SnapshotView:
    """Return the snapshot that the project uses.

    Raises UserError for an unknown project, where nothing has been imported, and for `by` (None:
    the operator) of another project.
    """
    with reading_as(ws, project_slug, by, Act.READ_LAW) as (session, project):
        return required_snapshot(session, project)


def statutes(ws: Workspace, snapshot_id: int) -> tuple[StatuteLine, ...]:
    """Return the snapshot's statutes by tier, then title; kept in memory for the snapshot."""
    with ws.reading() as session:
        digest = snapshot_by_id(session, snapshot_id).content_hash
    return _statutes(ByDatabase.of(ws), snapshot_id, digest)


def chapters(ws: Workspace, snapshot_id: int, statute_id: str) -> list[Chapter]:
    """Return a statute's units, those that follow each other under one chapter together."""
    with ws.reading() as session:
        lines = unit_lines(session, snapshot_id, statute_id)
    return [Chapter(path, tuple(units)) for path, units in groupby(lines, lambda each: each.path)]


@lru_cache(maxsize=4)
def _statutes(source: ByDatabase, snapshot_id: int, _digest: str) -> tuple[StatuteLine, ...]:
    with source.ws.reading() as session:
        return tuple(statute_lines(session, snapshot_id))
