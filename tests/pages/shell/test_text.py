from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pages.shell.text import text_pieces

spans = st.lists(st.tuples(st.integers(-2, 30), st.integers(-2, 30)), max_size=6)


@given(st.text(max_size=25), spans, spans)
def test_pieces_are_the_text_and_carry_exactly_their_marks(
    text: str, marks: list[tuple[int, int]], cited: list[tuple[int, int]]
):
    pieces = text_pieces(text, marks, cited)
    assert "".join(piece for piece, _ in pieces) == text
    assert all(piece for piece, _ in pieces)
    bits = [bit for piece, bit in pieces for _ in piece]
    for place, bit in enumerate(bits):
        assert bool(bit & 1) == any(start <= place < end for start, end in marks)
        assert bool(bit & 2) == any(start <= place < end for start, end in cited)
