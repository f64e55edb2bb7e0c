"""References that point from a place: in an answer, from what it cited before."""

from __future__ import annotations

from unicodedata import normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.citations.find import find
from corpus.citations.model import Reason
from corpus.citations.resolve import resolve
from tests.corpus.citations.law import ACT, CATALOGUE, DECREE, OTHER, resolved, targets, unit

HERE = f"「{ACT}」 제9조의2제3항제4호"


def meant(words: str, before: str = HERE) -> list[str]:
    """Return place and part of what the last citation of an answer means."""
    last = resolved(f"{before}에 따르며, {words}")[-1]
    return [f"{t.unit_id.rpartition('_')[2]} {t.pinpoint}".strip() for t in last.targets]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("전조의 규정", ["9조"]),
        ("전조제2항에 따라", ["9조 2항"]),
        ("전 2조의 규정", ["8조", "9조"]),
        ("전2조를 준용한다", ["8조", "9조"]),
        ("다음 조에 따라", ["9조의3"]),
        ("다음 2조의 규정", ["9조의3", "9조의4"]),
        ("전항의 경우", ["9조의2 2항"]),
        ("전항은 준용한다", ["9조의2 2항"]),
        ("전항제1호의 경우", ["9조의2 2항/1호"]),
        ("전항 단서에 따라", ["9조의2 2항"]),
        ("전 2항에 규정한", ["9조의2 1항", "9조의2 2항"]),
        ("전호의 규정", ["9조의2 3항/3호"]),
        ("전 각 호의 경우", [f"9조의2 3항/{n}호" for n in (1, 2, 3)]),
        ("전각호 외의 경우", [f"9조의2 3항/{n}호" for n in (1, 2, 3)]),
        ("같은 조 제1항", ["9조의2 1항"]),
        ("동조 후단에 따라", ["9조의2"]),
        ("동항에 따라", ["9조의2 3항"]),
        ("같은 항의 경우", ["9조의2 3항"]),
        ("동항제2호에 따라", ["9조의2 3항/2호"]),
        ("동조동항의 규정", ["9조의2 3항"]),
        ("동조동항동호의 규정", ["9조의2 3항/4호"]),
        ("같은 호 가목에 따라", ["9조의2 3항/4호/가목"]),
        ("동호나목에 따라", ["9조의2 3항/4호/나목"]),
    ],
)
def test_an_answer_points_from_what_it_cited(words: str, expected: list[str]) -> None:
    assert meant(words) == expected


@pytest.mark.parametrize(
    ("words", "before"),
    [
        ("전조의 규정", f"「{ACT}」 제1조"),  # nothing goes before the first
        ("전2조의 규정", f"「{ACT}」 제2조"),
        ("다음 조의 규정", f"「{ACT}」 제30조"),
        ("전항의 규정", f"「{ACT}」 제5조"),  # no paragraph was cited
        ("전항의 규정", f"「{ACT}」 제5조제1항"),
        ("전호의 규정", f"「{ACT}」 제5조제2항"),
        ("전조의 규정", f"「{ACT}」 제5조부터 제7조까지"),  # before which of them?
        ("같은 호 가목", f"「{ACT}」 제5조제2항"),
    ],
)
def test_what_points_nowhere_resolves_to_nothing(words: str, before: str) -> None:
    last = resolved(f"{before}에 따르며, {words}에 따른다")[-1]
    assert (last.targets, last.reason) == ((), Reason.NO_ANTECEDENT)


@pytest.mark.parametrize(
    "words",
    [
        "차량의 전조등을 켠다",
        "입건 전 조사를 한다",
        "운전 시작 전 조치에 따른다",
        "지진의 전조, 여진 및 본진",
        "전조 현상이 있다",
        "신호ㆍ전호 및 표지를 한다",
        "전항목 검사를 한다",
        "합병 전 각 법인의 재산",
        "같은 목적의 시설",
        "같은 조건으로 한다",
        "같은 항목에 따라",
        "동호회 및 동호인의 모임",
        "동조하여 행동한다",
        "다음 조치의 내용",
        "다음 각 호의 시설",
    ],
)
def test_the_same_letters_in_other_words_cite_nothing(words: str) -> None:
    assert len(find(f"{HERE}에 따르며, {words}")) == 1


def test_a_text_that_cites_nothing_points_at_nothing() -> None:
    assert find("전조의 규정과 동조동항의 규정에 따른다") == []


def test_a_reference_that_points_nowhere_is_no_place_to_point_from() -> None:
    text = f"「{ACT}」 제5조제3항, 전호의 규정, 전항의 규정"
    assert [t.pinpoint for t in resolved(text)[-1].targets] == ["2항"]


def test_the_same_table_is_the_annex_cited_last() -> None:
    text = f"「{DECREE}」 별표 2 제1호, 「{OTHER}」 제3조, 같은 표 제3호에 따라"
    assert targets(text)[-1] == (unit(DECREE, "별표2"), "3호")


def test_a_predecessor_or_an_unknown_act_gives_its_references_nothing() -> None:
    found = resolved("「국제항로법」 제5조제3항, 전항의 규정, 전조의 규정")
    assert [one.targets for one in found] == [(), (), ()]


TEXTS = [
    f"{HERE}, 같은 조 제1항, 동법 제3조, 전조의 규정, 같은 법 시행령 제2조, 제5조제2항 및 제4호",
    f"{OTHER}에 따른 등대는 같은 법 제7조, LBTC 102 2.1.1, Article 5 of the Harbour Light Act",
    f'「{ACT}」(이하 "수로법"이라 한다) 제1조. 수로법 제2조와 수로법 시행령 제3조, 별표 2 제1호',
]


@given(
    st.lists(
        st.sampled_from([*TEXTS, "가", " ", "\u1161", "\uff41\u0301", "제5조"]), max_size=4
    ).map("".join)
)
def test_any_form_is_read_alike(text: str) -> None:
    text = normalize("NFC", text)
    apart = normalize("NFD", text)
    first = resolve(find(text), text, CATALOGUE)
    second = resolve(find(apart), apart, CATALOGUE)
    assert [one.targets for one in first] == [one.targets for one in second]
    for one in second:
        assert one.citation.text == apart[one.citation.start : one.citation.end]


WIDE = str.maketrans({chr(code): chr(code + 0xFEE0) for code in range(0x21, 0x7F)})


@pytest.mark.parametrize(
    "text",
    [
        f"「{ACT}」 제9조의2(제목)제3항",
        f"「{DECREE}」 별표 2 제1호",
        "LBTC 102 2.1.1",
        f"「{ACT}」 제5조ㆍ제7조",
        "Article 9-2 of the Harbour Light Act",
    ],
)
def test_full_width_letters_are_read_as_half_width_ones(text: str) -> None:
    wide = text.translate(WIDE)
    assert wide != text or "ㆍ" in text
    assert targets(wide) == targets(text) != []
    assert [one.citation.text for one in resolved(wide)] == [
        one.citation.text.translate(WIDE) for one in resolved(text)
    ]


@pytest.mark.parametrize("dot", "ㆍ·・･‧∙\u119e\u22c5\u2024")
def test_a_middle_dot_parts_places_however_it_is_written(dot: str) -> None:
    assert targets(f"「{ACT}」 제5조{dot}제7조") == [(unit(ACT, "5조"), ""), (unit(ACT, "7조"), "")]
