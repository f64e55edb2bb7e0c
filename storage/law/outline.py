"""The outline of a snapshot: its statutes, and the units of one of them without their texts."""

from __future__ import annotations

from dataclasses import dataclass

from sqlmodel import Session, col, func, select

from storage.tables.core import StatuteRow, UnitRow


@dataclass(frozen=True, slots=True)
class StatuteLine:
    """A statute in the outline; `statute_id` is its semantic id, `units` how many it has."""

    statute_id: str
    title: str
    tier: int
    units: int


@dataclass(frozen=True, slots=True)
class UnitLine:
    """A unit in the outline; `path` names the chapters it stands under, outermost first."""

    unit_id: str
    label: str
    heading: str
    path: tuple[str, ...]
    deleted: bool


def statute_lines(session: Session, snapshot_id: int) -> list[StatuteLine]:
    """Return the snapshot's statutes by tier, then title."""
    counts = (
        select(UnitRow.statute_id, func.count().label("units"))
        .where(UnitRow.snapshot_id == snapshot_id)
        .group_by(col(UnitRow.statute_id))
        .subquery()
    )
    query = (
        select(StatuteRow.semantic_id, StatuteRow.title, StatuteRow.tier, counts.c.units)
        .join(counts, counts.c.statute_id == StatuteRow.id, isouter=True)
        .where(StatuteRow.snapshot_id == snapshot_id)
        .order_by(col(StatuteRow.tier), col(StatuteRow.title), col(StatuteRow.semantic_id))
    )
    return [StatuteLine(name, title, tier, n or 0) for name, title, tier, n in session.exec(query)]


def unit_lines(session: Session, snapshot_id: int, statute_id: str) -> list[UnitLine]:
    """Return the units of one statute (by semantic id) in document order; none if unknown."""
    query = (
        select(UnitRow.semantic_id, UnitRow.label, UnitRow.heading, UnitRow.path, UnitRow.deleted)  # type: ignore[call-overload]
        .join(StatuteRow, col(StatuteRow.id) == UnitRow.statute_id)
        .where(StatuteRow.snapshot_id == snapshot_id, StatuteRow.semantic_id == statute_id)
        .order_by(col(UnitRow.order), col(UnitRow.id))
    )
    return [
        UnitLine(name, label, heading, tuple(path), deleted)
        for name, label, heading, path, deleted in session.exec(query)
    ]
