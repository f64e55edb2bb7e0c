"""Candidate sets of items: storage, and reading the newest or those of one method.

Annotators are shown the newest set of an item. A decision is compared with another one: the set
that the same method made from other law, so that sets made later in other ways do not matter.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import TYPE_CHECKING, Any, TypeAlias

import sqlalchemy
from sqlalchemy import bindparam
from sqlmodel import Session, col, insert, select

from errors import UserError
from normalization.grouping import grouped
from storage.db.columns import add_rows
from storage.db.rows import rows_with
from storage.subjects import is_newest_set
from storage.tables.core import CandidateRow, CandidateSet, CandidateWay, Item, UnitRow

if TYPE_CHECKING:
    from construction.mapping import Candidate
    from construction.mapping import CandidateSet as Proposal
    from corpus.citations.model import Resolution


_BATCH = 500  # proposals written together


@dataclass(frozen=True, slots=True)
class ShownSet:
    """The ids of a candidate set and of the snapshot that it was built from."""

    id: int
    snapshot_id: int


@dataclass(frozen=True, slots=True)
class ToKeep:
    """The proposed candidates of an item.

    `method` is the method's name with its parameters; `spec` and `in_place_of` are those of
    `CandidateWay`, `spec` None where unknown.
    """

    item_id: int
    method: str
    proposal: Proposal
    spec: Mapping[str, Any] | None = None
    in_place_of: str | None = None


def keep_all_candidates(
    session: Session,
    snapshot_id: int,
    proposed: Sequence[ToKeep],
    units: Mapping[str, int],
    at: datetime,
) -> list[int]:
    """Store proposals as their items' newest candidate sets, in this order; return the sets' ids.

    `units` gives the database id of each unit of the snapshot by semantic id. Raises UserError for
    a proposed unit that the snapshot lacks.
    """
    kept: list[int] = []
    for start in range(0, len(proposed), _BATCH):
        kept += _store_sets(session, snapshot_id, proposed[start : start + _BATCH], units, at)
    return kept


def _store_sets(
    session: Session,
    snapshot_id: int,
    proposed: Sequence[ToKeep],
    units: Mapping[str, int],
    at: datetime,
) -> list[int]:
    """Store proposals with their candidates and methods; return the ids of the sets, in order."""
    sets = [
        CandidateSet(
            item_id=each.item_id,
            snapshot_id=snapshot_id,
            method=each.method,
            citations=[_citation(resolution) for resolution in each.proposal.citations],
            created_at=at,
        )
        for each in proposed
    ]
    add_rows(session, sets)
    kept = [(row.id or 0, each) for row, each in zip(sets, proposed, strict=True)]
    session.add_all(
        CandidateWay(candidate_set_id=number, spec=dict(each.spec), in_place_of=each.in_place_of)
        for number, each in kept
        if each.spec is not None
    )
    rows = [
        _candidate(number, candidate, units)
        for number, each in kept
        for candidate in each.proposal.candidates
    ]
    if rows:
        session.execute(insert(CandidateRow), rows)
    return [number for number, _ in kept]


def show_again(session: Session, set_ids: Sequence[int], at: datetime) -> None:
    """Store copies of candidate sets as their items' newest ones, in this order."""
    kept = {
        row.id: row for row in rows_with(session, select(CandidateSet), CandidateSet.id, set_ids)
    }
    plain = ("item_id", "snapshot_id", "method", "citations")
    new = [
        CandidateSet(**{name: getattr(kept[each], name) for name in plain}, created_at=at)
        for each in set_ids
    ]
    add_rows(session, new)
    numbers = {old: row.id or 0 for old, row in zip(set_ids, new, strict=True)}
    _copy_rows(session, CandidateWay, numbers)
    _copy_rows(session, CandidateRow, numbers)


def _copy_rows(
    session: Session, table: type[CandidateWay | CandidateRow], numbers: Mapping[int, int]
) -> None:
    """Copy the rows of candidate sets to other sets: `numbers` maps old ids to new ones."""
    columns = [column for column in sqlalchemy.inspect(table).columns if column.name != "id"]
    query = sqlalchemy.select(*columns).order_by(col(table.id))
    found = rows_with(session, query, table.candidate_set_id, numbers)
    rows = [dict(row._mapping) for row in found]
    for row in rows:
        row["candidate_set_id"] = numbers[row["candidate_set_id"]]
    if rows:
        session.execute(insert(table), rows)


