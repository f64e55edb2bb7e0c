"""Suggestions for factors: what is asked, and only quotations that the text has are kept."""

from __future__ import annotations

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
    said = question_words(FACTOR, [sub("one"), sub("plea", claim=True)], "ko")
    assert "## one: 말" in said
    assert said.count("- a: ") == 2
    assert said.count("- not_stated: ") == 1  # a claim has its own three answers


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
