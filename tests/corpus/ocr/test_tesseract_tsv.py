from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from corpus.ocr.blocks import joined
from corpus.ocr.tesseract_tsv import read_tsv

HEAD = (
    "level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext"
)


def rows(*pieces: tuple[int, int, str, float]) -> str:
    """A line of TSV for each (page, line, text, confidence), 10 pixels wide each."""
    lines = [HEAD, "4\t1\t1\t1\t1\t0\t0\t0\t500\t30\t-1\t"]
    for number, (page, line, text, confidence) in enumerate(pieces):
        place = f"{page}\t1\t1\t{line}\t{number}\t{10 * number}\t{30 * line}\t10\t20"
        lines.append(f"5\t{place}\t{confidence}\t{text}")
    return "\n".join(lines) + "\n"


def test_syllables_become_the_words_of_the_plain_text() -> None:
    tsv = rows((1, 1, "화", 93), (1, 1, "재", 41), (1, 1, "안전", 96), (1, 1, "법", 97))
    ((line,),) = read_tsv(tsv, "화재   안전법\n\n\f", 1)
    assert [word.text for word in line.words] == ["화재", "안전법"]
    assert [word.confidence for word in line.words] == [41, 96]
    assert line.words[0].box == (0, 30, 20, 50)
    assert joined([line]) == ("화재 안전법", ((0, 2),))


def test_each_picture_of_a_run_has_its_own_lines_even_none() -> None:
    tsv = rows((1, 1, "가", 90), (3, 1, "나", 90), (3, 2, "다", 90))
    first, second, third = read_tsv(tsv, "가\n\f\f나\n다\n\f", 3)
    assert [line.text for line in first] == ["가"]
    assert second == []
    assert [line.text for line in third] == ["나", "다"]


def test_where_the_outputs_do_not_agree_the_pieces_stay() -> None:
    ((line,),) = read_tsv(rows((1, 1, "가", 90), (1, 1, "나", 90)), "다라\n\f", 1)
    assert line.text == "가 나"


def test_ruled_lines_and_damaged_rows_are_passed_over() -> None:
    tsv = rows((1, 1, " ", 95), (1, 1, "가", 90)) + "5\t1\tx\n5\t1\t1\t1\t1\t1\t0\t0\t0\t0\t9\t나\n"
    ((line,),) = read_tsv(tsv, "가\n\f", 1)
    assert line.text == "가"


@given(st.text(max_size=300), st.text(max_size=100), st.integers(0, 3))
def test_nonsense_raises_nothing(tsv: str, text: str, images: int) -> None:
    assert len(read_tsv(tsv, text, images)) == images


@given(
    st.lists(
        st.lists(st.sampled_from(["가", "나", "AB", "1."]), min_size=1, max_size=4),
        min_size=1,
        max_size=5,
    )
)
def test_a_line_reads_as_the_plain_text_has_it(words: list[list[str]]) -> None:
    pieces = [(1, 1, piece, 90.0) for word in words for piece in word]
    text = " ".join("".join(word) for word in words)
    ((line,),) = read_tsv(rows(*pieces), text + "\n\f", 1)
    assert line.text == text
