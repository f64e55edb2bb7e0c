"""Provisions as passages for writing and answering questions, and linked pairs."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from itertools import islice
from typing import Any

from sqlalchemy import ColumnElement
from sqlalchemy import select as rows_of
from sqlmodel import Session, col, or_, select

from construction.mcq.model import Passage, head_of
from corpus.graph.model import Edge, EdgeType
from corpus.model import Tier, words_of_place
from errors import UserError
from storage.law.graph import edge_of, graph_view
from storage.law.passages import RETRIEVED_LEVELS
from storage.tables.core import StatuteRow, UnitRow
from storage.tables.graph import EdgeRow

_BATCH = 500  # ids in one query, below every limit on bound parameters


def passages_of(session: Session, numbers: Iterable[int]) -> dict[int, Passage]:
    """Return the units of these database ids as passages, by database id."""
    found: dict[int, Passage] = {}
    rest = iter(sorted(set(numbers)))
    while some := list(islice(rest, _BATCH)):
        found |= passages_where(session, col(UnitRow.id).in_(some))
    return found


def passages_where(session: Session, *conditions: ColumnElement[bool]) -> dict[int, Passage]:
    """Return the units that meet the SQL conditions as passages, by database id."""
    columns: list[Any] = [
        *(col(UnitRow.id), col(UnitRow.semantic_id), col(UnitRow.label), col(UnitRow.heading)),
        *(col(UnitRow.text), col(StatuteRow.semantic_id), col(StatuteRow.title)),
        *(col(StatuteRow.tier), col(StatuteRow.language), col(StatuteRow.kind)),
    ]
    query = rows_of(*columns).join(StatuteRow, col(StatuteRow.id) == col(UnitRow.statute_id))
    found = {}
    for row in session.execute(query.where(*conditions)):
        number, unit, label, heading, text, statute, title, tier, language, kind = row
        head = head_of(*words_of_place(kind, title, label), heading)
        found[number] = Passage(unit, statute, Tier(tier), language, head, text)
    return found


@dataclass(frozen=True, slots=True)
class Linked:
    """Edges between provisions, the provisions by semantic id, and their database ids."""

    edges: list[Edge]
    passages: dict[str, Passage]
    numbers: dict[str, int]


def linked(session: Session, snapshot_id: int, types: Collection[EdgeType]) -> Linked:
    """Return the snapshot's edges of these types, and the provisions at their ends.

    Provisions are articles, sections and annexes that are not deleted and have a text. Raises
    UserError for a snapshot without a graph.
    """
    if graph_view(session, snapshot_id) is None:
        raise UserError("graph_missing")
    wanted = [kind.value for kind in types]
    of_type = col(EdgeRow.snapshot_id) == snapshot_id, col(EdgeRow.type).in_(wanted)
    passages, numbers = _passages(session, snapshot_id, of_type)
    names = {number: unit for unit, number in numbers.items()}
    edges = [
        edge_of(row, names[row.source_unit_id], names[row.target_unit_id])
        for row in session.exec(select(EdgeRow).where(*of_type).order_by(col(EdgeRow.id)))
        if row.source_unit_id in names and row.target_unit_id in names
    ]
    return Linked(edges, passages, numbers)


def _passages(
    session: Session, snapshot_id: int, of_type: tuple[ColumnElement[bool], ...]
) -> tuple[dict[str, Passage], dict[str, int]]:
    ends = [select(end).where(*of_type) for end in (EdgeRow.source_unit_id, EdgeRow.target_unit_id)]
    found = passages_where(
        session,
        col(UnitRow.snapshot_id) == snapshot_id,
        col(UnitRow.level).in_([str(level) for level in RETRIEVED_LEVELS]),
        col(UnitRow.deleted).is_(False),
        col(UnitRow.text_missing).is_(False),
        or_(*(col(UnitRow.id).in_(end) for end in ends)),
    )
    numbers = {each.unit_id: number for number, each in found.items()}
    return {each.unit_id: each for each in found.values()}, numbers
