"""Which units of a snapshot hold what people made of which pages."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy.orm import aliased
from sqlmodel import Session, col, select

from storage.tables.core import Annotation, Person, StatuteRow, UnitRow
from storage.tables.ocr import Page, UnitPage


@dataclass(frozen=True, slots=True)
class PageOfUnit:
    """A page that a unit's text was read from, and who corrected and verified it."""

    page_id: int
    external_id: str
    order: int
    corrector: str
    verifier: str
    verified_at: datetime


def keep_unit_pages(session: Session, rows: Iterable[UnitPage]) -> int:
    """Keep the rows that are not there yet; return how many were new."""
    new = 0
    for row in rows:
        query = select(UnitPage.id).where(
            UnitPage.unit_id == row.unit_id,
            UnitPage.page_id == row.page_id,
            UnitPage.verification_id == row.verification_id,
        )
        if session.exec(query).first() is None:
            session.add(row)
            new += 1
    session.flush()
    return new


def published_pages(session: Session, project_id: int) -> dict[int, int]:
    """Return the newest verification by which each page came into the corpus, by page."""
    query = (
        select(UnitPage.page_id, UnitPage.verification_id)
        .join(Page, col(Page.id) == UnitPage.page_id)
        .where(Page.project_id == project_id)
        .order_by(col(UnitPage.id))
    )
    return dict(session.exec(query).all())


def pages_of_unit(session: Session, snapshot_id: int, semantic_id: str) -> list[PageOfUnit]:
    """Return the pages that a unit's text was read from, in order; none for any other unit."""
    corrected, verified = aliased(Annotation), aliased(Annotation)
    corrector, verifier = aliased(Person), aliased(Person)
    query = (
        select(  # type: ignore[call-overload]
            Page.id, Page.external_id, UnitPage.order, corrector.name, verifier.name, verified.at
        )
        .select_from(UnitPage)
        .join(UnitRow, col(UnitRow.id) == UnitPage.unit_id)
        .join(Page, col(Page.id) == UnitPage.page_id)
        .join(corrected, col(corrected.id) == UnitPage.correction_id)
        .join(verified, col(verified.id) == UnitPage.verification_id)
        .join(corrector, col(corrector.id) == corrected.person_id)
        .join(verifier, col(verifier.id) == verified.person_id)
        .where(UnitRow.snapshot_id == snapshot_id, UnitRow.semantic_id == semantic_id)
        .order_by(col(UnitPage.order), col(UnitPage.id))
    )
    newest = {row[0]: PageOfUnit(*row) for row in session.exec(query)}  # of a page, its last row
    return list(newest.values())


def instruments_of_pages(session: Session, project_id: int) -> frozenset[str]:
    """Return the semantic ids of statutes that documents of the project are or were."""
    query = (
        select(StatuteRow.semantic_id)
        .join(UnitRow, col(UnitRow.statute_id) == StatuteRow.id)
        .join(UnitPage, col(UnitPage.unit_id) == UnitRow.id)
        .join(Page, col(Page.id) == UnitPage.page_id)
        .where(Page.project_id == project_id, Page.unit == "")
        .distinct()
    )
    return frozenset(session.exec(query))


def unit_numbers(session: Session, snapshot_id: int, semantic_ids: Iterable[str]) -> dict[str, int]:
    """Return the database ids of these units of a snapshot."""
    query = select(UnitRow.semantic_id, UnitRow.id).where(
        UnitRow.snapshot_id == snapshot_id, col(UnitRow.semantic_id).in_(list(semantic_ids))
    )
    return {semantic: number or 0 for semantic, number in session.exec(query)}
