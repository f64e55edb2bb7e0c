"""PDF files: pages as images, and a PDF's own text and tables.

PyMuPDF holds the interpreter while it works, for hours with a malicious file: servers call this
through `corpus.ocr.isolated`. It works on one document at a time in a process, so all callers hold
the same lock.

A PDF's own text becomes a draft without an engine. It is not trusted if most of the page is a
picture (the text is then some other engine's) or if letters have no meaning assigned, as in PDFs
whose fonts lack a table of characters.
"""

from __future__ import annotations

import re
import threading
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain, groupby, islice
from pathlib import Path
from typing import Any

from PIL import Image

from corpus.ocr.blocks import Block, BlockKind, Box, Word, WordLine, joined, within_page
from corpus.ocr.cleaning import DPI
from corpus.ocr.drafting import Draft, as_blocks
from corpus.ocr.images import Limits, Picture, as_picture, encoded
from corpus.ocr.lines import Grid, grid_of_boxes
from errors import UserError, Where
from normalization import composed

_PICTURE = 0.6  # share of the page that makes it a scan
_FIGURE = 0.004  # share of the page from which a picture may contain text
_FRAME = 0.3  # share of the page's height from which a single row of cells frames columns
_MEANINGLESS = 0.05  # share of letters without a meaning from which the text is not trusted

PlacedWord = tuple[Word, tuple[int, int]]
"""A word with its block and line in the PDF's own division."""


@dataclass(frozen=True, slots=True)
class Layer:
    """A page's own words with their places, its ruled tables and pictures; all in pixels."""

    words: tuple[PlacedWord, ...]
    grids: tuple[Grid, ...]
    pictures: tuple[Box, ...]
    size: tuple[int, int]


def draft_of_layer(layer: Layer) -> Draft | None:
    """Draft a page from its own text, None if there is none to trust.

    A picture that is large enough to contain text becomes an empty paragraph at its place in the
    order: somebody has to look at it.
    """
    if not layer.words or not _has_usable_text(layer):
        return None
    inside, outside = _distributed(layer.words, [grid.box for grid in layer.grids])
    others = [_table(grid, words) for grid, words in zip(layer.grids, inside, strict=True)]
    others += [Block(BlockKind.PARAGRAPH, box=box) for box in _figures(layer)]
    blocks = as_blocks(_lines(outside), others, layer.size)
    return Draft(tuple(blocks), tuple(word for word, _ in layer.words))


def _distributed(
    words: Iterable[PlacedWord], boxes: Sequence[Box]
) -> tuple[list[list[PlacedWord]], list[PlacedWord]]:
    """Return the words whose centre is in each box, and those in none."""
    held: list[list[PlacedWord]] = [[] for _ in boxes]
    rest: list[PlacedWord] = []
    for word in words:
        at = next((n for n, box in enumerate(boxes) if _contains_centre(word[0].box, box)), None)
        (rest if at is None else held[at]).append(word)
    return held, rest


def _has_usable_text(layer: Layer) -> bool:
    """Return False for a text layer under a scan, or with unknown characters."""
    page = layer.size[0] * layer.size[1]
    if any(_area(box) >= _PICTURE * page for box in layer.pictures):
        return False
    letters = "".join(word.text for word, _ in layer.words)
    unknown = sum(char == "\ufffd" or unicodedata.category(char) in _NO_LETTER for char in letters)
    return unknown < _MEANINGLESS * len(letters)


_NO_LETTER = ("Co", "Cn", "Cs", "Cc")  # private use, unassigned, half characters, control


def _figures(layer: Layer) -> list[Box]:
    """Return the boxes of large pictures without words."""
    least = _FIGURE * layer.size[0] * layer.size[1]
    words = [word.box for word, _ in layer.words]
    large = [box for box in dict.fromkeys(layer.pictures) if _area(box) >= least]
    return [box for box in large if not any(_contains_centre(word, box) for word in words)]


def _lines(words: Sequence[PlacedWord]) -> list[WordLine]:
    """Group the words of the running text by line; each block is one paragraph."""
    return [
        WordLine(tuple(word for word, _ in group), (place[0],))
        for place, group in groupby(words, key=lambda each: each[1])
    ]


def _table(grid: Grid, words: Sequence[PlacedWord]) -> Block:
    """Return a table with the words in each cell."""
    held, _ = _distributed(words, [grid.box_of(place) for place in grid.places])
    return grid.table(joined(_lines(own)) for own in held)


def _contains_centre(inner: Box, outer: Box) -> bool:
    """Return True if the centre of a box is inside another."""
    x, y = (inner[0] + inner[2]) / 2, (inner[1] + inner[3]) / 2
    return outer[0] <= x < outer[2] and outer[1] <= y < outer[3]


def _area(box: Box) -> int:
    """Return the area of a box."""
    return (box[2] - box[0]) * (box[3] - box[1])


ENDINGS = (".pdf",)
_LOCK = threading.RLock()
_POINT = 72  # of them to an inch
_MOST_POINTS = 14_400  # the longest side that the PDF standard provides for
_TABLE_WORDS = 4_000  # on a page with more, the search for tables takes minutes
MOST_OPERATORS = 1_000_000  # on a page; drawing more takes minutes
_OPERATOR = re.compile(rb"\s[A-Za-z*'\"]{1,3}(?=\s)")
_END, _TAIL = b"%%EOF", 4096  # how a PDF ends, and bytes that may follow (the standard says 1,024)


def count_pages(path: Path, name: str) -> int:
    """Count the pages. Raises UserError for a PDF that is locked or broken."""
    with _open_document(path, name) as document:
        return int(document.page_count)


