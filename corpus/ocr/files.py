"""Page files of any kind: each selected page with its image and its own text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from corpus.files.rows import check_file
from corpus.ocr import images, isolated, pdf
from corpus.ocr.drafting import Draft
from corpus.ocr.images import Limits, Picture, wanted_pages
from errors import UserError, Where

ENDINGS = (*pdf.ENDINGS, *images.ENDINGS)
_PDF = b"%PDF-"
_HEAD = 1024  # bytes within which a PDF has its signature


@dataclass(frozen=True, slots=True)
class PageRead:
    """A page of a file: its number from 1, its image, and its own text if any."""

    number: int
    picture: Picture
    draft: Draft | None


@dataclass(frozen=True, slots=True)
class Pages:
    """The selected pages of a file with `there` pages in all; iterate to read them."""

    path: Path
    name: str
    limits: Limits
    there: int
    wanted: list[int]
    is_pdf: bool

    def __iter__(self) -> Iterator[PageRead]:
        """Read page after page. Raises UserError for one that cannot be read."""
        kind = isolated.PDF if self.is_pdf else isolated.IMAGE
        for number in self.wanted:
            picture, draft = isolated.read_page(self.path, self.name, self.limits, kind, number)
            yield PageRead(number, picture, draft)


def open_pages(path: Path, name: str, spec: str = "", limits: Limits | None = None) -> Pages:
    """Open a PDF or image file; iterating reads the pages that `spec` selects (``1-20,35``).

    The kind of file is detected by its first bytes, not its name. `name` is its name in messages.
    Raises UserError for a file that is absent, empty, too large, of another kind, locked, broken or
    too expensive to read, and for an invalid `spec`.
    """
    bounds = limits or Limits()
    check_file(path, name, bounds.file_bytes)
    with path.open("rb") as file:
        head = file.read(_HEAD)
    if not head:
        raise UserError("file_empty", Where(name))
    is_pdf = _PDF in head
    if not is_pdf and path.suffix.lower() in pdf.ENDINGS:
        raise UserError("pdf_broken", Where(name), reason="no %PDF- at its beginning")
    kind = isolated.PDF if is_pdf else isolated.IMAGE
    there = isolated.count_pages(path, name, bounds, kind)
    return Pages(path, name, bounds, there, wanted_pages(spec, there, bounds, name), is_pdf)
