from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.replies.choices import Choice, Parse, read_choice

OPTIONS = ("within 7 days", "within 14 days", "within 30 days", "at once", "cannot be determined")
KOREAN = ("7일 이내", "14일 이내", "30일 이내", "지체 없이", "판단할 수 없다")
CIRCLED = "①②③④⑤"

ALONE = (
    "{n}", " {n}\n", "{n}.", "({n})", "[{n}]", "**{n}**", "`{n}`", "{n})", "{c}", "{L}", "({L})",
    "{L}.", "{l}", "({l})", "{l})", "Option {n}", "Option {n}.", "option ({n})", "Choice {n}",
    "Answer: {n}", "answer: {L}", "The answer is {n}.", "The correct answer is ({L}).",
    "The answer is option {n}.", "Final answer: **{n}**", "My answer is {n}", "No. {n}", "{n}번",
    "{n}번입니다.", "정답: {n}번", "정답은 {n}번입니다.", "정답 {n}", "답: {c}", "답은 {c}",
    "보기 {n}", "정답은 보기 {n}번이다.", "최종 정답: {n}", "정답：{n}", "답변: {n}", "번호 {n}",
    "<think>1, 2, 3? The answer is 4.</think>{n}", "\\boxed{{{n}}}", "$\\boxed{{\\text{{{L}}}}}$",
)  # fmt: skip
STATED = (
    "The decree sets the period. The answer is {n}.", "The answer is {n} because B says so.",
    "{n}\n\nB names the period.", "B names the period.\n\n{n}",
    "Steps:\n1.\nRead A.\n2.\nRead B.\nAnswer: {n}", "{n}번\n\nB에 따르면 그렇습니다.",
    "The answer is ({L}), since B names it.", "Option {n} is correct.",
    "Option {n} is the right answer: B says so.",
    "Let me think. 1. A refers to B. 2. B sets it.\n\nAnswer: {n}",
    "B에 따르면 {n}번이 정답입니다.", "조문 B를 보면 {n}번이 맞습니다.",
    "설명이 먼저입니다. 따라서 정답은 {c}입니다.", "So \\boxed{{{n}}} it is",
)  # fmt: skip


def filled(template: str, n: int) -> str:
    return template.format(n=n, c=CIRCLED[n - 1], L="ABCDE"[n - 1], l="abcde"[n - 1])


@pytest.mark.parametrize("template", [*ALONE, *STATED])
@pytest.mark.parametrize("options", [OPTIONS, KOREAN])
def test_every_plain_way_to_say_it(template: str, options: tuple[str, ...]) -> None:
    for n in range(1, 6):
        assert read_choice(filled(template, n), options) == Choice(Parse.CHOSEN, n)


@pytest.mark.parametrize("text", ["", " \n", "**", "<think>the answer is 2", "<think></think>"])
def test_nothing_said(text: str) -> None:
    assert read_choice(text, OPTIONS) == Choice(Parse.EMPTY)


@pytest.mark.parametrize("text", ["6", "0", "Option 9.", "정답: 7번", "F", "⑨", "\\boxed{8}"])
def test_a_number_that_no_option_has(text: str) -> None:
    assert read_choice(text, OPTIONS) == Choice(Parse.OUT_OF_RANGE)


@pytest.mark.parametrize(
    "text",
    [
        "The answer is 2. No, the answer is 3.",
        "2\n\nThe correct answer is 4.",
        "The answer is 2 or 3.",
        "Answer: 2, 3",
        "정답은 2번 또는 3번입니다.",
        "정답: 2번과 4번",
        "Option 1 is correct. Option 2 is correct.",
        "2. within 7 days",
        "1번 14일 이내",
        "\\boxed{1} \\boxed{2}",
    ],
)
def test_two_answers_are_none(text: str) -> None:
    options = KOREAN if "이내" in text else OPTIONS
    assert read_choice(text, options) == Choice(Parse.SEVERAL)


def test_options_of_the_same_words_are_not_told_apart() -> None:
    assert read_choice("at once", ("at once", "At once.")) == Choice(Parse.SEVERAL)


def test_a_number_that_is_an_options_own_words() -> None:
    assert read_choice("3", ("1", "3", "5")).option == 3  # a label before anything else


@given(st.text(), st.integers(1, 9))
def test_any_text_chooses_an_option_there_is_or_none(text: str, number: int) -> None:
    found = read_choice(text, [f"option text {n}" for n in range(number)])
    assert (found.option is not None) == (found.parse is Parse.CHOSEN)
    assert found.option is None or 1 <= found.option <= number


@given(
    st.sampled_from(STATED),
    st.sampled_from(STATED),
    st.permutations(range(1, 6)),
)
def test_two_statements_that_differ_choose_nothing(first: str, second: str, order) -> None:
    text = filled(first, order[0]) + "\n" + filled(second, order[1])
    assert read_choice(text, OPTIONS).option is None


words = st.sampled_from(["the", "decree", "주어진", "조문", "sets", "기간", "hence", "법", "so"])


@given(st.lists(words, max_size=30), st.sampled_from(STATED), st.integers(1, 5))
def test_words_before_a_statement_change_nothing(before, statement: str, n: int) -> None:
    assert read_choice(" ".join(before) + ".\n" + filled(statement, n), OPTIONS).option == n