def read_page(path: Path, name: str, limits: Limits, number: int) -> tuple[Picture, Draft | None]:
    """Return a page, counting from 1: its image, and the draft from its own text if trusted.

    Raises UserError as `count_pages` does, and for a page without size or that cannot be drawn.
    """
    with _open_document(path, name) as document, _faults("pdf_page_broken", name, page=number):
        return _page(document, number, name, limits)


def _library() -> Any:
    """Import PyMuPDF, which is only needed for PDFs."""
    import pymupdf

    return pymupdf


@contextmanager
def _open_document(path: Path, name: str) -> Iterator[Any]:
    """Open a PDF, one at a time; raise UserError for one that is locked, cut off or broken."""
    with _LOCK:
        pymupdf = _library()
        pymupdf.TOOLS.mupdf_display_errors(False)
        pymupdf.TOOLS.mupdf_display_warnings(False)
        with _faults("pdf_broken", name):
            document = pymupdf.open(path, filetype="pdf")
        with document:
            with _faults("pdf_broken", name):
                _check(document, path, name)
            yield document


def _check(document: Any, path: Path, name: str) -> None:
    """Raise UserError for a PDF that is cut off, locked or empty."""
    if document.is_repaired and not _is_complete(path):
        raise UserError("pdf_cut_off", Where(name))  # repaired pages would be blank
    if document.needs_pass:
        raise UserError("pdf_locked", Where(name))
    if document.page_count == 0:
        raise UserError("pdf_empty", Where(name))


@contextmanager
def _faults(code: str, name: str, **params: object) -> Iterator[None]:
    """Convert the library's errors, each a class of its own, to a UserError of that code."""
    try:
        yield
    except UserError:
        raise
    except Exception as error:
        reason = str(error)[:200] or type(error).__name__
        raise UserError(code, Where(name), reason=reason, **params) from error


def _is_complete(path: Path) -> bool:
    """Return whether a PDF is complete up to its end mark."""
    with path.open("rb") as content:
        content.seek(max(0, path.stat().st_size - _TAIL))
        return _END in content.read()


def _page(document: Any, number: int, name: str, limits: Limits) -> tuple[Picture, Draft | None]:
    """Render a page with its text layer. Raises UserError for extreme sizes."""
    page = document.load_page(number - 1)
    if page.rotation:
        page.remove_rotation()  # same appearance, with places as in its image
    width, height = page.rect.width, page.rect.height
    if min(width, height) < 8 or max(width, height) > _MOST_POINTS:
        raise UserError(
            "pdf_page_size", Where(name), page=number, size=f"{width:.0f} × {height:.0f}"
        )
    _refuse_bombs(page, number, name, limits)
    _refuse_drawings(document, page, number, name)
    scale = min(DPI / _POINT, (limits.kept / (width * height)) ** 0.5)
    image = _image(page, scale)
    draft = draft_of_layer(_layer(page, scale, image.size))
    if draft is None:
        return as_picture(image, limits), None
    content, media_type = encoded(image)
    return Picture(content, media_type, image.width, image.height), draft


def _refuse_bombs(page: Any, number: int, name: str, limits: Limits) -> None:
    """Refuse a page with an image too large to unpack."""
    for image in page.get_images(full=True):
        width, height = int(image[2]), int(image[3])
        if width * height > limits.pixels:
            size, most = f"{width:,} × {height:,}", f"{limits.pixels / 1_000_000:g}"
            raise UserError("pdf_image_large", Where(name), page=number, size=size, limit=most)


def _refuse_drawings(document: Any, page: Any, number: int, name: str) -> None:
    """Refuse a page whose content, or a form in it, is too long to be drawn in seconds."""
    contents = [page.read_contents(), *(document.xref_stream(x[0]) for x in page.get_xobjects())]
    operators = chain.from_iterable(_OPERATOR.finditer(each or b"") for each in contents)
    if next(islice(operators, MOST_OPERATORS, None), None) is not None:
        raise UserError("pdf_page_drawing", Where(name), page=number, limit=f"{MOST_OPERATORS:,}")


def _image(page: Any, scale: float) -> Image.Image:
    """Render a page."""
    pymupdf = _library()
    matrix = pymupdf.Matrix(scale, scale)
    pixmap = page.get_pixmap(matrix=matrix, colorspace=pymupdf.csRGB, alpha=False)
    return Image.frombytes("RGB", (pixmap.width, pixmap.height), pixmap.samples)


def _layer(page: Any, scale: float, size: tuple[int, int]) -> Layer:
    """Return the text of a page and the boxes of its pictures, in pixels of its image."""

    def in_pixels(box: Any) -> Box:
        """Return a box of the page in pixels of its image."""
        return within_page([x * scale for x in box[:4]], size)

    words = [
        (Word(composed(str(w[4])), in_pixels(w)), (int(w[5]), int(w[6])))
        for w in page.get_text("words", sort=False)
        if str(w[4]).strip()
    ]
    pictures = tuple(in_pixels(each["bbox"]) for each in page.get_image_info())
    grids = _grids(page, scale, size) if 0 < len(words) <= _TABLE_WORDS else []
    return Layer(tuple(words), tuple(grids), pictures, size)


def _grids(page: Any, scale: float, size: tuple[int, int]) -> list[Grid]:
    """Return the ruled tables of a page, without frames around columns of text."""
    grids = []
    for table in page.find_tables(strategy="lines", use_layout=False).tables:  # no model guesses
        boxes = [[x * scale for x in cell] for cell in table.cells if cell]
        grid = grid_of_boxes(boxes, near=2 * scale)
        if grid is None or len(grid.places) < 2:
            continue
        if grid.rows > 1 or grid.box[3] - grid.box[1] < _FRAME * size[1]:
            grids.append(grid)
    return grids
