from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.compare import diff as module
from corpus.compare.diff import DiffKind, Piece, diff, spans

WORDS = st.sampled_from(
    ["소화기를 ", "소화기는 ", "둔다", ".", "\n", "lamp ", "lamps ", "10", "①", " "]
)
TEXTS = st.lists(WORDS, max_size=25).map("".join) | st.text(max_size=20)


def marked(old: str, new: str) -> str:
    """Return the diff as one line: what is removed in [], what is inserted in {}."""
    signs = {DiffKind.SAME: "{}", DiffKind.REMOVED: "[{}]", DiffKind.INSERTED: "({})"}
    return "".join(signs[piece.kind].format(piece.text) for piece in diff(old, new))


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("소화기를 둔다.", "소화기는 둔다.", "소화기[를](는) 둔다."),
        ("건물에 소화기를 둔다.", "건물에 둔다.", "건물에 [소화기를 ]둔다."),
        ("둔다.", "층마다 둔다.", "(층마다 )둔다."),
        ("과태료 100만원", "과태료 500만원", "과태료 [100](500)만원"),
        ("a ferry shall", "a ferry should", "a ferry [shall](should)"),
        ("a lamp.", "a lamp!", "a lamp[.](!)"),
        ("① 가\n② 나\n③ 다", "① 가\n③ 다", "① 가\n[② 나\n]③ 다"),
        ("설치한다", "점검한다", "[설치](점검)한다"),
        ("", "새로", "(새로)"),
        ("같다", "같다", "같다"),
    ],
)
def test_what_is_marked(old: str, new: str, expected: str) -> None:
    assert marked(old, new) == expected


def test_spans_stand_in_the_text_they_belong_to() -> None:
    old, new = "소화기를 한 대 둔다.", "소화기는 두 대 둔다."
    pieces = diff(old, new)
    assert [old[a:b] for a, b in spans(pieces, DiffKind.REMOVED)] == ["를", "한"]
    assert [new[a:b] for a, b in spans(pieces, DiffKind.INSERTED)] == ["는", "두"]


@given(TEXTS, TEXTS)
def test_applied_to_the_old_text_it_gives_the_new_one(old: str, new: str) -> None:
    pieces = diff(old, new)
    assert "".join(each.text for each in pieces if each.kind is not DiffKind.REMOVED) == new
    assert "".join(each.text for each in pieces if each.kind is not DiffKind.INSERTED) == old
    assert all(piece.text for piece in pieces)
    assert all(one.kind is not other.kind for one, other in pairwise(pieces))


@given(TEXTS)
def test_a_text_does_not_differ_from_itself(text: str) -> None:
    assert diff(text, text) == ([Piece(DiffKind.SAME, text)] if text else [])


def test_texts_too_long_to_align_are_told_apart_as_a_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_MAX_CELLS", 3)
    assert marked("가 나 다", "라 나") == "[가 나 다](라 나)"
