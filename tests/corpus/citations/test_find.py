"""Finding never fails, cuts exactly, and takes linear time."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corpus.citations.find import find
from corpus.citations.model import Citation

_WORDS = """
「 」 『 』 제 조 항 호 목 의 1 2 10 12 및 · ㆍ , 부터 까지 내지 같은 동 법 법률 영
시행령 시행규칙 기준 규칙 별표 별지 서식 부칙 NFTC LBTC 102 2.1 2.1.1 ( ) [ ] < > ①
가목 이하 " 에 관한 . 2023.4.14 - ~ Article Articles Act the of same Enforcement Decree
Section Annex 9-2
"""
PIECES = st.sampled_from([*_WORDS.split(), " ", "  ", "\n"])
LEGAL_NOISE = st.lists(PIECES, max_size=60).map("".join)


def check(text: str, citations: list[Citation]) -> None:
    end = 0
    for one in citations:
        assert end <= one.start < one.end <= len(text)
        assert one.text == text[one.start : one.end]
        end = one.end


@given(st.text(max_size=300))
def test_any_text(text: str) -> None:
    check(text, find(text))


@settings(max_examples=400)
@given(LEGAL_NOISE)
def test_legal_noise(text: str) -> None:
    check(text, find(text))


@pytest.mark.parametrize(
    "piece",
    [
        "제1조및",
        "「가",
        "제1조(",
        "에 관한 법률 제1조 ",
        "Article 1 of Aa Bb Cc Dd Ee ",
        "Aa of ",
        "부칙 <",
        "1.1.1 ",
        "별표 1 ",
    ],
)
def test_time_is_linear(piece: str) -> None:
    """A quarter of a megabyte takes a second or two; a quadratic pattern many minutes."""
    text = piece * (250_000 // len(piece))
    began = time.process_time()
    find(text)
    assert time.process_time() - began < 5
