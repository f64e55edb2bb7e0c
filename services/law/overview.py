"""Contents of a project: snapshots, an outline of the law in use, counts of questions."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from functools import lru_cache
from itertools import groupby
from typing import Any

from sqlalchemy import Integer, cast, func
from sqlmodel import Session, col, select

from annotation.people.roles import Act, reading_as
from corpus.model import Level, Tier
from storage.db.workspace import ByDatabase, Workspace
from storage.imported_files import has_labels
from storage.law.corpus import SnapshotView, ever_used, id_in_use, required_snapshot, snapshot_by_id
from storage.law.graph import GraphView, graph_view
from storage.law.units import StatuteLine, UnitLine, statute_lines, unit_lines
from storage.tables.core import CandidateSet, Item, QuestionRow, Snapshot, StatuteRow, UnitRow
from storage.tasks import of_task


@dataclass(frozen=True, slots=True)
class SnapshotLine:
    """A snapshot in the list; `in_use` marks the one that new candidates come from.

    `used` is False where it never was: its import was interrupted before activation.
    """

    id: int
    name: str
    effective: date | None
    imported: datetime
    in_use: bool
    used: bool = True


@dataclass(frozen=True, slots=True)
class Overview:
    """Contents of a project.

    `items` are those of citation mapping; `ready` of them have candidates from the snapshot in use.
    `jurisdictions` counts questions by jurisdiction, ascending, "" for unstated. `labelled`: some
    have labels of their source.
    """

    snapshots: tuple[SnapshotLine, ...]
    questions: int
    items: int
    ready: int
    jurisdictions: tuple[tuple[str, int], ...] = ()
    labelled: bool = False

    @property
    def snapshot_id(self) -> int | None:
        """Id of the snapshot in use, None before the first import."""
        return next((line.id for line in self.snapshots if line.in_use), None)


@dataclass(frozen=True, slots=True)
class LevelCount:
    """Number of units of one level in a snapshot, and of deleted and textless ones."""

    level: Level
    units: int
    deleted: int
    text_missing: int


@dataclass(frozen=True, slots=True)
class LawCounts:
    """Statutes per tier and units per level of a snapshot, which never change.

    `jurisdictions` counts statutes by jurisdiction, ascending, "" for unstated.
    """

    tiers: tuple[tuple[Tier, int], ...]
    levels: tuple[LevelCount, ...]
    jurisdictions: tuple[tuple[str, int], ...]

    @property
    def statutes(self) -> int:
        """Number of statutes."""
        return sum(count for _, count in self.tiers)

    @property
    def units(self) -> int:
        """Number of units."""
        return sum(level.units for level in self.levels)


def overview(workspace: Workspace, project_slug: str, by: int | None = None) -> Overview:
    """Return the project's snapshots, newest first, and the numbers of questions and items.

    Raises UserError for an unknown project, and for `by` (None: the operator) of another one.
    """
    with reading_as(workspace, project_slug, by, Act.READ_LAW) as (session, project, _):
        query = select(Snapshot).where(Snapshot.project_id == project.id)
        rows = session.exec(query.order_by(col(Snapshot.id).desc())).all()
        in_use, used = id_in_use(session, project.id), ever_used(session, project.id)
        lines = (
            SnapshotLine(
                *(row.id or 0, row.name, row.effective, row.created_at),
                in_use=row.id == in_use,
                used=row.id in used,
            )
            for row in rows
        )
        asked = QuestionRow.project_id == project.id
        return Overview(
            snapshots=tuple(lines),
            questions=session.exec(select(func.count()).where(asked)).one(),
            items=session.exec(select(func.count()).where(of_task(project.id))).one(),
            ready=len(ready_items(session, project.id, in_use)),
            jurisdictions=_counted(session, QuestionRow.jurisdiction, asked),
            labelled=has_labels(session, project.id),
        )


def _counted(session: Session, column: Any, where: Any) -> tuple[tuple[Any, int], ...]:
    """Count rows by the value of a column, ascending."""
    query = select(column, func.count()).where(where).group_by(col(column)).order_by(col(column))
    return tuple((value, count) for value, count in session.exec(query))


def law_counts(workspace: Workspace, snapshot_id: int) -> LawCounts:
    """Count the law in a snapshot, in the order of tiers and levels."""
    with workspace.reading() as session:
        of_it = StatuteRow.snapshot_id == snapshot_id
        tiers = _counted(session, StatuteRow.tier, of_it)
        jurisdictions = _counted(session, StatuteRow.jurisdiction, of_it)
        flags = (col(UnitRow.deleted), col(UnitRow.text_missing))
        sums = (func.sum(cast(each, Integer)) for each in flags)
        query = select(UnitRow.level, func.count(), *sums).group_by(col(UnitRow.level))
        counted = {
            level: LevelCount(Level(level), *counts)
            for level, *counts in session.exec(query.where(UnitRow.snapshot_id == snapshot_id))
        }
    return LawCounts(
        tiers=tuple((Tier(tier), count) for tier, count in tiers),
        levels=tuple(counted[level] for level in Level if level in counted),
        jurisdictions=jurisdictions,
    )


def ready_items(
    session: Session, project_id: int | None, snapshot_id: int | None
) -> frozenset[int]:
    """Return the ids of citation mapping items that have candidates from the snapshot."""
    if snapshot_id is None:
        return frozenset()
    # Items of other tasks store what they showed as candidate sets too.
    query = select(CandidateSet.item_id).join(Item)
    here = CandidateSet.snapshot_id == snapshot_id, of_task(project_id)
    return frozenset(session.exec(query.where(*here).distinct()))


def graph_counts(workspace: Workspace, snapshot_id: int) -> GraphView | None:
    """Return the size of the snapshot's citation graph, None while it has none."""
    with workspace.reading() as session:
        return graph_view(session, snapshot_id)


@dataclass(frozen=True, slots=True)
class Chapter:
    """The units of one chapter, in document order; those in none have an empty path."""

    path: tuple[str, ...]
    units: tuple[UnitLine, ...]


def current_snapshot(ws: Workspace, project_slug: str, by: int | None = None) -> SnapshotView:
    """Return the snapshot that the project uses.

    Raises UserError for an unknown project, where nothing has been imported, and for `by` (None:
    the operator) of another project.
    """
    with reading_as(ws, project_slug, by, Act.READ_LAW) as (session, project, _):
        return required_snapshot(session, project)


def statutes(ws: Workspace, snapshot_id: int) -> tuple[StatuteLine, ...]:
    """Return the snapshot's statutes by tier, then title; cached in memory."""
    with ws.reading() as session:
        digest = snapshot_by_id(session, snapshot_id).content_hash
    return _cached_statutes(ByDatabase.of(ws), snapshot_id, digest)


def chapters(ws: Workspace, snapshot_id: int, statute_id: str) -> list[Chapter]:
    """Return a statute's units grouped by consecutive chapter."""
    with ws.reading() as session:
        lines = unit_lines(session, snapshot_id, statute_id)
    return [Chapter(path, tuple(units)) for path, units in groupby(lines, lambda each: each.path)]


@lru_cache(maxsize=4)
def _cached_statutes(source: ByDatabase, snapshot_id: int, _digest: str) -> tuple[StatuteLine, ...]:
    with source.ws.reading() as session:
        return tuple(statute_lines(session, snapshot_id))
