from __future__ import annotations

import numpy as np

from corpus.graph.communities import GREEDY, LOUVAIN, communities


def two_rings(size: int) -> np.ndarray:
    ring = [(n, (n + step) % size) for n in range(size) for step in (1, 2)]
    other = [(a + size, b + size) for a, b in ring]
    return np.array([*ring, *other, (0, size)], dtype=np.int64)


def test_the_method_is_told_and_changes_with_the_size_of_the_graph():
    pairs = two_rings(6)
    assert communities(pairs).method == GREEDY
    large = communities(pairs, exact_nodes=5)
    assert large.method == LOUVAIN
    assert large.sizes == communities(pairs).sizes == (6, 6)


def test_the_same_graph_has_the_same_communities():
    pairs = two_rings(40)
    for limit in (0, 1000):
        assert communities(pairs, limit) == communities(pairs[::-1], limit)


def test_no_edge_no_community():
    nothing = communities(np.zeros((0, 2), dtype=np.int64))
    assert (nothing.count, nothing.sizes, nothing.modularity) == (0, (), None)
