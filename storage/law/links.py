"""Keeping the hyperlinks that units came with; most sources have none."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from sqlalchemy import insert
from sqlmodel import Session, col, select

from corpus.model import Link, Statute
from storage.tables.core import UnitRow
from storage.tables.graph import LinkRow


def insert_links(session: Session, snapshot_id: int, statutes: Sequence[Statute]) -> None:
    """Add the links of the statutes' units, which the snapshot must hold already."""
    linked = {u.semantic_id: u.links for one in statutes for u in one.units if u.links}
    if not linked:
        return
    query = select(UnitRow.semantic_id, UnitRow.id).where(UnitRow.snapshot_id == snapshot_id)
    numbers = dict(session.exec(query).all())
    rows = [
        {"unit_id": numbers[unit], "start": link.start, "end": link.end, "href": link.href}
        for unit, links in linked.items()
        for link in links
    ]
    session.execute(insert(LinkRow), rows)


def load_links(session: Session, snapshot_id: int) -> dict[int, tuple[Link, ...]]:
    """Return the links of each unit of the snapshot that has any, by the unit's database id."""
    query = (
        select(LinkRow)
        .join(UnitRow, col(UnitRow.id) == LinkRow.unit_id)
        .where(UnitRow.snapshot_id == snapshot_id)
        .order_by(col(LinkRow.id))
    )
    found: dict[int, list[Link]] = defaultdict(list)
    for row in session.exec(query):
        found[row.unit_id].append(Link(row.start, row.end, row.href))
    return {unit: tuple(links) for unit, links in found.items()}
