"""Which words of a text are marked for a question."""

from __future__ import annotations

import time
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errors import UserError
from retrieval.text.highlight import densest_window, matched_spans
from retrieval.text.tokenise import TOKENISERS, bigrams

TEXT = st.text(alphabet=st.sampled_from("소방시설에서하여야 12.,조NFİ(①·)법\n"), max_size=60)


def marked(query: str, text: str, tokeniser: str = "bigram") -> list[str]:
    return [text[start:end] for start, end in matched_spans(query, text, tokeniser)]


@pytest.mark.parametrize(
    ("query", "text", "words"),
    [
        ("소방시설의 설치", "소방시설을 설치한 자", ["소방시설", "설치"]),
        ("건축물에서", "건축물에서의 폐기물에서", ["건축물에서"]),  # 물에서 alone says nothing
        ("설치하여야 하는 것", "관리하여야 하는 것", []),
        ("소방시설을 받아야 하나요", "신고하여야 하며 하나의 소방시설", ["소방시설"]),
        ("신고한 날부터", "받은 날부터 그때부터", []),  # an ending after one syllable
        ("해당 경우에 대하여", "해당 경우에 대하여", []),
        ("건축물의 허가", "건축허가를", ["건축허가"]),  # stretches that touch become one
        ("소", "소방 소", []),  # one character is no evidence
        ("NFTC 102 2.1.1", "(nftc 102)의 2.1.1과 2.1.10", ["nftc", "102", "2.1.1"]),
        ("the exit of a building", "The exit of the Building 1", ["exit", "Building"]),
        ("a 1 조", "a 1 조", []),
        ("6,000 meters", "5,000 or 6,000 meters", ["6,000", "meters"]),  # not the 000 of 5,000
        ("", "소방", []),
        ("소방", "", []),
    ],
)
def test_what_is_marked(query, text, words):
    assert marked(query, text) == words


def test_letters_that_grow_in_lower_case_do_not_shift_the_marks():
    assert marked("소방 exit", "İİ 소방 Exit") == ["소방", "Exit"]


def test_whitespace_marks_whole_equal_words():
    assert marked("소방시설을 설치", "소방시설을 소방시설 설치", "whitespace") == [
        "소방시설을",
        "설치",
    ]


@pytest.mark.parametrize("tokeniser", ["stemmed", "morphemes"])
def test_where_english_is_stemmed_other_forms_of_a_word_are_marked(tokeniser):
    assert marked("건축물의 exits", "The exit of 건축물에서", tokeniser) == ["exit", "건축물"]
    assert marked("the exits", "exit the", "bigram") == []


def test_jamo_marks_readable_syllables():
    assert marked("방염", "방염성능", "jamo3") == ["방염"]


@given(TEXT, TEXT, st.sampled_from(sorted(TOKENISERS)))
def test_spans_are_ordered_apart_and_at_least_two_characters(query, text, tokeniser):
    spans = matched_spans(query, text, tokeniser)
    assert all(0 <= start < end <= len(text) for start, end in spans)
    assert all(before[1] <= after[0] for before, after in pairwise(spans))
    if tokeniser != "whitespace":
        assert all(end - start >= 2 for start, end in spans)


@given(TEXT, TEXT)
def test_every_mark_shares_a_term_with_the_query(query, text):
    asked = set(bigrams(query))
    assert all(set(bigrams(mark)) & asked for mark in marked(query, text))


def test_time_grows_with_the_text_not_with_its_square():
    def seconds(length: int) -> float:
        text = "소방시설등의설치및관리에관한법률" * length
        best = float("inf")
        for _ in range(3):
            start = time.process_time()
            matched_spans("소방시설 관리", text)
            best = min(best, time.process_time() - start)
        return best

    assert seconds(16_000) < 40 * seconds(1_000) + 0.05


def test_an_unknown_tokeniser_is_refused():
    with pytest.raises(UserError):
        matched_spans("a", "b", "kiwi")


def test_a_window_begins_before_its_first_mark_within_the_text():
    assert densest_window([(50, 52)], 100, 20) == (48, 68)
    assert densest_window([(30, 32), (80, 82)], 100, 20) == (28, 48)  # the first of equals
    assert densest_window([(1, 3)], 100, 20) == (0, 20)
    assert densest_window([(95, 97)], 100, 20) == (80, 100)


@given(
    st.lists(st.tuples(st.integers(0, 8), st.integers(1, 12)), max_size=10),
    st.integers(0, 20),
    st.integers(1, 40),
)
def test_no_window_holds_more_of_the_marks(gaps, tail, width):
    spans, at = [], 0
    for gap, size in gaps:
        spans.append((at + gap, at + gap + size))
        at += gap + size
    length = at + tail
    start, end = densest_window(spans, length, width)
    assert 0 <= start <= end <= length and end - start == min(width, length)

    def held(low: int, high: int) -> int:
        return sum(b - a for a, b in spans if low <= a and b <= high)

    run_up = width // 10
    assert held(start, end) >= max(held(a, a + width - run_up) for a in range(length + 1))
