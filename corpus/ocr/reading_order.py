"""The reading order of a page's lines, tables and pictures.

The order of lines in a file is kept if it is readable: never upwards in a column, nor from column
to column and back. Otherwise the page is divided by its white space: first into sections, one below
the other, then each section into its columns, each read to its end before the next. Separate lines
at the very top and bottom are a header and footer; notes in the margin come after the text beside
them. Apparent columns with short entries only are a table without ruled lines, and read row by row.

All boxes are in pixels, and `unit` is the usual height of a line: widths are judged as multiples of
it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from statistics import median

import numpy as np

from corpus.ocr.blocks import Box, WordLine, bounding_box

_GUTTER = 0.6  # minimum units of white between columns, beside many lines
_FEW_LINES = 2.4  # units of white between columns, over the number of lines beside them
_COLUMN = 6.0  # length in units of the usual line of a column of text
_COLUMN_SHARE = 0.12  # minimum share of the page's text width of a column
_NOTE = 2.0  # length in units of the usual line of a note in the margin
_NOTE_WIDTH = 0.4  # maximum width of notes, as a share of the text beside them
_NOTE_LINES = 0.7  # maximum lines of notes, as a share of the text beside them
_EDGE = 0.1  # share of the page at its top and bottom for headers and footers
_APART = 0.8  # minimum units of white between them and the text
_MOST_BANDS = 250  # a page with more consists of specks
_PROVISION = re.compile(r"(Article|Section|Sec\.|§+|제)\s*\d")  # columns of law begin with one
_LABEL = re.compile(
    r"[\W\d_]*\w{0,2}[\W\d_]*|제[\d\s]+\w(의\d+)?"
)  # of a list: 1.  (a)  iv)  제3조


@dataclass(frozen=True, slots=True)
class Piece:
    """A line, or a table or picture (`text` is then None); `number` is its place in the file."""

    box: Box
    number: int
    text: str | None = None

    @property
    def middle(self) -> float:
        """The vertical centre."""
        return (self.box[1] + self.box[3]) / 2


@dataclass(frozen=True)
class Page:
    """The measures of a page: the usual height of a line, and the width of its text."""

    unit: float
    width: int
    height: int


def reading_order(lines: Sequence[WordLine], others: Sequence[Box], height: int) -> list[int]:
    """Return the numbers of lines and of tables and pictures (`others`, after the lines) in order.

    `height` is the page's.
    """
    pieces = [Piece(line.box, number, line.text) for number, line in enumerate(lines)]
    pieces += [Piece(box, number) for number, box in enumerate(others, len(lines))]
    if len(pieces) < 2:
        return [piece.number for piece in pieces]
    left, _, right, _ = bounding_box([piece.box for piece in pieces])
    unit = median(box[3] - box[1] for box in (line.box for line in lines)) if lines else 1.0
    page = Page(max(1.0, unit), right - left, height)
    head, body, foot = _without_edges(pieces, page)
    text, rest = [p for p in body if p.text is not None], [p for p in body if p.text is None]
    ordered = _inserted(text, rest) if _is_read(text, rest, page) else _by_space(body, page)
    return [piece.number for piece in (*_rows(head), *ordered, *_rows(foot))]


def with_paragraphs(lines: Sequence[WordLine]) -> list[WordLine]:
    """Return lines, in reading order, with new paragraphs by white space if theirs are split."""
    begun = [line.paragraph for line, after in pairwise(lines) if line.paragraph != after.paragraph]
    if len(begun) < len(set(begun) | {line.paragraph for line in lines[-1:]}):
        return list(lines)
    number, found = 0, list[WordLine]()
    for line in lines:
        if found and not _goes_on_in(found[-1].box, line.box):
            number += 1
        found.append(WordLine(line.words, (number,)))
    return found


def _goes_on_in(box: Box, after: Box) -> bool:
    """Return whether `after` is right below `box`, as the next line of a paragraph."""
    height = min(box[3] - box[1], after[3] - after[1])
    return _overlap(box, after) > 0 and -height / 2 < after[1] - box[3] < height * 0.7


def _overlap(box: Box, other: Box) -> int:
    """Return the common width of two boxes in pixels; negative if they are side by side."""
    return min(box[2], other[2]) - max(box[0], other[0])


# Headers and footers


def _without_edges(
    pieces: Sequence[Piece], page: Page
) -> tuple[list[Piece], list[Piece], list[Piece]]:
    """Split off the header and the footer; return header, text and footer."""
    bands = _bands(pieces)
    texts = [piece for piece in pieces if piece.text is not None]
    head, foot = list[Piece](), list[Piece]()
    if len(bands) > 2 and _is_edge(bands[0], bands[1], texts, page, top=True):
        head = bands.pop(0)
    if len(bands) > 2 and _is_edge(bands[-1], bands[-2], texts, page, top=False):
        foot = bands.pop()
    body = sorted((piece for band in bands for piece in band), key=lambda piece: piece.number)
    return head, body, foot


def _is_edge(
    band: Sequence[Piece],
    neighbours: Sequence[Piece],
    texts: Sequence[Piece],
    page: Page,
    top: bool,
) -> bool:
    """Return whether a band is the page's header (`top`) or footer: one row of text at its edge."""
    if any(piece.text is None for piece in band) or len(_rows_of(band)) > 1:
        return False
    box, next_box = (bounding_box([piece.box for piece in each]) for each in (band, neighbours))
    apart = (next_box[1] - box[3] if top else box[1] - next_box[3]) >= _APART * page.unit
    edge = box[3] <= _EDGE * page.height if top else box[1] >= (1 - _EDGE) * page.height
    if not edge:
        return False
    if all(re.fullmatch(r"[\W\d_]+", piece.text or "") for piece in band):
        return True  # a page number
    lefts = [t.box[0] for t in texts if t not in band]
    aligned = [sum(abs(p.box[0] - x) < page.unit / 3 for x in lefts) > 1 for p in band]
    return apart and not (len(band) > 1 and all(aligned))


