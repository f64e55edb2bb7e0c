"""The levels of units that retrieval searches in a project: a setting with its history.

The newest row of a project counts. Where there is none, `storage.law.passages.RETRIEVED_LEVELS` are
searched. Gold has no influence on it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session, col, func, select

from corpus.model import Level
from storage.db.rows import add_row
from storage.law.passages import RETRIEVED_LEVELS, Levels
from storage.projects import authored
from storage.tables.core import UnitRow
from storage.tables.runs import SearchLevels


@dataclass(frozen=True, slots=True)
class LevelsSaid:
    """The levels that are searched; `person` and `at` are who set them and when.

    Both are None for the default, `person` is also None for the operator.
    """

    levels: Levels
    person: str | None = None
    at: datetime | None = None


def in_order(levels: Iterable[str]) -> Levels:
    """Return the levels, each once, in the order of `corpus.model.Level`.

    Raises ValueError for an unknown level.
    """
    found = {Level(each) for each in levels}
    return tuple(level for level in Level if level in found)


def levels_searched(session: Session, project_id: int) -> Levels:
    """Return the levels that retrieval searches in the project."""
    return levels_said(session, project_id).levels


def levels_said(session: Session, project_id: int) -> LevelsSaid:
    """Return the levels that retrieval searches, and who set them when; the default by nobody."""
    rows = authored(session, SearchLevels, SearchLevels.project_id == project_id)
    if not rows:
        return LevelsSaid(RETRIEVED_LEVELS)
    row, name = rows[-1]
    return LevelsSaid(in_order(row.levels), name, row.at)


def keep_levels(
    session: Session, project_id: int, levels: Levels, by: int | None, at: datetime
) -> bool:
    """Set the levels that retrieval searches in the project; return whether that is a change.

    Without a change nothing is written.
    """
    if levels_searched(session, project_id) == levels:
        return False
    said = [str(level) for level in levels]
    add_row(session, SearchLevels(project_id=project_id, levels=said, by_person_id=by, at=at))
    return True


def level_counts(session: Session, snapshot_id: int) -> dict[Level, int]:
    """Return the number of a snapshot's units of each level, without deleted ones, in order."""
    query = (
        select(UnitRow.level, func.count())
        .where(UnitRow.snapshot_id == snapshot_id, col(UnitRow.deleted).is_(False))
        .group_by(UnitRow.level)
    )
    counts = dict(session.exec(query).all())
    return {level: counts.get(str(level), 0) for level in Level}
