"""Provisions read in three languages."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from construction.cases.provisions import Provision, fold_statute, read_provisions


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("형법 제307조 제1항", [("형법", 307, 0, 1, 0)]),
        ("각 형법 제347조 제1항(징역형 선택)", [("형법", 347, 0, 1, 0)]),
        (
            "구 형법(2016. 1. 6. 법률 제13719호로 개정되기 전의 것) 제258조의2 제1항, 제30조",
            [("형법", 258, 2, 1, 0), ("형법", 30, 0, 0, 0)],
        ),
        ("「도로교통법」 제148조의2제3항제1호", [("도로교통법", 148, 2, 3, 1)]),
        ("같은 법 제3조", [("", 3, 0, 0, 0)]),
        ("《中华人民共和国刑法》第二百六十四条", [("刑法", 264, 0, 0, 0)]),
        (
            "刑法第一百三十三条之一第一款第（二）项、第六十七条",
            [("刑法", 133, 1, 1, 2), ("刑法", 67, 0, 0, 0)],
        ),
        ("依照刑法第303条第一款", [("刑法", 303, 0, 1, 0)]),
        ("Article 307(1) of the Criminal Act", [("criminalact", 307, 0, 1, 0)]),
        ("Criminal Act Article 258-2, paragraph (1)", [("criminalact", 258, 2, 1, 0)]),
        (
            "Articles 347(1), 30 and 37 of the Criminal Act",
            [
                ("criminalact", 347, 0, 1, 0),
                ("criminalact", 30, 0, 0, 0),
                ("criminalact", 37, 0, 0, 0),
            ],
        ),
        ("징역 1년에 처한다", []),
        ("", []),
    ],
)
def test_what_a_text_names(text: str, found: list[tuple[str, int, int, int, int]]) -> None:
    assert read_provisions(text) == tuple(Provision(*each) for each in found)


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
