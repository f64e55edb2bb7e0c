"""In what order pages of 23 layouts are read: one to three columns, edges, notes and tables.

Each page is written with numbered lines of known order, whose places are those of a layout. The PDF
stores them as they are read, row by row across its columns, paragraph by paragraph from the top, or
in no order. The share of pairs of lines that a draft has in the right order says how well it reads;
a line that is lost makes every pair of it wrong.
"""

from __future__ import annotations

import random
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import pymupdf

from corpus.ocr import pdf
from corpus.ocr.blocks import text_of
from corpus.ocr.images import Limits
from evaluation.figure import Figure, mean_figure

WIDTH, HEIGHT = 595, 842
STORED = ("read", "rows", "paragraphs", "shuffled")  # in which order a PDF stores its lines
_WORDS = ("owner", "street", "lamp", "council", "permit", "notice", "repair", "public", "road")


@dataclass
class Sheet:
    """A page that is being laid out: its lines in the order in which one reads them."""

    rng: random.Random
    size: float = 10.0
    lines: list[tuple[float, float, str, float, int]] = field(default_factory=list)
    rules: list[tuple[float, float, float, float]] = field(default_factory=list)
    paragraphs: int = 0

    def text(self, x: float, y: float, text: str, size: float | None = None) -> None:
        """Place a line whose baseline is at `y`; a number makes it unique."""
        numbered = f"{text} q{len(self.lines)}z"
        self.lines.append((x, y, numbered, size or self.size, self.paragraphs))

    def paragraph(self, x: float, y: float, width: float, lines: int, head: str = "") -> float:
        """Place a paragraph; return where the next line would be."""
        self.paragraphs += 1
        for number in range(lines):
            part = 0.55 if number == lines - 1 and lines > 1 else 1.0
            self.text(x, y, self._filled(width * part, head if number == 0 else ""))
            y += self.size * 1.3
        return y

    def column(self, x: float, y: float, width: float, bottom: float) -> float:
        """Fill a column with articles to its bottom; return where it ended."""
        number = 0
        while y < bottom - 4 * self.size:
            number += 1
            lines = self.rng.randint(2, 6)
            lines = min(lines, max(1, int((bottom - y) / (self.size * 1.3))))
            y = self.paragraph(x, y, width, lines, f"Article {number} (Duty)")
            y += self.rng.choice((0, 6, 14))
        return y

    def ruled(self, x: float, y: float, width: float, rows: int, columns: int) -> float:
        """Place a ruled table, whose cells are read row by row."""
        wide, high = width / columns, self.size * 1.8
        for row in range(rows):
            for column in range(columns):
                self.paragraphs += 1
                left, top = x + wide * column, y + high * row
                self.rules.append((left, top, left + wide, top + high))
                self.text(left + 4, top + high * 0.7, self.rng.choice(_WORDS))
        return y + high * rows + self.size * 2

    def _filled(self, width: float, head: str) -> str:
        text = head or self.rng.choice(_WORDS)
        while pymupdf.get_text_length(f"{text} lamp q000z", "helv", self.size) < width:
            text += " " + self.rng.choice(_WORDS)
        return text


def columns(sheet: Sheet, count: int, top: float, bottom: float, offset: float = 0) -> None:
    """Place columns side by side; every second begins lower by `offset`."""
    gutter = sheet.rng.choice((14, 18, 24, 30))
    wide = (WIDTH - 100 - gutter * (count - 1)) / count
    for number in range(count):
        end = bottom - (sheet.rng.choice((0, 30, 90)) if number == count - 1 else 0)
        x = 50 + number * (wide + gutter)
        sheet.column(x, top + offset * (number % 2), wide, end)


def _header(sheet: Sheet, top: float = 40) -> None:
    sheet.paragraphs += 1
    sheet.text(50, top, "Street Lamp Act")
    sheet.text(WIDTH - 90, top, sheet.rng.choice(("Page", "Gazette")))


