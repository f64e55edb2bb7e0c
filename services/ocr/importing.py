"""Import of pages: each with its image, embedded text, and a correction item.

All pages of an import are stored or none. They are rendered to a temporary folder first, one at a
time, so that neither memory nor the write transaction waits for a file of hundreds of pages.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from time import perf_counter

from sqlmodel import Session

from annotation.people.roles import Act, allow, reading_as
from corpus.files.given_paths import is_archive
from corpus.files.rows import printable
from corpus.long_work import Progress
from corpus.model import slug
from corpus.ocr.cleaning import DPI
from corpus.ocr.files import ENDINGS, PageRead, Pages, open_pages
from errors import UserError, Where
from normalization import composed
from normalization.hashing import file_hash
from services.ocr.drafting import Made, draft_row
from services.uploads import LOCAL, Upload, staged_tree
from storage.db.rows import add_row
from storage.db.workspace import Workspace
from storage.law.corpus import snapshot_in_use, unit_ids
from storage.ocr import keep_image, known_pages
from storage.projects import ProjectView, find_project
from storage.subjects import Subject, add_items
from storage.tables.ocr import Page, PageImage
from storage.tasks import Task

EMBEDDED = "embedded"  # engine name of text embedded in a PDF
PDF_VERSION = "PyMuPDF 2"
LANGUAGES = ("ko", "en")
_NAME = 120  # characters of a document's name


@dataclass(frozen=True, slots=True)
class ImportOptions:
    """Options of a page import.

    `pages` selects pages, such as ``1-20,35``; all by default. `unit` is the semantic id of the
    unit that a document provides, "" for a document that becomes an instrument. `language` is that
    of the text, for engines.
    """

    pages: str = ""
    unit: str = ""
    language: str = "ko"


@dataclass(frozen=True, slots=True)
class PagesReport:
    """Summary of a page import; `with_text` of the new pages have embedded text."""

    files: int
    new: int
    unchanged: int
    with_text: int
    seconds: float


@dataclass(frozen=True, slots=True)
class _Staged:
    """A page that was read of a file: its name, and its image, whose content is in a file."""

    external_id: str
    document: str
    title: str
    file: str
    file_sha256: str
    read: PageRead
    content: Path
    sha256: str
    seconds: float


def import_pages(
    ws: Workspace,
    project_slug: str,
    path: Path,
    wish: ImportOptions | None = None,
    progress: Progress | None = None,
    *,
    by: int | None = None,
) -> PagesReport:
    """Import the pages of a PDF, an image, or a folder or archive of them; known ones are skipped.

    A page with a known id and the same image is skipped. `progress` gets (pages read, pages in
    all). `by` is the importer, None for the operator. Raises UserError for `by` without permission,
    for a unit that the corpus lacks, for any file or page that cannot be read, and for a known page
    with another image; then nothing is stored.
    """
    began, wanted = perf_counter(), wish or ImportOptions()
    _check_options(ws, project_slug, wanted, by)
    with _files(path) as files, tempfile.TemporaryDirectory(prefix="touchstone-pages-") as name:
        opened = [(file, open_pages(file, shown, wanted.pages)) for file, shown in files]
        staged = list(_staged_pages(opened, Path(name), progress))
        _refuse_repeated(staged)
        with ws.writing() as session:
            project = find_project(session, project_slug)
            new = _store_new(session, ws, project, staged, wanted, by)
    texts = sum(each.read.draft is not None for each in new)
    seconds = perf_counter() - began
    return PagesReport(len(opened), len(new), len(staged) - len(new), texts, seconds)


def import_uploaded(
    ws: Workspace,
    project_slug: str,
    uploads: Sequence[Upload],
    wish: ImportOptions | None = None,
    progress: Progress | None = None,
    *,
    by: int | None = None,
) -> PagesReport:
    """:func:`import_pages` for files uploaded in a browser."""
    allow(ws, project_slug, by, Act.MAKE_ITEMS)  # before anything is unpacked
    with staged_tree(uploads, endings=ENDINGS) as staged:
        return import_pages(ws, project_slug, staged.path, wish, progress, by=by)


def _check_options(ws: Workspace, project_slug: str, wish: ImportOptions, by: int | None) -> None:
    """Raise UserError for an unknown language or unit, and for `by` without permission."""
    if wish.language not in LANGUAGES:
        known = ", ".join(LANGUAGES)
        raise UserError("language_unknown", Where(field="language"), known=known)
    with reading_as(ws, project_slug, by, Act.MAKE_ITEMS) as (session, project, _):
        if not wish.unit:
            return
        snapshot = snapshot_in_use(session, project.id)
        if snapshot is None or wish.unit not in unit_ids(session, snapshot.id):
            raise UserError("page_unit_unknown", Where(field="unit"), unit=wish.unit)


@contextmanager
def _files(path: Path) -> Iterator[list[tuple[Path, str]]]:
    """Yield the page files at or below `path` with display names; an archive is unpacked."""
    if is_archive(path.name) and path.is_file():
        with path.open("rb") as content:
            upload = Upload(printable(path.name), content)
            with staged_tree([upload], LOCAL, ENDINGS) as staged, _files(staged.path) as files:
                yield files
        return
    if not path.is_dir():
        yield [(path, printable(path.name))]
        return
    found = sorted(p for p in path.rglob("*") if p.suffix.lower() in ENDINGS and p.is_file())
    if not found:
        suffix = ", ".join(ENDINGS)
        raise UserError("upload_nothing", Where(file=printable(path.name)), suffix=suffix)
    yield [(file, printable(str(file.relative_to(path)))) for file in found]


def _staged_pages(
    opened: Sequence[tuple[Path, Pages]], folder: Path, progress: Progress | None
) -> Iterator[_Staged]:
    """Yield every page of the files, its image written to the folder."""
    total, done = sum(len(pages.wanted) for _, pages in opened), 0
    for file, pages in opened:
        digest, document = file_hash(file), composed(Path(pages.name).stem)[:_NAME]
        name, many = slug(document) or "page", pages.there > 1
        began = perf_counter()
        for read in pages:
            image = folder / f"{done}"
            image.write_bytes(read.picture.content)
            done += 1
            yield _Staged(
                external_id=f"{name}-p{read.number:03d}" if many else name,
                document=document,
                title=f"{document} · {read.number}" if many else document,
                file=pages.name,
                file_sha256=digest,
                read=replace(read, picture=replace(read.picture, content=b"")),
                content=image,
                sha256=sha256(read.picture.content).hexdigest(),
                seconds=perf_counter() - began,
            )
            if progress is not None:
                progress(done, total)
            began = perf_counter()


def _refuse_repeated(staged: Sequence[_Staged]) -> None:
    """Raise UserError if two of the pages have the same id."""
    seen: dict[str, str] = {}
    for each in staged:
        if each.external_id in seen:
            other = seen[each.external_id]
            raise UserError("page_repeated", Where(each.file), id=each.external_id, other=other)
        seen[each.external_id] = each.file


def _store_new(
    session: Session,
    ws: Workspace,
    project: ProjectView,
    staged: Sequence[_Staged],
    wish: ImportOptions,
    by: int | None,
) -> list[_Staged]:
    """Store the pages that the project lacks, with an item each; return them.

    Raises UserError for a known page with another image.
    """
    known = known_pages(session, project.id)
    for each in staged:
        if known.get(each.external_id, each.sha256) != each.sha256:
            raise UserError("page_changed", Where(each.file), id=each.external_id)
    new = [each for each in staged if each.external_id not in known]
    at = ws.clock()
    subjects = []
    for each in new:
        page_id, draft = _keep_page(session, project.id, each, wish, by, at), None
        if (own := each.read.draft) is not None:
            made = Made(EMBEDDED, PDF_VERSION, {"dpi": DPI}, own, None, each.seconds)
            draft = add_row(session, draft_row(page_id, made, at))
        subjects.append(Subject(page_id, each.external_id, each.title, {"draft": draft}))
    add_items(session, project.id, Task.OCR_CORRECTION, subjects, at)
    return new


def _keep_page(
    session: Session,
    project_id: int,
    each: _Staged,
    wish: ImportOptions,
    by: int | None,
    at: datetime,
) -> int:
    """Store a page and its image; return its id."""
    picture = each.read.picture
    image = PageImage(
        project_id=project_id,
        sha256=each.sha256,
        media_type=picture.media_type,
        width=picture.width,
        height=picture.height,
        turned=picture.turned,
        content=each.content.read_bytes(),
        at=at,
    )
    page = Page(
        project_id=project_id,
        external_id=each.external_id,
        document=each.document,
        number=each.read.number,
        language=wish.language,
        unit=wish.unit,
        image_id=keep_image(session, image),
        file=each.file,
        file_sha256=each.file_sha256,
        person_id=by,
        at=at,
    )
    return add_row(session, page)
