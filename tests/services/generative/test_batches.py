"""Pairs as tokens: identifiers are runs of what is indexed, sources are read as far as needed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from construction.generative.facts import KeyTokens, facts_by_sentence
from construction.generative.pairs import Pair, PairKind, case_pairs
from construction.generative.statute_pairs import identified, paragraph_pairs
from corpus.importers.legalize_kr import read_tree
from retrieval.generative.suffix_array import TokenIndex
from services.generative.batches import COVERED, LONGEST, Encoded, encoded
from services.generative.small_model import trained_tokeniser

SAMPLE = Path(__file__).parents[3] / "sample" / "statutes"
CHINESE = [
    f"公诉机关指控：20{n}年3月5日，被告人{name}在本市{place}酒后驾驶小型轿车，与被害人{name}驾驶的电动自行车相撞，"
    f"致被害人当场死亡。被告人{name}弃车逃逸，次日向{place}公安机关投案，并赔偿被害人亲属{n}万元。"
    for n, (name, place) in enumerate(
        [("张三", "东城区"), ("李四", "西湖路"), ("王五", "解放大道"), ("赵六", "人民桥")], 10
    )
]
Rows = tuple[list[Pair], dict[str, str]]


def of_cases(texts: dict[str, tuple[str, str]]) -> Rows:
    """Return the pairs of cases (whole text, facts), placed in their texts."""
    keys = KeyTokens.of(facts for _, facts in texts.values())
    pairs = [
        pair.placed(name, whole)
        for name, (whole, facts) in texts.items()
        for pair in case_pairs(name, facts, facts_by_sentence(facts, keys).kept, 0)
    ]
    return pairs, {name: whole for name, (whole, _) in texts.items()}


def of_law(folder: Path, most: int = 10**6) -> Rows:
    units = [u for one in read_tree(folder) for u in one.units if u.text and not u.deleted][:most]
    keys = KeyTokens.of(unit.text for unit in units)
    pairs = [
        pair.placed(unit.semantic_id, unit.text)
        for unit in units
        for pair in paragraph_pairs(identified(unit, keys), 0)
        if pair.target_part != "heading"
    ]
    return pairs, {unit.semantic_id: unit.text for unit in units}


def reach(rows: Rows) -> float:
    """Return the share of identifiers whose tokens stand in the index of the texts."""
    pairs, texts = rows
    tokeniser = trained_tokeniser(texts.values(), 4_000)
    ids = [tokeniser(text, add_special_tokens=False)["input_ids"] for text in texts.values()]
    index = TokenIndex.build(ids)
    made = encoded(pairs, tokeniser, 0, 12, texts.items())
    end = tokeniser.eos_token_id
    runs = [[int(n) for n in each if n != end] for each in made.targets]
    assert all(runs)
    assert made.standing == len(pairs)
    return sum(index.find(run) is not None for run in runs) / len(runs)


def test_identifiers_of_law_and_cases_stand_in_the_index() -> None:
    assert reach(of_law(SAMPLE / "ko")) == reach(of_law(SAMPLE / "en")) == 1.0
    assert reach(of_cases({str(n): ("判决书\n" + t, t) for n, t in enumerate(CHINESE)})) == 1.0


@pytest.mark.long
@pytest.mark.real_data
def test_identifiers_of_real_cases_and_law_stand_in_the_index(shared_data: Path) -> None:
    with (shared_data / "lecardv2" / "cases.jsonl").open(encoding="utf-8") as file:
        cases = [json.loads(line) for line in file][:60]
    judgments = {
        str(each["id"]): (each["query"], each["fact"])
        for each in cases
        if each["fact"] in each["query"]
    }
    assert len(judgments) > 30
    assert reach(of_cases(judgments)) >= 0.99
    assert reach(of_law(shared_data / "korean-law" / "fire-safety", 400)) >= 0.99


class Words:
    """A tokeniser whose tokens are words."""

    eos_token_id, is_fast = 0, False

    def __call__(self, texts: list[str], **_: Any) -> dict[str, list[list[int]]]:
        return {"input_ids": [[len(word) for word in text.split()] for text in texts]}


def lengths(*words: int, source: int = 0) -> Encoded:
    pairs = [Pair(PairKind.FACTS_TO_FACT, "w " * n, "w", "c", "c") for n in words]
    return encoded(pairs, Words(), source, 4)


def test_sources_are_read_as_far_as_nearly_all_go_and_what_is_cut_is_counted() -> None:
    made = lengths(*[10] * 99, 500)
    assert (made.source, made.cut) == (11, {"facts_to_fact": 1})
    assert lengths(700, 800, 900).source == 901 and not lengths(700, 800, 900).cut
    most = lengths(5, 5_000)
    assert most.source == LONGEST and most.cut["facts_to_fact"] == 1
    given = lengths(10, 10, source=4)
    assert (given.source, given.cut["facts_to_fact"], len(given.sources[0])) == (4, 2, 4)
    assert 0.9 < COVERED < 1


def test_a_target_that_stands_nowhere_is_cut_by_itself() -> None:
    pair = Pair(PairKind.FACTS_TO_FACT, "a b", "elsewhere  at all", "c", "c").placed("c", "a b")
    assert pair.target_at == -1
    assert encoded([pair], Words(), 8, 8, [("c", "a b")]).standing == 0
