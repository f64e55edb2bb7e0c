"""Differences between two snapshots, and counterparts of units in another snapshot.

They are found in the database so that only changed statutes are read. A comparison of the whole law
would otherwise read hundreds of megabytes to find a few amendments. Each pair of snapshots is
compared once per process.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache, lru_cache
from typing import Any

import sqlalchemy
from sqlalchemy import ColumnElement, and_, bindparam, func, or_
from sqlalchemy.orm import aliased
from sqlmodel import Session, col, select

from corpus.compare.compare import compare
from corpus.compare.model import Comparison
from normalization import composed
from storage.db.rows import chunks
from storage.db.workspace import ByDatabase, Workspace
from storage.law.corpus import load_statutes, statute_titles
from storage.tables.core import CandidateRow, CandidateSet, StatuteRow, UnitRow


@dataclass(frozen=True, slots=True)
class Compared:
    """The comparison of the statutes that differ, and the number of equal statutes and units."""

    comparison: Comparison
    same_statutes: int
    same_units: int


def compared(ws: Workspace, old_id: int, new_id: int) -> Compared:
    """Compare the law of an older snapshot with that of a newer one."""
    return _compare_snapshots(ByDatabase.of(ws), old_id, new_id)


# Snapshots never change, so a comparison never expires.
@lru_cache(maxsize=4)
def _compare_snapshots(source: ByDatabase, old_id: int, new_id: int) -> Compared:
    """Load the statutes that differ between two snapshots, and compare them."""
    with source.ws.reading() as session:
        found = differing(session, old_id, new_id)
        laws = [load_statutes(session, each, found.statutes) for each in (old_id, new_id)]
    return Compared(compare(*laws), found.same_statutes, found.same_units)


@dataclass(frozen=True, slots=True)
class Differing:
    """Semantic ids of the statutes that differ or are in one snapshot only, ascending.

    `same_statutes` and `same_units` count those that are equal in both; of units only those that
    are not deleted.
    """

    statutes: tuple[str, ...]
    same_statutes: int
    same_units: int


def differing(session: Session, old_id: int, new_id: int) -> Differing:
    """Return the statutes that differ in title or a unit's content; count those that do not.

    The content is heading, text, and whether the unit is deleted or its text is missing.
    """
    titles = [statute_titles(session, each) for each in (old_id, new_id)]
    found = {
        each
        for each in titles[0].keys() | titles[1].keys()
        if titles[0].get(each) != titles[1].get(each)
    }
    found |= _touched(session, old_id, new_id, differs_or_missing)
    found |= _touched(session, new_id, old_id, _is_missing)
    same = titles[1].keys() - found
    return Differing(tuple(sorted(found)), len(same), _count_units(session, new_id, found))


def deleted_units(session: Session, snapshot_id: int) -> int:
    """Count the units of the snapshot that are marked as deleted."""
    query = select(func.count()).select_from(UnitRow)
    query = query.where(UnitRow.snapshot_id == snapshot_id, col(UnitRow.deleted))
    return session.exec(query).one()


def statute_dates(session: Session, snapshot_id: int) -> dict[str, tuple[date | None, date | None]]:
    """Return each statute's dates of promulgation and of effect, by semantic id."""
    query = select(  # type: ignore[type-var]
        StatuteRow.semantic_id, StatuteRow.promulgated, StatuteRow.effective
    )
    rows = session.exec(query.where(StatuteRow.snapshot_id == snapshot_id))
    return {name: (promulgated, effective) for name, promulgated, effective in rows}


def differs_or_missing(here: type[UnitRow], there: type[UnitRow]) -> ColumnElement[bool]:
    """Return the SQL condition that `there`, outer joined to `here`, is missing or differs."""
    return or_(
        _is_missing(here, there),
        col(there.text) != col(here.text),
        col(there.heading) != col(here.heading),
        col(there.deleted) != col(here.deleted),
        col(there.text_missing) != col(here.text_missing),
    )


def _is_missing(_here: type[UnitRow], there: type[UnitRow]) -> ColumnElement[bool]:
    """SQL condition that a unit has no counterpart."""
    return col(there.id).is_(None)


def _touched(
    session: Session,
    here_id: int,
    there_id: int,
    differs: Callable[[type[UnitRow], type[UnitRow]], ColumnElement[bool]],
) -> set[str]:
    """Return the ids of `here_id`'s statutes with a unit that `differs` from that of `there_id`."""
    here, there = aliased(UnitRow), aliased(UnitRow)
    query = (
        select(StatuteRow.semantic_id)
        .join(here)
        .outerjoin(there, _at_one_place(here, there, there_id))
        .where(col(here.snapshot_id) == here_id, differs(here, there))
        .distinct()
    )
    return set(session.exec(query))


def _at_one_place(here: type[UnitRow], there: type[UnitRow], there_id: int) -> ColumnElement[bool]:
    """SQL condition that two units have the same id."""
    same_id = col(there.semantic_id) == col(here.semantic_id)
    return and_(col(there.snapshot_id) == there_id, same_id)


def _count_units(session: Session, snapshot_id: int, without: set[str]) -> int:
    """Count the units in force, but for those of the statutes `without` (semantic ids)."""
    query = (
        select(StatuteRow.semantic_id, func.count())
        .join(UnitRow)
        .where(UnitRow.snapshot_id == snapshot_id, col(UnitRow.deleted).is_(False))
        .group_by(StatuteRow.semantic_id)
    )
    return sum(count for statute, count in session.exec(query) if statute not in without)


@dataclass(frozen=True, slots=True)
class Counterpart:
    """The counterpart of a unit in another snapshot.

    `semantic_id` and `label` are those of the unit itself. `now` is the database id of the unit
    that has its semantic id there, None where there is none or it is marked as deleted. `same` is
    whether label, heading and text are equal.
    """

    semantic_id: str
    label: str
    now: int | None
    same: bool


def counterparts(
    session: Session, unit_ids: Collection[int], snapshot_id: int
) -> dict[int, Counterpart]:
    """Return the snapshot's counterpart of each unit (database ids)."""
    found: dict[int, Counterpart] = {}
    for some in chunks(unit_ids):
        asked = {"snapshot": snapshot_id, "units": some}
        rows = session.execute(_query(), asked).all()
        pairs = [(row[0], row[4]) for row in rows if row[4] and row[6]]
        reformed = _composed_alike(session, pairs) if pairs else set()
        for number, semantic_id, label, was_deleted, now, deleted, differs in rows:
            differs = differs and number not in reformed
            gone = now is None or (deleted and not was_deleted)
            found[number] = Counterpart(
                semantic_id, label, None if gone else now, not gone and not differs
            )
    return found


def _composed_alike(session: Session, pairs: Sequence[tuple[int, int]]) -> set[int]:
    """Return the first of each pair of units that are equal after Unicode composition (NFC).

    Imports of older versions composed text only in part.
    """
    query = select(UnitRow).where(col(UnitRow.id).in_({each for pair in pairs for each in pair}))
    said = {
        row.id: (*map(composed, (row.label, row.heading, row.text)), row.deleted, row.text_missing)
        for row in session.exec(query)
    }
    return {old for old, new in pairs if said[old] == said[new]}


@cache  # building the aliases is slow, and outdated items ask for it at every view
def _query() -> Any:
    """Return the query of units with their counterparts in a snapshot, and whether they differ."""
    here, there = aliased(UnitRow), aliased(UnitRow)
    same_id = col(there.semantic_id) == col(here.semantic_id)
    otherwise = differs_or_missing(here, there) | (col(there.label) != col(here.label))
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
