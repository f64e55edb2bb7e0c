"""Rows of units and statutes as the dataclasses of law, and one unit with its statute."""

from __future__ import annotations

from typing import Any

from sqlmodel import Session, col, select

from corpus.model import Level, Link, Part, Statute, Tier, Unit
from storage.tables.core import StatuteRow, UnitRow
from storage.tables.graph import LinkRow


def unit_with_statute(session: Session, number: int) -> tuple[Unit, Statute]:
    """Return the unit with this database id, and its statute without any units.

    Raises NoResultFound for an id that no unit has.
    """
    query = select(UnitRow, StatuteRow).join(StatuteRow, col(StatuteRow.id) == UnitRow.statute_id)
    row, statute = session.exec(query.where(UnitRow.id == number)).one()
    links = session.exec(select(LinkRow).where(LinkRow.unit_id == number).order_by(col(LinkRow.id)))
    spans = tuple(Link(link.start, link.end, link.href) for link in links)
    return unit_of(row, statute.semantic_id, spans), statute_of(statute)


def unit_of(row: Any, statute_id: str, links: tuple[Link, ...]) -> Unit:
    """Return the unit of a row that has the columns of `UnitRow`."""
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
    """Return the statute of a row, with these units."""
    return Statute(
        semantic_id=row.semantic_id,
        title=row.title,
        kind=row.kind,
        tier=Tier(row.tier),
        language=row.language,
        units=units,
        promulgated=row.promulgated,
        number=row.number,
        effective=row.effective,
        source=row.source,
        file=row.file,
    )
