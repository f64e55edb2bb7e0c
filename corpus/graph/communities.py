"""Communities of a citation graph: groups with more citations inside than expected by chance.

Both methods maximise modularity greedily. Up to `GREEDY_NODES` joined nodes it is Clauset, Newman
and Moore's agglomeration (the "greedy modularity" of RefWalk, appendix A.2), merge by merge as in
networkx; above, Louvain, which moves nodes first and agglomerates the resulting groups, because the
former's time grows too fast.

Louvain communities of a large graph (Blondel and others, 2008), deterministic. Each node in turn
moves to the neighbouring community that raises modularity most; then communities become the nodes
of a smaller graph, and so on until nothing moves. Only nodes next to a moved one are visited again
(the queue of Traag, Waltman and van Eck, 2019, section "fast local move"). Nodes are visited in an
order shuffled with a fixed seed, as neighbours by number would settle into worse communities; the
same graph always gives the same ones.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from heapq import heapify, heappop, heappush

import numpy as np
from numpy.typing import NDArray

_Array = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Weighted:
    """An undirected graph: each pair of nodes once, with its weight, and the weight inside a node.

    `pairs` has no loops; `loops` holds the weight that aggregation put inside each node.
    """

    pairs: _Array
    weights: _Array
    loops: _Array

    @property
    def degrees(self) -> _Array:
        """The weight at each node; inner weight counts twice."""
        ends, both = self.pairs.ravel(), np.repeat(self.weights, 2)
        return np.bincount(ends, both, len(self.loops)).astype(np.int64) + 2 * self.loops


def louvain(pairs: _Array, nodes: int) -> _Array:
    """Return the community of each of `nodes` nodes, numbered from 0 by their first node.

    `pairs` are the edges, each once in either direction, without loops.
    """
    graph = Weighted(pairs, np.ones(len(pairs), np.int64), np.zeros(nodes, np.int64))
    found = np.arange(nodes)
    while True:
        moved = _numbered(np.array(_local_moves(graph), dtype=np.int64))
        if len(graph.loops) == moved.max(initial=-1) + 1:
            return found
        found = moved[found]
        graph = _aggregated(graph, moved)


def modularity(pairs: _Array, community: _Array) -> float:
    """Return Newman's modularity of a division: edges inside, less those expected by chance."""
    edges = len(pairs)
    inside = int((community[pairs[:, 0]] == community[pairs[:, 1]]).sum())
    ends = np.bincount(community[pairs.ravel()]) / (2 * edges)
    return inside / edges - float((ends**2).sum())


def _local_moves(graph: Weighted) -> list[int]:
    """Return each node's community once no single move raises modularity."""
    neighbours, weights = _adjacency(graph)
    degrees: list[int] = graph.degrees.tolist()
    twice = sum(degrees)
    community, total = list(range(len(degrees))), list(degrees)
    queue, waiting = deque(_shuffled(len(degrees))), [True] * len(degrees)
    while queue:
        node = queue.popleft()
        waiting[node] = False
        links: dict[int, int] = {}
        for other, weight in zip(neighbours[node], weights[node], strict=True):
            joined = community[other]
            links[joined] = links.get(joined, 0) + weight
        own, share = community[node], degrees[node] / twice
        total[own] -= degrees[node]
        best, most = own, links.get(own, 0) - total[own] * share
        for joined, weight in links.items():
            gain = weight - total[joined] * share
            if gain > most + 1e-9:
                best, most = joined, gain
        total[best] += degrees[node]
        if best == own:
            continue
        community[node] = best
        for other in neighbours[node]:
            if not waiting[other] and community[other] != best:
                waiting[other] = True
                queue.append(other)
    return community


def _shuffled(count: int) -> list[int]:
    """Return node numbers in a fixed random order."""
    order: list[int] = np.random.default_rng(0).permutation(count).tolist()
    return order


def _adjacency(graph: Weighted) -> tuple[list[list[int]], list[list[int]]]:
    """Return each node's neighbours and the weights to them, neighbours ascending."""
    sources = np.concatenate([graph.pairs[:, 0], graph.pairs[:, 1]])
    targets = np.concatenate([graph.pairs[:, 1], graph.pairs[:, 0]])
    order = np.lexsort((targets, sources))
    cuts = np.cumsum(np.bincount(sources, minlength=len(graph.loops)))[:-1]
    both = np.concatenate([graph.weights, graph.weights])
    neighbours = [each.tolist() for each in np.split(targets[order], cuts)]
    return neighbours, [each.tolist() for each in np.split(both[order], cuts)]


