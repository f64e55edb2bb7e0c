from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.replies.verdicts import read_grade, read_preference


@pytest.mark.parametrize(
    ("text", "right"),
    [
        *(
            (each, True)
            for each in ("1", " 1\n", "'1'", "1.", "**1**", "Grade: 1", "채점: 1", "１")
        ),
        *((each, False) for each in ("0", "0.", "(0)", "score = 0")),
        *((each, None) for each in ("", "2", "10", "01", "-1", "1 or 0", "1\n0", "yes", "1/1")),
        *((each, None) for each in ("0.9", "The answer is right.", "1: right in substance")),
    ],
)
def test_a_grade_is_one_character(text: str, right: bool | None) -> None:
    assert read_grade(text) is right


@pytest.mark.parametrize(
    ("text", "better"),
    [
        *((each, "A") for each in ("A", "a", "A.", "(A)", "Answer A", "답변 A", "**A**")),
        *((each, "B") for each in ("B", "Answer: B", '"B"')),
        *((each, None) for each in ("", "C", "AB", "A or B", "A is better", "tie", "neither")),
    ],
)
def test_a_preference_is_one_letter(text: str, better: str | None) -> None:
    assert read_preference(text) == better


@given(st.text())
def test_any_other_text_says_nothing(text: str) -> None:
    assert read_grade(text) in (None, True, False)
    assert read_preference(text) in (None, "A", "B")
