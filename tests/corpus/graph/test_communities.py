from __future__ import annotations

import networkx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.graph.communities import (
    GREEDY,
    LOUVAIN,
    communities,
    divide,
    louvain,
    modularity,
)


def as_graph(pairs: np.ndarray, nodes: int) -> networkx.Graph:
    graph = networkx.Graph()
    graph.add_nodes_from(range(nodes))
    graph.add_edges_from(pairs.tolist())
    return graph


def as_sets(community: np.ndarray) -> list[set[int]]:
    return [set(np.flatnonzero(community == n).tolist()) for n in range(community.max() + 1)]


@st.composite
def graphs(draw: st.DrawFn) -> tuple[np.ndarray, int]:
    nodes = draw(st.integers(2, 25))
    ends = st.tuples(st.integers(0, nodes - 1), st.integers(0, nodes - 1))
    pairs = draw(st.sets(ends.filter(lambda p: p[0] < p[1]), min_size=1, max_size=80))
    return np.array(sorted(pairs), dtype=np.int64), nodes


@given(graphs())
def test_communities_are_numbered_joined_and_no_worse_than_none(graph: tuple[np.ndarray, int]):
    pairs, nodes = graph
    found, whole = louvain(pairs, nodes), as_graph(pairs, nodes)
    first_seen = list(dict.fromkeys(found.tolist()))
    assert first_seen == list(range(len(first_seen)))
    reached = modularity(pairs, found)
    assert reached == pytest.approx(networkx.community.modularity(whole, as_sets(found)))
    assert reached >= modularity(pairs, np.arange(nodes)) - 1e-9
    for each in as_sets(found):
        (around,) = {frozenset(networkx.node_connected_component(whole, n)) for n in each}
        assert each <= around


def test_planted_communities_are_found_as_well_as_by_networkx():
    graph = networkx.planted_partition_graph(8, 30, 0.4, 0.01, seed=3)
    pairs = np.array([sorted(edge) for edge in graph.edges], dtype=np.int64)
    found = louvain(pairs, len(graph))
    assert sorted(np.bincount(found).tolist()) == [30] * 8
    theirs = networkx.community.louvain_communities(graph, seed=0)
    assert modularity(pairs, found) >= networkx.community.modularity(graph, theirs) - 0.005


@given(graphs())
def test_small_graphs_are_divided_as_networkx_divides_them(graph: tuple[np.ndarray, int]):
    pairs, nodes = graph
    found = divide(pairs, nodes)
    ours = {frozenset(found.nodes[list(each)].tolist()) for each in as_sets(found.community)}
    theirs = networkx.community.greedy_modularity_communities(networkx.Graph(pairs.tolist()))
    assert ours == set(theirs)


def two_rings(size: int) -> np.ndarray:
    ring = [(n, (n + step) % size) for n in range(size) for step in (1, 2)]
    other = [(a + size, b + size) for a, b in ring]
    return np.array([*ring, *other, (0, size)], dtype=np.int64)


def test_the_method_is_told_and_changes_with_the_size_of_the_graph():
    pairs = two_rings(6)
    statutes = ["act"] * 5 + ["decree"] * 7
    assert communities(pairs, statutes).method == GREEDY
    large = communities(pairs, statutes, greedy_nodes=5)
    assert large.method == LOUVAIN
    assert large.sizes == communities(pairs, statutes).sizes == (6, 6)
    assert large.statutes == communities(pairs, statutes).statutes == (2, 1)


@given(graphs())
def test_a_division_numbers_the_largest_first_and_says_what_communities_count(
    graph: tuple[np.ndarray, int],
):
    pairs, nodes = graph
    statutes = [str(n % 3) for n in range(nodes)]
    for greedy_nodes in (0, 1000):
        found, counted = divide(pairs, greedy_nodes), communities(pairs, statutes, greedy_nodes)
        sizes = np.bincount(found.community).tolist()
        assert sizes == sorted(sizes, reverse=True)
        assert (len(sizes), tuple(sizes[:10])) == (counted.count, counted.sizes)
        assert found.nodes.tolist() == sorted(set(pairs.ravel().tolist()))
        assert [tuple(found.nodes[edge]) for edge in found.edges] == [tuple(p) for p in pairs]


def test_the_same_graph_has_the_same_communities():
    pairs = two_rings(40)
    for limit in (0, 1000):
        found = communities(pairs, ["act"] * 80, limit)
        assert found == communities(pairs[::-1], ["act"] * 80, limit)
