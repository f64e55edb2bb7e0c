"""HippoRAG-2 by hand on three units, against the formula written out, and whatever can go wrong.

Units a, b and c; a says x–y, b says y–z, c says nothing. The question is near "x r y" (.8) and "y r
z" (.2), and the units have .6, .2 and 1. So the scores of the facts are 1 and 0, of the units .5, 0
and 1. With the best fact alone x weighs 1 (it stands in one unit) and y ½ (in two), the units .025,
0 and .05.
"""

from __future__ import annotations

import itertools
import json
import math

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from retrieval.baselines import text_vectors
from retrieval.baselines.hipporag2 import (
    Facts,
    HippoRAG2,
    cleaned,
    may_be_like,
    synonyms_of,
)
from retrieval.core.method import Resources
from retrieval.core.model import Corpus, Document, Query
from retrieval.core.registry import make
from retrieval.fusion.rank_fusion import RRF
from retrieval.graph.cited import noise_effects
from retrieval.graph.noise import with_noise
from retrieval.readings.model import Kind, Reading, State, Triple
from tests.retrieval.talking import Talker
from tests.retrieval.toys import ToyDense, corpus_of, made
from tests.support.examples import scaled

ASKED = Query("q", "경보")
READ = {"a": ["x|r|y"], "b": ["y|r|z"]}
UNITS = {"a": 0.6, "b": 0.2, "c": 1.0}
TEXTS = {"x r y": 0.8, "y r z": 0.2}
PHRASES = {"x": 20, "y": 140, "z": 260}  # degrees: like none


class Reader:
    """Reads what the test says out of each unit; REFUSED for a unit of which it says nothing."""

    def __init__(self, read, name="reader"):
        self.read, self.name = read, name

    def identity(self, kind):
        return f"{self.name}:{kind}"

    def __call__(self, kind, documents, progress=None):
        assert kind is Kind.TRIPLES
        return [self.reading(each.id) for each in documents]

    def reading(self, unit):
        if unit not in self.read:
            return Reading(unit, Kind.TRIPLES, State.REFUSED)
        triples = tuple(Triple(*each.split("|")) for each in self.read[unit])
        return Reading(unit, Kind.TRIPLES, State.READ if triples else State.EMPTY, triples=triples)


def near(cosine):
    return (cosine, math.sqrt(1 - cosine * cosine))


def base(units=UNITS, texts=TEXTS, phrases=PHRASES):
    turned = {
        each: (math.cos(math.radians(at)), math.sin(math.radians(at)))
        for each, at in phrases.items()
    }
    said = {text: near(cosine) for text, cosine in texts.items()} | turned
    return ToyDense({unit: near(at) for unit, at in units.items()}, said | {ASKED.text: (1, 0)})


@pytest.fixture
def fitted(monkeypatch):
    def fit(read=READ, dense=None, says=None, name="reader", corpus=None, **given):
        monkeypatch.setattr(text_vectors, "reader_of", lambda *_: Reader(read, name))
        talker = Talker(lambda _: says) if says is not None else None
        given = {"facts": 1} | ({"recognition": "model"} if says is not None else {}) | given
        method = made(HippoRAG2, [dense or base()], Resources(ask=talker), **given)
        method.fit(corpus or corpus_of(*"abc"))
        return method

    return fit


def found(method, k=10):
    return {hit.unit_id: hit.score for hit in method.search([ASKED], k)["q"]}


def walked(edges, reset, nodes, damping=0.5):
    graph = nx.Graph()
    graph.add_nodes_from(nodes)
    graph.add_weighted_edges_from((a, b, weight) for (a, b), weight in edges.items())
    kept = {node: reset.get(node, 0.0) for node in nodes}
    return nx.pagerank(graph, alpha=damping, personalization=kept, tol=1e-12, max_iter=1000)


HAND = {("x", "y"): 2, ("y", "z"): 2} | dict.fromkeys(
    [("x", "#a"), ("y", "#a"), ("y", "#b"), ("z", "#b")], 1
)
NODES = ["x", "y", "z", "#a", "#b", "#c"]


def test_its_parameters_say_from_where_it_begins_and_how_far_it_goes(fitted) -> None:
    two = walked(HAND, {"x": 1, "y": 0.25, "#a": 0.025, "#c": 0.05}, NODES)  # z weighs 0
    assert found(fitted(facts=2))["b"] == pytest.approx(two["#b"], abs=1e-9)
    one = walked(HAND, {"x": 1, "#a": 0.5, "#c": 1}, NODES, 0.85)
    ranked = found(fitted(phrases=1, passage_weight=1, damping=0.85))
    assert ranked == pytest.approx({unit: one[f"#{unit}"] for unit in "abc"}, abs=1e-9)
    assert found(fitted(damping=0, passage_weight=1)) == pytest.approx({"a": 1 / 6, "c": 1 / 3})


