"""Text of governing provisions in a snapshot, and versions of the axes by number."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from sqlmodel import Session, col, select

from storage.tables.augmentation import AxesRow
from storage.tables.core import StatuteRow, UnitRow

_AT_ONCE = 500  # ids in one query, below every limit on bound parameters


@dataclass(frozen=True, slots=True)
class Governing:
    """A provision as the rubric reads it (`construction.augmentation.rubric.Governing`)."""

    unit_id: str
    statute_id: str
    tier: int | None
    text: str


def governing(session: Session, snapshot_id: int, units: Collection[str]) -> dict[str, Governing]:
    """Return the units that the snapshot has and that are not deleted, by semantic id."""
    wanted = sorted(set(units))
    found: dict[str, Governing] = {}
    for start in range(0, len(wanted), _AT_ONCE):
        query = (
            select(UnitRow.semantic_id, StatuteRow.semantic_id, StatuteRow.tier, UnitRow.text)
            .join(StatuteRow, col(StatuteRow.id) == UnitRow.statute_id)
            .where(
                UnitRow.snapshot_id == snapshot_id,
                col(UnitRow.deleted).is_(False),
                col(UnitRow.semantic_id).in_(wanted[start : start + _AT_ONCE]),
            )
        )
        found |= {row[0]: Governing(*row) for row in session.exec(query)}
    return found


def axes_texts(session: Session, project_id: int) -> dict[int, str]:
    """Return the text of every version of the axes that the project has saved, by number."""
    query = select(AxesRow.number, AxesRow.text).where(AxesRow.project_id == project_id)
    return dict(session.exec(query).all())
