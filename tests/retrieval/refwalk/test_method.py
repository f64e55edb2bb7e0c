"""The walk against a plain reading of the paper: the best of all ways to a unit."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.graph.model import Edge, EdgeType, Graph, Origin
from corpus.model import Tier
from messages import LANGUAGES
from retrieval import rerank
from retrieval.core.method import Method, Resources
from retrieval.core.model import Corpus, Document, Query
from retrieval.core.presets import help_of
from retrieval.core.registry import complete, make
from retrieval.graph.citation_graph import CitationGraph
from retrieval.refwalk import (
    FACETS,
    RERANKER,
    Anchor,
    RefWalk,
    read_anchor,
    views,
    walked,
)
from tests.retrieval.talking import Talker
from tests.retrieval.toys import ToyScores, corpus_of, ids_of, made
from tests.support.refusals import code_of

LAW = corpus_of(*"abcdefgh")
DELTA = next(each for each in RefWalk.PARAMETERS if each.name == "delta")
NODES = st.integers(0, 7)
LINKS = st.lists(st.tuples(NODES, NODES), max_size=20)
POOLS = st.dictionaries(NODES, st.floats(-1, 1, allow_nan=False), max_size=8)


@given(LINKS, POOLS, st.integers(0, 4), st.floats(0, 1))
def test_every_unit_gets_the_best_of_all_ways_to_it(
    links: list[tuple[int, int]], pool: dict[int, float], seeds: int, delta: float
) -> None:
    ends = np.array(links, dtype=np.int64).reshape(-1, 2)
    graph = CitationGraph(ends[:, 0], ends[:, 1], len(LAW), undirected=True)
    ranking = sorted(pool.items(), key=lambda each: (-each[1], each[0]))
    ways = {unit: [score] for unit, score in ranking}
    for seed, score in ranking[:seeds]:
        beside = {b for a, b in links if a == seed} | {a for a, b in links if b == seed}
        for unit in beside - {seed}:
            ways.setdefault(unit, []).append(min(score, delta * score))
    expected = {unit: max(scores) for unit, scores in ways.items()}
    assert walked(graph, LAW, ranking, seeds, delta, 8) == expected
    beyond = sorted(set(ways) - set(pool), key=lambda unit: (-expected[unit], unit))
    kept = {unit: expected[unit] for unit in (*pool, *beyond[:2])}
    assert walked(graph, LAW, ranking, seeds, delta, 2) == kept


NET = [
    ("a", "c", EdgeType.REFERENCES),
    ("d", "a", EdgeType.SPECIFIES),
    ("b", "c", EdgeType.REFERENCES),
    ("b", "e", EdgeType.DELEGATES_TO),
    ("a", "e", EdgeType.APPLIES),
]
CORPUS = Corpus.of([Document(unit, tier=5 if unit == "d" else 1) for unit in "abcde"])
SAID = json.dumps(
    {"topic": "lamps", "actor": "ferry", "temporal": "at night", "magnitude": "unspecified",
     "situational": ""}
)  # fmt: skip
CONDITIONS = "Conditions: [ACTOR] ferry, [TEMPORAL] at night, [MAGNITUDE] all, [SITUATIONAL] all"
MID = f"[TOPIC] lamps\n[Q] question\n{CONDITIONS}"
WIDE = f"[TOPIC] lamps\n{CONDITIONS}"
POOL = {"a": 0.8, "b": 0.6}
ORDERS = {"question": "eabcd", MID: "daebc", WIDE: "cdbae"}
ASKED = Query("q", "question")
PAPER = {"a": 1 / 62, "b": 1 / 63, "c": 1 / 61, "d": 0.7 / 61, "e": 1 / 61}


def graph(links: list[tuple[str, str, EdgeType]], nodes: str = "abcde") -> Graph:
    edges = [Edge(a, b, each, Origin.TEXT) for a, b, each in links]
    return Graph(dict.fromkeys(nodes, Tier.ACT), edges)


def refwalk(said: str = SAID, **given: Any) -> tuple[Method, Talker]:
    talker = Talker(lambda _: said)
    base = ToyScores({MID: POOL, "question": POOL})
    scores = {text: {u: 5.0 - n for n, u in enumerate(order)} for text, order in ORDERS.items()}
    resources = Resources(graph=lambda: graph(NET), ask=talker)
    method: Method = made(RefWalk, [base, ToyScores(scores)], resources, **{"N": 2, "M": 2} | given)
    method.fit(CORPUS)
    return method, talker


def found(**given: Any) -> dict[str, float]:
    method, _ = refwalk(**given)
    return {hit.unit_id: hit.score for hit in method.search([ASKED], 10)["q"]}


def test_by_hand() -> None:
    ranked = found()
    assert list(ranked) == ["e", "c", "a", "b", "d"]
    assert ranked == pytest.approx(PAPER, abs=1e-9)


def test_without_help_ties_stand_by_id_and_the_formula_is_exact() -> None:
    ranked = found(ties="id")
    assert list(ranked) == ["c", "e", "a", "b", "d"]
    assert ranked == PAPER


def test_only_the_first_of_the_pool_are_walked_from() -> None:
    assert set(found(M=1)) == set("abcd")
    assert set(found(M=0)) == set("ab")


def test_what_the_base_ranks_below_the_pool_follows_in_its_order() -> None:
    """The pool is a, from which c and d come in; b stands below it, and last."""
    ranked = found(N=1)
    assert [*ranked][-1] == "b" and set(ranked) == set("abcd")
    alone = found(N=1, expansion=False)
    assert [*alone] == ["a", "b"] and alone["b"] < alone["a"]


def test_no_more_come_in_than_may_and_the_first_of_equals() -> None:
    assert set(found(reach=1)) == set("abc")  # c and d .56, e .42
    assert set(found(reach=0)) == set("ab")


def test_links_may_be_followed_as_they_point_only() -> None:
    assert set(found(undirected=False)) == set("abce")


def test_the_decay_reaches_the_order_where_it_is_asked_to() -> None:
    # by decayed scores a 1, b 2: a joins c and e at 1/61, b gets 1/62
    ranked = found(decayed="fusion", ties="id")
    assert list(ranked) == ["a", "c", "e", "b", "d"]
    assert ranked["b"] == 1 / 62


@given(LINKS, POOLS, st.integers(0, 4), st.integers(0, 8), st.sampled_from([0.01, 0.3, 0.9, 1.0]))
def test_the_decay_changes_nothing_about_what_the_reach_lets_in(
    links: list[tuple[int, int]], pool: dict[int, float], seeds: int, most: int, delta: float
) -> None:
    ends = np.array(links, dtype=np.int64).reshape(-1, 2)
    net = CitationGraph(ends[:, 0], ends[:, 1], len(LAW), undirected=True)
    rounded = {unit: round(score, 2) for unit, score in pool.items()}
    ranking = sorted(rounded.items(), key=lambda each: (-each[1], each[0]))
    usual = set(walked(net, LAW, ranking, seeds, 0.7, most))
    assert set(walked(net, LAW, ranking, seeds, delta, most)) == usual


@pytest.mark.parametrize("reach", [0, 1, 200])
def test_the_decay_decides_nothing_where_the_reranker_has_the_last_word(reach: int) -> None:
    for delta in (0.01, 0.9, 1.0):
        assert found(delta=delta, reach=reach) == found(reach=reach)


def test_the_decay_decides_where_its_help_says_it_does() -> None:
    # a .8, b .6: beside b at delta .7 (c .56) comes c, at 1 (c .8) it passes b
    for where in ({"decayed": "fusion"}, {"rerank": False}):
        assert found(delta=1.0, ties="id", **where) != found(delta=0.7, ties="id", **where)
    pool = {"e": 0.9, "d": 0.1}  # b stands beside e, a beside d
    assert refwalk_over(pool, reach=1, delta=0.01) == refwalk_over(pool, reach=1) == {*"edb"}
    assert refwalk_over(pool, reach=1, delta=0.0) == {*"eda"}  # all tie: the first stands
    for language in LANGUAGES:
        said = help_of("refwalk", DELTA, language)
        assert "fusion" in said and "rerank" in said and "reach" in said


def refwalk_over(pool: dict[str, float], **given: Any) -> set[str]:
    base = ToyScores({"question": pool})
    method = made(
        RefWalk, [base, ToyScores({"question": {}})], Resources(graph=lambda: graph(NET)),
        anchor=False, **given,
    )  # fmt: skip
    method.fit(CORPUS)
    return {hit.unit_id for hit in method.search([ASKED], 10)["q"]}


def test_the_reranker_is_the_cross_encoder_that_is_set_else_what_needs_no_download(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv(RERANKER, raising=False)
    plain = complete({"method": "refwalk"})
    assert plain["reranker"] == complete({"method": "lsa"})
    monkeypatch.setenv(RERANKER, "BAAI/bge-reranker-v2-m3")
    set_to = complete({"method": "refwalk"})["reranker"]
    assert (set_to["method"], set_to["model"]) == ("rerank", "BAAI/bge-reranker-v2-m3")
    assert complete(plain) == plain  # what was run before says with what
    bm25 = {"method": "refwalk", "reranker": {"method": "bm25"}}
    assert complete(bm25)["reranker"] == complete({"method": "bm25"})
    monkeypatch.setenv(RERANKER, " ")
    assert complete({"method": "refwalk"}) == plain


def test_without_expansion_the_pool_is_all() -> None:
    # narrow and mid have a before b, wide b before a
    assert found(expansion=False, ties="id") == {"a": 1 / 61, "b": 1 / 61}
    assert found(expansion=False, views=["narrow"], ties="id") == {"a": 1 / 61, "b": 1 / 62}


def test_without_reranking_the_decayed_scores_are_the_order() -> None:
    # a b c d e, and d behind e: .7/64 = .010938 < 1/65 = .015385
    ranked = found(rerank=False, ties="id")
    assert list(ranked) == ["a", "b", "c", "e", "d"]
    assert ranked == pytest.approx(
        {"a": 1 / 61, "b": 1 / 62, "c": 1 / 63, "d": 0.7 / 64, "e": 1 / 65}
    )


def test_one_view_alone() -> None:
    ranked = found(views=["mid"], ties="id")
    assert list(ranked) == ["a", "e", "b", "c", "d"]
    assert ranked["d"] == pytest.approx(0.7 / 61)
    assert code_of(refwalk, views=[]) == "refwalk_views"


# by narrow eabcd, mid daebc, wide cdbae: ranks of a 2 2 4, b 3 4 3, c 4 5 1, d 5 1 2, e 1 3 5
RANKS = {"a": (2, 2, 4), "b": (3, 4, 3), "c": (4, 5, 1), "d": (5, 1, 2), "e": (1, 3, 5)}


@pytest.mark.parametrize(
    ("fusion", "weights"),
    [("rrf", ()), ("wrrf", ()), ("wrrf", (0.25, 0.25, 0.5)), ("wrrf", (0, 1, 0))],
)
def test_views_may_be_fused_by_sums(fusion: str, weights: tuple[float, ...]) -> None:
    used = weights or ((1, 1, 1) if fusion == "rrf" else (1 / 3, 1 / 3, 1 / 3))
    expected = {
        unit: (0.7 if unit == "d" else 1)
        * sum(weight / (60 + rank) for weight, rank in zip(used, ranks, strict=True))
        for unit, ranks in RANKS.items()
    }
    assert found(fusion=fusion, weights=list(weights), ties="id") == pytest.approx(expected)


def test_views_may_be_fused_by_their_scores() -> None:
    # the reranker's scores fall by one a rank: stretched (5 - rank) / 4
    expected = {
        unit: (0.7 if unit == "d" else 1) * sum((5 - rank) / 4 for rank in ranks) / 3
        for unit, ranks in RANKS.items()
    }
    assert found(fusion="minmax", ties="id") == pytest.approx(expected)


def test_views_of_one_wording_weigh_together() -> None:
    plain = found(anchor=False, fusion="rrf", ties="id")
    assert plain["e"] == pytest.approx(3 / 61)


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"weights": [0.5, 0.25, 0.25]}, "refwalk_weights"),
        ({"fusion": "wrrf", "weights": [0.5, 0.5]}, "fusion_weights"),
        ({"fusion": "wrrf", "views": ["mid"], "weights": [0.5]}, "fusion_weights"),
    ],
)
def test_weights_that_do_not_fit_are_refused(given: dict[str, Any], code: str) -> None:
    assert code_of(refwalk, **given) == code


def test_manuals_keep_their_place_where_mu_is_one() -> None:
    assert list(found(mu=1, ties="id")) == ["c", "d", "e", "a", "b"]


def test_without_an_anchor_every_view_is_the_question() -> None:
    plain = found(anchor=False)
    assert list(plain) == ["e", "a", "b", "c", "d"]
    method, talker = refwalk(anchor=False)
    method.search([ASKED], 1)
    assert talker.asked == []
    for problem in Talker.PROBLEMS:
        method, _ = refwalk(problem)
        assert ids_of(method.search([ASKED], 10)["q"]) == list(plain)
        assert method.notes == {"refwalk.asked": 1, f"refwalk.{problem}": 1}


def test_a_part_of_an_article_walks_along_the_articles_citations() -> None:
    law = Corpus.of(
        [Document(unit) for unit in ("법_1조", "법_1조/1항/2호", "법_2조", "법_3조/1항")]
    )
    links = Graph(
        dict.fromkeys(("법_1조", "법_2조"), Tier.ACT),
        [Edge("법_1조", "법_2조", EdgeType.REFERENCES, Origin.TEXT)],
    )
    base = ToyScores({"법_1조/1항/2호": 0.5, "법_3조/1항": 0.4})
    method = made(RefWalk, [base, base], Resources(graph=lambda: links), anchor=False)
    method.fit(law)
    found = method.search([ASKED], 10)["q"]
    assert set(ids_of(found)) == {"법_1조/1항/2호", "법_2조", "법_3조/1항"}


def test_scores_that_are_no_numbers_are_refused() -> None:
    base = ToyScores({"a": 1.0})
    reranker = ToyScores({"a": float("nan")})
    method = made(RefWalk, [base, reranker], Resources(graph=lambda: graph(NET)), anchor=False)
    method.fit(CORPUS)
    assert code_of(method.search, [ASKED], 10) == "method_scores_unfit"


def test_a_cross_encoder_reads_each_candidate_with_each_view(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "config.json").write_text(json.dumps({"architectures": ["SomeModel"]}))
    read: list[tuple[str, str]] = []

    def scores(_: object, asked: list[tuple[str, str]], batch: int) -> Any:
        read.extend(asked)
        return np.array([float(text == "c") for _, text in asked])

    monkeypatch.setattr(rerank, "scores", scores)
    law = Corpus.of([Document(unit, body=unit) for unit in "abcde"])
    reranker = make({"method": "rerank", "model": str(tmp_path)})
    resources = Resources(graph=lambda: graph(NET), ask=Talker(lambda _: SAID))
    method = made(RefWalk, [ToyScores({MID: POOL}), reranker], resources, N=2, M=1)
    method.fit(law)
    assert ids_of(method.search([ASKED], 1)["q"]) == ["c"]
    assert read == [(view, unit) for view in (MID, "question", WIDE) for unit in "abcd"]


def test_what_is_not_mentioned_may_be_left_out_of_the_views() -> None:
    anchor = read_anchor(SAID)
    assert anchor == Anchor("lamps", {"actor": "ferry", "temporal": "at night"})
    seen = views("question", anchor, "omit")
    assert seen["wide"] == "[TOPIC] lamps\nConditions: [ACTOR] ferry, [TEMPORAL] at night"
    bare = views("question", Anchor("lamps", {}), "omit")
    assert bare == {
        "narrow": "question", "mid": "[TOPIC] lamps\n[Q] question", "wide": "[TOPIC] lamps"
    }  # fmt: skip
    nothing = read_anchor(json.dumps({"topic": " "} | dict.fromkeys(FACETS, "Unspecified")))
    assert views("question", nothing, "omit")["wide"] == "[TOPIC] question"
