"""Text in columns is read column by column, however a PDF or an engine stores it."""

from __future__ import annotations

from pathlib import Path

import pymupdf
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.page_layouts import LAYOUTS, shares
from corpus.ocr.blocks import Box, Word, WordLine
from corpus.ocr.drafting import as_blocks
from corpus.ocr.files import open_pages
from corpus.ocr.reading_order import reading_order, with_paragraphs
from tests.support.drawn_pages import written

SIZE = (595, 842)
LEFT = [f"a{n} The owner keeps lamps" for n in range(4)]
RIGHT = [f"b{n} Whoever does not so" for n in range(4)]
LAST = [f"c{n} A fine of a hundred" for n in range(4)]


def line(x: int, y: int, text: str, paragraph: int = 0) -> WordLine:
    return WordLine((Word(text, (x, y, x + 6 * len(text), y + 15)),), (paragraph,))


def rows(*columns: tuple[int, list[str]], top: int = 90) -> list[WordLine]:
    """Lines of columns, each at an x, stored row by row; an empty text is no line."""
    count = max(len(texts) for _, texts in columns)
    places = [(n, x, texts) for n in range(count) for x, texts in columns]
    return [line(x, top + 20 * n, t[n], n) for n, x, t in places if n < len(t) and t[n]]


def order(lines: list[WordLine], others: tuple[Box, ...] = ()) -> list[str]:
    numbers = reading_order(lines, others, SIZE[1])
    assert sorted(numbers) == list(range(len(lines) + len(others)))
    return [lines[n].text.split()[0] if n < len(lines) else "#" for n in numbers]


A, B, C = (" ".join(text.split()[0] for text in each) for each in (LEFT, RIGHT, LAST))
TWO = rows((50, LEFT), (320, RIGHT))
FEES = [
    line(x, 90 + 20 * n, f"{text}{n}") for n in range(4) for x, text in ((50, "fee"), (320, "won"))
]
ARTICLES = ["제1조 (목적)", "제2조 (정의)"], ["제3조 (의무)", "제4조 (벌칙)"]


@pytest.mark.parametrize(
    ("lines", "others", "read"),
    [
        (TWO, (), f"{A} {B}"),
        (rows((40, LEFT), (220, RIGHT), (400, LAST)), (), f"{A} {B} {C}"),
        (rows((50, LEFT), (320, RIGHT[:2])), (), f"{A} b0 b1"),
        (rows((50, LEFT[:2]), (320, RIGHT)), (), f"a0 a1 {B}"),
        ([line(320, 66, "b Higher column to the right"), *TWO], (), f"{A} b {B}"),
        ([line(150, 60, "t The title of an Act on lamps and keepers"), *TWO], (), f"t {A} {B}"),
        ([*TWO, line(50, 30, "Act"), line(520, 30, "Gazette")], (), f"Act Gazette {A} {B}"),
        ([line(290, 810, "-3-"), *TWO], (), f"{A} {B} -3-"),
        ([*TWO, *rows((50, LAST), (320, LEFT), top=400)], ((50, 200, 545, 380),),
         f"{A} {B} # {C} {A}"),
        (rows((50, ARTICLES[0]), (320, ARTICLES[1])), (), "제1조 제2조 제3조 제4조"),
        (FEES, (), "fee0 won0 fee1 won1 fee2 won2 fee3 won3"),
        (FEES[::-1], (), "fee0 won0 fee1 won1 fee2 won2 fee3 won3"),
        ([line(60, 90 + 20 * n, text) for n, text in enumerate(("(a)", "(b)", "(c)"))]
         + [line(90, 90 + 20 * n, text * 3) for n, text in enumerate(LEFT[:3])], (),
         "(a) a0 (b) a1 (c) a2"),
        ([*rows((50, LEFT)), *rows((320, RIGHT)), line(480, 130, "note")], (), f"{A} {B} note"),
        ([], ((0, 0, 9, 9),), "#"),
        ([], (), ""),
    ],
)  # fmt: skip
def test_the_order_of_a_page(lines: list[WordLine], others: tuple[Box, ...], read: str) -> None:
    assert " ".join(order(lines, others)) == read


def test_a_paragraph_that_was_stored_across_columns_is_put_together() -> None:
    left = ["Article 1 This Act", "governs lamps.", "Article 2 A lamp is", "a light."]
    right = ["Article 3 The owner", "keeps them lit.", "Article 4 A fine", "is due."]
    assert [block.text for block in as_blocks(rows((50, left), (320, right)), [], SIZE)] == [
        "Article 1 This Act governs lamps.",
        "Article 2 A lamp is a light.",
        "Article 3 The owner keeps them lit.",
        "Article 4 A fine is due.",
    ]
    untouched = [line(50, 90, "a", 1), line(50, 400, "b", 1), line(50, 420, "c", 2)]
    assert with_paragraphs(untouched) == untouched


BOXES = st.tuples(
    st.integers(0, 500), st.integers(0, 800), st.integers(1, 300), st.integers(1, 40)
).map(lambda b: (b[0], b[1], b[0] + b[2], b[1] + b[3]))


@given(st.lists(BOXES, max_size=25), st.lists(BOXES, max_size=5))
def test_no_line_is_lost_or_read_twice(lines: list[Box], others: list[Box]) -> None:
    found = [WordLine((Word(f"w{n}", box),), (n,)) for n, box in enumerate(lines)]
    order(found, tuple(others))


EACH_KIND = {
    "one column",
    "two columns, header and footer",
    "two columns with notes",
    "three columns, a heading over two",
    "a table without ruled lines",
    "two columns and footnotes",
}


@pytest.mark.parametrize(
    "layout",
    [pytest.param(each, marks=[pytest.mark.long] * (each not in EACH_KIND)) for each in LAYOUTS],
)
def test_pages_of_every_layout_are_read_in_order(layout: str) -> None:
    assert min(shares(layout, "rows", range(1))) >= 0.98


def test_a_frame_around_columns_is_no_table(tmp_path: Path) -> None:
    with pymupdf.open() as document:
        page = document.new_page(width=595, height=842)
        for edges in ((40, 70, 300, 800), (300, 70, 555, 800)):
            page.draw_rect(pymupdf.Rect(edges))
        for each in TWO:
            page.insert_text((each.box[0], each.box[1] + 12), each.text, fontsize=11)
        content = document.tobytes()
    (read,) = open_pages(written(tmp_path, "framed.pdf", content), "framed.pdf")
    assert read.draft is not None
    text = " ".join(block.text for block in read.draft.blocks)
    assert [word for word in text.split() if word[1:].isdigit()] == f"{A} {B}".split()
