"""Which references a sentence applies: shapes of real sentences, in fictional words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.citations.model import Status
from corpus.graph.edges import applied
from corpus.graph.find import find_in_law
from corpus.graph.model import Form, Reference


def references(text: str, language: str = "ko") -> list[Reference]:
    return [
        Reference("u", c.start, c.end, c.text, Status.UNRESOLVED, None, (), Form.OWN)
        for c in find_in_law(text, language)
    ]


def applying(text: str, language: str = "ko") -> list[str]:
    found = references(text, language)
    starts = applied(text, found)
    return [one.text for one in found if one.start in starts]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("제3조에 따른 나룻배에 관하여는 제5조를 준용한다.", ["제5조"]),
        (
            "제2항에 따라 등록한 사공에 대하여는 제5조, 제7조제2항 및 제9조를 준용한다.",
            ["제5조", "제7조제2항", "제9조"],
        ),
        (
            "제2항에도 불구하고 나루에는 제5조부터 제8조까지의 규정을 준용한다.",
            ["제5조부터 제8조까지"],
        ),
        ("제5조의 규정은 제3조에 따른 나루에 이를 준용한다.", ["제5조"]),
        ("제5조와 제6조는 제3조의 경우에 준용한다.", ["제5조", "제6조"]),
        ("제3항은 제4조의 나루에 제5조를 준용한다.", ["제5조"]),
        ("나루의 검사에는 제5조제2항(제1호는 제외한다)을 각각 준용한다.", ["제5조제2항"]),
        ("그 방법에 관하여는 제5조에 따른 검사 방법을 준용한다.", ["제5조"]),
        ("제3조의 나룻배에는 제5조를 적용한다.", ["제5조"]),
        ("제3조의 나룻배에는 제5조를 적용하지 아니한다.", []),
        ("제5조제1항(제7조에서 준용하는 경우를 포함한다)을 위반한 자", []),
        ("제3항의 통지를 받으면 지체 없이 제5조에서 준용하는 바에 따른다.", []),
        ('이 경우 제5조제1항 중 "사공"은 "뱃사람"으로 본다.', ["제5조제1항"]),
        ("제3조에 따라 신고한 경우에는 제5조에 따른 허가를 받은 것으로 본다.", ["제5조"]),
        ("제3항에 따른 기간에 알리지 아니하면 승인한 것으로 본다.", []),
        ("제5조에 따른 보고를 거짓으로 보고한 자", []),
    ],
)
def test_only_what_the_sentence_applies_counts(text: str, expected: list[str]) -> None:
    assert applying(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Article 5(2) applies mutatis mutandis to ferries under Article 3.", ["Article 5(2)"]),
        ("Articles 5 and 7 shall apply mutatis mutandis.", ["Articles 5", "7"]),
        (
            "A person notified under Article 3 is deemed to have permission under Article 5.",
            ["Article 5"],
        ),
        ("Article 5 applies to ferries.", []),
    ],
)
def test_english_sentences(text: str, expected: list[str]) -> None:
    assert applying(text, "en") == expected


def test_a_sentence_says_nothing_about_the_next_one() -> None:
    assert applying("제5조에 따른다. 제7조를 준용한다.\n제8조를 본다.") == ["제7조"]


PIECES = (
    "제5조",
    "제2항",
    "및 ",
    ", ",
    "(",
    ")",
    "를 준용한다. ",
    "에 따른 ",
    "로 본다",
    ' 중 "갑"은 ',
    "\n",
)


@given(st.lists(st.sampled_from(PIECES), max_size=12))
def test_what_is_applied_is_a_reference_of_the_text(pieces: list[str]) -> None:
    text = "".join(pieces)
    found = references(text)
    assert applied(text, found) <= {one.start for one in found}
