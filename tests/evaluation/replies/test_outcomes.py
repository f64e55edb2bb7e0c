"""What replies come to: a table of realistic ones, and properties that hold of any text."""

from __future__ import annotations

import json
import re
import time
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation.replies.outcomes import Outcome, read_grade, read_preference, read_reply, refuses
from evaluation.replies.rules import first
from tests.evaluation.replies.labelled_replies import Written, written
from tests.support.examples import scaled

GRADES = {
    True: (
        "1", " 1\n", "'1'", "1.", "**1**", "Grade: 1", "채점: 1", "１", "①", "Rating: 1", "[[1]]",
        "<answer>1</answer>", '{"score": 1}', "The grade is 1.", "평가: 1", "점수는 1",
        "Rating: **1**", "30 days, as the law.\n</think>\n\n1", "<answer>1", "0</think>1",
        "Score: 1\nI find that the answer is right.",
    ),
    False: (
        "0", "0.", "(0)", "score = 0", "\\boxed{0}", "Verdict: 0",
        '{"grade": "0", "reason": "1 day"}', "The answer omits the fine.\n\nGrade: 0",
    ),
    None: (
        "", "2", "10", "01", "-1", "1 or 0", "1\n0", "yes", "1/1", "0.9", "The answer is right.",
        "1: right in substance", "Rating: 1/5", "Rating: 10", "Score: 1 out of 10", "Article 1",
        "<think>1</think>", "<think>1", "1</think>", "Grade: 0.5", "true", "Answer 1: right",
        "Grade: 1\nGrade: 0", "−1", "Rating: five",
    ),
}  # fmt: skip
PREFERENCES = {
    "A": (
        "A", "a", "A.", "(A)", "Answer A", "답변 A", "**A**", "[[A]]", "Winner: A", "Assistant A",
        "\\boxed{A}", "Ａ", "B omits the fine.\n</think>\nA", "B omits it.\n\nAnswer: A",
        '{"answer": "A", "reason": "B omits it"}',
    ),
    "B": (
        "B", "Answer: B", '"B"', "<answer>B</answer>", "The better answer is B.", "선호: B",
        '{"winner": "B"}', "Verdict: [[B]]", "<think>A</think>Response B",
        "Answer A omits it.\nAnswer B does not.\nVerdict: B",
    ),
    None: (
        "", "C", "AB", "A or B", "A is better", "tie", "neither", "A and B", "A\nB", "I",
        "A court", "더 나은 답변: B", "답변 A가 낫다", "<think>A</think>", "A</think>",
        "Answer: A\nAnswer: B", "Both A",
    ),
}  # fmt: skip


@pytest.mark.parametrize("right", GRADES)
def test_a_grade_is_one_character(right: bool | None) -> None:
    assert {text: read_grade(text) for text in GRADES[right]} == dict.fromkeys(GRADES[right], right)


@pytest.mark.parametrize("better", PREFERENCES)
def test_a_preference_is_one_letter(better: str | None) -> None:
    texts = PREFERENCES[better]
    assert {text: read_preference(text) for text in texts} == dict.fromkeys(texts, better)


@given(st.text())
def test_any_other_text_says_nothing(text: str) -> None:
    assert read_grade(text) in (None, True, False)
    assert read_preference(text) in (None, "A", "B")


REPLIES = written("replies.tsv")
SHORT = written("short_answers.tsv")
HELD_OUT = written("held_out.tsv")
OPTIONS = ("within 7 days", "within 14 days", "within 30 days", "at once", "It cannot be told.")


@pytest.mark.parametrize("reply", REPLIES, ids=lambda reply: reply.name)
def test_a_realistic_reply(reply: Written) -> None:
    found = reply.read()
    assert (found.outcome, found.option) == (reply.outcome, reply.option), found
    assert found.rule
    readable = found.outcome.readable and reply.mark != "content_filter"
    assert found.quote or not readable


def test_short_answers_choose_what_a_person_reads_and_never_a_stray_letter() -> None:
    assert len(SHORT) > 900
    wrong = [
        (each.name, each.text, each.read()) for each in SHORT if each.read().option != each.option
    ]
    assert wrong == []


@given(st.sampled_from(SHORT), st.sampled_from(["", "<think>", "<thinking>\n"]), st.data())
def test_what_is_thought_before_changes_nothing(reply: Written, opens: str, data) -> None:
    """An answer is read alike after any thought, whether the mark that opens it was sent or not."""
    thought = data.draw(st.sampled_from(SHORT)).text
    if "think" in reply.text.lower() or "<" in thought or "analysis" in thought + reply.text:
        return
    text = f"{opens}{thought}</think>\n{reply.text}"
    found = read_reply(text, reply.options, reply.abstention)
    assert found.option == reply.option, text


