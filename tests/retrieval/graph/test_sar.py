"""Structure-Aware Reranking worked out by hand on five nodes, and against the plain formula.

Links: a → c, a → d, b → c, c → e, e → c. So the out-degrees are a 2, b 1, c 1, d 0, e 1 and the
in-degrees a 0, b 0, c 3, d 1, e 1. The base has a .8, b .6, c .4, d .2, e .1.

With K = 2 the seeds are a and b, and with ln 2 = .693147, ln 3 = 1.098612, ln 4 = 1.386294:

B(c) = (.8/ln 3 + .6/ln 2) / ln 4 = (.728191 + .865617) / 1.386294 = 1.149690
B(d) = (.8/ln 3) / ln 2 = .728191 / .693147 = 1.050558

and with beta = .3: c gets .4 + .3 · 1.149690 · .6 = .606944, d .2 + .3 · 1.050558 · .8 = .452134.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.graph.model import Edge, EdgeType, Graph, Origin
from corpus.model import Tier
from errors import UserError
from retrieval.core.method import Method, Resources
from retrieval.fusion.rank_fusion import RRF
from retrieval.graph.sar import SAR
from tests.retrieval.toys import ASKED, ToyDense, ToyScores, corpus_of, found, ids_of, made

LINKS = [("a", "c"), ("a", "d"), ("b", "c"), ("c", "e"), ("e", "c")]
SCORES = {"a": 0.8, "b": 0.6, "c": 0.4, "d": 0.2, "e": 0.1}


def graph_of(links) -> Graph:
    edges = [Edge(a, b, EdgeType.REFERENCES, Origin.TEXT) for a, b in links]
    return Graph(dict.fromkeys("abcde", Tier.ACT), edges)


def fitted(scores=SCORES, links=LINKS, base=None, **given):
    chosen = {"K": 2, "scale": "cosine"} | given
    resources = Resources(graph=lambda: graph_of(links))
    method = made(SAR, [base or ToyScores(scores)], resources, **chosen)
    method.fit(corpus_of(*"abcde"))
    return method


def test_a_dense_base_gives_the_same() -> None:
    units = {unit: (s, math.sqrt(1 - s * s)) for unit, s in SCORES.items()}
    base = ToyDense(units, {ASKED.text: (1, 0)})
    assert found(fitted(base=base, scale="auto")) == pytest.approx(found(fitted()), abs=1e-6)
    few = fitted(base=base, scale="auto", pool=2)
    assert found(few) == pytest.approx(found(fitted(pool=2)), abs=1e-6)


def test_what_seeds_cite_comes_in_from_outside_the_pool_or_not() -> None:
    """The pool holds a and b; their links lead to c and d, which the base scores; e stays below."""
    assert list(found(fitted(pool=2))) == ["a", "c", "b", "d", "e"]
    assert found(fitted(pool=2))["d"] == pytest.approx(0.452134, abs=1e-6)
    assert list(found(fitted(pool=2, outside=False))) == ["a", "b", "c", "d", "e"]
    assert list(found(fitted(pool=3, outside=False))) == ["a", "c", "b", "d", "e"]


def test_a_local_degree_counts_links_to_the_pool_alone() -> None:
    """The pool is a, b, c: a has one link to it, and B(c) = (.8 + .6)/ln 2/ln 4 = 1.456949."""
    ranked = found(fitted(pool=3, outside=False, seed_degree="local"))
    hand = {"a": 0.8, "c": 0.662251, "b": 0.6, "d": 0.6 - 0.2 / 2, "e": 0.6 - 0.2 * 2 / 3}
    assert ranked == pytest.approx(hand, 1e-5)
    wide = found(fitted(pool=3, outside=False))
    assert wide["c"] == pytest.approx(0.606944, 1e-5)
    alone = found(fitted(pool=2, seed_degree="local"), 2)  # neither seed cites the other
    assert alone == pytest.approx({"a": 0.8, "b": 0.6})


def test_links_read_from_elsewhere_are_left_out() -> None:
    assert found(fitted(origins=["text"])) == found(fitted())
    assert found(fitted(origins=["hyperlink"])) == pytest.approx(SCORES)


def test_undirected_by_hand() -> None:
    """Neighbours: a c d, b c, c a b e, d a, e c. With K = 3 c votes too, .4/ln 4 = .288539.

    B(a) = .288539/ln 3 = .262640: .8 + .3 · .262640 · .2 = .815758
    B(b) = B(e) = .288539/ln 2 = .416273: b .6 + .3 · .416273 · .4 = .649953,
    e .1 + .3 · .416273 · .9 = .212394; c and d as before.
    """
    ranked = found(fitted(K=3, undirected=True))
    hand = {"a": 0.815758, "b": 0.649953, "c": 0.606944, "d": 0.452134, "e": 0.212394}
    assert ranked == pytest.approx(hand, abs=1e-6)
    assert list(ranked) == list(hand)


def test_frozen_ranks_stay_above_everything() -> None:
    ranked = found(fitted(beta=1, frozen=2))
    assert list(ranked) == ["a", "b", "c", "d", "e"]
    assert list(ranked.values()) == sorted(ranked.values(), reverse=True)
    alone = found(fitted(frozen=100, pool=2, outside=False), 2)
    assert list(alone.items()) == [("a", 2), ("b", 1)]


def test_a_negative_seed_casts_no_vote() -> None:
    scores = {"a": 0.5, "b": -0.5, "c": -0.2}
    dense = ToyDense(
        {unit: (s, math.sqrt(1 - s * s)) for unit, s in ({"d": -0.9, "e": -0.9} | scores).items()},
        {ASKED.text: (1, 0)},
    )
    only_a = found(fitted(base=dense, K=1, scale="auto"))
    assert found(fitted(base=dense, K=4, links=LINKS[:3], scale="auto")) == pytest.approx(
        found(fitted(base=dense, K=1, links=LINKS[:3], scale="auto"))
    )
    # B(c) = .5/ln 3/ln 4 = .328301: -.2 + .3 · .328301 · 1.2 = -.081812
    assert only_a["c"] == pytest.approx(-0.081812, abs=1e-6)


@pytest.mark.parametrize(("scale", "second"), [("max", 0.75), ("auto", 0.75), ("minmax", 1 / 2)])
def test_scores_that_are_no_cosines_come_to_one(scale, second) -> None:
    """8, 6 and 4: divided by the best .75, stretched between 4 and 8 one half."""
    ranked = found(fitted({"a": 8.0, "b": 6.0, "c": 4.0}, beta=0, scale=scale, links=[]))
    assert ranked["a"] == 1
    assert ranked["b"] == pytest.approx(second)


def test_no_graph_and_a_base_that_cannot_score_are_refused() -> None:
    method = made(SAR, [ToyScores(SCORES)])
    with pytest.raises(UserError) as refused:
        method.fit(corpus_of(*"abcde"))
    assert refused.value.code == "method_graph"

    class Ranker(Method):
        NAME = "ranker"

        def _fit(self, corpus) -> None: ...

        def _search(self, queries, k):
            return {}

    with pytest.raises(UserError) as refused:
        made(SAR, [Ranker({"method": "ranker"})])
    assert refused.value.code == "method_base_scoring"


UNIT = st.sampled_from("abcde")


@given(
    scores=st.fixed_dictionaries({unit: st.floats(0.01, 1) for unit in "abcde"}),
    links=st.lists(st.tuples(UNIT, UNIT), max_size=12),
    seeds=st.integers(1, 5),
    beta=st.floats(0, 1),
)
def test_it_is_the_formula(scores, links, seeds, beta) -> None:
    cited = {(a, b) for a, b in links if a != b}
    out = {unit: sum(a == unit for a, _ in cited) for unit in "abcde"}
    into = {unit: sum(b == unit for _, b in cited) for unit in "abcde"}
    chosen = sorted(scores, key=lambda unit: (-scores[unit], unit))[:seeds]
    expected = {}
    for unit, own in scores.items():
        votes = sum(scores[s] / math.log(out[s] + 1) for s in chosen if (s, unit) in cited)
        b = votes / math.log(into[unit] + 1) if votes else 0
        expected[unit] = own + beta * b * (1 - own)
    ranked = found(fitted(scores, links, K=seeds, beta=beta))
    assert ranked == pytest.approx(expected)
    values = np.array(list(ranked.values()))
    assert (np.diff(values) <= 0).all()


@given(
    scores=st.dictionaries(UNIT, st.floats(0.01, 1)),
    links=st.lists(st.tuples(UNIT, UNIT), max_size=12),
    pool=st.integers(1, 5),
    outside=st.booleans(),
    fused=st.booleans(),
    k=st.integers(0, 6),
)
def test_below_the_candidates_it_goes_on_in_the_order_of_its_base(
    scores, links, pool, outside, fused, k
) -> None:
    base = ToyScores(scores)
    if fused:
        base = made(RRF, [base], depth=2)
        base.fit(corpus_of(*"abcde"))
    method = fitted(base=base, links=links, pool=pool, outside=outside, scale="max")
    hits = method.search([ASKED], 10)["q"]
    ranking = ids_of(base.search([ASKED], 10)["q"])
    # What a fusion found further down itself is no candidate; the first two vote.
    first = ranking[: min(pool, 2) if fused else pool]
    voted = {b for a, b in links if a != b and a in first[:2]} if outside else set()
    below = [unit for unit in ranking if unit not in {*first, *voted}]
    assert set(ids_of(hits)) == {*ranking, *voted}
    assert ids_of(hits)[len(hits) - len(below) :] == below
    assert list(hits) == sorted(hits, key=lambda hit: (-hit.score, hit.unit_id))
    assert method.search([ASKED], k)["q"] == hits[:k]
    assert method.search([ASKED], min(k, pool))["q"] == hits[: min(k, pool)]
