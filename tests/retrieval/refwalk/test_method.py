"""The walk against a plain reading of the paper: the best of all ways to a unit."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from retrieval.graph.citation_graph import CitationGraph
from retrieval.refwalk.method import walked
from tests.retrieval.toys import corpus_of

LAW = corpus_of(*"abcdefgh")
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