# The order in the file


def _is_read(
    pieces: Sequence[Piece], others: Sequence[Piece], page: Page, rows: bool = False
) -> bool:
    """Return whether pieces are in a readable order; with `rows`, row by row as in a table.

    No piece may be above an earlier one of its column, nor left of it and no lower. A return to the
    left must continue below a table or picture, or with text below both columns.
    """
    if len(pieces) < 2:
        return True
    box = np.array([piece.box for piece in pieces], dtype=float)
    middle = (box[:, 1] + box[:, 3]) / 2
    slack = page.unit / 3
    earlier, later = np.triu_indices(len(pieces), 1)
    across = np.minimum(box[earlier, 2], box[later, 2]) - np.maximum(box[earlier, 0], box[later, 0])
    up = middle[later] < middle[earlier] - slack
    left = box[later, 2] <= box[earlier, 0] + slack
    level = middle[later] <= middle[earlier] + slack
    if np.any(up & (rows | (across > slack))) or np.any(left & level):
        return False
    return rows or all(_continues(a, b, others, page) for a, b in pairwise(pieces))


def _continues(piece: Piece, after: Piece, others: Sequence[Piece], page: Page) -> bool:
    """Return True if the text of a piece goes on in another."""
    box, next_box = piece.box, after.box
    if abs(piece.middle - after.middle) < page.unit / 2 and next_box[0] >= box[2]:
        return next_box[0] - box[2] < _GUTTER * page.unit  # else it may be the next column
    if next_box[2] > box[0]:
        is_up = after.middle < piece.middle
        return not (is_up and _LABEL.fullmatch((piece.text or "").strip()))
    return any(
        piece.middle < o.middle < after.middle
        and _overlap(o.box, box) > 0
        and _overlap(o.box, next_box) > 0
        for o in others
    )


