"""What the viewer of factor tagging is told."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from corpus.cases.model import JudgmentPart, Section
from pages.tagging.viewer_data import parts

TEXT = "머리 \n\n사실이다.  이유𠮷이다.\n"


def test_what_is_in_no_section_is_told_too() -> None:
    found = [JudgmentPart(Section.FACTS, 5, 10), JudgmentPart(Section.REASONING, 12, 17)]
    assert parts(TEXT, found) == [
        ["rest", 0, 5],
        ["facts", 5, 12],
        ["reasoning", 12, 17],
        ["rest", 17, 19],
    ]


@given(st.text("가 \n.", max_size=30), st.lists(st.integers(0, 30), max_size=8))
def test_sections_cover_the_text_once_and_in_order(text: str, cuts: list[int]) -> None:
    places = sorted(min(cut, len(text)) for cut in cuts)
    pairs = zip(places[::2], places[1::2], strict=False)
    told = parts(text, [JudgmentPart(Section.FACTS, start, end) for start, end in pairs])
    ends = [each[2] for each in told]
    assert [each[1] for each in told[1:]] == ends[:-1]
    assert all(start < end for _, start, end in told)
    outside = text[: told[0][1]] + text[ends[-1] :] if told else text
    assert not outside.strip()
