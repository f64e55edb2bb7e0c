from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from corpus.graph.layout import SPACING, Place, positions, unhindered


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
