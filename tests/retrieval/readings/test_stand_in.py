from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.core.model import Document
from retrieval.readings.model import Entity, Kind, Reading, ReadingCost, State, Triple
from retrieval.readings.stand_in import MOST, StandIn, predicates_of, unit_name
from tests.projects.readings_law import ACT, DECREE, documents, graph

READER = StandIn(graph, "1")


def read(kind: Kind, unit: str) -> Reading:
    [reading] = READER(kind, [documents()[unit]])
    return reading


@pytest.mark.parametrize(
    ("unit", "name"),
    [
        ("소방-기본법_2조의3", "소방 기본법 제2조의3"),
        ("건축법_별표4의2", "건축법 별표 4의2"),
        ("건축법_별지1서식", "건축법 별지 1서식"),
        ("NFTC-102_2.1", "NFTC 102 2.1"),
        ("Fire-Act_article-12", "Fire Act article 12"),
    ],
)
def test_a_unit_is_named_by_its_id(unit: str, name: str) -> None:
    assert unit_name(unit) == name


def test_terms_that_a_unit_defines_and_those_of_its_family_that_it_uses() -> None:
    defining = read(Kind.GRAPH, f"{ACT}_1조")
    assert Entity("나루", "term", '"나루"란 배가 닿는 곳을 말한다.') in defining.entities
    assert [each.name for each in defining.entities if each.type == "term"] == [
        "나루",
        "나루터지기",
    ]
    using = read(Kind.TRIPLES, f"{DECREE}_1조")
    assert Triple("등불의 기준", "관련 용어", "나루") in using.triples
    assert all(each.object != "나루터지기" for each in using.triples)


def test_a_term_that_stands_in_nothing_but_a_longer_one_is_not_used() -> None:
    names = [each.name for each in read(Kind.PHRASES, f"{ACT}_2조").entities]
    assert "나루터지기" in names
    assert "나루" not in names


def test_citations_are_told_by_their_kind() -> None:
    triples = read(Kind.TRIPLES, f"{DECREE}_1조").triples
    assert Triple("나루법 시행령 제1조", "위임에 따른 구체화", "나루법 제2조") in triples
    reading = read(Kind.GRAPH, f"{ACT}_2조")
    [applied] = [each for each in reading.relations if each.target == "나루법 제3조"]
    assert applied.source == "나루법 제2조"
    assert applied.description == "제3조를 위반하면 제1항을 준용한다."


def test_atoms_are_the_heading_and_the_items_without_marks_and_amendments() -> None:
    assert read(Kind.ATOMS, f"{ACT}_2조").atoms == (
        "등불",
        "등불: 나루터지기는 밤에 등불을 켜야 한다.",
        "등불: 등불의 기준은 대통령령으로 정한다.",
        "등불: 제3조를 위반하면 제1항을 준용한다.",
    )
    assert read(Kind.ATOMS, f"{ACT}_3조").atoms == ("제3조: 나루에 배를 매어 두어서는 아니 된다.",)


@pytest.mark.parametrize("kind", Kind)
def test_a_unit_without_words_is_empty(kind: Kind) -> None:
    assert read(kind, f"{ACT}_4조") == Reading(f"{ACT}_4조", kind, State.EMPTY)


@pytest.mark.parametrize("kind", Kind)
def test_what_is_read_of_a_unit_does_not_hang_on_what_is_read_beside_it(kind: Kind) -> None:
    every = list(documents().values())
    alone = [READER(kind, [each])[0] for each in every]
    assert READER(kind, every) == alone
    assert READER(kind, every[::-1]) == alone[::-1]


def test_it_costs_nothing_and_says_which_rules_and_graph_it_read_by() -> None:
    assert READER.cost == ReadingCost(0, 0, 0, 0.0, 0)
    assert READER.identity(Kind.GRAPH) == f"{StandIn(None).identity(Kind.GRAPH)}/1"


GERMAN = Document(
    "uwg_§-7a",
    "Gesetz gegen den unlauteren Wettbewerb",
    "§ 7a",
    "Einwilligung in Telefonwerbung",
    "(1) Wer mit einem Telefonanruf gegenüber einem Verbraucher wirbt, hat\n"
    "dessen Einwilligung zu dokumentieren und nach § 20 Absatz 3 aufzubewahren.\n\n"
    "(2) Im Sinne dieses Gesetzes bedeutet\n\n1.  „Anruf“ jedes Gespräch;\n\n"
    "2.  „Werber“ jede Person, für die § 13 BGB gilt.",
    "uwg",
)
AMERICAN = Document(
    "1-CFR_§-1.1",
    "1 CFR",
    "§ 1.1",
    "Definitions.",
    "As used in this chapter—\nFiling means making a document available under § 2.3.\n"
    "The term “agency” means each authority under section 1506 of title 44.",
    "1-CFR",
)


def test_german_law_is_read_by_its_wording() -> None:
    reader = StandIn(None)
    [triples] = reader(Kind.TRIPLES, [GERMAN])
    assert set(triples.triples) == {
        Triple("uwg § 7a", "regelt", "Einwilligung in Telefonwerbung"),
        Triple("Einwilligung in Telefonwerbung", "definiert", "Anruf"),
        Triple("Einwilligung in Telefonwerbung", "definiert", "Werber"),
        Triple("uwg § 7a", "verweist auf", "uwg § 20"),
        Triple("uwg § 7a", "verweist auf", "BGB § 13"),
    }
    [atoms] = reader(Kind.ATOMS, [GERMAN])
    assert atoms.atoms[1] == (
        "Einwilligung in Telefonwerbung: Wer mit einem Telefonanruf gegenüber einem Verbraucher "
        "wirbt, hat dessen Einwilligung zu dokumentieren und nach § 20 Absatz 3 aufzubewahren."
    )


def test_american_law_is_read_by_its_wording() -> None:
    [triples] = StandIn(None)(Kind.TRIPLES, [AMERICAN])
    assert set(triples.triples) == {
        Triple("1 CFR § 1.1", "is about", "Definitions"),
        Triple("Definitions", "defines", "Filing"),
        Triple("Definitions", "defines", "agency"),
        Triple("1 CFR § 1.1", "refers to", "1 CFR § 2.3"),
        Triple("1 CFR § 1.1", "refers to", "title 44 section 1506"),
    }
    assert predicates_of(Document("a", body="Lex"))["defines"] == "defines"


TEXT = st.text(st.sampled_from('나루란 \n."“”§1①()가 means Anruf;다<개정>'), max_size=120)


@given(TEXT, TEXT, st.sampled_from(Kind))
def test_whatever_stands_in_a_unit_is_read_with_each_name_once(
    heading: str, body: str, kind: Kind
) -> None:
    document = replace(documents()[f"{ACT}_3조"], heading=heading, body=body)
    [reading] = READER(kind, [document])
    names = [each.name for each in reading.entities]
    assert len(names) == len(set(names)) <= MOST + 1
    assert all(name == " ".join(name.split()) and name for name in names)
    ends = {end for each in reading.relations for end in (each.source, each.target)}
    assert ends <= set(names)
    assert len(set(reading.atoms)) == len(reading.atoms) <= MOST
    some = reading.entities or reading.triples or reading.atoms
    assert reading.state is (State.READ if some else State.EMPTY)
