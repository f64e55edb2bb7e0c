"""What is told of a unit by those that cite it, and by its family."""

from __future__ import annotations

import math

import numpy as np
import pytest

from corpus.graph.model import Edge, EdgeType, Graph, Origin
from corpus.model import Tier
from errors import UserError
from retrieval.core.method import Resources
from retrieval.core.model import Corpus, Document, Query
from retrieval.core.registry import make
from retrieval.fusion.weighted import all_scores

BODIES = {
    "가법_1조": ("가법", "제2조에 따른 자체점검을 한다."),
    "가법_2조": ("가법", "관계인은 소방시설을 살핀다."),
    "가법-시행령_1조": ("가법 시행령", "법 제2조의 관계인은 다음과 같다."),
    "나법_1조": ("나법", "「가법」 제2조에 따른 자체점검의 결과와 「다법」 제1조"),
    "다법_1조": ("다법", "소방시설 목록"),
}
CORPUS = Corpus.of(
    Document(unit, statute_title=title, body=body) for unit, (title, body) in BODIES.items()
)


def cites(source: str, words: str, target: str, kind: EdgeType = EdgeType.REFERENCES) -> Edge:
    start = BODIES[source][1].index(words)
    return Edge(source, target, kind, Origin.TEXT, start, start + len(words))


GRAPH = Graph(
    dict.fromkeys(BODIES, Tier.ACT),
    [
        cites("가법_1조", "제2조", "가법_2조"),
        cites("가법-시행령_1조", "법 제2조", "가법_2조"),
        cites("나법_1조", "「가법」 제2조", "가법_2조"),
        cites("나법_1조", "「다법」 제1조", "다법_1조"),
        cites("나법_1조", "「가법」", "나법_1조"),
        cites("다법_1조", "소방", "나법_1조", EdgeType.APPLIES),
    ],
)


def fitted(resources: Resources | None = None, **spec):
    method = make(spec, resources or Resources(graph=lambda: GRAPH))
    method.fit(CORPUS)
    return method


def found(method, text: str) -> dict[str, float]:
    return {hit.unit_id: hit.score for hit in method.search([Query("q", text)], 10)["q"]}


def test_a_unit_is_found_by_what_others_say_when_they_cite_it():
    method = fitted(method="cited_as", tokeniser="bigram")
    assert list(found(method, "자체점검은 누가 하나요?")) == ["가법_2조"]
    assert found(method, "소방시설") == {}  # its own words, and nobody else's
    assert list(found(fitted(method="cited_as", edges=["applies"]), "시설")) == ["나법_1조"]


def test_only_so_many_characters_behind_a_reference_count():
    method = fitted(method="cited_as", after=7)
    assert list(found(method, "자체")) == ["가법_2조"]  # "에 따른 자체"
    assert found(method, "점검") == {}


def test_of_many_references_the_first_count():
    first = fitted(method="cited_as", most=1)
    assert list(found(first, "관계인")) == ["가법_2조"]  # of 가법-시행령_1조, the first by id
    assert found(first, "자체점검") == {}


def test_bm25_over_what_is_said():
    # One unit of five has the term, once among the 4 + 5 + 10 pairs of what is said of it.
    corpus = Corpus.of([Document("a", body="b를 살핀다"), Document("b"), Document("c")])
    edge = Edge("a", "b", EdgeType.REFERENCES, Origin.TEXT, 0, 1)
    graph = Graph(dict.fromkeys("abc", Tier.ACT), [edge])
    method = make({"method": "cited_as", "k1": 1.2, "b": 0.5}, Resources(graph=lambda: graph))
    method.fit(corpus)
    # 를, 살핀, 핀다: three terms, where a unit has one on average.
    expected = math.log(1 + (3 - 1 + 0.5) / 1.5) / (1 + 1.2 * (0.5 + 0.5 * 3 / 1))
    assert found(method, "살핀")["b"] == pytest.approx(expected, 1e-6)


def test_words_behind_a_link_that_noise_takes_out_count_for_nobody():
    for name in ("cited_as", "cited_by"):
        assert found(fitted(method=name), "자체점검")
        assert found(fitted(method=name, graph_noise="drop", noise_rate=1), "자체점검") == {}


@pytest.mark.parametrize("seed", range(3))
def test_words_behind_a_link_that_noise_leads_elsewhere_count_where_it_leads(seed):
    noise = {"graph_noise": "rewire", "noise_rate": 1, "noise_seed": seed}
    edges = ["references", "delegates_to"]
    walk = fitted(method="sar", edges=edges, **noise).graph
    method = fitted(method="cited_as", edges=edges, **noise)
    for source, words in {"가법_1조": "한다", "가법-시행령_1조": "다음과"}.items():  # one link each
        _, ends = walk.out.of(np.array([CORPUS.positions[source]]))
        assert list(found(method, words)) == [CORPUS.ids[end] for end in ends.tolist()]
        assert list(found(method, words)) != ["가법_2조"]


def test_citations_from_other_families_count_once_for_each_unit():
    [scores] = all_scores(fitted(method="cited_by"), [Query("q", "무엇이든")])
    assert dict(zip(CORPUS.ids, scores.tolist(), strict=True)) == {
        "가법-시행령_1조": 0,
        "가법_1조": 0,
        "가법_2조": math.log(2),  # 나법 alone; its own act and decree do not count
        "나법_1조": 0,
        "다법_1조": math.log(2),
    }
    method = fitted(method="cited_by")
    assert list(found(method, "무엇이든")) == ["가법_2조", "다법_1조"]
    assert method.score(Query("q", "무엇"), ["다법_1조"]) == pytest.approx([math.log(2)])


@pytest.mark.parametrize("name", ["cited_as", "cited_by"])
def test_without_a_graph_there_is_nothing_to_read(name):
    with pytest.raises(UserError) as refused:
        fitted(Resources(), method=name)
    assert refused.value.code == "method_graph"


def test_every_unit_of_a_family_has_its_score():
    scores = found(fitted(method="family"), "자체점검")
    assert scores["가법_1조"] == scores["가법_2조"] == scores["가법-시행령_1조"] > 0
    assert set(scores) == {"가법_1조", "가법_2조", "가법-시행령_1조", "나법_1조"}


def test_a_family_is_scored_as_one_document():
    joined = Corpus.of(
        Document(name, body=" ".join(CORPUS.documents[CORPUS.positions[u]].text for u in units))
        for name, units in {
            "가": ["가법-시행령_1조", "가법_1조", "가법_2조"],
            "나": ["나법_1조"],
            "다": ["다법_1조"],
        }.items()
    )
    whole = make({"method": "bm25", "tokeniser": "whitespace"})
    whole.fit(joined)
    expected = found(whole, "자체점검의 소방시설을")
    scores = found(fitted(method="family", tokeniser="whitespace"), "자체점검의 소방시설을")
    assert scores["가법_2조"] == pytest.approx(expected["가"])
    assert scores["나법_1조"] == pytest.approx(expected["나"])


def test_headings_are_found_and_bodies_are_not():
    corpus = Corpus.of(
        [
            Document("a", "가법", "제1조", "목적", "소방시설", path=("제1장 총칙",)),
            Document("b", "나법", "제1조", "정의", "자체점검"),
        ]
    )
    method = make({"method": "headings"})
    method.fit(corpus)
    assert list(found(method, "목적")) == list(found(method, "총칙")) == ["a"]
    assert list(found(method, "나법")) == ["b"]
    assert found(method, "소방시설 자체점검") == {}