def newest_set_id(session: Session, item_id: int) -> int | None:
    """Return the id of the item's newest candidate set, None when none has been built."""
    found: int | None = session.execute(_newest(), {"item_id": item_id}).scalar()
    return found


def shown_set(session: Session, set_id: int) -> ShownSet:
    """Return the candidate set of that id, without its citations."""
    return ShownSet(*session.execute(_set_with_snapshot_query(), {"set_id": set_id}).one())


@cache  # building a statement takes longer than running it
def _newest() -> Any:
    """Query of an item's newest candidate set."""
    query = sqlalchemy.select(col(CandidateSet.id)).order_by(col(CandidateSet.id).desc()).limit(1)
    return query.where(col(CandidateSet.item_id) == bindparam("item_id"))


@cache
def _set_with_snapshot_query() -> Any:
    """Return the query of a candidate set's id and snapshot, by the id."""
    query = sqlalchemy.select(col(CandidateSet.id), col(CandidateSet.snapshot_id))
    return query.where(col(CandidateSet.id) == bindparam("set_id"))


def newest_methods(session: Session, project_id: int) -> dict[int, tuple[int, str]]:
    """Return (snapshot id, method, "" for a stand-in) of each item's newest candidate set.

    The method is "" where it replaced the one asked for.
    """
    return {
        item_id: (snapshot_id, "" if instead else method)
        for item_id, snapshot_id, method, instead in _newest_sets(session, project_id)
    }


def wanted_methods(session: Session, project_id: int) -> dict[int, tuple[int, str]]:
    """Return (snapshot id, method asked for) of each item's newest candidate set."""
    return {
        item_id: (snapshot_id, instead or method)
        for item_id, snapshot_id, method, instead in _newest_sets(session, project_id)
    }


def _newest_sets(session: Session, project_id: int) -> list[tuple[int, int, str, str | None]]:
    """Return the newest candidate set of every item: item, snapshot, method, stand-in."""
    query = (
        select(
            CandidateSet.item_id,
            CandidateSet.snapshot_id,
            CandidateSet.method,
            CandidateWay.in_place_of,
        )
        .outerjoin(CandidateWay)
        .where(is_newest_set(project_id))
    )
    return [(row[0], row[1], row[2], row[3]) for row in session.exec(query)]


def kept_spec(session: Session, project_id: int, method: str) -> dict[str, Any] | None:
    """Return the spec of the newest set of that method, None where none is stored.

    It is {} for the standard method.
    """
    query = (
        select(CandidateWay.spec)
        .join(CandidateSet)
        .join(Item)
        .where(Item.project_id == project_id, CandidateSet.method == method)
        .order_by(col(CandidateSet.id).desc())
        .limit(1)
    )
    found = session.exec(query).first()
    return None if found is None else dict(found)


def _citation(resolution: Resolution) -> dict[str, Any]:
    """Return a resolved citation as stored."""
    citation = resolution.citation
    kept = {"kept_in": resolution.kept_in} if resolution.kept_in else {}
    return kept | {
        "text": citation.text,
        "start": citation.start,
        "end": citation.end,
        "instrument": citation.instrument,
        "instrument_title": resolution.instrument_title,
        "status": str(resolution.status),
        "reason": None if resolution.reason is None else str(resolution.reason),
        "targets": [{"unit": t.unit_id, "pinpoint": t.pinpoint} for t in resolution.targets],
        "remaining": list(resolution.unit_ids),
    }


def _candidate(set_id: int, candidate: Candidate, units: Mapping[str, int]) -> dict[str, Any]:
    """Return a candidate as stored. Raises UserError for a unit that is not in `units`."""
    if candidate.unit_id not in units:
        raise UserError("candidate_unknown", unit=candidate.unit_id)
    reasons = [
        {
            "source": str(why.source),
            "rank": why.rank,
            "score": why.score,
            "citation": why.citation,
            "pinpoint": why.pinpoint,
        }
        for why in candidate.why
    ]
    return {
        "candidate_set_id": set_id,
        "unit_id": units[candidate.unit_id],
        "rank": candidate.rank,
        "why": reasons,
    }


