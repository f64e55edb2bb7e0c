"""Parser of Tesseract's output as lines of words.

Its TSV divides Hangul into syllables and keeps no spaces; its plain text of the same run has the
spaces (with ``preserve_interword_spaces``). So each line of the one is matched with the line of the
other, and a word is the text between spaces: its box encloses its pieces, and its confidence is
that of its least certain piece.

Blocks from a vision model's output; table spans from the lines of the image.

A model writes a merged cell once and leaves the covered places empty, so merged cannot be
distinguished from blank. If the image has a ruled table of as many rows and columns whose merged
cells only cover blank places, its spans are used.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from PIL import Image

from corpus.limits import PAGE_BLOCK
from corpus.ocr.blocks import Block, BlockKind, Cell, Word, WordLine, bounding_box
from corpus.ocr.cleaning import cleaned, dark
from corpus.ocr.lines import Grid, find_tables

_WORD = "5"  # the level of word rows
_FIELDS = 12


def read_tsv(tsv: str, text: str, images: int) -> list[list[WordLine]]:
    """Return the lines of each of the images that one run of Tesseract read.

    `tsv` and `text` are its two outputs. Invalid rows are skipped, as are words without text or
    with an empty box, which is Tesseract's output for ruled lines.
    """
    pieces = [row for line in tsv.splitlines() if (row := _row(line)) is not None]
    pages = _text_lines(text, images)
    found: list[list[WordLine]] = [[] for _ in range(images)]
    for (page, *place), group in groupby(pieces, key=lambda row: row[0]):
        if not 1 <= page <= images:
            continue
        words = [word for _, word in group]
        whole = "".join(word.text for word in words)
        spaced = _matching(pages[page - 1], whole)
        found[page - 1].append(WordLine(tuple(_as_spaced(words, spaced)), tuple(place[:2])))
    return found


def _row(line: str) -> tuple[tuple[int, ...], Word] | None:
    """Parse a row: (page, block, paragraph, line) and the word piece; None if it has no word."""
    fields = line.split("\t")
    if len(fields) != _FIELDS or fields[0] != _WORD or not fields[11].strip():
        return None
    try:
        page, block, paragraph, number = (int(field) for field in fields[1:5])
        left, top, width, height = (int(field) for field in fields[6:10])
        confidence = float(fields[10])
    except ValueError:
        return None
    if width <= 0 or height <= 0 or left < 0 or top < 0:
        return None
    box = (left, top, left + width, top + height)
    return (page, block, paragraph, number), Word("".join(fields[11].split()), box, confidence)


def _text_lines(text: str, images: int) -> list[list[str]]:
    """Return the non-empty lines of each image's plain text; form feeds divide the images."""
    pages = [
        [line for line in page.splitlines() if line.strip()]
        for page in text.replace("\r\n", "\n").split("\f")
    ]
    return (pages + [[] for _ in range(images)])[:images]


def _matching(lines: list[str], whole: str) -> list[str]:
    """Take the next of `lines` with these characters; return its words, [] if there is none.

    The lines before it are consumed. If none matches, the pieces stay separate.
    """
    for number, line in enumerate(lines):
        words = line.split()
        if "".join(words) == whole:
            del lines[: number + 1]
            return words
    return []


def _as_spaced(pieces: Sequence[Word], spaced: Sequence[str]) -> Iterator[Word]:
    """Yield the words of a line: pieces joined as in the plain text."""
    if not spaced:
        yield from pieces
        return
    ends, at = set(), 0
    for word in spaced:
        at += len(word)
        ends.add(at)
    at, held = 0, []
    for piece in pieces:
        held.append(piece)
        at += len(piece.text)
        if at in ends:
            yield _joined_word(held)
            held = []
    if held:
        yield _joined_word(held)


def _joined_word(pieces: Sequence[Word]) -> Word:
    """Return the pieces of a word as one, with the least confidence."""
    known = [piece.confidence for piece in pieces if piece.confidence is not None]
    box = bounding_box([piece.box for piece in pieces])
    return Word("".join(piece.text for piece in pieces), box, min(known, default=None))


MOST_ROWS, MOST_COLUMNS = 500, 60
MOST_CHARACTERS = PAGE_BLOCK  # of one text: more means a model that repeats itself


@dataclass(frozen=True, slots=True)
class Written:
    """One block as written by a model."""

    kind: str
    text: str
    rows: Sequence[Sequence[str]]


def grids_of(image: Image.Image) -> list[tuple[Grid, float]]:
    """Return the ruled tables of an image, each with its enlargement over the image."""
    page = cleaned(image)
    return [(grid, page.scale) for grid in find_tables(dark(page.image))]


def as_blocks(written: Sequence[Written], grids: Sequence[tuple[Grid, float]]) -> list[Block]:
    """Convert a model's output to blocks; empty ones are left out."""
    left, found = list(grids), list[Block]()
    for each in written:
        if each.kind != BlockKind.TABLE:
            text = _clean(each.text)
            found += [Block(BlockKind(each.kind), text)] if text.strip() else []
            continue
        rows = [[_clean(cell) for cell in row[:MOST_COLUMNS]] for row in each.rows[:MOST_ROWS]]
        if any(rows):
            found.append(_spanned(_single(rows), left))
    return found


def _single(rows: Sequence[Sequence[str]]) -> Block:
    """Return a table of these texts without merged cells, short rows padded."""
    columns = max(len(row) for row in rows)
    cells = tuple(
        Cell(number, column, text=row[column] if column < len(row) else "")
        for number, row in enumerate(rows)
        for column in range(columns)
    )
    return Block(BlockKind.TABLE, rows=len(rows), columns=columns, cells=cells)


def _clean(text: str) -> str:
    """Clean a text for storage: printable characters, line ends as ``\\n``, bounded length."""
    plain = text.replace("\r\n", "\n").replace("\r", "\n").replace("\t", " ")
    return "".join(c for c in plain[:MOST_CHARACTERS] if c == "\n" or c.isprintable())


def _spanned(block: Block, grids: list[tuple[Grid, float]]) -> Block:
    """Return a table with spans and box of the first grid that fits, and drop that grid."""
    texts = {(cell.row, cell.column): cell.text for cell in block.cells}
    for number, (grid, scale) in enumerate(grids):
        if (grid.rows, grid.columns) == (block.rows, block.columns) and _fits(grid, texts):
            del grids[number]
            cells = tuple(Cell(*place, text=texts[place[0], place[1]]) for place in grid.places)
            left_, top, right, bottom = (round(edge / scale) for edge in grid.box)
            return replace(block, cells=cells, box=(left_, top, right, bottom))
    return block


def _fits(grid: Grid, texts: dict[tuple[int, int], str]) -> bool:
    """Return True if texts stand only at the first squares of cells."""
    firsts = {(row, column) for row, column, _, _ in grid.places}
    return not any(text.strip() for place, text in texts.items() if place not in firsts)
