"""The map of the law: selection of the nodes and edges of a citation graph to draw.

A whole body of law has hundreds of thousands of nodes; some hundred are readable. A reader's filter
is a mask over arrays, and of the matching nodes those of highest degree are taken, so that nothing
is laid out that is not drawn. Degrees are of the simple graph: several edges between two nodes
count once.

Layout of a map's nodes: deterministic, in whole numbers.

Each connected component is laid out by itself with Fruchterman and Reingold's forces (1991, by
networkx, from a seed), as all at once would press the largest together in the middle and push the
others to the rim. Components are then arranged in rows, the largest first, and nodes without an
edge below them in a grid. The caller bounds the number of nodes: forces are between all pairs.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import ceil, sqrt

import numpy as np
from numpy.typing import NDArray

from corpus.graph.model import WALKED, EdgeType

TYPES = WALKED
MOST_NODES = 300  # more are indistinguishable, and a browser draws them slowly
MOST_EDGES = 600
Numbers = NDArray[np.int64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class MapGraph:
    """A graph with nodes numbered from 0, with edges merged per type and pair of nodes.

    `tiers` has each node's authority tier. `ends` has a row (source, target) for each edge, `kinds`
    its index in `TYPES`, `counts` its number of citations.
    """

    tiers: Numbers
    ends: Numbers
    kinds: Numbers
    counts: Numbers

    def folded(self, into: Numbers, tiers: Numbers) -> MapGraph:
        """Return the graph of groups: node n is in group ``into[n]``, whose tiers are `tiers`.

        Edges within a group are left out.
        """
        ends = into[self.ends]
        between = ends[:, 0] != ends[:, 1]
        ends, kinds = ends[between], self.kinds[between]
        size = max(len(tiers), 1)
        keys = (ends[:, 0] * size + ends[:, 1]) * len(TYPES) + kinds
        found, at = np.unique(keys, return_inverse=True)
        counts = np.bincount(at, self.counts[between], len(found)).astype(np.int64)
        pairs, of = np.divmod(found, len(TYPES))
        return MapGraph(tiers, np.stack(np.divmod(pairs, size), axis=1), of, counts)


@dataclass(frozen=True, slots=True, eq=False)
class MapChoice:
    """The selection to draw: `nodes` by degree, equal ones by number, and the edges among them.

    `degrees` count the distinct neighbours of a node among all that match, drawn or not. `ends` are
    indices into `nodes`. `matching` counts the nodes that match, `joining` the edges among these,
    and `among` the edges among the nodes drawn, of which the first are drawn.
    """

    nodes: Numbers
    degrees: Numbers
    ends: Numbers
    kinds: Numbers
    counts: Numbers
    matching: int
    joining: int
    among: int


def choose(
    graph: MapGraph,
    matching: Mask,
    types: Collection[EdgeType] = TYPES,
    most_nodes: int = MOST_NODES,
    most_edges: int = MOST_EDGES,
) -> MapChoice:
    """Select the matching nodes to draw: those of highest degree by edges of `types`.

    The edges among them are ordered by number of citations; equal ones by source, target, type. The
    first edge of each node comes before all others, so that a node with edges shows one.
    """
    ends = graph.ends
    wanted = np.isin(graph.kinds, [TYPES.index(kind) for kind in TYPES if kind in types])
    within = wanted & matching[ends].all(axis=1) & (ends[:, 0] != ends[:, 1])
    degrees = _degrees(ends[within], len(matching))
    candidates = np.flatnonzero(matching)
    order = np.argsort(-degrees[candidates], kind="stable")
    nodes = candidates[order[:most_nodes]]
    place = np.full(len(matching), -1, dtype=np.int64)
    place[nodes] = np.arange(len(nodes))
    among = np.flatnonzero(within & (place[ends] >= 0).all(axis=1))
    order = np.lexsort((graph.kinds[among], ends[among, 1], ends[among, 0], -graph.counts[among]))
    drawn = among[_each_nodes_first(ends[among[order]], order)[:most_edges]]
    return MapChoice(
        nodes=nodes,
        degrees=degrees[nodes],
        ends=place[ends[drawn]],
        kinds=graph.kinds[drawn],
        counts=graph.counts[drawn],
        matching=len(candidates),
        joining=int(within.sum()),
        among=len(among),
    )


def _each_nodes_first(ends: Numbers, order: Numbers) -> Numbers:
    """Reorder `order`, whose edges have these ends, with the first edge of each node in front."""
    _, first = np.unique(ends.ravel(), return_index=True)
    leading = np.zeros(len(order), dtype=np.bool_)
    leading[first // 2] = True
    return np.concatenate([order[leading], order[~leading]])


def _degrees(ends: Numbers, nodes: int) -> Numbers:
    """Count the distinct neighbours of each node, in either direction."""
    low, high = ends.min(axis=1, initial=nodes), ends.max(axis=1, initial=-1)
    pairs = np.unique(low * max(nodes, 1) + high)
    both = np.concatenate(np.divmod(pairs, max(nodes, 1)))
    return np.bincount(both, minlength=nodes).astype(np.int64)


Place = tuple[int, int]
SPACING = 150  # about the distance between neighbours, in the units of the drawing
SEED = 0
_STEPS = 120
_ASPECT = 1.5  # of the whole drawing: wider than high, as screens are
_Shape = list[tuple[int, float, float]]  # (node, x, y), from 0 on


@lru_cache(maxsize=64)
def positions(nodes: int, pairs: frozenset[tuple[int, int]]) -> tuple[Place, ...]:
    """Return (x, y) of nodes 0 … nodes-1, of which `pairs` are joined; cached.

    No two nodes coincide. y grows downwards, as on screens.
    """
    import networkx  # here: most of what imports this never draws

    graph = networkx.Graph()
    graph.add_nodes_from(range(nodes))
    graph.add_edges_from(sorted(pairs))
    parts = [sorted(part) for part in networkx.connected_components(graph)]
    parts.sort(key=lambda part: (-len(part), part[0]))
    shapes = [_shape(graph.subgraph(part), part) for part in parts if len(part) > 1]
    single = [part[0] for part in parts if len(part) == 1]
    placed = _in_rows(shapes)
    below = max((y for _, _, y in placed), default=-2.0 * SPACING) + 2 * SPACING
    right = max((x for _, x, _ in placed), default=0.0)
    columns = max(ceil(right / SPACING), ceil(sqrt(len(single) * _ASPECT)), 1)
    for at, node in enumerate(single):
        placed.append((node, at % columns * SPACING, below + at // columns * SPACING))
    return tuple((round(x), round(y)) for _, x, y in sorted(placed))


def _shape(part: object, nodes: Sequence[int]) -> _Shape:
    """Lay out one component in a box that grows with its number of nodes."""
    import networkx

    found = networkx.spring_layout(part, seed=SEED, iterations=_STEPS, k=1.8 / sqrt(len(nodes)))
    side = SPACING * sqrt(len(nodes))
    across = _spread([float(found[node][0]) for node in nodes], side * _ASPECT)
    down = _spread([float(found[node][1]) for node in nodes], side)
    return list(zip(nodes, across, down, strict=True))


def _spread(values: Sequence[float], length: float) -> list[float]:
    """Return the values on a scale from 0 to `length`, halfway to equal steps.

    Forces leave hubs crowded in the middle and a wide rim nearly empty.
    """
    least, most = min(values), max(values)
    order = sorted(range(len(values)), key=lambda at: (values[at], at))
    rank = {at: place / (len(values) - 1) for place, at in enumerate(order)}
    share = [(value - least) / ((most - least) or 1) for value in values]
    return [length * (share[at] + rank[at]) / 2 for at in range(len(values))]


def unhindered(boxes: Sequence[tuple[float, float, float, float]]) -> list[bool]:
    """Return for each box (left, top, right, bottom) whether it overlaps none accepted before."""
    taken: list[tuple[float, float, float, float]] = []
    told = []
    for box in boxes:
        left, top, right, bottom = box
        free = not any(
            left < other[2] and other[0] < right and top < other[3] and other[1] < bottom
            for other in taken
        )
        told.append(free)
        if free:
            taken.append(box)
    return told


def _in_rows(shapes: Sequence[_Shape]) -> _Shape:
    """Arrange the boxes in rows, as wide as the first box or as all need together."""
    area = sum(_width(shape) * _height(shape) for shape in shapes)
    widest = max([sqrt(area * _ASPECT), *(_width(shape) for shape in shapes)], default=0.0)
    placed: _Shape = []
    x = y = row = 0.0
    for shape in shapes:
        if x and x + _width(shape) > widest:
            x, y, row = 0.0, y + row, 0.0
        placed += [(node, x + dx, y + dy) for node, dx, dy in shape]
        x, row = x + _width(shape), max(row, _height(shape))
    return placed


def _width(shape: _Shape) -> float:
    """Return the width of a drawing with the space beside it."""
    return max(x for _, x, _ in shape) + 2 * SPACING


def _height(shape: _Shape) -> float:
    """Return the height of a drawing with the space below it."""
    return max(y for _, _, y in shape) + SPACING
