"""Composing texts, and carrying stretches between a text and its composed form."""

from __future__ import annotations

from unicodedata import is_normalized, normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from normalization import Spans, composed, composed_value, storable

# Letters that join, marks in the wrong order, singletons, and what does none of that.
LETTERS = st.text(
    st.sampled_from(
        "가각ᄒ\u1161\u11a8\u1112ᆞ\u0301\u0323a\u212bÅ金\u0915\u093c\u1b05\u1b35힣 제1조\u2001"
    )
)
ANY = st.one_of(LETTERS, st.text())


@given(ANY)
def test_a_text_is_composed_once_and_for_all(text: str) -> None:
    assert composed(text) == normalize("NFC", text) == composed(composed(text))
    assert Spans(text).text == composed(text)


@given(ANY)
def test_a_text_that_is_composed_keeps_its_offsets(text: str) -> None:
    text = composed(text)
    spans = Spans(text)
    for start, end in ((0, len(text)), (0, 0), (len(text) // 2, len(text))):
        low, high = spans.in_composed(start, end)
        assert low <= start and end <= high
        assert spans.in_source(start, end)[0] <= start


@given(
    st.lists(st.sampled_from(["제2조", "「소방기본법」", " 및 ", "Article 5", "각항"])), st.data()
)
def test_a_stretch_of_the_source_is_the_same_words_composed(pieces: list[str], data) -> None:
    text = "".join(pieces)
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    source = normalize("NFD", text)
    spans = Spans(source)
    low, high = spans.in_source(start, end)
    assert normalize("NFC", source[low:high]) == text[start:end]
    assert spans.in_composed(low, high) == (start, end)


def test_half_a_syllable_is_the_whole_of_it() -> None:
    spans = Spans(normalize("NFD", "각항"))
    assert spans.in_composed(1, 2) == (0, 1)
    assert spans.in_composed(1, 4) == (0, 2)


def test_everything_in_a_value_is_composed() -> None:
    said = {
        normalize("NFD", "법"): [normalize("NFD", "조"), 1, None, {"a": normalize("NFD", "항")}]
    }
    assert composed_value(said) == {"법": ["조", 1, None, {"a": "항"}]}


@pytest.mark.parametrize(
    ("typed", "kept"), [("a\0b", "ab"), ("\ud800", "?"), (normalize("NFD", "항"), "항")]
)
def test_what_is_typed_is_made_fit_for_the_database(typed: str, kept: str) -> None:
    assert storable(typed) == kept
    assert is_normalized("NFC", storable(typed))


@pytest.mark.parametrize("unit", ["\u0301", "\u1161", "a\u0301", "\u1112\u1161\u11ab", "가\u0323"])
def test_the_time_grows_with_the_text(unit: str) -> None:
    text = unit * (60_000 // len(unit))
    assert Spans(text).text == composed(text)
