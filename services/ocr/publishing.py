"""Publishing of verified pages into the corpus as a new snapshot, with their provenance.

A document is published when all its pages are verified. It fills the unit that it was imported for,
or becomes an instrument with a unit per page. Repeating changes nothing, so an interrupted run is
completed by the next.

Views of pages: image, draft blocks, current texts, and pages of a unit.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from sqlmodel import Session

from annotation.ocr.blocks import FIELD
from annotation.people.roles import Act, reading_as
from annotation.work.submissions import complete, migrated_from
from corpus.long_work import Progress
from corpus.model import Level, Statute, Tier, Unit, slug
from corpus.ocr.blocks import Block, BlockKind, of_json, text_of
from errors import UserError, Where
from normalization.grouping import grouped
from services.law.importing import keep_law
from storage.db.workspace import Workspace
from storage.law.corpus import load_statutes, snapshot_in_use, units_called
from storage.ocr import (
    PageInfo,
    PageOfUnit,
    draft_by_id,
    image_content,
    instruments_of_pages,
    keep_unit_pages,
    page_by_id,
    page_of_project,
    pages,
    pages_of_unit,
)
from storage.subjects import shown_of
from storage.tables.ocr import UnitPage
from storage.tasks import Task


@dataclass(frozen=True, slots=True)
class PageSubmission:
    """A person's submission on a page, with active seconds.

    For one carried over to another document version, `annotation_id` is the original submission.
    """

    annotation_id: int
    person: str
    blocks: tuple[Block, ...]
    seconds: float
    at: datetime
    draft_id: int | None


@dataclass(frozen=True, slots=True)
class PageText:
    """A page's correction, and its verification if newer than the correction."""

    correction: PageSubmission
    verification: PageSubmission | None

    @property
    def best(self) -> tuple[Block, ...]:
        """The verified text, else the corrected one."""
        return (self.verification or self.correction).blocks


def page_texts(session: Session, project_id: int) -> dict[int, PageText]:
    """Return the current text of each corrected page, by page id.

    A verification counts until the page is corrected again, as nobody has verified the change.
    """
    verified = _submissions(session, project_id, Task.OCR_VERIFICATION)
    found = {}
    for page_id, correction in _submissions(session, project_id, Task.OCR_CORRECTION).items():
        check = verified.get(page_id)
        fits = check is not None and check.annotation_id > correction.annotation_id
        found[page_id] = PageText(correction, check if fits else None)
    return found


def _submissions(session: Session, project_id: int, task: Task) -> dict[int, PageSubmission]:
    """Return the submission on each page that is complete in a task, by page id."""
    items, originals = complete(session, project_id, task), migrated_from(session, project_id, task)
    return {
        each.subject_id: PageSubmission(
            originals.get(each.annotation_id, each.annotation_id),
            each.person,
            of_json(each.answers.get(FIELD, [])),
            each.seconds or 0.0,
            each.at,
            shown_of(session, each.candidate_set_id).get("draft"),
        )
        for item in items.values()
        for each in item[:1]
    }


@dataclass(frozen=True, slots=True)
class PageView:
    """A page with one draft; `width` and `height` of its image are in pixels.

    `words` is a list of [text, left, top, right, bottom, confidence in percent or None].
    """

    page_id: int
    external_id: str
    width: int
    height: int
    blocks: tuple[dict[str, Any], ...]
    words: tuple[list[Any], ...]


def page_view(ws: Workspace, page_id: int, draft_id: int | None) -> PageView:
    """Return the page with that draft, without text where `draft_id` is None.

    The caller checks access by the item. Raises UserError for an unknown page, and KeyError for a
    draft of another page.
    """
    with ws.reading() as session:
        page = page_by_id(session, page_id)
        draft = None if draft_id is None else draft_by_id(session, draft_id)
        if draft is not None and draft.page_id != page.id:
            raise KeyError(draft_id)
        about = (page.id, page.external_id, page.width, page.height)
        return PageView(*about, *((draft.blocks, draft.words) if draft else ((), ())))


def image_of(
    ws: Workspace, project_slug: str, page_id: int, by: int | None = None
) -> tuple[str, bytes]:
    """Return the media type and content of a page's upright image.

    `by` is the requester, None for the operator. Raises UserError for `by` outside the project, and
    for an unknown page.
    """
    with reading_as(ws, project_slug, by, Act.READ_LAW) as (session, project, _):
        page = page_of_project(session, project.id, page_id)
        return image_content(session, page.image_id)


def unit_sources(
    ws: Workspace, project_slug: str, snapshot_id: int, unit_id: str, by: int | None = None
) -> list[PageOfUnit]:
    """Return the pages that the unit's text was read from, in order; empty for most units.

    `by` is the reader, None for the operator. Raises UserError for `by` outside the project.
    """
    with reading_as(ws, project_slug, by, Act.READ_LAW) as (session, _, _):
        return pages_of_unit(session, snapshot_id, unit_id)


_KINDS = {"ko": "매뉴얼", "en": "Manual"}  # kinds of instruments made from documents
_PAGE = {"ko": "{number}쪽", "en": "Page {number}"}
_NAME = 80  # characters of a snapshot's name


@dataclass(frozen=True, slots=True)
class PublishReport:
    """Summary of publishing.

    `units` have a text from pages; `snapshot_id` is in use, `new` where this made it. `waiting`
    maps documents not wholly verified to the number of missing pages.
    """

    snapshot_id: int | None
    new: bool
    documents: int
    units: int
    pages: int
    waiting: dict[str, int]


@dataclass(frozen=True, slots=True)
class _Document:
    """A document with its pages in order and their current text."""

    name: str
    unit: str
    language: str
    pages: tuple[tuple[PageInfo, PageText], ...]

    @property
    def statute_id(self) -> str:
        """Semantic id of the instrument made from it; unused if it fills a unit."""
        return slug(self.name) or "document"