def test_like_phrases_are_joined(fitted) -> None:
    """ "x1" and "x2" are 30° apart (.866), from both ends: 1.732; only a speaks of x1, b of x2."""
    read = {"a": ["x1|r|y"], "b": ["x2|r|z"]}
    turned = {"x1": 20, "x2": 50, "y": 140, "z": 260}
    dense = base(texts={"x1 r y": 0.8, "x2 r z": 0.2}, phrases=turned)
    assert list(found(fitted(read, dense))) == ["a", "b", "c"]
    apart = {("x1", "y"): 2, ("x2", "z"): 2, ("x1", "#a"): 1, ("y", "#a"): 1, ("x2", "#b"): 1}
    edges = apart | {("z", "#b"): 1}
    reset = {"x1": 1, "y": 1, "#a": 0.025, "#c": 0.05}
    nodes = ["x1", "x2", *NODES[1:]]
    joined = walked(edges | {("x1", "x2"): 2 * math.cos(math.radians(30))}, reset, nodes)
    assert found(fitted(read, dense))["b"] == pytest.approx(joined["#b"], abs=1e-6)
    for without in ({"synonyms": 0}, {"synonymy": 0.9}):
        assert "b" not in found(fitted(read, dense, **without))


@pytest.mark.parametrize("read", [{}, {"a": [], "b": []}])
def test_without_facts_it_is_the_base(fitted, read) -> None:
    method = fitted(read)
    assert found(method) == pytest.approx(UNITS)
    assert list(found(method, 2)) == ["c", "a"]
    assert method.notes == {"hipporag2.dense_ranking": 2}


def test_all_facts_are_kept_where_nobody_recognises_them_and_it_is_said(fitted) -> None:
    method = fitted()
    found(method)
    assert method.notes == {"hipporag2.not_recognised": 1}
    assert not method.calls_models


def test_a_model_keeps_some_of_the_facts(fitted) -> None:
    method = fitted(says=json.dumps({"facts": [2, 2, 7]}), facts=2)
    ranks = walked(HAND, {"#a": 0.025, "#c": 0.05}, NODES)  # "y r z" has 0
    assert found(method) == pytest.approx({unit: ranks[f"#{unit}"] for unit in "abc"}, abs=1e-9)
    (asked,) = method.resources.ask.asked
    assert (asked.prompt, asked.language) == ("fact_recognition", "ko")
    assert asked.values == {"question": "경보", "facts": "1. x r y\n2. y r z"}
    assert method.notes == {"hipporag2.asked": 1}
    assert method.calls_models
    nowhere = fitted(says=json.dumps({"facts": [2]}), facts=2, passage_weight=0)
    assert found(nowhere) == pytest.approx(UNITS)  # the walk has nowhere to begin


@pytest.mark.parametrize("says", ["refused", "invalid", "failed", '{"facts": []}'])
def test_where_no_fact_is_left_the_ranking_is_that_of_the_base(fitted, says) -> None:
    method = fitted(says=says)
    assert found(method) == pytest.approx(UNITS)
    problem = {f"hipporag2.{says}": 1} if says in Talker.PROBLEMS else {}
    assert method.notes == {"hipporag2.asked": 1, "hipporag2.dense_ranking": 1} | problem


def test_what_was_read_is_counted_and_goes_with_every_run(fitted, tmp_path) -> None:
    counted = {"facts": 2, "phrases": 3, "read_read": 2, "read_refused": 1}
    method = fitted()
    assert method.fit_notes == {f"hipporag2.{name}": n for name, n in counted.items()}
    method.save(tmp_path)
    back = made(HippoRAG2, [base()], facts=1)
    back.load(tmp_path, corpus_of(*"abc"))
    assert back.fit_notes == method.fit_notes
    assert isinstance(back._fact_vectors, np.memmap) and isinstance(back._walk.shares, np.memmap)
    assert found(back) == found(method)
    np.save(tmp_path / "facts.npy", back._ends[:1])
    with pytest.raises(ValueError, match="not one vector for each fact"):
        back._load(tmp_path, corpus_of(*"abc"))
    assert made(RRF, [method, base()]).fit_notes == method.fit_notes


