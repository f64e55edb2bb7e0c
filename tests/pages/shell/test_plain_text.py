from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from corpus.compare.diff import DiffKind
from pages.shell.bundle import joined
from pages.shell.plain_text import Span, split_by_marks, text_pieces

spans = st.lists(st.tuples(st.integers(-2, 30), st.integers(-2, 30)), max_size=6)
Places = list[tuple[int, int]]
PLACES = st.lists(st.tuples(st.integers(-5, 40), st.integers(-5, 40)), max_size=5)


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


def test_overlapping_marks_are_cut_where_they_start_and_end():
    assert split_by_marks("abcdef", {"match": [(1, 4)], "pinpoint": [(2, 6)]}) == [
        Span("a"),
        Span("b", ("match",)),
        Span("cd", ("match", "pinpoint")),
        Span("ef", ("pinpoint",)),
    ]


@given(st.text(max_size=30), PLACES, PLACES)
def test_the_spans_concatenate_to_the_text(text: str, match: Places, pinpoint: Places):
    spans = split_by_marks(text, {"match": match, "pinpoint": pinpoint})
    assert "".join(span.text for span in spans) == text


def test_the_text_reaches_the_browser_as_data():
    def script():
        from pages.shell.plain_text import plain_text

        plain_text("<img src=x onerror=alert(1)>\n**b**", "key", "lead", "ko", 100)

    at = AppTest.from_function(script).run()
    assert "<img src=x onerror=alert(1)>" in str(at.main.children[0].proto)


def test_the_script_sets_text_and_never_html():
    source = joined(("shell/frontend/plain_text",), "js")
    assert "textContent" in source
    assert "innerHTML" not in source
    assert "insertAdjacent" not in source


def test_every_mark_of_a_comparison_has_a_look():
    style = joined(("shell/frontend/plain_text",), "css")
    for kind in (DiffKind.REMOVED, DiffKind.INSERTED):
        assert f".{kind} {{" in style
