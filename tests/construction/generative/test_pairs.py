"""Pairs of cases and statutes, balanced and held out."""

from collections import Counter
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from construction.generative.facts import Fact, KeyTokens
from construction.generative.pairs import (
    Pair,
    PairKind,
    balanced,
    case_pairs,
    counts,
    held_out,
    per_target,
)
from construction.generative.statute_pairs import (
    citation_pairs,
    citing_sentence,
    identified,
    one_line_text,
    paragraph_pairs,
    paragraphs,
)
from corpus.graph.model import Edge, EdgeType, Origin
from corpus.model import Level, Part, Unit

FACTS = [Fact(n, f"fact {n}", f"core {n}") for n in (1, 2, 4)]


def unit(name: str, text: str, heading: str = "", *parts: Part) -> Unit:
    return Unit(name, "법", Level.ARTICLE, name, heading, text, 1, parts=parts)


ONE, TWO = "① 시장은 소방시설을 설치하여야 한다. ", "② 군수는 과태료를 부과하여야 한다."
ACT = unit(
    "법_1조", ONE + TWO, "소방시설의 설치", Part("1항", 0, len(ONE)), Part("2항", len(ONE), 60)
)
DECREE = unit("영_1조", "법 제1조제2항에 따른 과태료는 별표와 같다. 다만, 없을 수 있다.", "과태료")
KEYS = KeyTokens.of([ACT.text, DECREE.text])


def test_a_case_gives_its_facts_to_each_fact_and_each_fact_to_another() -> None:
    pairs = case_pairs("c", "all", FACTS, 0)
    assert counts(pairs) == {"facts_to_fact": 3, "fact_to_fact": 3}
    whole = [pair for pair in pairs if pair.kind is PairKind.FACTS_TO_FACT]
    assert [(pair.source, pair.target) for pair in whole] == [
        ("all", f"core {n}") for n in (1, 2, 4)
    ]
    for pair in pairs[3:]:
        assert pair.source_part != pair.target_part
    assert case_pairs("c", "all", FACTS[:1], 0) == []


def test_paragraphs_are_the_outermost_parts() -> None:
    nested = replace(ACT, parts=(*ACT.parts, Part("1항/1호", 2, 5)))
    assert [each.path for each in paragraphs(nested)] == ["1항", "2항"]
    assert [each.path for each in paragraphs(DECREE)] == [""]


def test_a_paragraph_leads_to_its_own_identifier_anothers_and_the_heading() -> None:
    found = list(paragraph_pairs(identified(ACT, KEYS), 0))
    assert counts(found) == {
        "paragraph_to_own": 2, "paragraph_to_other": 2, "paragraph_to_heading": 2,
    }  # fmt: skip
    own, heading, other = found[:3]
    assert own.source == "시장은 소방시설을 설치하여야 한다."
    assert own.target in ONE and other.target in TWO
    assert heading.target == "소방시설의 설치"


def test_a_citation_leads_from_its_sentence_to_the_paragraph_that_it_points_to() -> None:
    units = {each.semantic_id: identified(each, KEYS) for each in (ACT, DECREE)}
    edge = Edge("영_1조", "법_1조", EdgeType.REFERENCES, Origin.TEXT, 0, 8, "2항")
    [pair] = citation_pairs([edge, edge], units, 0)
    assert pair.source == "법 제1조제2항에 따른 과태료는 별표와 같다."
    assert pair.target in TWO and pair.target_part == "2항"
    units["법_1조"] = replace(units["법_1조"], paragraphs=())
    [pair] = citation_pairs([edge], units, 0)
    assert (pair.target, pair.target_part) == ("소방시설의 설치", "heading")
    own = replace(edge, target="영_1조")
    beyond, structure = replace(edge, target="다른법_1조"), replace(edge, type=EdgeType.PART_OF)
    assert list(citation_pairs([own, beyond, structure], units, 0)) == []


def test_sentences_lose_their_number_and_their_amendments() -> None:
    text = "① 첫째다. 둘째는 제3조에 따른다. <개정 2020.1.1> 셋째다."
    at = text.index("제3조")
    assert citing_sentence(text, at, at + 3) == "둘째는 제3조에 따른다."
    assert one_line_text("① 첫째다. <개정 2020.1.1>\n[본조신설 2019.1.1]") == "첫째다."


def pair(kind: PairKind, number: int, target: str = "t") -> Pair:
    return Pair(kind, f"s{number}", "x", f"u{number}", target)


def test_no_kind_has_more_than_so_many_times_the_rarest_of_its_own() -> None:
    many = [pair(PairKind.PARAGRAPH_TO_OWN, n) for n in range(50)]
    few = [pair(PairKind.CITING_TO_CITED, n) for n in range(5)]
    cases = [pair(PairKind.FACTS_TO_FACT, n) for n in range(2)]
    found = balanced([*many, *few, *cases], 2.0, 0)
    assert counts(found) == {"facts_to_fact": 2, "citing_to_cited": 5, "paragraph_to_own": 10}
    assert found == balanced([*many, *few, *cases], 2.0, 0)
    assert found != balanced([*many, *few, *cases], 2.0, seed=1)


def test_a_provision_that_all_cite_has_so_many_sentences() -> None:
    pairs = [pair(PairKind.CITING_TO_CITED, n, "all") for n in range(30)]
    rare = pair(PairKind.CITING_TO_CITED, 99, "rare")
    found = per_target([*pairs, rare], 4, 0)
    assert Counter(each.target_id for each in found) == {"all": 4, "rare": 1}


@given(st.integers(0, 5), st.sampled_from([0.0, 0.2, 0.5]))
def test_a_source_is_held_out_whole(seed: int, share: float) -> None:
    pairs = [replace(pair(PairKind.PARAGRAPH_TO_OWN, n % 40), target=str(n)) for n in range(120)]
    kept, out = held_out(pairs, share, seed)
    assert len(kept) + len(out) == 120
    assert not {each.source_id for each in kept} & {each.source_id for each in out}
    assert bool(out) is bool(share)


def test_a_pair_is_read_back_from_its_line() -> None:
    said = pair(PairKind.FACT_TO_FACT, 1)
    assert Pair.read(said.as_json()) == said