def test_the_reader_is_part_of_what_it_is(fitted) -> None:
    assert fitted().content == fitted().content
    assert fitted(name="other").content != fitted().content
    assert fitted(says="{}").content != fitted().content


def test_noise_hits_pairs_of_its_own_graph(fitted) -> None:
    assert noise_effects(fitted()) == []
    (effect,) = noise_effects(fitted(graph_noise="drop", noise_rate=0.5))
    assert (effect.pairs, effect.lost) == (6, 3)
    alone = fitted(graph_noise="drop", noise_rate=1.0)
    assert found(alone) == pytest.approx({"a": 0.025 / 1.575, "c": 0.05 / 1.575})
    rewired = fitted(graph_noise="rewire", noise_rate=0.5, noise_seed=3)
    (effect,) = noise_effects(rewired)
    assert (effect.pairs, effect.lost) == (6, 3)
    assert found(rewired) != found(fitted())
    assert rewired.versions != fitted().versions
    assert with_noise({"method": "hipporag2"}, "drop", 0.2)["noise_rate"] == 0.2


KOREAN = [
    Document("가_1조", "가법", "제1조", "목적", "소방시설의 설치 기준을 정한다."),
    Document("가_2조", "가법", "제2조", "정의", '"소방시설"이란 경보 설비를 말한다.'),
    Document("가_3조", "가법", "제3조", "설치", "경보 설비의 설치는 제2조에 따른다."),
]
_LSA = {"method": "lsa", "dimensions": 3, "min_df": 1}


def korean(**given):
    method = make({"method": "hipporag2", "base": _LSA} | given)
    method.fit(Corpus.of(KOREAN))
    return method


def test_the_cleaning_of_the_package_leaves_numbers_of_korean_law() -> None:
    erased, whole = korean(ascii_only=True), korean()
    assert set("".join(erased._texts)) <= set("0123456789 ")
    assert whole.made["phrases"] > erased.made["phrases"]
    asked = [Query("q", "경보 설비")]
    assert erased.search(asked, 9)["q"] != whole.search(asked, 9)["q"]


NAMES = ["p1", "q2", "r3", "s4"]
READINGS = st.lists(
    st.lists(st.tuples(st.sampled_from(NAMES), st.sampled_from(NAMES)), max_size=4),
    min_size=1,
    max_size=5,
)


def joined(read, standing, turned):
    """Return the weight between each pair of nodes, by the formula."""
    edges = {(end, f"#{unit}"): 1.0 for end, units in standing.items() for unit in units}
    for one, other in (pair for pairs in read.values() for pair in pairs):
        for pair in ((one, other), (other, one)):
            edges[pair] = edges.get(pair, 0) + 1.0
    for one, other in itertools.permutations(standing, 2):
        cosine = math.cos(math.radians(turned[one] - turned[other]))
        if cosine >= 0.8:
            edges[one, other] = cosine
    summed = {}
    for pair in ((min(ends), max(ends)) for ends in edges if ends[0] != ends[1]):
        summed[pair] = edges.get(pair, 0) + edges.get(pair[::-1], 0)
    return summed


def shares(scores):
    low, high = min(scores.values()), max(scores.values())
    return {of: (each - low) / (high - low) if high > low else 1.0 for of, each in scores.items()}


def written_out(read, units, texts, turned):
    """Return the score of each unit by the formula, with dictionaries and networkx."""
    standing: dict[str, set[str]] = {}
    for unit, pairs in read.items():
        for end in (end for pair in pairs for end in pair):
            standing.setdefault(end, set()).add(unit)
    facts = {f"{a} r {b}" for pairs in read.values() for a, b in pairs}
    scores = shares({text: texts[text] for text in facts})
    of: dict[str, list[float]] = {}
    for text in sorted(scores, key=lambda text: (-scores[text], text))[:2]:
        for phrase in {text.split()[0], text.split()[2]}:
            of.setdefault(phrase, []).append(scores[text])
    reset = {each: sum(some) / len(some) / len(standing[each]) for each, some in of.items()}
    reset |= {f"#{unit}": 0.05 * score for unit, score in shares(units).items()}
    nodes = [*standing, *(f"#{unit}" for unit in units)]
    ranks = walked(joined(read, standing, turned), reset, nodes)
    return {unit: ranks[f"#{unit}"] for unit in units}


