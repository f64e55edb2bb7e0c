from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.compare import diff
from evaluation.judging import answer_diff as module
from evaluation.judging.answer_diff import Compared, DiffKind, Piece, compare

WORDS = st.sampled_from(
    [
        "소화기를 ",
        "소화기는 ",
        "설치한다",
        ".",
        "\n",
        "Lamp ",
        "lamps ",
        "5,000",
        "제3조제2항에 ",
        " ",
    ]
)
TEXTS = st.lists(WORDS, max_size=25).map("".join) | st.text(max_size=30)


def marked(pieces: Sequence[Piece]) -> str:
    """Return an answer as one line: what is alone in [], what is moved in <>."""
    signs = {DiffKind.SHARED: "{}", DiffKind.ALONE: "[{}]", DiffKind.MOVED: "<{}>"}
    return "".join(signs[piece.kind].format(piece.text) for piece in pieces)


def text_of(pieces: Sequence[Piece]) -> str:
    return "".join(piece.text for piece in pieces)


@pytest.mark.parametrize(
    ("one", "other", "left", "right"),
    [
        ("소화기를 둔다.", "소화기는 둔다.", "소화기[를] 둔다.", "소화기[는] 둔다."),
        ("설치하여야 한다.", "설치해야 합니다.", "설치[하여야 한다].", "설치[해야 합니다]."),
        ("가게 밖에 둔다", "밖에 가게 둔다", "가게 <밖에> 둔다", "<밖에> 가게 둔다"),
        ("소화기를 둔다", "소화전을 둔다", "[소화기를] 둔다", "[소화전을] 둔다"),
        ("제3조제2항에 따라", "제3조 제2항에 따라", "제3조제2항에 따라", "제3조 제2항에 따라"),
        ("제2조의3에 따라", "제2조에 따라", "[제2조의3]에 따라", "[제2조]에 따라"),
        ("5,000 m²", "5000 m²", "5,000 m²", "5000 m²"),
        ("Yes, it must.", "yes it must not.", "Yes, it must.", "yes it must [not]."),
        ("see 2.4.5.2 there", "see 2.4 there", "see [2.4.5.2] there", "see [2.4] there"),
        ("the owner shall", "the tenant may", "the [owner shall]", "the [tenant may]"),
        ("a chief of a station", "of chief", "a chief of a [station]", "of chief"),
        ("the rule of the house", "no", "the [rule of the house]", "[no]"),
        ("", "새로 둔다", "", "[새로 둔다]"),
        ("같다", "같다", "같다", "같다"),
    ],
)  # fmt: skip
def test_what_is_marked(one: str, other: str, left: str, right: str) -> None:
    found = compare(one, other)
    assert (marked(found.one), marked(found.other)) == (left, right)


def test_the_words_are_counted() -> None:
    assert compare("소화기를 층마다 둔다.", "소화기는 둔다.") == Compared(
        (
            Piece(DiffKind.SHARED, "소화기"),
            Piece(DiffKind.ALONE, "를 층마다"),
            Piece(DiffKind.SHARED, " 둔다."),
        ),
        (
            Piece(DiffKind.SHARED, "소화기"),
            Piece(DiffKind.ALONE, "는"),
            Piece(DiffKind.SHARED, " 둔다."),
        ),
        (3, 2),
        2,
    )


def test_hangul_that_is_not_composed_is_the_same_word() -> None:
    decomposed = unicodedata.normalize("NFD", "소화기를 둔다")
    found = compare("소화기를 둔다", decomposed)
    assert found.shared == 2
    assert marked(found.other) == decomposed


def test_texts_too_long_to_align_are_still_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(diff, "_MAX_CELLS", 3)
    found = compare("층마다 소화기", "층마다 소화전")
    assert (marked(found.one), found.shared) == ("<층마다> [소화기]", 0)


@given(TEXTS, TEXTS)
def test_the_pieces_make_the_answers(one: str, other: str) -> None:
    found = compare(one, other)
    for pieces, text in ((found.one, one), (found.other, other)):
        assert text_of(pieces) == text
        assert all(piece.text for piece in pieces)
        assert all(before.kind is not after.kind for before, after in pairwise(pieces))


@given(st.lists(st.sampled_from(["lamp", "floor", "owner", "소화전", "옥상"]), max_size=12), TEXTS)
def test_a_word_is_alone_exactly_when_the_other_does_not_say_it(
    names: list[str], other: str
) -> None:
    found = compare(" ".join(names), other)
    said = {each.key for each in module._words(other)}
    runs = [piece.text for piece in found.one if piece.kind is DiffKind.ALONE]
    assert {each.key for run in runs for each in module._words(run)} == set(names) - said
