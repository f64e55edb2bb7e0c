"""Rocchio's feedback worked out by hand on five vectors in the plane.

q = (1, 0), and the units stand at a (.8, .6), b (.6, .8), c (0, 1), d (-.6, .8), e (.6, -.8).
By cosine with q: a .8, b .6, e .6, c 0, d -.6; b and e tie and stand by id.

With K = 2 the first are a and b, their mean (.7, .7). With alpha = 1, beta = 1: q' = (1.7, .7),
of length sqrt(3.38) = 1.838478, so (.924678, .380750) at length one:

a .8 · .924678 + .6 · .380750 = .968192     b .6 · .924678 + .8 · .380750 = .859407
c .380750                                   e .554807 - .304600 = .250207
d -.554807 + .304600 = -.250207
"""

from __future__ import annotations

import numpy as np
import pytest

from errors import UserError
from retrieval.core.method import Resources
from retrieval.core.model import Query
from retrieval.dense.rocchio import Rocchio, moved
from retrieval.graph.sar import SAR
from tests.retrieval.graph.test_sar import graph_of
from tests.retrieval.toys import ASKED, ToyDense, ToyScores, corpus_of, found, ids_of, made
from tests.support.refusals import code_of

UNITS = {"a": (0.8, 0.6), "b": (0.6, 0.8), "c": (0, 1), "d": (-0.6, 0.8), "e": (0.6, -0.8)}
HAND = {"a": 0.968192, "b": 0.859407, "c": 0.380750, "e": 0.250207, "d": -0.250207}


def fitted(query=(1, 0), **given):
    chosen = {"K": 2, "alpha": 1, "beta": 1} | given
    method = made(Rocchio, [ToyDense(UNITS, {ASKED.text: query, "둘": (0, 1)})], **chosen)
    method.fit(corpus_of(*"abcde"))
    return method


def test_by_hand() -> None:
    ranked = found(fitted())
    assert ranked == pytest.approx(HAND, abs=1e-5)
    assert list(ranked) == ["a", "b", "c", "e", "d"]


def test_without_feedback_it_is_its_base() -> None:
    assert list(found(fitted(beta=0))) == ["a", "b", "e", "c", "d"]
    assert found(fitted(beta=0))["d"] == pytest.approx(-0.6)


def test_without_the_query_it_is_the_mean() -> None:
    """(.7, .7) at length one: b and a both .989949, c and so on."""
    ranked = found(fitted(alpha=0))
    assert ranked["a"] == pytest.approx(0.989949, abs=1e-6)
    assert ranked["c"] == pytest.approx(0.707107, abs=1e-6)


def test_a_query_without_a_vector_or_a_sum_of_nothing_stays_as_it_is() -> None:
    query = np.array([0, 1], dtype=np.float32)
    assert moved(query, np.zeros((0, 2), np.float32), 1, 1).tolist() == [0, 1]
    assert moved(query, np.array([[0, -1]], np.float32), 1, 1).tolist() == [0, 1]


def test_only_the_pool_of_the_base_is_reranked() -> None:
    """The first three of the base are a, b and e: c, better than e for q', is none of them."""
    method = fitted(pool=3)
    assert found(method, 3) == pytest.approx({each: HAND[each] for each in "abe"}, abs=1e-5)
    base = ids_of(method.parts[0].search([ASKED], 9)["q"])
    assert [*found(method)][3:] == base[3:]  # others follow as the base has them
    values = [*found(method).values()]
    assert values == sorted(set(values), reverse=True)
    assert list(found(method, 2)) == ["a", "b"]
    both = method.search([Query("two", "둘"), ASKED], 5)
    assert sorted(ids_of(both["two"][:3])) == ["b", "c", "d"] and len(both["q"]) == 5
    sar = made(SAR, [method], Resources(graph=lambda: graph_of([("a", "b")])), K=1, outside=False)
    sar.fit(corpus_of(*"abcde"))
    assert sorted([*found(sar)][:3]) == ["a", "b", "e"] and len(found(sar)) == 5


def test_it_is_dense_so_other_methods_build_on_it() -> None:
    """SAR takes the cosines with q' as they are, and asks for no other scale."""
    sar = made(SAR, [fitted()], Resources(graph=lambda: graph_of([("a", "d")])), K=1, beta=0.5)
    sar.fit(corpus_of(*"abcde"))
    # B(d) = .968192/ln 2/ln 2 = 2.015166: -.250207 + .5 · 2.015166 · 1.250207 = 1.009481
    ranked = found(sar)
    assert list(ranked)[:2] == ["d", "a"]
    assert ranked["d"] == pytest.approx(1.00948, abs=1e-4)


def test_what_it_cannot_build_on_is_refused() -> None:
    with pytest.raises(UserError) as refused:
        made(Rocchio, [ToyScores({"a": 1.0})])
    assert refused.value.code == "method_base_dense"
    assert code_of(fitted, alpha=0, beta=0) == "rocchio_weights"
