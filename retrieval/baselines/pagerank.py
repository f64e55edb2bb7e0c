"""Personalised PageRank of an undirected graph, over sparse arrays that may be memory-mapped.

A walker follows edges in proportion to their weights, and at every step
restarts with probability 1 − damping, at a node drawn in proportion to `reset`::

  x = damping · (P x + (Σ of x over nodes without an edge) · r) + (1 − damping) · r

with r = `reset` / Σ `reset`, and P the column-stochastic transition matrix. This is
networkx's ``pagerank(alpha=damping, personalization=reset, weight="weight")`` (tested to be
equal), and the walk of HippoRAG-2 (Page and others 1999; Haveliwala 2002).

Nodes without an edge only scale the result, so x is y / Σ y with

  y = damping · P y + r

The eigenvalues of P are real, because edges are undirected, so Chebyshev's weights of the
steps of an iteration are optimal (Golub and Varga 1961): at a damping of ½ each step
reduces the error to ¼ and not to ½, and half as many steps do. The change of a step, divided by
1 − damping, bounds the error; iteration ends where that is at most `NEAR`, summed over all nodes.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from scipy.sparse import csr_array

NEAR = 1e-9
MOST_DAMPING = 0.99

Nodes = NDArray[np.int64]
Weights = NDArray[np.float64]


@dataclass(frozen=True)
class Transitions:
    """A transition matrix in sparse form: for each node its predecessors.

    Those of node i are `sources` from ``starts[i]`` to ``starts[i + 1]``, ascending, and
    `shares` their transition probabilities to i.
    """

    starts: NDArray[np.int32]
    sources: NDArray[np.int32]
    shares: Weights

    @classmethod
    def undirected(cls, some: Nodes, others: Nodes, weights: Weights, nodes: int) -> Transitions:
        """Return the transitions over undirected edges; weights of one pair are added, all above 0.

        `some` and `others` are the two ends of each edge, `weights` are above 0. Self-loops
        are left out. Raises ValueError for weights that are not above 0.
        """
        if not (weights > 0).all():
            raise ValueError("edges need weights above 0")
        apart = some != others
        ends = np.r_[some[apart], others[apart]], np.r_[others[apart], some[apart]]
        return cls._from_edges(*ends, np.r_[weights[apart], weights[apart]], nodes)

    @classmethod
    def _from_edges(
        cls, sources: Nodes, targets: Nodes, weights: Weights, nodes: int
    ) -> Transitions:
        """Build the column-normalised transition matrix of weighted edges."""
        codes, of = np.unique(targets * nodes + sources, return_inverse=True)
        summed = np.bincount(of, weights=weights, minlength=len(codes)).astype(np.float64)
        if not nodes:
            return cls(np.zeros(1, np.int32), np.zeros(0, np.int32), summed)
        into, out = codes // nodes, codes % nodes
        degrees = np.bincount(out, weights=summed, minlength=nodes)
        starts = np.concatenate(([0], np.cumsum(np.bincount(into, minlength=nodes))))
        return cls(starts.astype(np.int32), out.astype(np.int32), summed / degrees[out])

    def __len__(self) -> int:
        return len(self.starts) - 1

    def save(self, folder: Path) -> None:
        """Write the arrays into `folder`."""
        for each in fields(self):
            np.save(folder / f"walk_{each.name}.npy", getattr(self, each.name))

    @classmethod
    def load(cls, folder: Path) -> Transitions:
        """Read what `save` wrote; the arrays stay on disk, memory-mapped.

        Raises OSError and ValueError for missing or invalid files.
        """
        kept = (np.load(folder / f"walk_{each.name}.npy", mmap_mode="r") for each in fields(cls))
        return cls(*kept)

    @cached_property
    def matrix(self) -> csr_array:
        """P as a sparse matrix: row by target, column by source; nothing is copied."""
        from scipy.sparse import csr_array

        shape = (len(self), len(self))
        return csr_array((self.shares, self.sources, self.starts), shape=shape)

    def pagerank(self, reset: Weights, damping: float) -> Weights:
        """Return the stationary probability of each node; ValueError for an unfit reset or damping.

        `reset` has one value from 0 up per node. Raises ValueError where none is above 0, and for
        a damping outside 0 to MOST_DAMPING.
        """
        total = float(reset.sum())
        if not 0 < total < np.inf or (reset < 0).any():
            raise ValueError("the walker needs somewhere to be put back to")
        if not 0 <= damping <= MOST_DAMPING:
            raise ValueError(f"damping is from 0 to {MOST_DAMPING}")
        back = reset / total
        ranks = before = back
        weight, moved = 1.0, self._walk_step(back, back, damping)
        while float(np.abs(moved - ranks).sum()) > NEAR * (1 - damping):
            moved -= before  # in place: before + weight * (moved - before)
            moved *= weight
            moved += before
            ranks, before = moved, ranks
            weight = _next_weight(weight, damping)
            moved = self._walk_step(ranks, back, damping)
        moved = np.maximum(moved, 0)  # rounding errors may be negative
        found: Weights = moved / moved.sum()
        return found

    def _walk_step(self, ranks: Weights, back: Weights, damping: float) -> Weights:
        """Return the ranks after one step of the power iteration."""
        moved: Weights = self.matrix @ ranks
        moved *= damping
        moved += back
        return moved


def _next_weight(weight: float, damping: float) -> float:
    """Return the next Chebyshev weight; the first is 1."""
    square = damping * damping
    return 2 / (2 - square) if weight == 1 else 1 / (1 - square * weight / 4)
