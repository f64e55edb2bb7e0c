"""What reads foreign texts takes time with their length, whatever they were made for.

Here whole functions are tried, and not their expressions alone: a reading that asks an expression
at every place of a text grows with the square although the expression does not.
"""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Callable

import pytest

from construction.cases.charges import fold_statute, read_provisions, read_titles
from corpus.cases.safe_pattern import safe_pattern
from corpus.citations import bare_names
from corpus.citations.english_law import find_english_law
from corpus.citations.find import find
from corpus.importers.law_center.articles import bare_line, item_lines, paragraph_lines, sub_lines
from corpus.importers.statutes.blocks import split_addenda, split_body
from errors import UserError
from evaluation.judging import answer_diff
from evaluation.replies.choices import read_choice
from evaluation.replies.outcomes import read_grade, read_preference
from llm.reply import without_thought
from tests.support.product_patterns import GENERIC, Attack, seconds

SHORT, LONG, LONGEST = 4_000, 25_000, 100_000  # characters
CAP = 3.0  # seconds of processor
FLOOR = 0.15  # seconds of processor that tell nothing of how the time grows
GROWTH = 8  # times as long at LONGEST as at LONG: four where it grows with the length, else sixteen
SAID = (
    *(
        "제 1 조 및 ",
        "Articles 1, 2 of the ",
        "「가",
        "(인정된 죄명: ",
        "정답은 2 ",
        "the answer is ",
    ),
    *(
        "보기 1 ",
        '{"answer": "',
        "부칙 <제1호, ",
        "section 5(a), ",
        "of this paragraph (1) ",
        "가나다",
    ),
    *("第一条", "2 or ", "\\boxed ", "The Ferry Act and ", "가. ", "Act ", "를 준용한다 ", "[^"),
)


def _titles(text: str) -> object:
    return list(read_titles(text, {"사기"}))


def _name(text: str) -> object:
    return bare_names.name_before(text + "법", len(text) + 1, 0)


def _body(text: str) -> object:
    return split_body(["# 법", "##### " + text.replace("\n", " ")], 1, "x")


DOORS: dict[str, Callable[[str], object]] = {
    "provisions": read_provisions,
    "statute": fold_statute,
    "titles": _titles,
    "name_before": _name,
    "english_law": find_english_law,
    "citations": find,
    "heading": _body,
    "body": lambda text: split_body(text.split("\n"), 1, "x"),
    "addenda": lambda text: split_addenda([text.replace("\n", " ")], 1),
    "paragraph": lambda text: paragraph_lines("", 0, text),
    "item": lambda text: item_lines("1", 0, text),
    "sub_item": lambda text: sub_lines("가", 0, text),
    "bare": bare_line,
    "pattern": safe_pattern,
    "compare": lambda text: answer_diff.compare(text, text[:1_000]),
    "choice": lambda text: read_choice(text, ("시장", "도지사", "소방서장")),
    "grade": read_grade,
    "preference": read_preference,
    "thought": without_thought,
}


@pytest.mark.parametrize("door", DOORS)
def test_the_time_grows_with_the_length(door: str) -> None:
    read = _quiet(DOORS[door])
    texts = [Attack("", piece, end) for piece in (*GENERIC, *SAID) for end in ("", "\x00")]
    worst = max(texts, key=lambda one: seconds(read, one.text(SHORT), CAP / 4))
    gc.disable()  # it looks through all that the tests hold, the more often the more is found
    try:
        long, longest = (
            min(seconds(read, worst.text(length), CAP) for _ in range(3))
            for length in (LONG, LONGEST)
        )
    finally:
        gc.enable()
    assert longest < CAP, worst
    assert longest < FLOOR or longest < GROWTH * max(long, FLOOR / GROWTH), worst


def _quiet(read: Callable[[str], object]) -> Callable[[str], object]:
    def call(text: str) -> None:
        with contextlib.suppress(UserError):
            read(text)

    return call
