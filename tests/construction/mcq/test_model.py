from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from construction.mcq.model import (
    CANNOT_TELL,
    GENERATE,
    LEADING,
    Pair,
    PairFilter,
    generation_values,
    head_of,
    item_of,
    linked_pairs,
    sample_pairs,
    solving_prompt,
    solving_values,
)
from construction.mcq.model import passage as items_passage
from corpus.graph.model import EdgeType
from corpus.model import Level, Statute, Tier, Unit
from evaluation.mcq.votes import Setting
from llm.prompts.prompt_files import prompt
from tests.construction.mcq.law import GOOD, TEXT_A, TEXT_B, edge, item, pair, passage

UNITS = {
    each.unit_id: each
    for each in (
        passage("act_1"),
        passage("act_2"),
        passage("decree_1", Tier.DECREE),
        passage("rule_1", Tier.RULE),
        passage("other_1"),
        passage("short_1", text="brief"),
        passage("long_1", text="x" * 7_000),
    )
}
EDGES = [
    edge("act_1", "decree_1"),
    edge("act_1", "decree_1", EdgeType.REFERENCES),
    edge("decree_1", "act_1", EdgeType.SPECIFIES),
    edge("act_2", "rule_1"),
    edge("act_1", "act_1", EdgeType.REFERENCES),
    edge("other_1", "act_1", EdgeType.REFERENCES),
    edge("act_1", "short_1"),
    edge("long_1", "act_1"),
    edge("act_1", "act"),
    edge("act_1", "deleted_1"),
]


def ids(pairs: list[Pair]) -> list[str]:
    return [each.id for each in pairs]


def test_delegations_between_provisions_with_a_text() -> None:
    found = linked_pairs(EDGES, UNITS, PairFilter())
    assert ids(found) == ["act_1 → decree_1", "act_2 → rule_1"]


def test_edges_of_several_types_make_one_pair() -> None:
    found = linked_pairs(EDGES, UNITS, PairFilter(types=LEADING))
    assert ids(found) == ["act_1 → decree_1", "act_2 → rule_1", "other_1 → act_1"]
    assert found[0].types == (EdgeType.DELEGATES_TO, EdgeType.REFERENCES)


def test_by_tiers_statutes_and_length() -> None:
    tiers = {(Tier.ACT, Tier.RULE)}
    assert ids(linked_pairs(EDGES, UNITS, PairFilter(tiers=tiers))) == ["act_2 → rule_1"]
    other = PairFilter(types=LEADING, statutes={"other"})
    assert ids(linked_pairs(EDGES, UNITS, other)) == ["other_1 → act_1"]
    loose = linked_pairs(EDGES, UNITS, PairFilter(shortest=1, longest=10_000))
    assert {"act_1 → short_1", "long_1 → act_1"} <= set(ids(loose))


MANY = [pair(number) for number in range(60)]


@given(st.permutations(MANY), st.integers(0, 80), st.integers())
def test_a_sample_depends_on_the_seed_alone(order: list[Pair], number: int, seed: int) -> None:
    drawn = sample_pairs(order, number, seed)
    assert drawn == sample_pairs(MANY, number, seed)
    assert len(drawn) == len(set(ids(drawn))) == min(number, 60)


@given(st.integers(0, 60), st.integers(0, 60), st.integers())
def test_a_larger_sample_begins_with_the_smaller(first: int, second: int, seed: int) -> None:
    few, many = sorted((first, second))
    assert sample_pairs(MANY, many, seed)[:few] == sample_pairs(MANY, few, seed)


def test_a_sample_is_even() -> None:
    counts = [0] * 60
    for seed in range(2000):
        for each in sample_pairs(MANY, 6, seed):
            counts[int(each.source.unit_id.split("_")[1])] += 1
    assert min(counts) > 140  # 200 expected of each
    assert max(counts) < 260


@given(st.integers(1, 4), st.integers())
def test_no_source_comes_too_often(limit: int, seed: int) -> None:
    hub = passage("act_1")
    pairs = [Pair(hub, passage(f"d_{n}", Tier.DECREE), ()) for n in range(9)] + [pair(5)]
    drawn = sample_pairs(pairs, 99, seed, per_source=limit)
    assert len(drawn) == limit + 1


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
    assert items_passage(statute, unit).shown == "소방법 제5조(신고)\n본문"
    assert items_passage(statute, replace(unit, heading="")).head == "소방법 제5조"


def test_a_heading_stands_apart_where_the_label_is_not_korean():
    assert head_of("소방법", "제2조", "정의") == "소방법 제2조(정의)"
    assert head_of("Fire Act", "Article 2", "Terms") == "Fire Act Article 2 (Terms)"
    assert head_of("소방법", "제9조의2", "점검") == "소방법 제9조의2(점검)"
    assert head_of("소방법", "제2조", "") == "소방법 제2조"