def publish_pages(
    ws: Workspace, project_slug: str, progress: Progress | None = None, *, by: int | None = None
) -> PublishReport:
    """Publish every completely verified document into the corpus.

    `progress` reports building of the citation graph: (statutes done, in all). `by` is the
    requester, None for the operator. Raises UserError for `by` without permission, for a unit that
    the corpus no longer has, for an instrument with the title of a document, and where other law
    came into use meanwhile; then nothing changes.
    """
    with reading_as(ws, project_slug, by, Act.IMPORT_LAW) as (session, project, _):
        ready, waiting = _documents(pages(session, project.id), page_texts(session, project.id))
        snapshot = snapshot_in_use(session, project.id)
        law = [] if snapshot is None else load_statutes(session, snapshot.id)
        own = instruments_of_pages(session, project.id)
    if not ready:
        return PublishReport(snapshot.id if snapshot else None, False, 0, 0, 0, waiting)
    changed = list(_with_documents(law, ready, own))
    if snapshot is not None and changed == law:
        number, new = snapshot.id, False
    else:
        names, upon = ", ".join(document.name for document in ready), None
        if snapshot is not None:
            names, upon = f"{snapshot.name} + {names}", snapshot.id
        kept = keep_law(ws, project_slug, changed, names[:_NAME], progress, upon=upon, by=by)
        number, new = kept.snapshot_id, kept.new
    units = _link_pages(ws, number, ready, by)
    count = sum(len(document.pages) for document in ready)
    return PublishReport(number, new, len(ready), units, count, waiting)


def _documents(
    pages: Sequence[PageInfo], texts: Mapping[int, PageText]
) -> tuple[list[_Document], dict[str, int]]:
    """Group pages by document and unit; return the wholly verified, and missing pages by document.

    The pages of a document that provide another unit each are published apart, so a document can
    be in both.
    """
    groups = grouped(((page.document, page.unit), page) for page in pages)
    ready, waiting = [], Counter[str]()
    for (name, unit), members in sorted(groups.items()):
        known = [(page, texts[page.id]) for page in members if page.id in texts]
        done = [(page, text) for page, text in known if text.verification is not None]
        if len(done) == len(members):
            ordered = tuple(sorted(done, key=lambda each: each[0].number))
            ready.append(_Document(name, unit, members[0].language, ordered))
        else:
            waiting[name] += len(members) - len(done)
    return ready, dict(waiting)


def _with_documents(
    law: Sequence[Statute], ready: Sequence[_Document], own: frozenset[str]
) -> Iterator[Statute]:
    """Yield the statutes, those that documents fill or replace changed, then the new ones.

    `own` are the instruments made from pages before. Raises UserError for a title that another
    instrument has, and for a unit that the law lacks.
    """
    # The texts of each unit, its documents in order of name.
    fills = grouped((e.unit, text_of(t.best)) for e in ready if e.unit for _, t in e.pages)
    texts = {unit: "\n".join(parts) for unit, parts in fills.items()}
    lacking = set(texts)
    new = {each.statute_id: _instrument(each) for each in ready if not each.unit}
    for statute in law:
        if statute.semantic_id in new:
            if statute.semantic_id not in own:
                raise UserError("page_title_taken", Where(field="title"), title=statute.title)
            yield new.pop(statute.semantic_id)
            continue
        lacking -= {unit.semantic_id for unit in statute.units}
        units = tuple(_with_text(unit, texts.get(unit.semantic_id)) for unit in statute.units)
        yield statute if units == statute.units else replace(statute, units=units)
    if lacking:
        raise UserError("page_unit_unknown", Where(field="unit"), unit=min(lacking))
    yield from new.values()


def _with_text(unit: Unit, text: str | None) -> Unit:
    """Return a unit with a new text, if it has one, its parts and links dropped."""
    if text is None or unit.text == text:
        return unit
    return replace(unit, text=text, text_missing=not text, parts=(), links=())


def _instrument(document: _Document) -> Statute:
    """Return a document as a statute, one unit a page."""
    units = tuple(
        Unit(
            semantic_id=f"{document.statute_id}_p{page.number}",
            statute_id=document.statute_id,
            level=Level.ANNEX,
            label=_PAGE[document.language].format(number=page.number),
            heading=next(
                (" ".join(e.text.split()) for e in text.best if e.kind is BlockKind.HEADING), ""
            ),
            text=text_of(text.best),
            order=order,
        )
        for order, (page, text) in enumerate(document.pages)
    )
    return Statute(
        semantic_id=document.statute_id,
        title=document.name,
        kind=_KINDS[document.language],
        tier=Tier.MANUAL,
        language=document.language,
        units=units,
        file=document.pages[0][0].file,
    )


def _link_pages(ws: Workspace, snapshot_id: int, ready: Sequence[_Document], by: int | None) -> int:
    """Record the pages behind every unit; return the number of units."""
    of_unit = grouped(
        (each.unit or f"{each.statute_id}_p{page.number}", (page, text))
        for each in ready
        for page, text in each.pages
    )
    with ws.writing() as session:
        numbers = units_called(session, snapshot_id, of_unit)
        rows = [
            UnitPage(
                unit_id=number,
                page_id=page.id,
                order=order,
                correction_id=text.correction.annotation_id,
                verification_id=text.verification.annotation_id,
                person_id=by,
                at=ws.clock(),
            )
            for unit, number in numbers.items()
            for order, (page, text) in enumerate(of_unit[unit], 1)
            if text.verification is not None
        ]
        keep_unit_pages(session, rows)
    return len(numbers)
