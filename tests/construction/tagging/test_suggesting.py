"""Suggestions for factors: what is asked, and only quotations that the text has are kept."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from construction.tagging.codebook import Factor, Option, SubFactor
from construction.tagging.suggesting import (
    READABLE,
    State,
    find_quote,
    judgment_words,
    portions,
    question_words,
    read,
)
from llm.structured.shapes import FactorAnswer

TEXT = "피고인은  피해자를\n칼로 찔렀다. The 𝔡efendant\tran.  被告人\n持刀。"


@pytest.mark.parametrize(
    ("quote", "there"),
    [
        ("피해자를 칼로 찔렀다", "피해자를\n칼로 찔렀다"),
        ("  피고인은 피해자를 ", "피고인은  피해자를"),
        ("被告人持刀", "被告人\n持刀"),
        ("The 𝔡efendant ran", "The 𝔡efendant\tran"),
        ("“The 𝔡efendant”", "The 𝔡efendant"),
        ("「持刀」", "持刀"),
    ],
)
def test_white_space_and_quotation_marks_do_not_count(quote: str, there: str) -> None:
    span = find_quote(TEXT, quote)
    assert span is not None
    assert TEXT[slice(*span)] == there


@pytest.mark.parametrize(
    "quote", ["", " ", "칼", "칼로 쏘았다", "피해자를 … 찔렀다", "the 𝔡efendant"]
)
def test_what_is_not_in_the_text_is_not_found(quote: str) -> None:
    assert find_quote(TEXT, quote) is None


def squeezed(text: str) -> str:
    return "".join(each for each in text if not each.isspace())


@given(st.text(min_size=2, max_size=40), st.data())
def test_every_stretch_of_a_text_is_found_and_is_its_own_words(text: str, data) -> None:
    start = data.draw(st.integers(0, len(text) - 2))
    quote = text[start : data.draw(st.integers(start + 2, len(text)))]
    bare = "".join(quote.split())
    assume(len(bare) >= 2 and all(not each.isspace() for each in bare))
    span = find_quote(text, quote)
    assert span is not None
    there = text[slice(*span)]
    assert not there[0].isspace() and not there[-1].isspace()
    assert squeezed(there) == squeezed(quote)


WORDS = {"en": "Word", "ko": "말"}
NAMES = st.sampled_from(["a", "b", "c", "not_stated", "not_mentioned"])
SUGGESTING_TEXT = "One thing. Another thing."


def sub(key: str, exclusive: bool = True, claim: bool = False) -> SubFactor:
    options = tuple(Option(each, WORDS, WORDS) for each in ("a", "b"))
    return SubFactor(key, WORDS, WORDS, options, exclusive=exclusive, claim=claim)


SUBS = (sub("one"), sub("many", exclusive=False))
FACTOR = Factor("f", WORDS, WORDS, ("*",), tuple(sub(f"s{n}") for n in range(23)))


def test_a_factor_is_asked_a_few_sub_factors_at_a_time_and_none_is_left_out() -> None:
    parts = [subs for _, subs in portions([FACTOR], FACTOR.sub_factors)]
    assert [len(each) for each in parts] == [10, 10, 3]
    assert [each for part in parts for each in part] == list(FACTOR.sub_factors)
    assert not list(portions([FACTOR], SUBS))


def test_all_of_the_judgment_is_told_whether_or_not_it_is_in_a_section() -> None:
    said = judgment_words(SUGGESTING_TEXT, [("facts", 11, 18)], "en")
    assert said == "One thing.\n\n[Facts]\n\nAnother\n\nthing."
    assert judgment_words(SUGGESTING_TEXT, [], "en") == SUGGESTING_TEXT


def test_questions_name_every_key_in_the_language_asked() -> None:
    asked = [replace(sub("one"), when={"many": ("a", "b")}), sub("many", exclusive=False)]
    assert question_words(FACTOR, [*asked, sub("plea", claim=True)], "ko").splitlines() == [
        *("# 말", "말", "", "## one: 말", "말", "하나만 고릅니다."),
        "many가 a, b 중 하나가 아니면 이 항목은 빼세요.",
        *("- a: 말 – 말", "- b: 말 – 말", "- not_stated: 판결문에 언급이 없다.", ""),
        *("## many: 말", "말", "하나 이상 고릅니다."),
        *("- a: 말 – 말", "- b: 말 – 말", "- not_stated: 판결문에 언급이 없다.", ""),
        *("## plea: 말", "말", "하나만 고릅니다.", "- a: 말 – 말", "- b: 말 – 말"),
    ]  # a claim has its own three answers


@pytest.mark.parametrize(
    ("key", "spoken", "found"),
    [
        ("one", (), ("", "", State.UNPARSED, "left out")),
        ("one", ("a: thing", "b: thing"), ("", "", State.UNPARSED, "answered twice")),
        ("one", ("a: thing", "a: no such"), ("a", "thing", State.QUOTED, "")),
        ("one", ("z c a: thing",), ("", "thing", State.UNKNOWN, "c, z")),
        ("one", ("not_stated: thing",), ("not_stated", "", State.NOT_STATED, "")),
        ("one", ("b a: thing",), ("", "thing", State.UNPARSED, "a, b")),
        ("one", ("b: no such",), ("b", "no such", State.UNQUOTED, "")),
        ("many", ("b a: “One”",), ("a b", "One", State.QUOTED, "")),
        ("many", ("a not_stated: x",), ("", "x", State.UNPARSED, "a, not_stated")),
    ],
)
def test_each_answer_has_its_state(key, spoken, found) -> None:
    parts = [each.split(": ") for each in spoken]
    answers = [FactorAnswer(sub_factor=key, options=a.split(), quote=b) for a, b in parts]
    [each] = read([one for one in SUBS if one.key == key], answers, SUGGESTING_TEXT)
    assert (" ".join(each.options), each.quote, each.state, each.detail) == found
    assert read([replace(SUBS[0], when={"many": ("a",)})], [], SUGGESTING_TEXT) == ()


ANSWERS = st.builds(
    FactorAnswer,
    sub_factor=st.sampled_from(["one", "many", "x"]),
    options=st.lists(NAMES, max_size=3),
    quote=st.sampled_from(["", "thing", "no such"]),
)


@given(st.lists(ANSWERS, max_size=4))
def test_only_options_that_there_are_and_words_of_the_text_come_out(
    spoken: list[FactorAnswer],
) -> None:
    found = read(SUBS, spoken, SUGGESTING_TEXT)
    assert [each.sub_factor for each in found] == ["one", "many"]
    for each in found:
        assert set(each.options) <= {"a", "b", "not_stated"}
        assert bool(each.options) == (each.state in READABLE)
        assert (each.start is not None) == (each.state is State.QUOTED)
        if each.start is not None:
            assert SUGGESTING_TEXT[each.start : each.stop] == each.quote
    assert len(found[0].options) <= 1