@settings(max_examples=scaled(30))
@given(READINGS.filter(any), st.data())
def test_the_ranking_is_that_of_the_formula_written_out(units, data) -> None:
    read = dict(zip("abcde", units, strict=False))
    cosines = st.sampled_from([round(0.1 * each, 1) for each in range(1, 10)])
    texts = {f"{a} r {b}": data.draw(cosines) for a in NAMES for b in NAMES}
    turned = {name: data.draw(st.sampled_from([0, 20, 70, 120])) for name in NAMES}
    dense = {unit: data.draw(cosines) for unit in read}
    expected = written_out(read, dense, texts, turned)
    said = {unit: [f"{a}|r|{b}" for a, b in pairs] for unit, pairs in read.items()}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(text_vectors, "reader_of", lambda *_: Reader(said))
        method = made(HippoRAG2, [base(dense, texts, turned)], facts=2)
        method.fit(corpus_of(*read))
    ranked = found(method)
    assert {unit: ranked.get(unit, 0.0) for unit in read} == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize(
    ("text", "all_scripts", "ascii_only"),
    [
        ("Fire-Alarm  No. 3", "fire alarm no 3", "fire alarm  no  3"),
        ("소방시설법 제2조", "소방시설법 제2조", "2"),
        ("소방시설(경보)", "소방시설 경보", ""),
        ("Über_§ 5", "über 5", "ber   5"),
        (" … ", "", ""),
    ],
)
def test_cleaning(text, all_scripts, ascii_only) -> None:
    assert cleaned(text) == all_scripts
    assert cleaned(text, ascii_only=True) == ascii_only


def facts_of(*units, ascii_only=False):
    return Facts.of([[Triple(*each.split("|")) for each in some] for some in units], ascii_only)


def test_facts_are_numbered_by_their_text_and_phrases_counted_by_passages() -> None:
    facts = facts_of(["B|has|A", "b!|has|a", "C|has|C"], [], ["a|is|...", "D|is|b"])
    assert facts.phrases == ("a", "b", "c", "d")
    assert facts.facts == ((1, "has", 0), (2, "has", 2), (3, "is", 1))
    assert facts.of_units == ((0, 0, 1), (), (2,))
    assert facts.passage_counts.tolist() == [1, 2, 1, 1]
    assert facts.texts == ["b has a", "c has c", "d is b"]


def test_short_phrases_ask_for_none_like_them() -> None:
    assert may_be_like(["", "법", "경보", "a b", "abc"]).tolist() == [
        False,
        False,
        True,
        True,
        True,
    ]
    assert may_be_like(["ab", "a b c"], ascii_only=True).tolist() == [False, True]


def angles(*degrees):
    turned = np.radians(np.array(degrees, dtype=float))
    return np.stack([np.cos(turned), np.sin(turned)], axis=1).astype(np.float32)


def like(vectors, threshold, most, asking=None):
    asking = np.ones(len(vectors), bool) if asking is None else np.array(asking)
    one, other, cosines = synonyms_of(vectors, asking, threshold, most)
    return list(zip(one.tolist(), other.tolist(), cosines.round(4).tolist(), strict=True))


def test_the_nearest_above_the_threshold_count_and_none_is_like_itself() -> None:
    """cos 20° = .9397, cos 30° = .8660, cos 50° = .6428."""
    vectors = angles(0, 20, 50)
    assert like(vectors, 0.8, 100) == [
        (0, 1, 0.9397), (1, 0, 0.9397), (1, 2, 0.866), (2, 1, 0.866),
    ]  # fmt: skip
    assert like(vectors, 0.8, 1) == [(0, 1, 0.9397), (1, 0, 0.9397), (2, 1, 0.866)]
    assert like(vectors, 0.8, 1, [False, True, False]) == [(1, 0, 0.9397)]
    assert like(vectors, 0.8, 0) == [] == like(np.zeros((3, 2), np.float32), 0.3, 5)
    assert like(np.zeros((0, 2), np.float32), 0.3, 5) == []


@given(
    st.lists(st.integers(0, 35), max_size=25), st.sampled_from([0.3, 0.8, 0.99]), st.integers(1, 5)
)
def test_it_is_what_a_plain_count_finds(tens, threshold, most) -> None:
    vectors = angles(*(10 * each for each in tens)) if tens else np.zeros((0, 2), np.float32)
    wide = vectors.astype(np.float64)
    expected = []
    for one in range(len(wide)):
        others = [(-float((wide[one] * row).sum()), at) for at, row in enumerate(wide) if at != one]
        near = sorted(each for each in others if -each[0] >= threshold)[:most]
        expected += [(one, at, round(-cosine, 4)) for cosine, at in near]
    assert like(vectors, threshold, most) == expected