@pytest.mark.long
@pytest.mark.real_data
def test_law_alone_chooses_nothing(shared_data: Path) -> None:
    """Statutes and official answers are full of letters, numbers and lists of them."""
    lines = []
    for file in sorted((shared_data / "korean-law" / "criminal" / "kr").rglob("*.md"))[:60]:
        lines += file.read_text("utf-8").splitlines()
    for file in sorted((shared_data / "other-law" / "us").glob("*-uslm.xml")):
        lines += re.sub(r"<[^<>]*>", " ", file.read_text("utf-8")).splitlines()
    lines = [" ".join(line.split()) for line in lines if len(line.split()) > 2]
    said = [
        "\n".join(lines[at : at + 1 + at % 6]) for at in range(0, len(lines), len(lines) // 2000)
    ]
    answers = (shared_data / "searchfiresafety" / "qna.jsonl").read_text("utf-8").splitlines()
    said += [json.loads(line)["original_text"] for line in answers]
    assert len(said) > 2_000
    options = ("in the manner of zebra", "for nine weeks only", "the moon", "every third leap day")
    assert [text for text in said if read_reply(text[:2_000], options, None).option] == []
    assert [text for text in said if read_grade(text) is not None or read_preference(text)] == []


def test_the_table_holds_enough_of_each_language_and_outcome() -> None:
    languages = Counter(reply.language for reply in REPLIES)
    assert languages["en"] >= 80
    assert languages["ko"] >= 80
    assert min(languages["de"], languages["zh"], languages["mixed"]) >= 10
    assert min(Counter(reply.outcome for reply in REPLIES)[each] for each in Outcome) >= 20
    assert len(HELD_OUT) >= 50
    assert not {reply.text for reply in REPLIES if reply.text.strip()} & {
        reply.text for reply in HELD_OUT if reply.text.strip()
    }


def test_an_abstention_is_no_option_where_the_question_has_none() -> None:
    found = read_reply("It cannot be told.", OPTIONS[:4], None)
    assert (found.outcome, found.option) == (Outcome.ABSTAINED_WORDS, None)


def test_a_clause_after_a_contrast_concludes() -> None:
    said = "첫째 조문은 기간을 두지 않지만 둘째 조문은 within 14 days 이다."
    assert read_reply(said, OPTIONS, 5).option == 2


def test_what_is_declared_is_not_read() -> None:
    found = read_reply("The answer is 2.", OPTIONS, 5, declared_refusal=True)
    assert (found.outcome, found.option, found.rule) == (Outcome.REFUSED, None, "declared")


def test_a_judge_that_refuses() -> None:
    said = [each.text for each in REPLIES if each.outcome is Outcome.REFUSED and not each.mark]
    missed = [text for text in said if not refuses(text)]
    assert len(missed) <= len(said) // 20, missed


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Answer B can't provide legal advice, so A is better.",
        "The response declines to answer and is incorrect.",
        "답변 A는 법률 자문을 제공할 수 없다고 하였으므로 B가 낫습니다.",
        "It is hard to say.",
    ],
)
def test_what_a_judge_says_of_a_refusal_is_none(text: str) -> None:
    assert not refuses(text)


@settings(max_examples=scaled(200), deadline=None)
@given(st.text(), st.integers(1, 9), st.booleans())
def test_any_text_comes_to_one_outcome(text: str, number: int, cut: bool) -> None:
    options = [f"option text {n}" for n in range(number)]
    found = read_reply(text, options, number, cut=cut)
    chosen = found.outcome in (Outcome.ANSWERED, Outcome.ABSTAINED_OPTION)
    assert (found.option is not None) == chosen
    assert (found.option == number) == (found.outcome is Outcome.ABSTAINED_OPTION)
    assert found.rule


@settings(max_examples=scaled(60), deadline=None)
@given(st.sampled_from([each for each in REPLIES if each.outcome is Outcome.ABSTAINED_WORDS]))
def test_an_option_that_is_named_comes_first(reply: Written) -> None:
    found = read_reply(f"{reply.text}\nThe answer is (B).", reply.options, 5)
    assert (found.outcome, found.option) == (Outcome.ANSWERED, 2)


ENDLESS = (
    " ", "\n", "\t ", "(", "1.", "1)\n", "2, ", "2 or ", "final ", "answer ", "the answer is ",
    "answer: ", "정답 ", "정답은 ", "판단할 수 ", "되어 ", "정보가 ", "nicht ", "kann ", "无法",
    "。", "\\boxed{", '"answer": "', "cannot be ", "if ", ", but", "지만 ", "I cannot ", "A ",
    "<think>", "within 7 days\n", "1. within 7 days\n", "① ", "\u1100\u1161", "option 2 ", "'",
    ": ",
)  # fmt: skip


@pytest.mark.parametrize("unit", ENDLESS, ids=repr)
def test_time_is_in_proportion_to_length(unit: str) -> None:
    """A reply of 20,000 characters is read in a second; a square of it would take many."""
    text = f"The answer {unit * (20_000 // len(unit))}x"
    started = time.process_time()
    read_reply(text, OPTIONS, 5)
    assert time.process_time() - started < 3


@settings(max_examples=scaled(25), deadline=None)
@given(st.lists(st.sampled_from([*ENDLESS, "2", "않", "not ", "B", "."]), min_size=1, max_size=4))
def test_no_mixture_takes_long(units: list[str]) -> None:
    unit = "".join(units)
    started = time.process_time()
    read_reply(unit * (30_000 // len(unit)), OPTIONS, 5)
    assert time.process_time() - started < 6


def test_the_first_rule_is_told() -> None:
    found = first("abstain", "주어진 정보만으로는 판단할 수 없다")
    assert found is not None
    assert found.rule == "ko.abstain.cannot_judge"


@pytest.mark.parametrize("text", ["Nothing in the text says so.", "None of this can be told."])
def test_an_option_that_any_sentence_may_begin_with_is_chosen_by_itself_only(text: str) -> None:
    options = ("Notify the mayor", "Nothing", "None", "Report it")
    assert read_reply(text, options, None).option is None
    assert read_reply("Nothing", options, None).option == 2
