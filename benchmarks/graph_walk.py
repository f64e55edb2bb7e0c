"""Personalised PageRank over the citation graph of a whole country's law: how fast, how exact?

Every unit is a node, and each pair of units with a citation between them an edge, walked both ways.
The walker is put back as HippoRAG-2 puts it back: to `SEEDS` units drawn at random with a weight of
1, and to every unit with a weight of .05 times a score drawn from 0 to 1; damping is ½.

``ppr_units``, ``ppr_pairs``  units and pairs of units with a citation between them
``ppr_ms``             the median time of one query, of `QUERIES`, in milliseconds
``ppr_p95_ms``         the 95th percentile of the same
``ppr_cpu_ms``         the median of the processor's time for it, which others on the machine do not
                       lengthen by as much
``ppr_max_error``      the greatest difference of any unit's rank from what networkx finds, over
                       `CHECKED` queries on a part of the graph of `PART` units: those met first on
                       a walk in rings around the unit with the most citations
"""

from __future__ import annotations

import time
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from evaluation.figure import Figure
from retrieval.baselines.pagerank import Transitions
from retrieval.core.method import Resources
from retrieval.core.model import Corpus
from retrieval.graph.citation_graph import CitationGraph, Positions, kept_links

PART = 2_000
QUERIES, CHECKED = 50, 5
SEEDS, PASSAGE_WEIGHT, DAMPING = 5, 0.05, 0.5
_SEED = 20


def walk_figures(corpus: Corpus, resources: Resources) -> list[Figure]:
    """Return the figures of the citation graph of `corpus`, which `resources` have."""
    links = kept_links(corpus, resources)
    if links is None:
        raise TypeError("there is no citation graph")
    graph = CitationGraph(links.sources, links.targets, len(corpus), undirected=True)
    walk = _walk(graph.sources, graph.targets, len(corpus))
    times, busy = _times(walk)
    part = around(graph, PART)
    errors = [abs(ours - theirs).max() for ours, theirs in _both(graph, part)]
    median, high = np.quantile(times, (0.5, 0.95)).tolist()
    return [
        Figure("ppr_units", len(corpus), len(corpus)),
        Figure("ppr_pairs", len(graph) / 2, len(corpus)),
        Figure("ppr_ms", median, len(times)),
        Figure("ppr_p95_ms", high, len(times)),
        Figure("ppr_cpu_ms", float(np.median(busy)), len(busy)),
        Figure("ppr_max_error", float(max(errors)), len(part)),
    ]


def around(graph: CitationGraph, units: int) -> Positions:
    """Return so many units, ascending: rings around the one with the most neighbours, then any."""
    found = np.zeros(len(graph.out.degrees), dtype=bool)
    ring = np.array([int(graph.out.degrees.argmax())])
    met: list[int] = []
    while len(ring) and len(met) < units:
        found[ring] = True
        met += ring.tolist()
        _, ends = graph.out.of(ring)
        ring = np.unique(ends[~found[ends]])
    rest = np.flatnonzero(~found)[: max(units - len(met), 0)].tolist()
    return np.sort(np.array((met + rest)[:units], dtype=np.int64))


def reset(nodes: int, drawn: np.random.Generator) -> NDArray[np.float64]:
    """Return where the walker is put back to for one query."""
    found = PASSAGE_WEIGHT * drawn.uniform(size=nodes)
    found[drawn.integers(0, nodes, SEEDS)] += 1.0
    return found


def _walk(sources: Positions, targets: Positions, nodes: int) -> Transitions:
    once = sources < targets  # each pair stands there both ways
    return Transitions.undirected(sources[once], targets[once], np.ones(once.sum()), nodes)


def _times(walk: Transitions) -> tuple[list[float], list[float]]:
    """Return milliseconds of each query, by the clock and of the processor."""
    drawn = np.random.default_rng(_SEED)
    walk.pagerank(reset(len(walk), drawn), DAMPING)  # the first one imports
    times, busy = [], []
    for _ in range(QUERIES):
        back = reset(len(walk), drawn)
        began, working = time.perf_counter(), time.thread_time()
        walk.pagerank(back, DAMPING)
        times.append(1_000 * (time.perf_counter() - began))
        busy.append(1_000 * (time.thread_time() - working))
    return times, busy


def _both(
    graph: CitationGraph, part: Positions
) -> Iterator[tuple[NDArray[np.float64], NDArray[np.float64]]]:
    """Yield what is found and what networkx finds, for each query on the part of the graph."""
    import networkx as nx

    inside = np.isin(graph.sources, part) & np.isin(graph.targets, part)
    sources = np.searchsorted(part, graph.sources[inside])
    targets = np.searchsorted(part, graph.targets[inside])
    walk = _walk(sources, targets, len(part))
    theirs = nx.Graph()
    theirs.add_nodes_from(range(len(part)))
    theirs.add_edges_from(zip(sources.tolist(), targets.tolist(), strict=True))
    drawn = np.random.default_rng(_SEED)
    for _ in range(CHECKED):
        back = reset(len(part), drawn)
        kept = dict(enumerate(back.tolist()))
        ranks = nx.pagerank(theirs, alpha=DAMPING, personalization=kept, tol=1e-13, max_iter=1_000)
        yield walk.pagerank(back, DAMPING), np.array([ranks[at] for at in range(len(part))])
