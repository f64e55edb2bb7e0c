"""The map of the law: selection of the nodes and edges of a citation graph to draw.

A whole body of law has hundreds of thousands of nodes; some hundred are readable. A reader's filter
is a mask over arrays, and of the matching nodes those of highest degree are taken, so that nothing
is laid out that is not drawn. Degrees are of the simple graph: several edges between two nodes
count once.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

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
