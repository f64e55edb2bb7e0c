"""Candidate sets by the method they were made with, whichever of an item's sets is the newest.

What an annotator is shown is the newest set of an item. What a decision is held against is another
matter: the set that the same method made from other law, so that a set made later in another way
says nothing of it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import TypeVar

import sqlalchemy
from sqlmodel import Session, col, select

from storage.tables.candidate_ways import CandidateWay
from storage.tables.core import CandidateRow, CandidateSet

_BATCH = 500  # ids in one query, below every limit on bound parameters
_T = TypeVar("_T", bound=int)


@dataclass(frozen=True, slots=True)
class Pin:
    """What a candidate set was made of: its item, its snapshot, and the name of its method."""

    item_id: int
    snapshot_id: int
    method: str


def pins(session: Session, set_ids: Iterable[int]) -> dict[int, Pin]:
    """Return what each of the candidate sets was made of."""
    query = select(
        CandidateSet.id, CandidateSet.item_id, CandidateSet.snapshot_id, CandidateSet.method
    )
    return {
        number or 0: Pin(item_id, snapshot_id, method)
        for some in _batches(set_ids)
        for number, item_id, snapshot_id, method in session.exec(
            query.where(col(CandidateSet.id).in_(some))
        )
    }


def sets_by_method(
    session: Session, snapshot_id: int, wanted: Collection[tuple[int, str]]
) -> dict[tuple[int, str], int]:
    """Return the candidate set from the snapshot of each (item, method) that has one.

    It is the first that the method made, for what is made later changes nothing; else the first
    that was made in its place. Sets from before methods were kept speak for any method, as they
    did then, and of them the newest.
    """
    rows: dict[int, list[tuple[int, str, str | None, bool]]] = {}
    query = sqlalchemy.select(
        col(CandidateSet.item_id),
        col(CandidateSet.id),
        col(CandidateSet.method),
        col(CandidateWay.in_place_of),
        col(CandidateWay.id).is_(None),
    )
    query = query.outerjoin(CandidateWay, col(CandidateWay.candidate_set_id) == CandidateSet.id)
    query = query.where(col(CandidateSet.snapshot_id) == snapshot_id)
    for some in _batches(item_id for item_id, _ in wanted):
        found = query.where(col(CandidateSet.item_id).in_(some)).order_by(col(CandidateSet.id))
        for item_id, number, method, instead, old in session.execute(found):
            rows.setdefault(item_id, []).append((number or 0, method, instead, old))
    chosen = {key: _chosen(rows.get(key[0], ()), key[1]) for key in sorted(wanted)}
    return {key: number for key, number in chosen.items() if number is not None}


def made_already(
    session: Session, snapshot_id: int, wanted: Collection[tuple[int, str]]
) -> dict[tuple[int, str], int]:
    """Return the first set that the very method made from the snapshot for each (item, method)."""
    found: dict[tuple[int, str], int] = {}
    query = (
        select(CandidateSet.item_id, CandidateSet.method, CandidateSet.id)
        .join(CandidateWay, col(CandidateWay.candidate_set_id) == CandidateSet.id)
        .where(CandidateSet.snapshot_id == snapshot_id, col(CandidateWay.in_place_of).is_(None))
        .order_by(col(CandidateSet.id))
    )
    for some in _batches(item_id for item_id, _ in wanted):
        for item_id, method, number in session.exec(
            query.where(col(CandidateSet.item_id).in_(some))
        ):
            if (item_id, method) in wanted:
                found.setdefault((item_id, method), number or 0)
    return found


def units_of_sets(session: Session, set_ids: Iterable[int]) -> dict[int, list[int]]:
    """Return the database ids of the candidates of each of the sets, best first."""
    found: dict[int, list[int]] = {}
    query = select(CandidateRow.candidate_set_id, CandidateRow.unit_id)
    for some in _batches(set_ids):
        asked = query.where(col(CandidateRow.candidate_set_id).in_(some))
        rows = asked.order_by(col(CandidateRow.candidate_set_id), col(CandidateRow.rank))
        for set_id, unit_id in session.exec(rows):
            found.setdefault(set_id, []).append(unit_id)
    return found


def _chosen(rows: Collection[tuple[int, str, str | None, bool]], method: str) -> int | None:
    """Return the set among those of an item, in order of their ids, that speaks for the method."""
    made = [number for number, name, _, _ in rows if name == method]
    made += [number for number, _, instead, _ in rows if instead == method]
    if made:
        return made[0]
    return max((number for number, _, _, old in rows if old), default=None)


def _batches(values: Iterable[_T]) -> Iterator[list[_T]]:
    ordered = sorted(set(values))
    for start in range(0, len(ordered), _BATCH):
        yield ordered[start : start + _BATCH]
