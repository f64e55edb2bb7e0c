"""What a snapshot has at the place of units that were judged, perhaps on other snapshots."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import cache
from typing import Any

import sqlalchemy
from sqlalchemy import and_, bindparam
from sqlalchemy.orm import aliased
from sqlmodel import Session, col, select

from storage.law.statute_differences import says_otherwise
from storage.tables.core import CandidateRow, CandidateSet, UnitRow

_BATCH = 500  # ids in one query, below every limit on bound parameters


@dataclass(frozen=True, slots=True)
class Counterpart:
    """What stands at the place of a unit in another snapshot.

    `semantic_id` and `label` are those of the unit itself. `now` is the database id of the unit
    that has its semantic id there, None where the place is gone or only marked as deleted.
    `same` says that label, heading and text are what they were.
    """

    semantic_id: str
    label: str
    now: int | None
    same: bool


def counterparts(
    session: Session, unit_ids: Collection[int], snapshot_id: int
) -> dict[int, Counterpart]:
    """Return what the snapshot has at the place of each of the units (database ids)."""
    found: dict[int, Counterpart] = {}
    wanted = sorted(set(unit_ids))
    for start in range(0, len(wanted), _BATCH):
        asked = {"snapshot": snapshot_id, "units": wanted[start : start + _BATCH]}
        rows = session.execute(_query(), asked)
        for number, semantic_id, label, was_deleted, now, deleted, differs in rows:
            gone = now is None or (deleted and not was_deleted)
            found[number] = Counterpart(
                semantic_id, label, None if gone else now, not gone and not differs
            )
    return found


@cache  # aliases are slow to build, and this is asked for whenever an outrun item is drawn
def _query() -> Any:
    here, there = aliased(UnitRow), aliased(UnitRow)
    same_id = col(there.semantic_id) == col(here.semantic_id)
    otherwise = says_otherwise(here, there) | (col(there.label) != col(here.label))
    place = col(there.snapshot_id) == bindparam("snapshot")
    return (
        sqlalchemy.select(
            col(here.id),
            col(here.semantic_id),
            col(here.label),
            col(here.deleted),
            col(there.id),
            col(there.deleted),
            otherwise,
        )
        .outerjoin(there, and_(place, same_id))
        .where(col(here.id).in_(bindparam("units", expanding=True)))
    )


def newest_set_on(session: Session, item_id: int, snapshot_id: int) -> int | None:
    """Return the id of the item's newest candidate set from this snapshot, None if none."""
    query = select(CandidateSet.id).where(
        CandidateSet.item_id == item_id, CandidateSet.snapshot_id == snapshot_id
    )
    return session.exec(query.order_by(col(CandidateSet.id).desc()).limit(1)).first()


def units_suggested(session: Session, set_id: int) -> list[int]:
    """Return the database ids of the candidates of a set, best first."""
    query = select(CandidateRow.unit_id).where(CandidateRow.candidate_set_id == set_id)
    return list(session.exec(query.order_by(col(CandidateRow.rank))))
