"""Provisions read in three languages."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from construction.cases.charges import (
    fold_statute,
    fold_title,
    read_charge,
    read_provisions,
    read_titles,
)

NAMED = """
형법 제307조 제1항 → 형법 307 0 1 0
각 형법 제347조 제1항(징역형 선택) → 형법 347 0 1 0
구 형법(2016. 1. 6. 개정되기 전의 것) 제258조의2 제1항, 제30조 → 형법 258 2 1 0; 형법 30 0 0 0
「도로교통법」 제148조의2제3항제1호 → 도로교통법 148 2 3 1
같은 법 제3조 → ? 3 0 0 0
《中华人民共和国刑法》第二百六十四条 → 刑法 264 0 0 0
刑法第一百三十三条之一第一款第（二）项、第六十七条 → 刑法 133 1 1 2; 刑法 67 0 0 0
依照刑法第303条第一款 → 刑法 303 0 1 0
Article 307(1) of the Criminal Act → criminalact 307 0 1 0
Criminal Act Article 258-2, paragraph (1) → criminalact 258 2 1 0
Articles 347(1) and 37 of the Criminal Act → criminalact 347 0 1 0; criminalact 37 0 0 0
징역 1년에 처한다
"""


@pytest.mark.parametrize("line", NAMED.strip().splitlines())
def test_what_a_text_names(line: str) -> None:
    """The statute, the article with its branch, the paragraph and the item."""
    text, _, named = line.partition(" → ")
    found = (f"{each.statute or '?'} {each.article} {each.branch} {each.paragraph} {each.item}"
             for each in read_provisions(text))  # fmt: skip
    assert "; ".join(found) == named


def test_names_of_one_statute_are_one() -> None:
    names = {
        fold_statute("성폭력처벌법"): "x",
        fold_statute("성폭력범죄의 처벌 등에 관한 특례법"): "x",
    }
    short = read_provisions("성폭력처벌법 제14조 제1항", names)
    assert short == read_provisions("성폭력범죄의 처벌 등에 관한 특례법 제14조 제1항", names)


@pytest.mark.parametrize(
    ("wide", "narrow"),
    [("형법 제307조", "형법 제307조 제1항"), ("형법 제307조 제1항", "형법 제307조 제1항 제2호")],
)
def test_a_provision_covers_what_lies_within_it_and_not_the_reverse(wide: str, narrow: str) -> None:
    (outer,), (inner,) = read_provisions(wide), read_provisions(narrow)
    assert outer.covers(inner) and outer.covers(outer) and not inner.covers(outer)
    assert not outer.covers(read_provisions("형법 제307조의2 제1항")[0])
    assert not outer.covers(read_provisions("상법 제307조 제1항")[0])


@given(
    st.text(max_size=200),
    st.sampled_from(["형법 제3조", "刑法第十条", "Article 3 of the Act on X"]),
)
def test_whatever_stands_around_it_nothing_breaks(noise: str, provision: str) -> None:
    read_provisions(noise)
    assert read_provisions(f"{provision}") and read_provisions(f"{noise}\n{provision}") is not None


KNOWN = {
    fold_title(each)
    for each in (
        "사기",
        "상해",
        "횡령",
        "도로교통법위반(음주운전)",
        "诈骗罪",
        "掩饰、隐瞒犯罪所得罪",
        "Fraud",
        "Violation of the Act on the Punishment of Violent Acts, etc. (Injury)",
    )
}


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("사기", ["사기"]),
        ("사기죄 등", ["사기죄 등"]),
        ("가. 사기 나. 도로교통법 위반 (음주운전)", ["사기", "도로교통법 위반 (음주운전)"]),
        ("1. 사기\n2. 상해", ["사기", "상해"]),
        ("诈骗罪、掩饰、隐瞒犯罪所得罪", ["诈骗罪", "掩饰、隐瞒犯罪所得罪"]),
        (
            "Fraud, Violation of the Act on the Punishment of Violent Acts, Etc. (Injury)",
            ["Fraud", "Violation of the Act on the Punishment of Violent Acts, Etc. (Injury)"],
        ),
        ("사기(인정된 죄명: 횡령), 상해", ["횡령", "상해"]),
        ("상해(인정된 죄명 도로교통법위반(음주운전))", ["도로교통법위반(음주운전)"]),
    ],
)
def test_each_title_is_told_as_it_stands(text: str, known: list[str]) -> None:
    found = list(read_titles(text, KNOWN))
    assert [each.text for each in found] == known
    assert all(each.known in KNOWN for each in found)


def test_an_unknown_title_is_told_too() -> None:
    found = [(each.text, bool(each.known)) for each in read_titles("사기, 무고", KNOWN)]
    assert found == [("사기", True), ("무고", False)]


def test_an_entry_of_a_list_of_which_nothing_is_known_is_one_title() -> None:
    found = [each.text for each in read_charge("伪造、买卖国家机关证件罪", KNOWN)]
    assert found == ["伪造、买卖国家机关证件罪"]
    found = [each.text for each in read_charge("贪污、诈骗罪", KNOWN)]
    assert found == ["贪污", "诈骗罪"]
    assert not list(read_charge(" ", KNOWN))


@pytest.mark.parametrize("text", ["", "  ", "·,、"])
def test_what_holds_no_letter_names_nothing(text: str) -> None:
    assert not list(read_titles(text, KNOWN))


@given(st.text(max_size=80))
def test_a_known_title_is_found_behind_anything(noise: str) -> None:
    assert list(read_titles(f"{noise}\n사기", KNOWN))[-1].known
