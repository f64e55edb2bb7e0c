"""Provisions as whoever writes or solves a question is shown them."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import Any

from sqlalchemy import ColumnElement, select
from sqlmodel import Session, col

from construction.mcq.model import Passage, head_of
from corpus.model import Tier
from storage.tables.core import StatuteRow, UnitRow

_BATCH = 500  # ids in one query, below every limit on bound parameters


def passages_of(session: Session, numbers: Iterable[int]) -> dict[int, Passage]:
    """Return the units of these database ids as passages."""
    found: dict[int, Passage] = {}
    rest = iter(sorted(set(numbers)))
    while some := list(islice(rest, _BATCH)):
        found |= passages_where(session, col(UnitRow.id).in_(some))
    return found


def passages_where(session: Session, *conditions: ColumnElement[bool]) -> dict[int, Passage]:
    """Return the units that meet the conditions as passages, by database id."""
    columns: list[Any] = [
        *(col(UnitRow.id), col(UnitRow.semantic_id), col(UnitRow.label), col(UnitRow.heading)),
        *(col(UnitRow.text), col(StatuteRow.semantic_id), col(StatuteRow.title)),
        *(col(StatuteRow.tier), col(StatuteRow.language)),
    ]
    query = select(*columns).join(StatuteRow, col(StatuteRow.id) == col(UnitRow.statute_id))
    return {
        number: Passage(unit, statute, Tier(tier), language, head_of(title, label, heading), text)
        for number, unit, label, heading, text, statute, title, tier, language in session.execute(
            query.where(*conditions)
        )
    }
