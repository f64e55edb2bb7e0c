from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.graph.model import Edge, EdgeType, Graph, Origin
from corpus.model import Tier

CITES, PART = EdgeType.REFERENCES, EdgeType.PART_OF
NODES = dict.fromkeys("abcd", Tier.ACT)


def edge(source: str, target: str, kind: EdgeType = CITES) -> Edge:
    return Edge(source, target, kind, Origin.TEXT)


def graph() -> Graph:
    return Graph(NODES, [edge("b", "c"), edge("a", "b"), edge("a", "d", PART), edge("a", "a")])


def test_neighbours_by_direction_type_and_hops() -> None:
    one = graph()
    assert one.neighbours("a") == ["b", "d"]
    assert one.neighbours("a", {CITES}) == ["b"]
    assert one.neighbours("b", direction="in") == ["a"]
    assert one.neighbours("b", direction="out") == ["c"]
    assert one.neighbours("a", {CITES}, hops=2) == ["b", "c"]
    assert one.neighbours("d", hops=3) == ["a", "b", "c"]
    assert one.neighbours("d", hops=3, limit=2) == ["a", "b"]


def test_an_edge_to_itself_comes_once_and_makes_no_neighbour() -> None:
    assert [(e.source, e.target) for e in graph().edges_of("a", {CITES})] == [
        ("a", "b"),
        ("a", "a"),
    ]
    assert "a" not in graph().neighbours("a", hops=3)


@given(st.lists(st.tuples(st.sampled_from("abcd"), st.sampled_from("abcd")), max_size=30))
def test_indexes_find_exactly_the_edges_at_a_node(pairs: list[tuple[str, str]]) -> None:
    edges = [edge(source, target) for source, target in pairs]
    one = Graph(NODES, edges)
    for node in NODES:
        assert one.edges_of(node, direction="out") == [e for e in edges if e.source == node]
        assert one.edges_of(node, direction="in") == [e for e in edges if e.target == node]
        assert len(one.edges_of(node)) == sum(node in pair for pair in pairs)


def test_what_is_no_node_is_refused() -> None:
    with pytest.raises(KeyError):
        Graph(NODES, [edge("a", "z")])
    with pytest.raises(KeyError):
        graph().edges_of("z")
    assert "z" not in graph()
