"""Terms of rules, found in texts."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from construction.closure.terms import Found, first_of
from normalization import composed


@pytest.mark.parametrize(
    ("term", "text", "found"),
    [
        ("과태료", "500만원의 과태료를 낸다", "과태료"),
        ("fine", "a fine of ten", "fine"),
        ("fine", "we define it", None),
        ("fine", "fines", None),
        ("Fine", "A FINE!", "FINE"),
        ("fine", "벌금(fine)은", "fine"),
        ("prior approval", "prior\n  approval", "prior\n  approval"),
        ("prior approval", "priorapproval", None),
        ("사전 승인", "사전승인을", "사전승인"),
        ("사전 승인", "사전 승인을", "사전 승인"),
        ("R&D 과제", "R&D과제", "R&D과제"),
        ("R&D 과제", "OR&D과제", None),
        ("§ 5", "under § 5 of", "§ 5"),
        ("a.c", "abc", None),
    ],
)
def test_latin_words_are_found_whole_and_others_wherever_they_stand(
    term: str, text: str, found: str | None
) -> None:
    hit = first_of([term], text)
    assert (hit and text[hit.start : hit.end]) == found


def test_the_first_place_counts_and_there_the_longest_term() -> None:
    assert first_of(["승인", "사전 승인"], "미리 사전 승인을, 승인을") == Found("사전 승인", 3, 8)
    assert first_of(["승인", "벌칙"], "벌칙과 승인") == Found("벌칙", 0, 2)
    assert first_of([], "벌칙") is None and first_of(["벌칙"], "") is None


def test_letters_of_either_form_are_the_same() -> None:
    apart = unicodedata.normalize("NFD", "과태료를 낸다")
    assert first_of(["과태료"], apart) == Found("과태료", 0, 3)
    assert first_of([unicodedata.normalize("NFD", "과태료")], "과태료") is not None


@given(st.text(max_size=20).map(composed), st.text(min_size=1, max_size=6).map(composed))
def test_what_is_found_stands_there(text: str, term: str) -> None:
    if not term.split():
        return
    found = first_of([" ".join(term.split())], text)
    if found is not None:
        assert (
            "".join(text[found.start : found.end].split()).casefold()
            == "".join(found.term.split()).casefold()
        )