def _aggregated(graph: Weighted, community: _Array) -> Weighted:
    """Return the graph whose nodes are the communities."""
    count = int(community.max()) + 1
    ends = np.sort(community[graph.pairs], axis=1)
    inside = ends[:, 0] == ends[:, 1]
    loops = np.bincount(community, graph.loops, count)
    loops += np.bincount(ends[inside, 0], graph.weights[inside], count)
    keys, at = np.unique(ends[~inside, 0] * count + ends[~inside, 1], return_inverse=True)
    weights = np.bincount(at, graph.weights[~inside], len(keys)).astype(np.int64)
    pairs = np.stack([keys // count, keys % count], axis=1)
    return Weighted(pairs, weights, loops.astype(np.int64))


def _numbered(community: _Array) -> _Array:
    """Renumber the communities from 0 in the order of their first nodes."""
    _, first, at = np.unique(community, return_index=True, return_inverse=True)
    return np.argsort(np.argsort(first))[at].astype(np.int64)


GREEDY_NODES = 10_000
GREEDY, LOUVAIN = "greedy_modularity", "louvain"
SHOWN = 10


@dataclass(frozen=True, slots=True)
class Communities:
    """The communities of the joined nodes: number, sizes of the largest, and modularity.

    `statutes` is the number of statutes in each of the largest. `modularity` is None without edges.
    `method` names the algorithm.
    """

    method: str
    count: int
    sizes: tuple[int, ...]
    statutes: tuple[int, ...]
    modularity: float | None


def communities(
    pairs: NDArray[np.int64], statutes: Sequence[str], greedy_nodes: int = GREEDY_NODES
) -> Communities:
    """Summarize the communities of the undirected graph of `pairs` (rows of two node numbers).

    `statutes` names the statute of each node.
    """
    found = divide(pairs, greedy_nodes)
    if not len(found.nodes):
        return Communities(found.method, 0, (), (), None)
    sizes = np.bincount(found.community).tolist()
    marked = round(modularity(found.edges, found.community), 6)
    spanned = [set[str]() for _ in sizes[:SHOWN]]
    for node, number in zip(found.nodes.tolist(), found.community.tolist(), strict=True):
        if number < SHOWN:
            spanned[number].add(statutes[node])
    counts = tuple(len(each) for each in spanned)
    return Communities(found.method, len(sizes), tuple(sizes[:SHOWN]), counts, marked)


@dataclass(frozen=True, slots=True, eq=False)
class Division:
    """A division into communities, which are numbered from 0, the largest first.

    `nodes` are those with an edge, ascending, `community` has the number of each. `edges` are the
    distinct undirected pairs as indices into `nodes`. Communities of one size are ordered by first
    node.
    """

    method: str
    nodes: _Array
    community: _Array
    edges: _Array


def divide(pairs: _Array, greedy_nodes: int = GREEDY_NODES) -> Division:
    """Divide the graph of `pairs` greedily, above `greedy_nodes` by Louvain; it is cached."""
    # Both methods break ties by the order of edges, which must not matter.
    edges = np.unique(np.sort(pairs, axis=1), axis=0).astype(np.int64)
    return _find_communities(edges.tobytes(), greedy_nodes)


@lru_cache(maxsize=2)
def _find_communities(edges_as_bytes: bytes, greedy_nodes: int) -> Division:
    """Divide the graph into communities, numbered from the largest."""
    joined, ends = np.unique(np.frombuffer(edges_as_bytes, np.int64), return_inverse=True)
    edges = ends.reshape(-1, 2)
    method = GREEDY if len(joined) <= greedy_nodes else LOUVAIN
    if not len(joined):
        return Division(method, joined, joined, edges)
    found = _numbered(_greedy(edges) if method == GREEDY else louvain(edges, len(joined)))
    largest_first = np.argsort(-np.bincount(found), kind="stable")
    return Division(method, joined, np.argsort(largest_first)[found].astype(np.int64), edges)


def _greedy(edges: _Array) -> _Array:
    """Return a representative node per node's community; ties merge the pair of the first nodes."""
    gains, shares, heap = _pairwise(edges)
    into = list(range(len(gains)))
    while heap:
        loss, gone, kept = heappop(heap)
        gain = gains[gone].get(kept, -1.0)
        if gain != -loss:  # it has decreased, or one of both is merged
            if gain >= 0:
                heappush(heap, (-gain, gone, kept))
            continue
        near, far, gains[gone] = gains[kept], gains[gone], {}
        del near[gone], far[kept]
        less = 2 * shares[gone]
        for node, gain in near.items():
            if node not in far:  # added to the heap in time
                near[node] = gains[node][kept] = gain - less * shares[node]
        less = 2 * shares[kept]
        for node, gain in far.items():
            other = gains[node]
            del other[gone]
            gain += near[node] if node in near else -less * shares[node]
            near[node] = other[kept] = gain
            if gain >= 0:
                heappush(heap, (-gain, kept, node) if kept < node else (-gain, node, kept))
        shares[kept] += shares[gone]
        into[gone] = kept
    return _followed(np.array(into, dtype=np.int64))


_Gains = list[dict[int, float]]


def _pairwise(edges: _Array) -> tuple[_Gains, list[float], list[tuple[float, int, int]]]:
    """Return the gain of merging each pair of nodes, each node's share of edge ends, and a heap.

    A pair with negative gain is not in the heap: it is merged only if that changes.
    """
    each = 1 / len(edges)
    shares: list[float] = (np.bincount(edges.ravel()) * each * 0.5).tolist()
    gains: _Gains = [{} for _ in shares]
    for one, other in edges.tolist():
        gains[one][other] = gains[other][one] = each - 2 * (shares[one] * shares[other])
    heap = [
        (-gain, one, other)
        for one, row in enumerate(gains)
        for other, gain in row.items()
        if one < other and gain >= 0
    ]
    heapify(heap)
    return gains, shares, heap


def _followed(into: _Array) -> _Array:
    """Follow each node to its root, which leads to itself."""
    while (further := into[into]).tolist() != into.tolist():
        into = further
    return into