def _footer(sheet: Sheet) -> None:
    sheet.paragraphs += 1
    sheet.text(sheet.rng.choice((50.0, 280.0, 500.0)), 810, "Lamps")


def _plain(sheet: Sheet, count: int, edges: bool = False, offset: float = 0) -> None:
    if edges:
        _header(sheet)
    columns(sheet, count, 90, 760, offset)
    if edges:
        _footer(sheet)


def _title(sheet: Sheet, count: int) -> None:
    sheet.text(170, 70, "An Act on the lamps of public roads", 16)
    columns(sheet, count, 110, 760)


def _heading_between(sheet: Sheet) -> None:
    columns(sheet, 2, 80, 380)
    sheet.paragraphs += 1
    sheet.text(220, 410, "CHAPTER II OF THE KEEPERS", 12)
    columns(sheet, 2, 440, 760)


def _table_between(sheet: Sheet, count: int = 2) -> None:
    columns(sheet, count, 80, 320)
    y = sheet.ruled(50, 350, WIDTH - 100, 4, 3)
    columns(sheet, count, y + 10, 760)


def _table_in_column(sheet: Sheet) -> None:
    sheet.column(50, 80, 235, 760)
    y = sheet.column(310, 80, 235, 300)
    y = sheet.ruled(310, y + 10, 235, 4, 2)
    sheet.column(310, y, 235, 740)


def _open_table(sheet: Sheet) -> None:
    """Entries in rows without ruled lines, between paragraphs."""
    y = sheet.paragraph(50, 90, 495, 4)
    for _ in range(8):
        sheet.paragraphs += 1
        for x in (60, 260, 430):
            sheet.text(x, y + 14, sheet.rng.choice(_WORDS))
        y += 16
    sheet.column(50, y + 30, 495, 700)


def _three_over_two(sheet: Sheet) -> None:
    columns(sheet, 3, 80, 360)
    columns(sheet, 2, 400, 760)


def _heading_over_two_of_three(sheet: Sheet) -> None:
    sheet.paragraph(50, 90, 315, 2)
    for x in (50, 220):
        sheet.column(x, 140, 150, 740)
    sheet.column(390, 90, 150, 740)


def _notes(sheet: Sheet, left: bool, count: int = 1) -> None:
    """Articles with notes in the margin, which come after them."""
    start, wide = (150.0, 395.0) if left else (50.0, 395.0)
    if count == 1:
        sheet.column(start, 90, wide, 740)
    else:
        half = (wide - 20) / 2
        sheet.column(start, 90, half, 740)
        sheet.column(start + half + 20, 90, half, 740)
    size, sheet.size = sheet.size, 8.0
    for y in (90, 260, 470, 600):
        sheet.paragraph(50 if left else 470, y, 80, 2 + (y > 300))
    sheet.size = size


def _list(sheet: Sheet) -> None:
    """Numbered items, whose numbers hang to the left of the text."""
    y = 90.0
    for number in range(1, 13):
        sheet.paragraphs += 1
        sheet.lines.append((60, y, f"({number})", sheet.size, sheet.paragraphs))
        for _ in range(sheet.rng.randint(1, 3)):
            sheet.text(90, y, sheet._filled(440, ""))
            y += sheet.size * 1.3
        y += 6


def _text_then_columns(sheet: Sheet) -> None:
    sheet.paragraph(50, 80, 495, 5)
    columns(sheet, 2, 180, 560)
    sheet.paragraph(50, 600, 495, 5)


def _footnotes(sheet: Sheet) -> None:
    columns(sheet, 2, 80, 640)
    size, sheet.size = sheet.size, 7.5
    for y in (700, 725):
        sheet.paragraph(50, y, 495, 2)
    sheet.size = size


