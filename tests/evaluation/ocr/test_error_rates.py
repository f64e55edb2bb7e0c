from __future__ import annotations

import unicodedata

import jiwer
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.ocr.blocks import Block, BlockKind, Cell
from evaluation.ocr import (
    PageScore,
    cell_accuracy,
    cell_structure,
    cer,
    character_errors,
    confusions,
    marked_of_wrong,
    normalised,
    perfect_pages,
    score_page,
    wer,
    word_errors,
    wrong_of_marked,
)

WORDS = st.lists(st.sampled_from(["화재", "안전", "600", "제곱미터", "a"]), max_size=12).map(
    " ".join
)


def paragraph(text: str, *doubt: tuple[int, int]) -> Block:
    return Block(BlockKind.PARAGRAPH, text, doubt=doubt)


def table(*cells: tuple[int, int, int, int, str]) -> Block:
    rows = max(cell[0] + cell[2] for cell in cells)
    columns = max(cell[1] + cell[3] for cell in cells)
    return Block(
        BlockKind.TABLE, rows=rows, columns=columns, cells=tuple(Cell(*cell) for cell in cells)
    )


def test_errors_counted_by_hand() -> None:
    score = score_page([paragraph("지하충 또는 무창층")], [paragraph("지하층 또는\n무창층으로서")])
    assert (score.characters, score.character_errors) == (13, 4)  # 충 for 층, and 으로서 missing
    assert (score.words, score.word_errors) == (3, 2)
    assert not score.perfect
    left_out = {("", each): 1 for each in "으로서"}
    assert score.confused == {("충", "층"): 1} | left_out
    assert confusions("층a", "") == {("층", ""): 1, ("a", ""): 1}


@given(WORDS.filter(bool), WORDS.filter(bool))
def test_the_rates_are_jiwers(had: str, wanted: str) -> None:
    score = score_page([paragraph(had)], [paragraph(wanted)])
    assert score.character_errors / score.characters == pytest.approx(jiwer.cer(wanted, had))
    assert score.word_errors / score.words == pytest.approx(jiwer.wer(wanted, had))


@given(WORDS)
def test_what_is_the_same_has_no_errors(text: str) -> None:
    score = score_page([paragraph(text)], [paragraph(text)])
    assert score.perfect
    assert score.word_errors == score.wrong == 0


def test_decomposed_hangul_and_other_spaces_are_no_errors() -> None:
    apart = unicodedata.normalize("NFD", "화재  안전")
    assert normalised(apart) == "화재 안전"
    assert score_page([paragraph(apart)], [paragraph("화재\n안전")]).perfect


def test_an_empty_page_and_an_empty_draft() -> None:
    assert character_errors("", "가나") == character_errors("가나", "") == 2
    assert word_errors("가 나", "") == 2
    nothing = score_page([], [])
    assert nothing.perfect
    assert cer([nothing]).value is None
    assert cer([]).value is None
    assert score_page([paragraph("가 나")], []).wrong == 2


def test_cells_count_by_place_and_text() -> None:
    wanted = table((0, 0, 1, 2, "구분"), (1, 0, 1, 1, "가"), (1, 1, 1, 1, "나"))
    had = table((0, 0, 1, 2, "구분"), (1, 0, 1, 1, "가"), (1, 1, 1, 1, "다"))
    split = table((0, 0, 1, 1, "구분"), (0, 1, 1, 1, ""), (1, 0, 1, 1, "가"), (1, 1, 1, 1, "나"))
    assert _cells(score_page([had], [wanted])) == (3, 3, 2)
    assert _cells(score_page([split], [wanted])) == (3, 2, 2)
    assert _cells(score_page([paragraph("구분 가 나")], [wanted])) == (3, 0, 0)
    assert score_page([split], [wanted]).character_errors == 0
    assert not score_page([split], [wanted]).perfect


def test_each_table_is_compared_with_its_own() -> None:
    one, two = (
        table((0, 0, 1, 1, "가"), (0, 1, 1, 1, "나")),
        table((0, 0, 1, 1, "다"), (0, 1, 1, 1, "라")),
    )
    assert _cells(score_page([two, one], [one, two])) == (4, 4, 4)
    assert _cells(score_page([one], [one, one])) == (4, 2, 2)


def _cells(score: PageScore) -> tuple[int, int, int]:
    return score.cells, score.placed, score.right


def test_marks_are_scored_by_the_words_that_were_wrong() -> None:
    draft = paragraph("지하충 또는 무창층 이상", (4, 6), (7, 10))
    score = score_page([draft], [paragraph("지하층 또는 무창증 이상")])
    assert (score.marked, score.wrong, score.both) == (2, 2, 1)
    assert marked_of_wrong([score]).value == 0.5
    assert wrong_of_marked([score]).value == 0.5


def test_over_pages_errors_are_summed_and_pages_are_resampled() -> None:
    pages = [PageScore(100, 10, 20, 4), PageScore(900, 10, 180, 6)]
    found = cer(pages)
    assert found.value == pytest.approx(20 / 1000)
    assert found.n == 2
    assert found.low is not None
    assert found.high is not None
    assert 10 / 900 <= found.low <= 0.02 <= found.high <= 0.1
    assert wer(pages).value == pytest.approx(10 / 200)


def test_pages_without_cells_say_nothing_of_cells() -> None:
    pages = [PageScore(10, 0, 2, 0), PageScore(10, 0, 2, 0, cells=4, placed=3, right=1)]
    assert (cell_accuracy(pages).value, cell_accuracy(pages).n) == (0.25, 1)
    assert cell_structure(pages).value == 0.75
    assert cell_accuracy(pages[:1]).value is None
    assert (perfect_pages(pages).value, perfect_pages(pages).n) == (0.5, 2)