def _inserted(text: Sequence[Piece], others: Sequence[Piece]) -> list[Piece]:
    """Insert tables and pictures after the last line above them, or before the first below."""
    ordered = list(text)
    for other in sorted(others, key=lambda piece: (piece.box[1], piece.box[0])):
        near = [n for n, p in enumerate(ordered) if _overlap(p.box, other.box) > 0]
        above = [n + 1 for n in near if ordered[n].middle < other.middle]
        below = [n for n in range(len(ordered)) if ordered[n].middle > other.middle]
        near_below = [n for n in near if n in below]
        places = above[-1:] or near_below[:1] or below[:1] or [len(ordered)]
        ordered.insert(places[0], other)
    return ordered


# The order by white space


def _by_space(pieces: Sequence[Piece], page: Page) -> list[Piece]:
    """Return pieces section by section, each column by column."""
    bands = _bands(pieces)
    if len(bands) > _MOST_BANDS:
        return _rows(pieces)
    return [piece for section in _sections(bands, page) for piece in section.ordered()]


@dataclass(frozen=True)
class Section:
    """Pieces of a page one below the other that share their columns."""

    pieces: tuple[Piece, ...]
    page: Page

    def ordered(self) -> list[Piece]:
        """Return the pieces in reading order."""
        columns, notes = self.columns
        if len(columns) + len(notes) < 2:
            in_store = sorted(self.pieces, key=lambda piece: piece.number)
            text = [piece for piece in in_store if piece.text is not None]
            others = [piece for piece in in_store if piece.text is None]
            if _is_read(text, others, self.page, rows=True):
                return _inserted(text, others)
            return _rows(self.pieces)
        parts = [_by_space(part, self.page) for part in (*columns, *notes)]
        return [piece for part in parts for piece in part]

    @cached_property
    def columns(self) -> tuple[list[list[Piece]], list[list[Piece]]]:
        """The columns of text from left to right, and those of notes in the margin."""
        parts = _divided(self.pieces, self._least_gutter())
        notes = list[list[Piece]]()
        while len(parts) > 1:
            noted = [n for n in (0, len(parts) - 1) if self._is_note(parts, n)]
            if noted:
                notes.append(parts.pop(noted[0]))
                continue
            narrow = [n for n, part in enumerate(parts) if not self._is_text(part)]
            if not narrow:
                break
            first = min(narrow, key=lambda n: len(parts[n]))
            near = [n for n in (first - 1, first + 1) if 0 <= n < len(parts)]
            other = min(near, key=lambda n: _white(parts[n], parts[first]))
            low = min(first, other)
            parts[low : low + 2] = [parts[low] + parts[low + 1]]
        return parts, notes

    def _least_gutter(self) -> float:
        """Return the least width of white that parts two columns; wider where lines are few."""
        lines = len(_rows_of([piece for piece in self.pieces if piece.text is not None]))
        return max(_GUTTER, _FEW_LINES * 2 / max(1, lines)) * self.page.unit

    def _is_text(self, part: Sequence[Piece]) -> bool:
        """Return whether a part is as wide as a column of text, and its lines as long."""
        lines = [piece.box for piece in part if piece.text is not None]
        if _width(part) < _COLUMN_SHARE * self.page.width:
            return False
        if not lines:
            return True  # a table or picture beside text
        usual = median(box[2] - box[0] for box in lines)
        first = min(part, key=lambda piece: piece.box[1]).text or ""
        is_long = usual >= _COLUMN * self.page.unit or _PROVISION.match(first) is not None
        return len(part) > 1 and is_long

    def _is_note(self, parts: Sequence[Sequence[Piece]], number: int) -> bool:
        """Return whether a narrow part is notes in the margin: few lines of words beside a text."""
        part, beside = parts[number], parts[1] if number == 0 else parts[-2]
        if not self._is_text(beside) or _width(part) > _NOTE_WIDTH * _width(beside):
            return False
        lines = [piece for piece in part if piece.text is not None]
        if not lines or len(lines) > _NOTE_LINES * len(_rows_of(beside)):
            return False
        labels = sum(_LABEL.fullmatch((piece.text or "").strip()) is not None for piece in lines)
        if labels * 2 > len(lines):
            return False
        in_order = sorted(lines, key=lambda piece: piece.box[1])
        goes_on = any(_goes_on_in(a.box, b.box) for a, b in pairwise(in_order))
        usual = median(piece.box[2] - piece.box[0] for piece in lines)
        return usual >= _NOTE * self.page.unit and (goes_on or number > 0)


