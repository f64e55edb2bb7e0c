"""A project's law: the snapshot in use, and its statutes and units with their links.

Every import puts its snapshot in use, also an existing one of equal content, and a person may go
back to an earlier one. Nothing is removed by that: the newest row counts.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from sqlalchemy import func, insert
from sqlmodel import Session, col, select

from corpus.citations.catalogue import CatalogueEntry
from corpus.model import Choice, Level, Link, Question, Statute, Tier, Unit
from errors import UserError
from normalization.grouping import grouped
from storage.db.columns import view_of
from storage.db.rows import add_row, rows_with
from storage.law.units import statute_of, unit_of
from storage.projects import ProjectView
from storage.tables.core import Item, QuestionRow, Snapshot, SnapshotUse, StatuteRow, UnitRow
from storage.tables.law import LinkRow

GRADES = "grades"  # the key of `QuestionRow.source` with the judges' grades per unit


def id_in_use(session: Session, project_id: int) -> int | None:
    """Return the id of the project's snapshot in use, None before its first import."""
    query = select(SnapshotUse.snapshot_id).where(SnapshotUse.project_id == project_id)
    return session.exec(query.order_by(col(SnapshotUse.id).desc()).limit(1)).first()


def ever_used(session: Session, project_id: int) -> set[int]:
    """Return the ids of the snapshots that the project uses or has used."""
    query = select(SnapshotUse.snapshot_id).where(SnapshotUse.project_id == project_id)
    return set(session.exec(query))


def set_in_use(session: Session, project_id: int, snapshot_id: int, at: datetime) -> int | None:
    """Set the project's snapshot in use; return the previous one's id, None if the same or none.

    None where that is the same one (nothing is written), or where there was none.
    """
    before = id_in_use(session, project_id)
    if before == snapshot_id:
        return None
    add_row(session, SnapshotUse(project_id=project_id, snapshot_id=snapshot_id, at=at))
    return before


@dataclass(frozen=True, slots=True)
class SnapshotView:
    """A snapshot: its database id, name, effective date and content hash."""

    id: int
    name: str
    effective: date | None
    content_hash: str


@dataclass(frozen=True, slots=True)
class ItemQuestion:
    """An item with its question."""

    item_id: int
    question: Question


def snapshot_in_use(session: Session, project_id: int) -> SnapshotView | None:
    """Return the project's snapshot in use, None before its first import."""
    query = select(Snapshot).join(SnapshotUse)
    query = query.where(SnapshotUse.project_id == project_id)
    row = session.exec(query.order_by(col(SnapshotUse.id).desc()).limit(1)).first()
    return None if row is None else view_of(SnapshotView, row)


def required_snapshot(session: Session, project: ProjectView) -> SnapshotView:
    """Return the snapshot in use. Raises UserError when nothing has been imported."""
    found = snapshot_in_use(session, project.id)
    if found is None:
        raise UserError("corpus_missing", slug=project.slug)
    return found


def snapshot_year(session: Session, snapshot_id: int | None) -> str:
    """Return the year in which a snapshot's law is effective, "" if unknown."""
    row = None if snapshot_id is None else session.get(Snapshot, snapshot_id)
    return str(row.effective.year) if row and row.effective else ""


def project_snapshot(session: Session, project: ProjectView, snapshot_id: int) -> SnapshotView:
    """Return a snapshot of the project. Raises UserError, naming those it has, for any other id."""
    return known_snapshot(
        {each.id: each for each in project_snapshots(session, project)}, snapshot_id
    )


def known_snapshot(known: Mapping[int, SnapshotView], snapshot_id: int) -> SnapshotView:
    """Return the snapshot of that id. Raises UserError as `project_snapshot` does."""
    if snapshot_id not in known:
        listed = ", ".join(f"{number} ({each.name})" for number, each in known.items()) or "–"
        raise UserError("snapshot_unknown", id=snapshot_id, known=listed)
    return known[snapshot_id]


def snapshot_of(session: Session, project: ProjectView, snapshot_id: int | None) -> SnapshotView:
    """Return a snapshot of the project, by default the one in use; UserError for none."""
    if snapshot_id is None:
        return required_snapshot(session, project)
    return project_snapshot(session, project, snapshot_id)


def project_snapshots(session: Session, project: ProjectView) -> list[SnapshotView]:
    """Return the project's snapshots in the order of their import."""
    query = select(Snapshot).where(Snapshot.project_id == project.id).order_by(col(Snapshot.id))
    return [view_of(SnapshotView, row) for row in session.exec(query)]


def snapshot_by_id(session: Session, snapshot_id: int) -> SnapshotView:
    """Return a snapshot. Raises KeyError for an unknown id."""
    row = session.get(Snapshot, snapshot_id)
    if row is None:
        raise KeyError(snapshot_id)
    return view_of(SnapshotView, row)


def count_units(session: Session, snapshot_id: int) -> int:
    """Count the units of the snapshot."""
    query = select(func.count()).select_from(UnitRow)
    return session.exec(query.where(UnitRow.snapshot_id == snapshot_id)).one()


def load_units(
    session: Session,
    snapshot_id: int,
    levels: Iterable[Level] | None = None,
    statutes: Collection[str] | None = None,
) -> list[Unit]:
    """Return the snapshot's units by statute, in document order.

    `levels` and `statutes` (semantic ids) filter them; all by default.
    """
    query = (
        select(UnitRow.__table__, StatuteRow.semantic_id.label("of_statute"))  # type: ignore[attr-defined]
        .join(StatuteRow)
        .where(UnitRow.snapshot_id == snapshot_id)
        .order_by(col(StatuteRow.semantic_id), col(UnitRow.order))
    )
    if levels is not None:
        query = query.where(col(UnitRow.level).in_([str(level) for level in levels]))
    if statutes is not None:
        query = query.where(col(StatuteRow.semantic_id).in_(sorted(statutes)))
    links = load_links(session, snapshot_id)
    return [unit_of(row, row.of_statute, links.get(row.id, ())) for row in session.execute(query)]


