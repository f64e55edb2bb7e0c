from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from construction.mcq.items import (
    GENERATE,
    generation_values,
    item_of,
    solving_prompt,
    solving_values,
)
from construction.mcq.model import CANNOT_TELL, passage
from corpus.model import Level, Statute, Tier, Unit
from evaluation.mcq.votes import Setting
from llm.prompts.prompt_files import prompt
from tests.construction.mcq.law import GOOD, TEXT_A, TEXT_B, item, pair


@given(st.integers(), st.sampled_from(["en", "ko"]), st.integers(1, 4), st.integers(0, 9))
def test_the_right_option_stays_right_and_the_abstention_last(
    seed: int, language: str, answer: int, number: int
) -> None:
    draft = replace(GOOD[language], answer=answer)
    made = item_of(draft, pair(1, language), seed, number)
    assert made is not None
    assert made.right == draft.options[answer - 1]
    assert sorted(made.options[:4]) == sorted(draft.options)
    assert made.options[4] == CANNOT_TELL[language]
    assert made.abstention == 5
    assert made == item_of(draft, pair(1, language), seed, number)


def test_the_right_answers_are_spread_evenly() -> None:
    places = Counter(item(number).answer for number in range(2000))
    assert set(places) == {1, 2, 3, 4}
    assert max(places.values()) < 580  # 500 expected of each


def test_another_seed_is_another_order() -> None:
    assert len({item(seed=seed).options for seed in range(50)}) > 10


@pytest.mark.parametrize(
    "changes", [{"answer": 0}, {"answer": 5}, {"options": ("a",)}, {"options": tuple("abcde")}]
)
def test_a_draft_that_is_none_makes_no_item(changes: dict[str, object]) -> None:
    assert item_of(replace(GOOD["en"], **changes), pair(), 0) is None  # type: ignore[arg-type]


@pytest.mark.parametrize("language", ["en", "ko"])
@pytest.mark.parametrize("setting", Setting)
def test_each_setting_shows_what_it_says_and_nothing_else(setting: Setting, language: str) -> None:
    made = item(language=language)
    wording = prompt(solving_prompt(setting), language)
    said = " ".join(each.text for each in wording.messages(solving_values(made, setting)))
    assert (TEXT_A[language].strip() in said) == (setting in (Setting.A, Setting.BOTH))
    assert (TEXT_B[language].strip() in said) == (setting in (Setting.B, Setting.BOTH))
    assert f"5. {CANNOT_TELL[language]}" in said
    assert made.explanation not in said


def test_what_is_said_to_whoever_writes() -> None:
    said = prompt(GENERATE, "en").messages(generation_values(pair()))[-1].text
    assert said.index(TEXT_A["en"].strip()) < said.index(TEXT_B["en"].strip())


def test_a_unit_as_a_passage() -> None:
    unit = Unit("소방법_5조", "소방법", Level.ARTICLE, "제5조", "신고", "본문", 1)
    statute = Statute("소방법", "소방법", "법률", Tier.ACT, "ko", (unit,))
    assert passage(statute, unit).shown == "소방법 제5조(신고)\n본문"
    assert passage(statute, replace(unit, heading="")).head == "소방법 제5조"