def _sections(bands: Sequence[Sequence[Piece]], page: Page) -> list[Section]:
    """Divide bands into sections with as few rows as possible whose white is not a gutter.

    Of equally good divisions the one whose earlier sections are longer.
    """
    best: list[tuple[float, int]] = [(0.0, 0)]  # cost of the first bands, last section's start
    for end in range(1, len(bands) + 1):
        choices = []
        for begin in range(end - 1, -1, -1):
            pieces = tuple(piece for band in bands[begin:end] for piece in band)
            section = Section(pieces, page)
            is_divided = sum(map(len, section.columns)) > 1
            wasted = 0 if is_divided else sum(_is_parted(band, page) for band in bands[begin:end])
            choices.append((best[begin][0] + 1 + 1.5 * wasted, begin))
        best.append(min(choices, key=lambda each: (each[0], -each[1])))
    found, end = [], len(bands)
    while end:
        begin = best[end][1]
        found.append(Section(tuple(p for band in bands[begin:end] for p in band), page))
        end = begin
    return found[::-1]


def _is_parted(band: Sequence[Piece], page: Page) -> bool:
    """Return True if a band has columns."""
    return len(_divided(band, 2 * _GUTTER * page.unit)) > 1


def _divided(pieces: Sequence[Piece], white: float) -> list[list[Piece]]:
    """Divide pieces at vertical white of at least `white` pixels, from left to right."""
    parts, edge = list[list[Piece]](), -float("inf")
    for piece in sorted(pieces, key=lambda piece: piece.box[0]):
        if piece.box[0] - edge >= white:
            parts.append([])
        parts[-1].append(piece)
        edge = max(edge, piece.box[2])
    return parts


def _width(part: Sequence[Piece]) -> int:
    """Return the width of pieces."""
    return max(piece.box[2] for piece in part) - min(piece.box[0] for piece in part)


def _white(part: Sequence[Piece], other: Sequence[Piece]) -> int:
    """Return the width of the white space between two columns."""
    boxes = (
        bounding_box([piece.box for piece in part]),
        bounding_box([piece.box for piece in other]),
    )
    return -_overlap(*boxes)


def _bands(pieces: Sequence[Piece]) -> list[list[Piece]]:
    """Divide pieces at white across the page, from top to bottom."""
    bands, edge = list[list[Piece]](), -float("inf")
    for piece in sorted(pieces, key=lambda piece: (piece.box[1], piece.box[0])):
        slack = (piece.box[3] - piece.box[1]) / 5 if piece.text is not None else 0
        if piece.box[1] + slack >= edge:
            bands.append([])
        bands[-1].append(piece)
        edge = max(edge, piece.box[3] - slack)
    return bands


def _rows_of(pieces: Iterable[Piece]) -> list[list[Piece]]:
    """Group pieces of equal height into rows, each from left to right."""
    rows = list[list[Piece]]()
    for piece in sorted(pieces, key=lambda piece: piece.middle):
        first = rows[-1][0] if rows else piece
        height = min(box[3] - box[1] for box in (piece.box, first.box))
        if rows and piece.middle - first.middle < height / 2:
            rows[-1].append(piece)
        else:
            rows.append([piece])
    return [sorted(row, key=lambda piece: piece.box[0]) for row in rows]


def _rows(pieces: Iterable[Piece]) -> list[Piece]:
    """Return pieces row by row, from left to right."""
    return [piece for row in _rows_of(pieces) for piece in row]