@dataclass(frozen=True, slots=True)
class Pin:
    """The origin of a candidate set: its item, its snapshot, and the name of its method."""

    item_id: int
    snapshot_id: int
    method: str


def pins(session: Session, set_ids: Iterable[int]) -> dict[int, Pin]:
    """Return the item, snapshot and method of each candidate set."""
    query = select(
        CandidateSet.id, CandidateSet.item_id, CandidateSet.snapshot_id, CandidateSet.method
    )
    rows = rows_with(session, query, CandidateSet.id, set_ids)
    return {number: Pin(*about) for number, *about in rows}


def sets_by_method(
    session: Session, snapshot_id: int, items_and_methods: Collection[tuple[int, str]]
) -> dict[tuple[int, str], int]:
    """Return the id of the set from the snapshot for each (item, method) that has one.

    It is the first that the method made, for later ones change nothing; else the first that was
    made in its place. Sets without a stored method count for any method, the newest first.
    """
    rows = _sets_of(session, snapshot_id, items_and_methods)
    chosen = {
        key: _set_for_method(rows.get(key[0], ()), key[1]) for key in sorted(items_and_methods)
    }
    return {key: number for key, number in chosen.items() if number is not None}


def made_already(
    session: Session, snapshot_id: int, items_and_methods: Collection[tuple[int, str]]
) -> dict[tuple[int, str], int]:
    """Return the id of the first set that just this method made, per (item, method) with one."""
    return {
        (item_id, method): number
        for item_id, rows in _sets_of(session, snapshot_id, items_and_methods).items()
        for number, method, instead, old in reversed(rows)  # so that the first of several counts
        if instead is None and not old and (item_id, method) in items_and_methods
    }


_MadeSet: TypeAlias = tuple[int, str, str | None, bool]
"""A set's id, its method, the method that it replaces, and whether its spec is missing."""


def _sets_of(
    session: Session, snapshot_id: int, items_and_methods: Iterable[tuple[int, str]]
) -> dict[int, list[_MadeSet]]:
    """Return the items' sets from the snapshot, in order of their ids."""
    query = sqlalchemy.select(
        col(CandidateSet.item_id),
        col(CandidateSet.id),
        col(CandidateSet.method),
        col(CandidateWay.in_place_of),
        col(CandidateWay.id).is_(None),
    )
    query = query.outerjoin(CandidateWay)
    query = query.where(col(CandidateSet.snapshot_id) == snapshot_id).order_by(col(CandidateSet.id))
    items = {item_id for item_id, _ in items_and_methods}
    rows = rows_with(session, query, CandidateSet.item_id, items)
    return grouped((item_id, tuple(made)) for item_id, *made in rows)


def units_of_sets(session: Session, set_ids: Iterable[int]) -> dict[int, list[int]]:
    """Return the database ids of the candidates of each of the sets, best first."""
    query = select(CandidateRow.candidate_set_id, CandidateRow.unit_id).order_by(
        col(CandidateRow.candidate_set_id), col(CandidateRow.rank)
    )
    return grouped(rows_with(session, query, CandidateRow.candidate_set_id, set_ids))


def sources_of_sets(
    session: Session, set_ids: Iterable[int]
) -> dict[int, tuple[str, list[tuple[str, set[str]]]]]:
    """Return each set's method and candidates: semantic id, and sources (citation, title, text)."""
    found: dict[int, tuple[str, list[tuple[str, set[str]]]]] = {}
    query = (
        select(CandidateSet.id, CandidateSet.method, UnitRow.semantic_id, CandidateRow.why)
        .outerjoin(CandidateRow, col(CandidateRow.candidate_set_id) == CandidateSet.id)
        .outerjoin(UnitRow)
    )
    for number, method, unit, why in rows_with(session, query, CandidateSet.id, set_ids):
        units = found.setdefault(number, (method, []))[1]
        if unit is not None:
            units.append((unit, {each["source"] for each in why}))
    return found


def _set_for_method(rows: Collection[_MadeSet], method: str) -> int | None:
    """Return the first set by the method or in its place, else the last without a stored method."""
    made = [number for number, name, _, _ in rows if name == method]
    made += [number for number, _, instead, _ in rows if instead == method]
    if made:
        return made[0]
    return max((number for number, _, _, old in rows if old), default=None)
