""""""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from llm.reply import option_said, without_thought

OPTIONS = ("1", "2", "3", "4", "5")


@pytest.mark.parametrize("token", ["2", " 2", "\n2", "(2", "2)", "2.", "**2", "[2]", '"2"'])
def test_white_space_and_brackets_do_not_matter(token: str) -> None:
    assert option_said(token, OPTIONS) == "2"


@pytest.mark.parametrize("token", ["", " ", "22", "6", "two", ".", "2 3"])
def test_what_is_no_option_says_none(token: str) -> None:
    assert option_said(token, OPTIONS) is None


def test_case_counts_only_where_options_differ_in_nothing_else() -> None:
    assert option_said(" b", ("A", "B")) == "B"
    assert option_said("b", ("B", "b")) == "b"
    assert option_said("YES", ("Yes", "yes")) is None


HARMONY = (
    "<|channel|>analysis<|message|>A? No.<|end|><|start|>assistant<|channel|>final<|message|>B"
)


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("B", "B"),
        ("", ""),
        ("<think>A?</think>B", "B"),
        ("<THINK>A?</THINK>B", "B"),
        ("< think >A?</ think >B", "B"),
        ('<think depth="3">A?</think>B', "B"),
        ("<thinking>A?</thinking>\n\nB", "B"),
        ("<thought>A?</thought>B", "B"),
        ("<reasoning>A?</reasoning>B", "B"),
        ("<scratchpad>A?</scratchpad>B", "B"),
        ("<seed:think>A?</seed:think>B", "B"),
        ("[THINK]A?[/THINK]B", "B"),
        ("◁think▷A?◁/think▷B", "B"),
        ("&lt;think&gt;A?&lt;/think&gt;B", "B"),
        ("<|begin_of_thought|>A?<|end_of_thought|><|begin_of_solution|>B<|end_of_solution|>", "B"),
        ("<|START_THINKING|>A?<|END_THINKING|><|START_RESPONSE|>B<|END_RESPONSE|>", "B"),
        ("<unused94>thought A?<unused95>B", "B"),
        (HARMONY, "B"),
        (f"{HARMONY}<|return|>", "B"),
        ("analysisThe answer is A? No.assistantfinalB", "B"),
        ("A?</think>B", "B"),
        ("A?</think>A!</think>B", "B"),
        ("<think>A?</think>A!</think>B", "B"),
        ("<think>1<think>2</think>A</think>B", "B"),
        ("<think>1</think>A<think>2</think>B", "AB"),
        ("B<think>or A?", "B"),
        ("B</s>", "B"),
        ("B<|im_end|>", "B"),
        ("<think>A", ""),
        ("<think>A</think>", ""),
        ("A</think>", ""),
        ("<|channel|>analysis<|message|>A", ""),
        ("analysisThe answer is A", ""),
        (
            "The analysis of Article 5 <b>and</b> x < 3",
            "The analysis of Article 5 <b>and</b> x < 3",
        ),
        ("Whoever thinks so [thinks] rightly", "Whoever thinks so [thinks] rightly"),
    ],
)
def test_the_answer_alone_is_left(text: str, answer: str) -> None:
    assert without_thought(text).strip() == answer


@given(st.lists(st.sampled_from(["<think>", "</think>", "A", " [/THINK] ", "<thought>"])))
def test_no_mark_is_left_and_reading_again_changes_nothing(pieces: list[str]) -> None:
    text = "".join(pieces)
    left = without_thought(text)
    assert set(left.split()) <= {"A" * n for n in range(1, len(pieces) + 1)}
    assert without_thought(left) == left
