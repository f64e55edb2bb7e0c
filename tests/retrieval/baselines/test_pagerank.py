"""Personalised PageRank: by hand on three nodes, and as networkx has it."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from retrieval.baselines.pagerank import Transitions
from tests.support.examples import scaled


def walk(edges, nodes):
    some, others, weights = (np.array(column) for column in zip(*edges, strict=True))
    return Transitions.undirected(some, others, weights.astype(float), nodes)


def by_networkx(edges, nodes, reset, damping):
    graph = nx.Graph()
    graph.add_nodes_from(range(nodes))
    for a, b, weight in edges:
        if a != b:
            before = graph.get_edge_data(a, b, {"weight": 0.0})["weight"]
            graph.add_edge(a, b, weight=before + weight)
    found = nx.pagerank(
        graph,
        alpha=damping,
        personalization=dict(enumerate(reset)),
        weight="weight",
        tol=1e-13,
        max_iter=10_000,
    )
    return np.array([found[node] for node in range(nodes)])


def test_by_hand() -> None:
    """A path a – b – c with weights 3 and 1, put back to a, damping ½.

    a = ½·¾b + ½,  b = ½(a + c),  c = ½·¼b. So c = b/8, b = ½a + b/16 and a = 15/8·b; with
    15/8·b = 3/8·b + ½ b is 1/3, a 5/8, c 1/24.
    """
    found = walk([(0, 1, 3), (1, 2, 1)], 3).pagerank(np.array([2.0, 0, 0]), 0.5)
    assert found == pytest.approx([5 / 8, 1 / 3, 1 / 24], abs=1e-9)


def test_who_can_go_nowhere_is_put_back() -> None:
    """d has no edge: of what is there, all comes back in proportion to the reset."""
    found = walk([(0, 1, 3), (1, 2, 1)], 4).pagerank(np.array([0, 0, 0, 1.0]), 0.5)
    assert found == pytest.approx([0, 0, 0, 1])
    half = walk([(0, 1, 1)], 3).pagerank(np.array([1.0, 0, 1]), 0.5)
    assert half == pytest.approx(by_networkx([(0, 1, 1)], 3, [1, 0, 1], 0.5), abs=1e-9)


def test_without_damping_it_is_the_reset_and_edges_to_oneself_are_none() -> None:
    edges = [(0, 1, 1), (1, 1, 5)]
    assert walk(edges, 2).pagerank(np.array([1.0, 3]), 0).tolist() == [0.25, 0.75]
    assert walk(edges, 2).shares.tolist() == [1, 1]


def test_the_weights_of_one_pair_are_added_whichever_end_comes_first() -> None:
    twice = walk([(0, 1, 1), (1, 0, 2), (1, 2, 1)], 3)
    once = walk([(0, 1, 3), (1, 2, 1)], 3)
    assert twice.shares.tolist() == once.shares.tolist()


EDGES = st.lists(
    st.tuples(st.integers(0, 7), st.integers(0, 7), st.sampled_from([0.1, 0.9, 1.0, 4.0])),
    min_size=1,
    max_size=30,
)
RESETS = st.lists(st.sampled_from([0.0, 0.02, 1.0, 7.0]), min_size=8, max_size=8)


@settings(max_examples=scaled(40))
@given(EDGES, RESETS.filter(any), st.sampled_from([0.0, 0.5, 0.9]))
def test_it_is_what_networkx_finds(edges, reset, damping) -> None:
    found = walk(edges, 8).pagerank(np.array(reset), damping)
    assert found.sum() == pytest.approx(1, abs=1e-9)
    assert found == pytest.approx(by_networkx(edges, 8, reset, damping), abs=1e-8)


def test_it_is_what_networkx_finds_on_two_thousand_units() -> None:
    drawn = np.random.default_rng(20)
    ends = drawn.integers(0, 2_000, (6_000, 2)).tolist()
    weights = drawn.uniform(0.1, 3, 6_000).tolist()
    edges = [(a, b, w) for (a, b), w in zip(ends, weights, strict=True)]
    reset = np.where(drawn.uniform(size=2_000) < 0.01, drawn.uniform(size=2_000), 0.0)
    found = walk(edges, 2_000).pagerank(reset, 0.5)
    assert np.abs(found - by_networkx(edges, 2_000, reset.tolist(), 0.5)).max() < 1e-9


def test_what_is_kept_ranks_the_same(tmp_path) -> None:
    made = walk([(0, 1, 3), (1, 2, 1), (4, 3, 1)], 6)
    made.save(tmp_path)
    kept, reset = Transitions.load(tmp_path), np.arange(6.0)
    assert isinstance(kept.shares, np.memmap)
    assert kept.pagerank(reset, 0.5).tolist() == made.pagerank(reset, 0.5).tolist()
    assert len(kept) == 6


def test_no_node_and_no_edge() -> None:
    nothing = np.zeros(0, np.int64)
    assert len(Transitions.undirected(nothing, nothing, np.zeros(0), 0)) == 0
    alone = Transitions.undirected(nothing, nothing, np.zeros(0), 2)
    assert alone.pagerank(np.array([1.0, 3]), 0.5).tolist() == [0.25, 0.75]


@pytest.mark.parametrize(
    ("reset", "damping"),
    [([0, 0], 0.5), ([-1, 2], 0.5), ([np.inf, 1], 0.5), ([1, 1], 1.0), ([1, 1], -0.1)],
)
def test_what_has_no_answer_is_refused(reset, damping) -> None:
    with pytest.raises(ValueError):
        walk([(0, 1, 1)], 2).pagerank(np.array(reset, dtype=float), damping)


def test_edges_without_weight_are_refused() -> None:
    with pytest.raises(ValueError):
        walk([(0, 1, 0)], 2)
