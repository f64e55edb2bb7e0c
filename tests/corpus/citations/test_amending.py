from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.citations.find import find
from corpus.citations.model import NameKind
from corpus.model import Level


@pytest.mark.parametrize(
    ("text", "number", "inner"),
    [
        ("법률 제20393호 주택법 일부개정법률 부칙 제3조에 따라", "20393", "제3조"),
        ("법률 제3074호 주택법중개정법률 부칙 제5항에 따른", "3074", "제5항"),
        ("대통령령 제123호 주택법 시행령 일부개정령 부칙 제2조의2제1항", "123", "제2조의2제1항"),
        ("국방부령 제12호 「주택법 시행규칙 전부개정령」 부칙에 따라", "12", ""),
    ],
)
def test_the_number_and_what_stands_in_the_addendum_are_read(
    text: str, number: str, inner: str
) -> None:
    (found,) = find(text)
    (place,) = found.places
    assert (place.level, place.number, place.pinpoint) == (Level.ADDENDUM, number, inner)
    assert found.mention.kind is NameKind.TITLE
    assert found.mention.name.startswith("주택법")
    assert "개정" not in found.mention.name
    assert text.startswith(found.text)


@pytest.mark.parametrize(
    "text",
    [
        "법률 제20393호로 개정되기 전의 규정",
        "법률 제20393호 제3조에 따라",
        "대통령령 제123호 주택법 시행령 일부개정령을 시행한다",
        "그 제123호 주택법 부칙 제3조",
    ],
)
def test_a_number_without_an_addendum_names_none(text: str) -> None:
    found = [place for one in find(text) for place in one.places]
    assert not any(place.level is Level.ADDENDUM and place.number for place in found)


@given(
    st.lists(
        st.sampled_from(["법률 ", "제3호", " 주택법", "중", "개정법률", " 부칙", "「", "제1조"])
    )
)
def test_spans_are_exact_and_do_not_overlap(pieces: list[str]) -> None:
    text = "".join(pieces)
    found = find(text)
    assert all(text[one.start : one.end] == one.text for one in found)
    assert all(one.end <= other.start for one, other in pairwise(found))
