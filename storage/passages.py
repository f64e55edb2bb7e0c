"""The passages that retrieval searches: which units are in, and what is searched of each."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import date
from typing import Any

from sqlalchemy import ColumnElement, Row, Select
from sqlmodel import Session, col, select

from corpus.in_bulk import in_bulk
from corpus.model import Level
from storage.tables import Snapshot, StatuteRow, UnitRow

RETRIEVED_LEVELS = (Level.ARTICLE, Level.SECTION, Level.ANNEX)
_BATCH = 500  # ids in one query, below every limit on bound parameters
_AT_ONCE = 2_000  # rows read together


@dataclass(frozen=True, slots=True)
class Passage:
    """A unit as retrieval sees it: `unit_id` is its semantic id, `row_id` its database id."""

    row_id: int
    unit_id: str
    statute_id: str
    statute: str
    kind: str
    tier: int
    level: str
    label: str
    heading: str
    text: str
    path: tuple[str, ...]
    effective: date | None
    order: int = 0

    @property
    def title(self) -> str:
        """Statute, place and heading, e.g. ``소방기본법 제12조 (화재의 예방)``."""
        heading = f"({self.heading})" if self.heading else ""
        return " ".join(part for part in (self.statute, self.label, heading) if part)

    @property
    def searched(self) -> str:
        """What a method searches: statute title, label, heading and text."""
        parts = (self.statute, self.label, self.heading, self.text)
        return " ".join(part for part in parts if part)


def retrieval_corpus(
    session: Session, snapshot_id: int, also: Collection[str] = ()
) -> list[Passage]:
    """Return the passages of a snapshot by ascending unit id.

    They are its articles, sections and annexes that are not deleted, and the units `also` names
    whatever they are. A unit of `also` that the snapshot lacks is left out: a corpus never mixes
    the law of two snapshots.
    """
    with in_bulk():
        found = retrieval_passages(session, snapshot_id, also)
        return sorted(found, key=lambda passage: passage.unit_id)


def retrieval_passages(
    session: Session, snapshot_id: int, also: Collection[str] = ()
) -> Iterator[Passage]:
    """Yield the passages that :func:`retrieval_corpus` returns, in no stated order.

    They are read a few at a time, for who makes something else of each.
    """
    query = _passages().where(*_in_corpus(snapshot_id)).execution_options(yield_per=_AT_ONCE)
    left = set(also)
    for row in session.execute(query):
        left.discard(row.semantic_id)
        yield _passage(row)
    for row in _named(session, snapshot_id, sorted(left)):
        if row.snapshot_id == snapshot_id:
            yield _passage(row)


def retrieval_ids(session: Session, snapshot_id: int, also: Collection[str] = ()) -> list[str]:
    """Return, ascending, the ids of the passages that :func:`retrieval_corpus` returns."""
    inside = session.exec(select(UnitRow.semantic_id).where(*_in_corpus(snapshot_id)))
    query = select(UnitRow.semantic_id).where(col(UnitRow.snapshot_id) == snapshot_id)
    named = sorted(set(also))
    found = set(inside)
    for start in range(0, len(named), _BATCH):
        batch = col(UnitRow.semantic_id).in_(named[start : start + _BATCH])
        found.update(session.exec(query.where(batch)))
    return sorted(found)


def outside_retrieval_corpus(
    session: Session, snapshot_id: int, unit_ids: Collection[str]
) -> list[str]:
    """Return, ascending, those of the named units that the retrieval corpus leaves out."""
    wanted = sorted(set(unit_ids))
    inside: set[str] = set()
    for start in range(0, len(wanted), _BATCH):
        query = select(UnitRow.semantic_id).where(
            *_in_corpus(snapshot_id), col(UnitRow.semantic_id).in_(wanted[start : start + _BATCH])
        )
        inside.update(session.exec(query))
    return [unit_id for unit_id in wanted if unit_id not in inside]


def passages_by_id(
    session: Session, snapshot_id: int, unit_ids: Collection[str]
) -> dict[str, Passage]:
    """Return the named units, of whatever level, by semantic id, for showing them.

    A unit that the snapshot lacks is taken from the newest snapshot of the same project that has
    it; one that none has is left out.
    """
    found: dict[str, Passage] = {}
    for row in _named(session, snapshot_id, sorted(set(unit_ids))):
        found.setdefault(row.semantic_id, _passage(row))
    return found


def _in_corpus(snapshot_id: int) -> tuple[ColumnElement[bool], ...]:
    return (
        col(UnitRow.snapshot_id) == snapshot_id,
        col(UnitRow.level).in_([str(level) for level in RETRIEVED_LEVELS]),
        col(UnitRow.deleted).is_(False),
    )


def _named(session: Session, snapshot_id: int, unit_ids: list[str]) -> Iterator[Row[Any]]:
    """Yield the rows of the units in every snapshot of the project, the one asked for first."""
    project = select(Snapshot.project_id).where(Snapshot.id == snapshot_id).scalar_subquery()
    for start in range(0, len(unit_ids), _BATCH):
        yield from session.execute(
            _passages()
            .join(Snapshot, col(Snapshot.id) == UnitRow.snapshot_id)
            .where(
                col(Snapshot.project_id) == project,
                col(UnitRow.semantic_id).in_(unit_ids[start : start + _BATCH]),
            )
            .order_by((col(Snapshot.id) == snapshot_id).desc(), col(Snapshot.id).desc())
        )


def _passages() -> Select[Any]:
    return select(  # type: ignore[call-overload,no-any-return]
        col(UnitRow.id),
        UnitRow.snapshot_id,
        UnitRow.semantic_id,
        UnitRow.level,
        UnitRow.label,
        UnitRow.heading,
        UnitRow.text,
        UnitRow.path,
        UnitRow.effective,
        UnitRow.order,
        col(StatuteRow.semantic_id).label("statute_id"),
        StatuteRow.title,
        StatuteRow.kind,
        StatuteRow.tier,
    ).join(StatuteRow, col(StatuteRow.id) == UnitRow.statute_id)


def _passage(row: Row[Any]) -> Passage:
    return Passage(
        row_id=row.id,
        unit_id=row.semantic_id,
        statute_id=row.statute_id,
        statute=row.title,
        kind=row.kind,
        tier=row.tier,
        level=row.level,
        label=row.label,
        heading=row.heading,
        text=row.text,
        path=tuple(row.path),
        effective=row.effective,
        order=row.order,
    )
