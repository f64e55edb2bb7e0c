"""Conversion of unit and statute rows, lookup of units, and the outline without texts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sqlmodel import Session, col, func, select

from corpus.model import Level, Link, Part, Statute, Tier, Unit
from storage.db.columns import view_of
from storage.db.rows import rows_with
from storage.tables.core import StatuteRow, UnitRow
from storage.tables.law import LinkRow


def unit_with_statute(session: Session, number: int) -> tuple[Unit, Statute]:
    """Return the unit with this database id, and its statute without any units.

    Raises NoResultFound for an id that no unit has.
    """
    query = select(UnitRow, StatuteRow).join(StatuteRow)
    row, statute = session.exec(query.where(UnitRow.id == number)).one()
    links = session.exec(select(LinkRow).where(LinkRow.unit_id == number).order_by(col(LinkRow.id)))
    spans = tuple(Link(link.start, link.end, link.href) for link in links)
    return unit_of(row, statute.semantic_id, spans), statute_of(statute)


@dataclass(frozen=True, slots=True)
class UnitWords:
    """The text of a unit: `place` is its statute's title and its label; the rest as in `Unit`."""

    id: int
    snapshot_id: int
    semantic_id: str
    place: str
    heading: str
    text: str
    deleted: bool
    language: str


def unit_words(session: Session, unit_ids: Iterable[int]) -> dict[int, UnitWords]:
    """Return place, text and language of units by database id."""
    query = select(UnitRow, StatuteRow.title, StatuteRow.language)
    query = query.join(StatuteRow)
    return {
        row.id: view_of(UnitWords, row, place=f"{title} {row.label}", language=language)
        for row, title, language in rows_with(session, query, UnitRow.id, unit_ids)
    }


def snapshots_of_units(session: Session, unit_ids: Iterable[int]) -> dict[int, int]:
    """Return the snapshot of each of the units (database ids)."""
    query = select(UnitRow.id, UnitRow.snapshot_id)
    return dict(rows_with(session, query, UnitRow.id, unit_ids))


def unit_of(row: Any, statute_id: str, links: tuple[Link, ...]) -> Unit:
    """Convert a row with the columns of `UnitRow` to a unit."""
    return Unit(
        semantic_id=row.semantic_id,
        statute_id=statute_id,
        level=Level(row.level),
        label=row.label,
        heading=row.heading,
        text=row.text,
        order=row.order,
        path=tuple(row.path),
        parts=tuple(Part(*part) for part in row.parts),
        deleted=row.deleted,
        text_missing=row.text_missing,
        effective=row.effective,
        links=links,
    )


def statute_of(row: StatuteRow, units: tuple[Unit, ...] = ()) -> Statute:
    """Convert a row to a statute with these units."""
    return view_of(Statute, row, tier=Tier(row.tier), units=units)


@dataclass(frozen=True, slots=True)
class StatuteLine:
    """A statute in the outline; `statute_id` is its semantic id, `units` its number of units."""

    statute_id: str
    title: str
    tier: int
    units: int


@dataclass(frozen=True, slots=True)
class UnitLine:
    """A unit in the outline; `path` names its chapters, outermost first."""

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
        .join(counts, isouter=True)
        .where(StatuteRow.snapshot_id == snapshot_id)
        .order_by(col(StatuteRow.tier), col(StatuteRow.title), col(StatuteRow.semantic_id))
    )
    return [StatuteLine(name, title, tier, n or 0) for name, title, tier, n in session.exec(query)]


def unit_lines(session: Session, snapshot_id: int, statute_id: str) -> list[UnitLine]:
    """Return the units of one statute (by semantic id) in document order; [] if unknown."""
    query = (
        select(UnitRow.semantic_id, UnitRow.label, UnitRow.heading, UnitRow.path, UnitRow.deleted)  # type: ignore[call-overload]
        .join(StatuteRow)
        .where(StatuteRow.snapshot_id == snapshot_id, StatuteRow.semantic_id == statute_id)
        .order_by(col(UnitRow.order), col(UnitRow.id))
    )
    return [
        UnitLine(name, label, heading, tuple(path), deleted)
        for name, label, heading, path, deleted in session.exec(query)
    ]