LAYOUTS: dict[str, Callable[[Sheet], None]] = {
    "one column": partial(_plain, count=1),
    "one column, header and footer": partial(_plain, count=1, edges=True),
    "two columns": partial(_plain, count=2),
    "two columns, header and footer": partial(_plain, count=2, edges=True),
    "two columns, one lower": partial(_plain, count=2, offset=37),
    "two columns, one half a line lower": partial(_plain, count=2, offset=6),
    "two columns under a title": partial(_title, count=2),
    "two columns, a heading between": _heading_between,
    "two columns, a table across them": _table_between,
    "two columns, a table in one": _table_in_column,
    "three columns": partial(_plain, count=3),
    "three columns, header and footer": partial(_plain, count=3, edges=True),
    "three columns, one lower": partial(_plain, count=3, offset=29),
    "three columns, a table across them": partial(_table_between, count=3),
    "three columns over two": _three_over_two,
    "three columns, a heading over two": _heading_over_two_of_three,
    "notes in the right margin": partial(_notes, left=False),
    "notes in the left margin": partial(_notes, left=True),
    "two columns with notes": partial(_notes, left=False, count=2),
    "text, two columns, text": _text_then_columns,
    "two columns and footnotes": _footnotes,
    "a table without ruled lines": _open_table,
    "a list with hanging numbers": _list,
}


def page(layout: str, stored: str, seed: int) -> tuple[list[str], bytes]:
    """Return the marks of a page's lines in reading order, and a PDF of the page."""
    rng = random.Random(seed)
    sheet = Sheet(rng, rng.choice((9.0, 10.0, 11.0)))
    LAYOUTS[layout](sheet)
    marks = [line[2].split()[-1] for line in sheet.lines if line[2].endswith("z")]
    with pymupdf.open() as document:
        made = document.new_page(width=WIDTH, height=HEIGHT)
        for rule in sheet.rules:
            made.draw_rect(pymupdf.Rect(rule), width=0.7)
        for x, y, text, size, _ in _in_store(sheet.lines, stored, rng):
            made.insert_text((x, y), text, fontsize=size)
        return marks, bytes(document.tobytes())


def _in_store(
    lines: Sequence[tuple[float, float, str, float, int]], stored: str, rng: random.Random
) -> list[tuple[float, float, str, float, int]]:
    if stored == "rows":
        return sorted(lines, key=lambda line: (line[1], line[0]))
    if stored == "paragraphs":
        top = {line[4]: (line[1], line[0]) for line in reversed(lines)}
        return sorted(lines, key=lambda line: top[line[4]])
    ordered = list(lines)
    if stored == "shuffled":
        rng.shuffle(ordered)
    return ordered


def share_in_order(marks: Sequence[str], text: str) -> float:
    """Return the share of pairs of marks that a text has in this order."""
    places = [text.find(mark) for mark in marks]
    pairs = [(a, b) for n, a in enumerate(places) for b in places[n + 1 :]]
    return sum(0 <= a < b for a, b in pairs) / len(pairs)


def shares(layout: str, stored: str, seeds: range) -> Iterator[float]:
    """Yield for each page of a layout the share of pairs that its draft has in order."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "page.pdf"
        for seed in seeds:
            marks, content = page(layout, stored, seed)
            path.write_bytes(content)
            _, draft = pdf.read_page(path, "page", Limits(), 1)
            yield share_in_order(marks, text_of(draft.blocks) if draft else "")


def order_figures(pages: int, seed: int) -> list[Figure]:
    """Return the mean share over all pages, and over those of each order of storing."""
    found: dict[str, list[float]] = {}
    for stored in STORED:
        for layout in LAYOUTS:
            seeds = range(seed, seed + pages)
            found.setdefault(stored, []).extend(shares(layout, stored, seeds))
    every = [share for each in found.values() for share in each]
    named = [mean_figure(f"pairs_in_order_{stored}", each) for stored, each in found.items()]
    return [mean_figure("pairs_in_order", every), *named]
