"""Communities of a citation graph: groups that cite among themselves more than chance would.

Both methods maximise modularity greedily. Up to `EXACT_NODES` joined nodes it is Clauset, Newman
and Moore's agglomeration (the "greedy modularity" of RefWalk, appendix A.2) by networkx; above,
Louvain, which moves nodes first and agglomerates what they form, because the former's time grows
too fast.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from corpus.graph.louvain import louvain, modularity

EXACT_NODES = 10_000
GREEDY, LOUVAIN = "greedy_modularity", "louvain"
SHOWN = 10


@dataclass(frozen=True, slots=True)
class Communities:
    """How many communities the joined nodes form, the sizes of the largest, and how marked.

    `modularity` is None where there is no edge. `method` names what found them.
    """

    method: str
    count: int
    sizes: tuple[int, ...]
    modularity: float | None


def communities(pairs: NDArray[np.int64], exact_nodes: int = EXACT_NODES) -> Communities:
    """Return the communities of the undirected graph of `pairs` (rows of two node numbers)."""
    # Both methods break ties by the order of edges, which is not to matter.
    edges = np.unique(np.sort(pairs, axis=1), axis=0)
    joined, ends = np.unique(edges, return_inverse=True)
    edges = ends.reshape(-1, 2)
    method = GREEDY if len(joined) <= exact_nodes else LOUVAIN
    if not len(joined):
        return Communities(method, 0, (), None)
    found = _greedy(edges) if method == GREEDY else louvain(edges, len(joined))
    sizes = sorted(np.bincount(found).tolist(), reverse=True)
    return Communities(method, len(sizes), tuple(sizes[:SHOWN]), round(modularity(edges, found), 6))


def _greedy(edges: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the community of each node."""
    import networkx  # here: most of what imports the report never asks for communities

    graph = networkx.Graph()
    graph.add_edges_from(edges.tolist())
    found = np.empty(len(graph), dtype=np.int64)
    for number, nodes in enumerate(networkx.community.greedy_modularity_communities(graph)):
        found[list(nodes)] = number
    return found
