from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from corpus.citations.model import Reason, Status, Target
from corpus.graph.model import Form, Reference
from pages.law.unit_data import lines_of, shown_references, written_path


def reference(start: int, end: int, text: str = "") -> Reference:
    return Reference(
        "a_1조", start, end, text[start:end], Status.UNRESOLVED, Reason.NO_SUCH_PLACE, (), Form.OWN
    )


SPANS = st.lists(st.tuples(st.integers(0, 60), st.integers(1, 20)), max_size=12)


@given(st.text("가나 \n제조1①", max_size=80), SPANS)
def test_lines_say_the_text_and_mark_each_reference(text: str, spans: list[tuple[int, int]]):
    given_ = [reference(at, at + size, text) for at, size in spans if at + size <= len(text)]
    references = shown_references(given_)
    lines = lines_of(text, references)
    said = ["".join(part for part, _ in line) for line in lines]
    assert said == [line for line in text.split("\n") if line.strip()]
    for index, each in enumerate(references):
        marked = [part for line in lines for part, at in line if at == index]
        assert "".join(marked).strip() in each.text.replace("\n", "")


def test_references_side_by_side_stay_apart():
    text = "제1조제2조"
    both = [reference(0, 3, text), reference(3, 6, text)]
    assert lines_of(text, both) == [[["제1조", 0], ["제2조", 1]]]


def test_a_reference_inside_another_is_left_out():
    text = "「나루안전법」 제2조"
    inner, outer = reference(8, 11, text), reference(0, 11, text)
    assert shown_references([inner, outer]) == [outer]
    assert Target("a", "") not in outer.targets


def test_paths_are_written_as_lawyers_write_them():
    assert written_path("2항/3호/나목") == "2항 3호 나목"
    assert written_path("(a)/(2)/(C)/(i)") == "(a)(2)(C)(i)"
    assert written_path("") == ""
