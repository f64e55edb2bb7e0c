"""Communities of a citation graph: groups that cite among themselves more than chance would.

Both methods maximise modularity greedily and run in networkx. Up to `EXACT_NODES` joined nodes it
is Clauset, Newman and Moore's agglomeration (the "greedy modularity" of RefWalk, appendix A.2);
above, Louvain with seed 0, which moves nodes first and agglomerates what they form, because the
former's time grows too fast.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

EXACT_NODES = 20_000
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
    import networkx  # here: most of what imports the report never asks for communities

    graph = networkx.Graph()
    # Both methods break ties by the order of edges, which is not to matter.
    graph.add_edges_from(np.unique(np.sort(pairs, axis=1), axis=0).tolist())
    exact = len(graph) <= exact_nodes
    method = GREEDY if exact else LOUVAIN
    if not len(graph):
        return Communities(method, 0, (), None)
    if exact:
        found = networkx.community.greedy_modularity_communities(graph)
    else:
        found = networkx.community.louvain_communities(graph, seed=0)
    sizes = sorted((len(each) for each in found), reverse=True)
    marked = float(networkx.community.modularity(graph, found))
    return Communities(method, len(sizes), tuple(sizes[:SHOWN]), round(marked, 6))
