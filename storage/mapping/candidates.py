"""Keeping what was suggested for each item, and reading the newest suggestion back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import TYPE_CHECKING, Any

import sqlalchemy
from sqlalchemy import bindparam, func
from sqlmodel import Session, col, insert, select

from errors import UserError
from storage.tables.candidate_ways import CandidateWay
from storage.tables.core import CandidateRow, CandidateSet, Item
from storage.tasks import of_task

if TYPE_CHECKING:
    from construction.mapping.candidates import Candidate
    from construction.mapping.candidates import CandidateSet as Proposal
    from corpus.citations.model import Resolution


@dataclass(frozen=True, slots=True)
class ShownSet:
    """The ids of a candidate set and of the snapshot that it was built from."""

    id: int
    snapshot_id: int


def keep_candidates(
    session: Session,
    item_id: int,
    snapshot_id: int,
    method: str,
    proposal: Proposal,
    units: Mapping[str, int],
    at: datetime,
    spec: Mapping[str, Any] | None = None,
    in_place_of: str | None = None,
) -> int:
    """Keep what was proposed for an item as its newest candidate set; return the set's id.

    `method` names how the proposal was made, with its parameters; `spec` and `in_place_of` are
    what `CandidateWay` says of them, `spec` None where that is not known. `units` gives the
    database id of each unit of the snapshot by semantic id. Raises UserError for a proposed unit
    that the snapshot lacks.
    """
    row = CandidateSet(
        item_id=item_id,
        snapshot_id=snapshot_id,
        method=method,
        citations=[_citation(resolution) for resolution in proposal.citations],
        created_at=at,
    )
    session.add(row)
    session.flush()
    assert row.id is not None  # noqa: S101  (just flushed)
    if spec is not None:
        way = CandidateWay(candidate_set_id=row.id, spec=dict(spec), in_place_of=in_place_of)
        session.add(way)
    rows = [_candidate(row.id, candidate, units) for candidate in proposal.candidates]
    if rows:
        session.execute(insert(CandidateRow), rows)
    return row.id


def show_again(session: Session, set_id: int, at: datetime) -> int:
    """Keep an equal candidate set as the item's newest one, which is what people are shown.

    Return the id of the new set.
    """
    old = session.get_one(CandidateSet, set_id)
    row = CandidateSet(
        item_id=old.item_id,
        snapshot_id=old.snapshot_id,
        method=old.method,
        citations=old.citations,
        created_at=at,
    )
    session.add(row)
    session.flush()
    assert row.id is not None  # noqa: S101  (just flushed)
    way = session.exec(
        select(CandidateWay).where(CandidateWay.candidate_set_id == set_id)
    ).one_or_none()
    if way is not None:
        instead = way.in_place_of
        session.add(CandidateWay(candidate_set_id=row.id, spec=way.spec, in_place_of=instead))
    kept = [each.name for each in sqlalchemy.inspect(CandidateRow).columns if each.name != "id"]
    query = select(CandidateRow).where(CandidateRow.candidate_set_id == set_id)
    rows = session.exec(query.order_by(col(CandidateRow.rank))).all()
    plain = [{name: getattr(each, name) for name in kept} for each in rows]
    if plain:
        session.execute(insert(CandidateRow), [p | {"candidate_set_id": row.id} for p in plain])
    return row.id


def newest_set(session: Session, item_id: int) -> CandidateSet | None:
    """Return the item's newest candidate set, None when none has been built."""
    query = select(CandidateSet).where(CandidateSet.item_id == item_id)
    return session.exec(query.order_by(col(CandidateSet.id).desc()).limit(1)).first()


def newest_set_id(session: Session, item_id: int) -> int | None:
    """Return the id of the item's newest candidate set, None when none has been built."""
    found: int | None = session.execute(_newest(), {"item_id": item_id}).scalar()
    return found


def shown_set(session: Session, set_id: int) -> ShownSet:
    """Return the candidate set of that id, without its citations."""
    return ShownSet(*session.execute(_shown(), {"set_id": set_id}).one())


@cache  # building a statement takes longer than running it
def _newest() -> Any:
    query = sqlalchemy.select(col(CandidateSet.id)).order_by(col(CandidateSet.id).desc()).limit(1)
    return query.where(col(CandidateSet.item_id) == bindparam("item_id"))


@cache
def _shown() -> Any:
    query = sqlalchemy.select(col(CandidateSet.id), col(CandidateSet.snapshot_id))
    return query.where(col(CandidateSet.id) == bindparam("set_id"))


def newest_methods(session: Session, project_id: int) -> dict[int, tuple[int, str]]:
    """Return (snapshot id, method) of the newest candidate set of each item that has one.

    The method is "" where another one had been wanted.
    """
    return {
        item_id: (snapshot_id, "" if instead else method)
        for item_id, snapshot_id, method, instead in _newest_of(session, project_id)
    }


def wanted_methods(session: Session, project_id: int) -> dict[int, tuple[int, str]]:
    """Return (snapshot id, method) of the newest candidate set of each item that has one.

    The method is the one that was wanted, where another took its place.
    """
    return {
        item_id: (snapshot_id, instead or method)
        for item_id, snapshot_id, method, instead in _newest_of(session, project_id)
    }


def _newest_of(session: Session, project_id: int) -> list[tuple[int, int, str, str | None]]:
    newest = (
        select(func.max(col(CandidateSet.id)))
        .join(Item, col(Item.id) == CandidateSet.item_id)
        .where(of_task(project_id))
        .group_by(col(CandidateSet.item_id))
    )
    query = (
        select(
            CandidateSet.item_id,
            CandidateSet.snapshot_id,
            CandidateSet.method,
            CandidateWay.in_place_of,
        )
        .outerjoin(CandidateWay, col(CandidateWay.candidate_set_id) == CandidateSet.id)
        .where(col(CandidateSet.id).in_(newest))
    )
    return [(row[0], row[1], row[2], row[3]) for row in session.exec(query)]


def kept_spec(session: Session, project_id: int, method: str) -> dict[str, Any] | None:
    """Return the spec that sets of the method of that name were made with, None where none is kept.

    It is {} for the method that needs none.
    """
    query = (
        select(CandidateWay.spec)
        .join(CandidateSet, col(CandidateSet.id) == CandidateWay.candidate_set_id)
        .join(Item, col(Item.id) == CandidateSet.item_id)
        .where(Item.project_id == project_id, CandidateSet.method == method)
        .order_by(col(CandidateSet.id).desc())
        .limit(1)
    )
    found = session.exec(query).first()
    return None if found is None else dict(found)


def _citation(resolution: Resolution) -> dict[str, Any]:
    citation = resolution.citation
    return {
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
