"""Citations that only a law writes, found in the wording around them."""

from __future__ import annotations

import pytest

from corpus.graph.find import find_in_law


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ('"그 밖의 배"란 제1항에 따른 배를 말한다.', ["1항"]),
        ('"배의 기준"이란 제2항제2호의 기준을 말한다.', ["2항/2호"]),
        ("배의 품명란 제10호에 적는다.", []),
        ("가목 이외의 배", ["가목"]),
        ("제18호(다목은 제외한다)의 배", ["18호", "다목"]),
        ("제1호가목1) 및 3)에 따른 배", ["1호/가목/1)", "1호/가목/3)"]),
        ("나목1), 2), 4)에 따른 배", ["나목/1)", "나목/2)", "나목/4)"]),
        ("가목1)부터 3)까지의 서류", ["가목/1)", "가목/2)", "가목/3)"]),
        ("제4호파목(뗏목은 제외한다)ㆍ더목ㆍ러목의 배", ["4호/파목", "더목", "러목"]),
        ("제4호하목부터 너목까지의 배", ["4호/하목", "4호/거목", "4호/너목"]),
        ("과목과 항목은 뗏목에 따른다.", []),
    ],
)
def test_parts_of_the_own_article(text: str, parts: list[str]) -> None:
    found = find_in_law(text, "ko")
    assert [place.pinpoint for one in found for place in one.places] == parts
    assert all(text[one.start : one.end] == one.text for one in found)