def load_statutes(
    session: Session, snapshot_id: int, only: Collection[str] | None = None
) -> list[Statute]:
    """Return the snapshot's statutes (those of `only`, if given) with their units, by id."""
    read = load_units(session, snapshot_id, statutes=only)
    units = grouped((unit.statute_id, unit) for unit in read)
    query = select(StatuteRow).where(StatuteRow.snapshot_id == snapshot_id)
    if only is not None:
        query = query.where(col(StatuteRow.semantic_id).in_(sorted(only)))
    return [
        statute_of(row, tuple(units.get(row.semantic_id, ())))
        for row in session.exec(query.order_by(StatuteRow.semantic_id))
    ]


def statute_titles(session: Session, snapshot_id: int) -> dict[str, str]:
    """Return the title of each statute of the snapshot by its semantic id, in order of id."""
    query = select(StatuteRow.semantic_id, StatuteRow.title)
    query = query.where(StatuteRow.snapshot_id == snapshot_id)
    return dict(session.exec(query.order_by(StatuteRow.semantic_id)).all())


def catalogue_entries(session: Session, snapshot_id: int) -> list[CatalogueEntry]:
    """Return the targets of citations: every unit of the snapshot, without its text."""
    query = (
        select(  # type: ignore[call-overload]
            StatuteRow.semantic_id,
            StatuteRow.title,
            StatuteRow.kind,
            StatuteRow.tier,
            UnitRow.semantic_id,
            UnitRow.heading,
        )
        .join(UnitRow)
        .where(StatuteRow.snapshot_id == snapshot_id)
        .order_by(StatuteRow.semantic_id, col(UnitRow.order))
    )
    tiers = {int(tier): tier for tier in Tier}
    return [
        CatalogueEntry(statute_id, title, kind, tiers[tier], unit_id, heading)
        for statute_id, title, kind, tier, unit_id, heading in session.execute(query)
    ]


def unit_ids(session: Session, snapshot_id: int) -> dict[str, int]:
    """Return the database id of each unit of the snapshot by its semantic id."""
    query = select(UnitRow.semantic_id, UnitRow.id).where(UnitRow.snapshot_id == snapshot_id)
    return {semantic: row for semantic, row in session.exec(query) if row is not None}


def units_called(session: Session, snapshot_id: int, names: Collection[str]) -> dict[str, int]:
    """Return the database ids of the named units of the snapshot, by semantic id."""
    query = select(UnitRow.semantic_id, UnitRow.id).where(UnitRow.snapshot_id == snapshot_id)
    return dict(rows_with(session, query, UnitRow.semantic_id, names))


def load_items(session: Session, project_id: int) -> list[ItemQuestion]:
    """Return the project's items that have a question, each with it, in queue order."""
    query = (
        select(Item.id, QuestionRow)
        .join(QuestionRow)
        .where(Item.project_id == project_id)
        .order_by(col(Item.order))
    )
    return [ItemQuestion(number or 0, question_of(row)) for number, row in session.exec(query)]


def load_questions(session: Session, project_id: int) -> dict[str, Question]:
    """Return every question of the project by external id, in order of import.

    Questions made of options of others are included, though they are no items.
    """
    query = select(QuestionRow).where(QuestionRow.project_id == project_id)
    rows = session.exec(query.order_by(col(QuestionRow.id)))
    return {row.external_id: question_of(row) for row in rows}


def question_names(session: Session, project_id: int) -> list[str]:
    """Return the external ids of the project's questions, ascending."""
    query = select(QuestionRow.external_id).where(QuestionRow.project_id == project_id)
    return sorted(session.exec(query))


def question_files(session: Session, project_id: int) -> dict[str, str]:
    """Return the name of the source file of each question, by external id."""
    query = select(QuestionRow.external_id, QuestionRow.source)
    rows = session.exec(query.where(QuestionRow.project_id == project_id))
    return {external_id: str(source.get("file", "")) for external_id, source in rows}


def question_of(row: QuestionRow) -> Question:
    """Convert a stored question to a :class:`Question`."""
    return Question(
        external_id=row.external_id,
        text=row.text,
        answer=row.answer,
        language=row.language,
        citation_strings=tuple(row.source.get("citation_strings", ())),
        gold_ids=tuple(row.source.get("gold_ids", ())),
        columns=tuple(
            (name, tuple(value) if isinstance(value, list) else value)
            for name, value in row.source.get("columns", {}).items()
        ),
        jurisdiction=row.jurisdiction,
        choices=tuple(Choice(**each) for each in row.source.get("choices", ())),
        grades=tuple(row.source.get(GRADES, {}).items()),
    )


def insert_links(session: Session, snapshot_id: int, statutes: Sequence[Statute]) -> None:
    """Add the links of the statutes' units, which the snapshot must hold already."""
    linked = {u.semantic_id: u.links for one in statutes for u in one.units if u.links}
    if not linked:
        return
    numbers = unit_ids(session, snapshot_id)
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
        .join(UnitRow)
        .where(UnitRow.snapshot_id == snapshot_id)
        .order_by(col(LinkRow.id))
    )
    found = grouped(
        (row.unit_id, Link(row.start, row.end, row.href)) for row in session.exec(query)
    )
    return {unit: tuple(links) for unit, links in found.items()}
