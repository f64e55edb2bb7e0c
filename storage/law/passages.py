"""The passages that retrieval searches: which units, and which text of each."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import date
from typing import Any

from sqlalchemy import ColumnElement, Row, Select
from sqlmodel import Session, col, func, select

from corpus.long_work import in_bulk
from corpus.model import RETRIEVED_LEVELS as RETRIEVED_LEVELS
from corpus.model import Levels as Levels
from corpus.model import words_of_place
from storage.db.rows import rows_with
from storage.tables.core import Snapshot, StatuteRow, UnitRow

DELETED, ABSENT, NO_TEXT = "deleted", "absent", "no_text"
_BATCH = 500  # passages in memory together
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
    jurisdiction: str = ""

    @property
    def title(self) -> str:
        """Statute, label and heading, as in ``소방기본법 제12조 (화재의 예방)``.

        For a document of a collection its heading alone; "" where it has none.
        """
        statute, label = self.place_words
        heading = f"({self.heading})" if self.heading and label else self.heading
        return " ".join(part for part in (statute, label, heading) if part)

    @property
    def place_words(self) -> tuple[str, str]:
        """Statute title and label, each "" if it is a mere key."""
        return words_of_place(self.kind, self.statute, self.label)

    @property
    def searched(self) -> str:
        """The text that methods search: statute title, label, heading and text."""
        parts = (*self.place_words, self.heading, self.text)
        return " ".join(part for part in parts if part)


def retrieval_corpus(
    session: Session, snapshot_id: int, levels: Levels = RETRIEVED_LEVELS
) -> list[Passage]:
    """Return the passages of a snapshot by ascending unit id: its units of `levels` in force.

    Deleted ones are left out. Nothing else decides what is in it: a corpus selected by gold would
    favour the methods under evaluation.
    """
    with in_bulk():
        found = retrieval_passages(session, snapshot_id, levels)
        return sorted(found, key=lambda passage: passage.unit_id)


def retrieval_passages(
    session: Session, snapshot_id: int, levels: Levels = RETRIEVED_LEVELS
) -> Iterator[Passage]:
    """Yield the passages of :func:`retrieval_corpus`, in no stated order.

    They are read in small batches, for callers that convert each.
    """
    inside = _in_corpus(snapshot_id, levels)
    query = _passages().where(*inside).execution_options(yield_per=_AT_ONCE)
    return map(_passage, session.execute(query))


@dataclass(frozen=True, slots=True)
class PlacedPassage:
    """A passage with its addressable parts: `parts` are (path, start) in its text."""

    passage: Passage
    parts: tuple[tuple[str, int], ...]


def placed_passages(
    session: Session, snapshot_id: int, levels: Levels = RETRIEVED_LEVELS
) -> Iterator[PlacedPassage]:
    """Yield :func:`retrieval_corpus`'s passages with their parts, by statute in document order.

    They come statute by statute, by ascending semantic id of the statute, and in document order
    within it; few are in memory at once.
    """
    order = select(StatuteRow.semantic_id, UnitRow.order, UnitRow.semantic_id, UnitRow.id)
    order = order.join(StatuteRow)
    numbers = [
        row[3] for row in sorted(session.exec(order.where(*_in_corpus(snapshot_id, levels))))
    ]
    for start in range(0, len(numbers), _BATCH):
        batch = numbers[start : start + _BATCH]
        found = {
            row.id: row for row in session.execute(_passages_with_parts(col(UnitRow.id).in_(batch)))
        }
        yield from (_with_places(found[number]) for number in batch)


def placed_passages_named(
    session: Session, snapshot_id: int, unit_ids: Collection[str]
) -> dict[str, PlacedPassage]:
    """Return the named units of a snapshot, of any level, with their parts, by semantic id.

    Units that the snapshot lacks are left out.
    """
    query = _passages_with_parts(col(UnitRow.snapshot_id) == snapshot_id)
    rows = rows_with(session, query, UnitRow.semantic_id, unit_ids)
    return {row.semantic_id: _with_places(row) for row in rows}


def _passages_with_parts(which: ColumnElement[bool]) -> Select[Any]:
    """Return the query of passages with the parts of their units."""
    return _passages().add_columns(UnitRow.parts).where(which)  # type: ignore[arg-type]


def _with_places(row: Row[Any]) -> PlacedPassage:
    """Return a row as a passage with the offsets of its parts."""
    return PlacedPassage(_passage(row), tuple((path, start) for path, start, _ in row.parts))


def retrieval_ids(
    session: Session,
    snapshot_id: int,
    levels: Levels = RETRIEVED_LEVELS,
    *,
    with_text: bool = False,
) -> list[str]:
    """Return the ids of :func:`retrieval_corpus`, ascending; `with_text` only those with a text.

    With `with_text` only of those with a text besides the heading.
    """
    query = select(UnitRow.semantic_id).where(*_in_corpus(snapshot_id, levels))
    if with_text:
        query = query.where(~_blank())
    return sorted(session.exec(query))


def _blank() -> ColumnElement[bool]:
    """Return the SQL condition that a unit has no text, as many annexes do."""
    return func.trim(col(UnitRow.text), " \t\r\n") == ""


def without_text(session: Session, snapshot_id: int, unit_ids: Collection[str]) -> list[str]:
    """Return, ascending, the named units in force in the snapshot without text."""
    query = select(UnitRow.semantic_id).where(UnitRow.snapshot_id == snapshot_id)
    query = query.where(_blank(), col(UnitRow.deleted).is_(False))
    return sorted(rows_with(session, query, UnitRow.semantic_id, unit_ids))


def retrieval_jurisdictions(
    session: Session, snapshot_id: int, levels: Levels = RETRIEVED_LEVELS
) -> dict[str, str]:
    """Return the jurisdiction of each passage of :func:`retrieval_corpus` that has one, by id."""
    query = (
        select(UnitRow.semantic_id, StatuteRow.jurisdiction)
        .join(StatuteRow)
        .where(*_in_corpus(snapshot_id, levels), StatuteRow.jurisdiction != "")
    )
    return dict(session.exec(query).all())


def not_searched(
    session: Session, snapshot_id: int, levels: Levels, unit_ids: Collection[str]
) -> dict[str, str]:
    """Return the named units that a corpus leaves out, ascending, each with the reason.

    The reason is the unit's level if that is not in `levels`, else DELETED, or ABSENT for a unit
    that the snapshot lacks.
    """
    query = select(UnitRow.semantic_id, UnitRow.level, UnitRow.deleted)
    query = query.where(UnitRow.snapshot_id == snapshot_id)
    rows = rows_with(session, query, UnitRow.semantic_id, unit_ids)
    found = {unit: (level, deleted) for unit, level, deleted in rows}
    inside = {str(level) for level in levels}
    reasons = {unit: _exclusion_reason(found.get(unit), inside) for unit in sorted(set(unit_ids))}
    return {unit: reason for unit, reason in reasons.items() if reason}


def _exclusion_reason(state: tuple[str, bool] | None, inside: Collection[str]) -> str:
    """Return ABSENT, a level outside `inside`, or DELETED; "" for a unit of the corpus.

    `state` is the unit's level and whether it is deleted, None if the snapshot lacks it.
    """
    if state is None:
        return ABSENT
    level, deleted = state
    if level not in inside:
        return level
    return DELETED if deleted else ""


def passages_by_id(
    session: Session, snapshot_id: int, unit_ids: Collection[str]
) -> dict[str, Passage]:
    """Return the named units, of any level, by id, from this snapshot or the newest with them.

    Units that the snapshot lacks come from the newest snapshot of the same project that has them;
    those that none has are left out.
    """
    project = select(Snapshot.project_id).where(Snapshot.id == snapshot_id).scalar_subquery()
    query = (
        _passages()
        .join(Snapshot, col(Snapshot.id) == UnitRow.snapshot_id)
        .where(col(Snapshot.project_id) == project)
        .order_by((col(Snapshot.id) == snapshot_id).desc(), col(Snapshot.id).desc())
    )
    found: dict[str, Passage] = {}
    for row in rows_with(session, query, UnitRow.semantic_id, unit_ids):
        found.setdefault(row.semantic_id, _passage(row))
    return found


def _in_corpus(snapshot_id: int, levels: Levels) -> tuple[ColumnElement[bool], ...]:
    """SQL conditions of the units searched."""
    return (
        col(UnitRow.snapshot_id) == snapshot_id,
        col(UnitRow.level).in_([str(level) for level in levels]),
        col(UnitRow.deleted).is_(False),
    )


def _passages() -> Select[Any]:
    """Return the query of the columns of a Passage, in its order."""
    return select(  # type: ignore[call-overload,no-any-return]
        col(UnitRow.id),
        UnitRow.semantic_id,
        col(StatuteRow.semantic_id).label("statute_id"),
        StatuteRow.title,
        StatuteRow.kind,
        StatuteRow.tier,
        UnitRow.level,
        UnitRow.label,
        UnitRow.heading,
        UnitRow.text,
        UnitRow.path,
        UnitRow.effective,
        UnitRow.order,
        StatuteRow.jurisdiction,
    ).join(StatuteRow)


def _passage(row: Row[Any]) -> Passage:
    """Return a row as a passage."""
    values: list[Any] = [*row[:10], tuple(row.path), *row[11:14]]
    return Passage(*values)
