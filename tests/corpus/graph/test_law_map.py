""""""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from corpus.graph.law_map import (
    SPACING,
    TYPES,
    MapChoice,
    MapGraph,
    Place,
    choose,
    positions,
    unhindered,
)


def graph_of(nodes: int, edges: list[tuple[int, int, int, int]]) -> MapGraph:
    rows = np.array(edges, dtype=np.int64).reshape(-1, 4)
    return MapGraph(np.ones(nodes, dtype=np.int64), rows[:, :2], rows[:, 2], rows[:, 3])


@st.composite
def graphs(draw: st.DrawFn) -> tuple[int, list[tuple[int, int, int, int]]]:
    nodes = draw(st.integers(1, 12))
    end, kind = st.integers(0, nodes - 1), st.integers(0, len(TYPES) - 1)
    keys = draw(st.sets(st.tuples(end, end, kind), max_size=40))
    return nodes, [(*key, draw(st.integers(1, 9))) for key in sorted(keys)]


def drawn_edges(chosen: MapChoice) -> list[tuple[int, int, int, int]]:
    ends = chosen.nodes[chosen.ends]
    return list(zip(*ends.T.tolist(), chosen.kinds.tolist(), chosen.counts.tolist(), strict=True))


@given(graphs(), st.data())
def test_the_choice_is_what_counting_one_by_one_gives(
    given_graph: tuple[int, list[tuple[int, int, int, int]]], data: st.DataObject
):
    nodes, edges = given_graph
    matching = np.array(data.draw(st.lists(st.booleans(), min_size=nodes, max_size=nodes)))
    types = data.draw(st.sets(st.sampled_from(TYPES)))
    most, most_edges = data.draw(st.integers(1, 12)), data.draw(st.integers(0, 20))
    chosen = choose(graph_of(nodes, edges), matching, types, most, most_edges)
    within = [
        edge
        for edge in edges
        if matching[edge[0]] and matching[edge[1]] and edge[0] != edge[1]
        if TYPES[edge[2]] in types
    ]
    joined = {n: {b for a, b, *_ in within if a == n} for n in range(nodes)}
    for a, b, *_ in within:
        joined[b].add(a)
    wanted = sorted(np.flatnonzero(matching).tolist(), key=lambda n: (-len(joined[n]), n))[:most]
    assert chosen.nodes.tolist() == wanted
    assert chosen.degrees.tolist() == [len(joined[n]) for n in wanted]
    among = [edge for edge in within if edge[0] in wanted and edge[1] in wanted]
    among.sort(key=lambda e: (-e[3], e[0], e[1], e[2]))
    firsts = [next((e for e in among if n in e[:2]), None) for n in range(nodes)]
    among.sort(key=lambda e: e not in firsts)
    assert drawn_edges(chosen) == among[:most_edges]
    if most_edges >= len(wanted):
        assert {end for e in among for end in e[:2]} == {
            end for e in drawn_edges(chosen) for end in e[:2]
        }
    counts = chosen.matching, chosen.joining, chosen.among
    assert counts == (int(matching.sum()), len(within), len(among))


@given(graphs(), st.data())
def test_folding_keeps_every_citation_between_groups(
    given_graph: tuple[int, list[tuple[int, int, int, int]]], data: st.DataObject
):
    nodes, edges = given_graph
    groups = data.draw(st.lists(st.integers(0, 3), min_size=nodes, max_size=nodes))
    folded = graph_of(nodes, edges).folded(np.array(groups), np.arange(4))
    expected: dict[tuple[int, int, int], int] = {}
    for source, target, kind, count in edges:
        key = groups[source], groups[target], kind
        if key[0] != key[1]:
            expected[key] = expected.get(key, 0) + count
    rows = zip(*folded.ends.T.tolist(), folded.kinds.tolist(), folded.counts.tolist(), strict=True)
    assert {(a, b, kind): count for a, b, kind, count in rows} == expected
    assert folded.tiers.tolist() == [0, 1, 2, 3]


@st.composite
def drawings(draw: st.DrawFn) -> tuple[int, frozenset[tuple[int, int]]]:
    nodes = draw(st.integers(0, 30))
    pairs = st.tuples(st.integers(0, max(nodes - 1, 0)), st.integers(0, max(nodes - 1, 0)))
    found = draw(st.sets(pairs.filter(lambda pair: pair[0] < pair[1]), max_size=40))
    return nodes, frozenset(found if nodes else ())


@settings(deadline=None)
@given(drawings())
def test_every_node_stands_elsewhere_and_always_there(
    drawing: tuple[int, frozenset[tuple[int, int]]],
):
    nodes, pairs = drawing
    places = positions(nodes, pairs)
    assert len(places) == len(set(places)) == nodes
    positions.cache_clear()
    assert positions(nodes, frozenset(sorted(pairs, reverse=True))) == places


def box(places: tuple[Place, ...], nodes: range) -> tuple[int, int, int, int]:
    xs, ys = [places[n][0] for n in nodes], [places[n][1] for n in nodes]
    return min(xs), min(ys), max(xs), max(ys)


def test_components_stand_apart_and_nodes_alone_below():
    ring = {(n, (n + 1) % 12) for n in range(12)}
    pairs = frozenset((min(p), max(p)) for p in ring | {(12, 13)})
    places = positions(20, pairs)
    first, second, single = (box(places, range(*each)) for each in ((12,), (12, 14), (14, 20)))
    assert first[2] + SPACING <= second[0] or first[3] + SPACING <= second[1]
    assert single[1] >= max(first[3], second[3]) + SPACING


def test_of_boxes_that_overlap_the_first_is_free():
    boxes = [(0.0, 0.0, 10.0, 4.0), (9.0, 3.0, 20.0, 8.0), (10.0, 0.0, 20.0, 3.0)]
    assert unhindered(boxes) == [True, False, True]


def test_a_graph_without_nodes_is_an_empty_map():
    chosen = choose(graph_of(0, []), np.zeros(0, dtype=np.bool_))
    assert (len(chosen.nodes), chosen.matching, chosen.joining) == (0, 0, 0)
