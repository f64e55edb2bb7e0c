"""Titles of a case told apart, known ones with commas in them too."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from construction.cases.titles import fold_title, read_charge, read_titles

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
