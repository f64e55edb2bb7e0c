"""Where a higher provision leaves a matter, and which citations take it up."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.graph.build import build_graph
from corpus.graph.delegation import Citing, delegating
from corpus.graph.model import Edge, EdgeType
from corpus.importers.legalize_kr import read_tree
from corpus.model import Statute, Tier
from tests.corpus.graph.ferry_law import ACT, DECREE, article, ferry_law, statute

SAMPLE = Path(__file__).parents[3] / "sample" / "statutes"

ITEMS = article(
    ACT,
    "6조",
    6,
    "**①** 사공은 대통령령으로 정하는 바에 따라 다음 각 호의 배를 몬다. "
    "다만, 대통령령으로 정하는 강은 뺀다.",
    "  1. 대통령령으로 정하는 큰 배",
    "  2. 나룻배로서 대통령령으로 정하는 작은 배",
    "  3. 뗏목",
    "**②** 배의 값은 대통령령으로 정한다. 이 경우 사공과 의논한다.",
)


def left(pinpoint: str, lower: str, cited: str = "법 제6조") -> tuple[str, int] | None:
    """Return the words that a decree's article takes up, and where they stand."""
    at = lower.index(cited)
    citing = Citing(lower, at, at + len(cited))
    span = delegating(ITEMS, pinpoint, Tier.DECREE, citing)
    return (ITEMS.text[slice(*span)], span[0]) if span else None


def words(pinpoint: str, lower: str) -> str:
    found = left(pinpoint, lower)
    return ITEMS.text[found[1] : found[1] + 18] if found else ""


def test_the_words_are_those_of_the_item_named() -> None:
    second = words("1항/2호", '법 제6조에서 "대통령령으로 정하는 작은 배"란')
    assert second.startswith("대통령령으로 정하는 작은 배")
    assert words("1항/1호", "법 제6조에 따라 배를 정한다").startswith("대통령령으로 정하는 큰 배")


def test_an_item_without_words_is_left_by_the_sentence_that_leads_to_it() -> None:
    assert words("1항/3호", "법 제6조에 따라 뗏목을 정한다").startswith("대통령령으로 정하는 바에")


def test_the_proviso_has_its_own_words() -> None:
    assert words("1항", '법 제6조 단서에서 "그 밖의 강"이란').startswith("대통령령으로 정하는 강")
    assert words("2항", "법 제6조 후단에 따라 의논한다") == ""
    assert words("2항", "법 제6조 본문에 따라 값을 정한다").startswith("대통령령으로 정한다")


def test_of_several_words_those_count_that_go_on_alike() -> None:
    found = words("", "법 제6조에 따라 대통령령으로 정하는 큰 배는")
    assert found.startswith("대통령령으로 정하는 큰 배")


def test_words_for_another_rank_are_none() -> None:
    citing = Citing("법 제6조", 0, 5)
    assert delegating(ITEMS, "", Tier.RULE, citing) is None
    assert delegating(ITEMS, "", Tier.ACT, citing) is None


def pairs(*lines: str) -> list[Edge]:
    """Return the DELEGATES_TO edges to a decree's article of these lines."""
    law = ferry_law()
    act = replace(law[0], units=(*law[0].units, ITEMS))
    first = law[1].units[0]
    decree = statute(DECREE, law[1].title, Tier.DECREE, first, article(DECREE, "9조", 9, *lines))
    edges = build_graph([act, decree]).edges
    return [e for e in edges if e.type is EdgeType.DELEGATES_TO]


@pytest.mark.parametrize(
    ("line", "taken"),
    [
        ("사공은 법 제6조제2항에 따라 값을 알린다.", True),
        ("법 제6조제2항에 따른 값은 별표와 같다.", True),
        ("사공(법 제6조제2항에 따라 값을 받는 자를 말한다)은 쉰다.", False),
        ("법 제6조제2항에 따라 지정된 사공은 다음과 같다.", True),
        ("나루의 배는 법 제6조제2항에 따라 지정된 사공이 몬다.", False),
        ("나루에서 배의 값은 법 제6조제2항에 따른 값으로 한다.", False),
    ],
)
def test_a_citation_takes_up_or_only_mentions(line: str, taken: bool) -> None:
    assert bool(pairs(line)) is taken


def test_an_item_takes_up_what_it_quotes_only() -> None:
    assert not pairs("다음 각 호의 자", "  1. 법 제6조제2항에 따라 값을 받은 자")
    assert pairs(
        "다음 각 호의 자", '  1. 법 제6조제1항제1호에서 "대통령령으로 정하는 큰 배"란 뗏목'
    )


def test_the_english_sample_leaves_what_the_korean_one_does() -> None:
    def left_by(statutes: list[Statute], language: str) -> list[str]:
        own = {u.semantic_id for s in statutes if s.language == language for u in s.units}
        kinds = (EdgeType.DELEGATES_TO, EdgeType.SPECIFIES)
        return [e.type for e in build_graph(statutes).edges if e.type in kinds and e.source in own]

    law = read_tree(SAMPLE)
    assert left_by(law, "en") == left_by(law, "ko") != []


def test_an_english_item_has_its_own_words() -> None:
    law = read_tree(SAMPLE)
    units = {u.semantic_id: u for s in law for u in s.units}
    down = [e for e in build_graph(law).edges if e.type is EdgeType.DELEGATES_TO]
    found = [e for e in down if e.part == "(1)/3"]
    texts = {units[e.source].text[e.start : e.end] for e in found}
    assert texts == {
        "building prescribed by Presidential Decree",
        "building with a high risk of fire prescribed by Presidential Decree",
    }


@given(
    st.text(alphabet='법제6조항호단서에서따라"대통령령으로정하는 배다만(). ', max_size=60),
    st.sampled_from(["", "1항", "1항/2호", "9항", "2호"]),
)
def test_any_citing_gives_a_span_of_the_text_or_none(lower: str, pinpoint: str) -> None:
    span = delegating(ITEMS, pinpoint, Tier.DECREE, Citing(lower, 0, len(lower) // 2))
    assert span is None or "대통령령" in ITEMS.text[slice(*span)]
