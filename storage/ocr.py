"""Pages with their images and drafts, and the units made from them: storage and reading."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Any

from sqlalchemy import select as rows
from sqlalchemy.orm import aliased
from sqlmodel import Session, col, select

from errors import UserError
from normalization.grouping import grouped
from storage.db.columns import usable_id, view_of
from storage.db.rows import add_row
from storage.tables.core import Annotation, Person, StatuteRow, UnitRow
from storage.tables.ocr import Page, PageDraft, PageImage, UnitPage

DRAFTED, FAILED = "drafted", "failed"


@dataclass(frozen=True, slots=True)
class PageInfo:
    """A page without its image; sizes are in pixels of the image."""

    id: int
    project_id: int
    external_id: str
    document: str
    number: int
    language: str
    unit: str
    image_id: int
    width: int
    height: int
    file: str


@dataclass(frozen=True, slots=True)
class DraftInfo:
    """A draft of a page; `blocks` and `words` are those of :class:`PageDraft`."""

    id: int
    page_id: int
    engine: str
    version: str
    state: str
    problem: str | None
    seconds: float
    blocks: tuple[dict[str, Any], ...]
    words: tuple[list[Any], ...]
    at: datetime

    @property
    def name(self) -> str:
        """The engine and its version, the key of figures."""
        return f"{self.engine} {self.version}".rstrip()


def pages(session: Session, project_id: int) -> list[PageInfo]:
    """Return the project's pages, without images, in order of document and number."""
    query = (
        _infos()
        .where(col(Page.project_id) == project_id)
        .order_by(col(Page.document), col(Page.number), col(Page.id))
    )
    return [PageInfo(*row) for row in session.execute(query)]


def page_by_id(session: Session, page_id: int) -> PageInfo:
    """Return a page, without its image. Raises UserError for an unknown id."""
    row = session.execute(_infos().where(col(Page.id) == usable_id(page_id))).first()
    if row is None:
        raise UserError("page_unknown", page=page_id)
    return PageInfo(*row)


def page_of_project(session: Session, project_id: int, page_id: int) -> PageInfo:
    """Return a page of the project. Raises UserError for any other."""
    found = page_by_id(session, page_id)
    if found.project_id != project_id:
        raise UserError("page_unknown", page=page_id)
    return found


def image_content(session: Session, image_id: int) -> tuple[str, bytes]:
    """Return the media type of an image and its bytes. Raises KeyError for an unknown id."""
    query = select(PageImage.media_type, PageImage.content).where(PageImage.id == image_id)
    row = session.exec(query).first()
    if row is None:
        raise KeyError(image_id)
    return row[0], row[1]


def keep_image(session: Session, image: PageImage) -> int:
    """Store an image, unless the project has an equal one; return the stored one's id."""
    digest = sha256(image.content).hexdigest()
    query = select(PageImage.id).where(
        PageImage.project_id == image.project_id, PageImage.sha256 == digest
    )
    known = session.exec(query).first()
    if known is not None:
        return known
    image.sha256 = digest
    return add_row(session, image)


def draft_by_id(session: Session, draft_id: int) -> DraftInfo:
    """Return a draft. Raises KeyError for an unknown id."""
    row = session.get(PageDraft, draft_id)
    if row is None:
        raise KeyError(draft_id)
    return _draft(row)


def drafts(session: Session, project_id: int) -> list[DraftInfo]:
    """Return the drafts of the project's pages, oldest first."""
    query = (
        select(PageDraft)
        .join(Page)
        .where(Page.project_id == project_id)
        .order_by(col(PageDraft.id))
    )
    return [_draft(row) for row in session.exec(query)]


def drafted_by(session: Session, project_id: int) -> dict[int, set[str]]:
    """Return the engines that drafted each page with success, as "name version"."""
    query = (
        select(PageDraft.page_id, PageDraft.engine, PageDraft.engine_version)
        .join(Page)
        .where(Page.project_id == project_id, PageDraft.state == DRAFTED)
    )
    engines = ((page, f"{name} {version}".rstrip()) for page, name, version in session.exec(query))
    return {page: set(names) for page, names in grouped(engines).items()}


def known_pages(session: Session, project_id: int) -> dict[str, str]:
    """Return the image digest of every page of the project, by external id."""
    query = select(Page.external_id, PageImage.sha256)
    query = query.join(PageImage)
    return dict(session.exec(query.where(Page.project_id == project_id)).all())


def _infos() -> Any:
    """Query of pages without their images."""
    columns = (Page.id, Page.project_id, Page.external_id, Page.document, Page.number)
    more = (Page.language, Page.unit, Page.image_id, PageImage.width, PageImage.height, Page.file)
    joined = col(PageImage.id) == Page.image_id
    return rows(*(col(each) for each in (*columns, *more))).join(PageImage, joined)


def _draft(row: PageDraft) -> DraftInfo:
    """Return a row as a draft."""
    listed = {"blocks": tuple(row.blocks), "words": tuple(row.words)}
    return view_of(DraftInfo, row, version=row.engine_version, **listed)


@dataclass(frozen=True, slots=True)
class PageOfUnit:
    """A page that a unit's text was read from, and who corrected and verified it."""

    page_id: int
    external_id: str
    order: int
    corrector: str
    verifier: str
    verified_at: datetime


def keep_unit_pages(session: Session, rows: Iterable[UnitPage]) -> None:
    """Store the rows that do not exist yet."""
    for row in rows:
        query = select(UnitPage.id).where(
            UnitPage.unit_id == row.unit_id,
            UnitPage.page_id == row.page_id,
            UnitPage.verification_id == row.verification_id,
        )
        if session.exec(query).first() is None:
            session.add(row)
    session.flush()


def published_pages(session: Session, project_id: int) -> dict[int, int]:
    """Return the newest verification with which each page entered the corpus, by page."""
    query = (
        select(UnitPage.page_id, UnitPage.verification_id)
        .join(Page)
        .where(Page.project_id == project_id)
        .order_by(col(UnitPage.id))
    )
    return dict(session.exec(query).all())


def pages_of_unit(session: Session, snapshot_id: int, semantic_id: str) -> list[PageOfUnit]:
    """Return the pages that a unit's text was read from, in order; [] for any other unit."""
    corrected, verified = aliased(Annotation), aliased(Annotation)
    corrector, verifier = aliased(Person), aliased(Person)
    query = (
        select(  # type: ignore[call-overload]
            Page.id, Page.external_id, UnitPage.order, corrector.name, verifier.name, verified.at
        )
        .select_from(UnitPage)
        .join(UnitRow)
        .join(Page)
        .join(corrected, col(corrected.id) == UnitPage.correction_id)
        .join(verified, col(verified.id) == UnitPage.verification_id)
        .join(corrector, col(corrector.id) == corrected.person_id)
        .join(verifier, col(verifier.id) == verified.person_id)
        .where(UnitRow.snapshot_id == snapshot_id, UnitRow.semantic_id == semantic_id)
        .order_by(col(UnitPage.order), col(UnitPage.id))
    )
    newest = {row[0]: PageOfUnit(*row) for row in session.exec(query)}  # the last row of each page
    return list(newest.values())


def instruments_of_pages(session: Session, project_id: int) -> frozenset[str]:
    """Return the semantic ids of statutes made from documents of the project."""
    query = (
        select(StatuteRow.semantic_id)
        .join(UnitRow)
        .join(UnitPage)
        .join(Page)
        .where(Page.project_id == project_id, Page.unit == "")
        .distinct()
    )
    return frozenset(session.exec(query))
