"""Multiple-choice questions as yes/no questions."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from construction.reformulation import (
    Fate,
    Refusal,
    answer_of,
    child_id,
    is_yes_no,
    reformulated,
    speaks_of_others,
    wording_of,
)
from corpus.limits import QUESTION
from corpus.model import Choice, Question
from normalization import composed

LABELS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def asked(text="Which notices must be in writing?", *options, language="en", answer=""):
    choices = tuple(Choice(LABELS[at], each) for at, each in enumerate(options))
    return Question("q1", text, answer, language, choices=choices)


def test_five_options_are_five_questions() -> None:
    options = ("Of entry", "Of sale", "Of repair", "Of eviction", "Of a change of rent")
    found = reformulated(asked("Which notices must be in writing?", *options))
    assert (found.fate, found.refusal) == (Fate.SPLIT, None)
    assert [each.place for each in found.statements] == [1, 2, 3, 4, 5]
    assert [each.choice.text for each in found.statements] == list(options)
    assert found.statements[0].wording == (
        "Which notices must be in writing? Is “Of entry” a correct answer?"
    )


WORDINGS = """
en | Who pays? | A tenant | Who pays? Is “A tenant” a correct answer?
en | The landlord must | pay. | Is this true? The landlord must pay.
ko | 누가 냅니까? | 임차인 | 누가 냅니까? “임차인”은(는) 옳은 답입니까?
ko | 옳은 것을 고르시오. | 고친다. | 옳은 것을 고르시오. “고친다.”은(는) 고를 답입니까?
en | Select all that apply. | To {pay} | Select all that apply. Is “To {pay}” one of these?
en | To select a tenant, one must | ask. | Is this true? To select a tenant, one must ask.
ko | 임대인은 | 수선한다. | 다음은 옳습니까? 임대인은 수선한다.
zh | 出租人应当 | 维修。 | Is this true? 出租人应当 维修。
zh | Select all that apply. | 租金 | Select all that apply. Is “租金” one of these?
"""


@pytest.mark.parametrize("line", WORDINGS.strip().splitlines())
def test_a_stem_that_does_not_ask_is_completed(line: str) -> None:
    language, stem, option, wording = line.split(" | ")
    assert wording_of(asked(stem, option, language=language), Choice("A", option)) == wording


@pytest.mark.parametrize(
    ("question", "stays"),
    [
        (asked("Is it?", "Yes", "No"), True),
        (asked("Is it?", "No.", " yes "), True),
        (asked("맞습니까?", "예", "아니요", language="ko"), True),
        (asked("맞습니까?", "○", "×", language="ko"), True),
        (asked("Is it?", answer="Yes."), True),
        (asked("맞습니까?", answer="아니요", language="ko"), True),
        (asked("Is it?", "Yes", "No", "Perhaps"), False),
        (asked("Is it?", "Yes", "Yes, if"), False),
        (asked("Is it?", answer="Yes, within ten days."), False),
        (asked("Is it?"), False),
    ],
)
def test_yes_no_questions_stay(question, stays) -> None:
    assert is_yes_no(question) is stays
    assert (reformulated(question).fate is Fate.STAYS) is stays


@pytest.mark.parametrize(
    ("question", "why"),
    [
        (asked("How long?", answer="Ten days."), Refusal.FREE_RESPONSE),
        (asked("How long?", "Ten days"), Refusal.ONE_OPTION),
        (asked("How long?", "Ten  days", "ten days"), Refusal.REPEATED_OPTIONS),
        (asked("w" * QUESTION, "Ten days", "Nine days"), Refusal.TOO_LONG),
    ],
)
def test_what_cannot_be_taken_apart_is_refused_with_the_reason(question, why) -> None:
    found = reformulated(question)
    assert (found.fate, found.refusal, found.statements) == (Fate.REFUSED, why, ())


@pytest.mark.parametrize(
    ("option", "of_others"),
    [
        *((each, True) for each in ("All of the above.", "none of these", "Both A and B", "①, ③")),
        *((each, True) for each in ("위 모두", "모두 옳다", "정답 없음", "Neither (A) nor (B)")),
        *(
            (each, False)
            for each in ("All tenants", "A landlord and a tenant", "위원회", "모두의 집")
        ),
    ],
)
def test_options_that_speak_of_others_are_marked(option, of_others) -> None:
    assert speaks_of_others(option) is of_others
    found = reformulated(asked("Which?", "Entry", option))
    assert [each.of_others for each in found.statements] == [False, of_others]


def test_the_answer_is_known_where_the_source_says_which_are_correct() -> None:
    assert [answer_of(each, "en") for each in (True, False, None)] == ["Yes", "No", ""]
    assert [answer_of(each, "ko") for each in (True, False, None)] == ["예", "아니요", ""]
    assert answer_of(True, "zh") == "Yes"


_TEXT = st.text(min_size=1, max_size=40).map(composed).filter(str.strip)


@given(
    st.lists(_TEXT, max_size=8),
    _TEXT,
    st.sampled_from(["en", "ko"]),
    st.one_of(st.none(), st.booleans()),
)
def test_as_many_questions_as_options_each_with_stem_and_option(
    options, stem, language, correct
) -> None:
    question = asked(stem, *options, language=language)
    marked = tuple(replace(each, correct=correct) for each in question.choices)
    question = replace(question, choices=marked)
    found = reformulated(question)
    assert found == reformulated(question)
    assert bool(found.statements) == (found.fate is Fate.SPLIT)
    assert (found.refusal is not None) == (found.fate is Fate.REFUSED)
    if found.fate is not Fate.SPLIT:
        return
    assert [each.choice for each in found.statements] == list(question.choices)
    assert [each.place for each in found.statements] == [*range(1, len(options) + 1)]
    for each in found.statements:
        assert stem.strip() in each.wording and each.choice.text.strip() in each.wording
    assert len({each.wording for each in found.statements}) == len(options)
    assert len({child_id("q1", each.place) for each in found.statements}) == len(options)
