"""Personalised PageRank of an undirected graph, over sparse arrays that may lie on disk.

A walker goes from node to node along edges in proportion to their weights, and at every step is
put back with a chance of 1 − damping, to a node drawn in proportion to `reset`::

    x = damping · (P x + (Σ of x over nodes without an edge) · r) + (1 − damping) · r

with r = `reset` / Σ `reset`, and P the shares in which each node hands on what it has. This is what
networkx calls ``pagerank(alpha=damping, personalization=reset, weight="weight")`` (tested to be
equal), and what HippoRAG-2 walks by (Page and others 1999; Haveliwala 2002).

Nodes without an edge only change how much there is of everything, so x is y / Σ y with

    y = damping · P y + r

The eigenvalues of P are real, for edges are walked both ways, so that of all ways to weigh the
steps of an iteration Chebyshev's is the best (Golub and Varga 1961): at a damping of ½ each step
brings y nearer by ¼ and not by ½, and half as many do. What a step would still change, divided by
1 − damping, bounds what is missing; it ends where that is at most `NEAR`, summed over all nodes.
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
    """From where to where a walker goes: for each node the nodes that lead to it.

    Those of node i stand in `sources` from ``starts[i]`` to ``starts[i + 1]``, ascending, and
    `shares` says what part of each one's walkers comes from there to i. `stuck` are the nodes
    that nothing leads from, ascending.
    """

    starts: NDArray[np.int32]
    sources: NDArray[np.int32]
    shares: Weights

    @classmethod
    def undirected(cls, some: Nodes, others: Nodes, weights: Weights, nodes: int) -> Transitions:
        """Return those over edges that are walked both ways; weights of one pair are added.

        `some` and `others` are the two ends of each edge, `weights` are above 0. An edge of a node
        to itself is left out. Raises ValueError for weights that are not above 0.
        """
        if not (weights > 0).all():
            raise ValueError("edges need weights above 0")
        apart = some != others
        ends = np.r_[some[apart], others[apart]], np.r_[others[apart], some[apart]]
        return cls._of(*ends, np.r_[weights[apart], weights[apart]], nodes)

    @classmethod
    def _of(cls, sources: Nodes, targets: Nodes, weights: Weights, nodes: int) -> Transitions:
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

        Raises OSError and ValueError for files that are not there or of another kind.
        """
        kept = (np.load(folder / f"walk_{each.name}.npy", mmap_mode="r") for each in fields(cls))
        return cls(*kept)

    @cached_property
    def matrix(self) -> csr_array:
        """P: one row per node, one column per node that leads to it; nothing is copied."""
        from scipy.sparse import csr_array

        shape = (len(self), len(self))
        return csr_array((self.shares, self.sources, self.starts), shape=shape)

    def pagerank(self, reset: Weights, damping: float) -> Weights:
        """Return the share of time that the walker spends in each node; they add up to 1.

        `reset` has one value from 0 up per node. Raises ValueError where none is above 0, and for
        a damping that is not from 0 to MOST_DAMPING.
        """
        total = float(reset.sum())
        if not 0 < total < np.inf or (reset < 0).any():
            raise ValueError("the walker needs somewhere to be put back to")
        if not 0 <= damping <= MOST_DAMPING:
            raise ValueError(f"damping is from 0 to {MOST_DAMPING}")
        back = reset / total
        ranks = before = back
        weight, moved = 1.0, self._step(back, back, damping)
        while float(np.abs(moved - ranks).sum()) > NEAR * (1 - damping):
            moved -= before  # in place: before + weight * (moved - before)
            moved *= weight
            moved += before
            ranks, before = moved, ranks
            weight = _next(weight, damping)
            moved = self._step(ranks, back, damping)
        moved = np.maximum(moved, 0)  # no rounding error below
        found: Weights = moved / moved.sum()
        return found

    def _step(self, ranks: Weights, back: Weights, damping: float) -> Weights:
        moved: Weights = self.matrix @ ranks
        moved *= damping
        moved += back
        return moved


def _next(weight: float, damping: float) -> float:
    """Return the weight of the step after one of this weight; the first has 1."""
    square = damping * damping
    return 2 / (2 - square) if weight == 1 else 1 / (1 - square * weight / 4)
