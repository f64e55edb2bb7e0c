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


EDGES = st.lists(
    st.tuples(st.integers(0, 7), st.integers(0, 7), st.sampled_from([0.1, 0.9, 1.0, 4.0])),
    min_size=1,
    max_size=30,
)
RESETS = st.lists(st.sampled_from([0.0, 0.02, 1.0, 7.0]), min_size=8, max_size=8)


@settings(max_examples=scaled(40))
@given(EDGES, RESETS.filter(any), st.sampled_from([0.0, 0.5, 0.99]))
def test_it_is_what_networkx_finds(edges, reset, damping) -> None:
    found = walk(edges, 8).pagerank(np.array(reset), damping)
    assert found.sum() == pytest.approx(1, abs=1e-9)
    assert found == pytest.approx(by_networkx(edges, 8, reset, damping), abs=1e-8)


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


@pytest.mark.parametrize("weight", [0, -1])
def test_edges_without_weight_are_refused(weight) -> None:
    with pytest.raises(ValueError):
        walk([(0, 1, weight)], 2)
