"""The walk of RefWalk: one step from the best of the pool along their citations, with decay."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from retrieval.core.model import Corpus
from retrieval.fusion.first_stage import Scores
from retrieval.graph.citation_graph import CitationGraph, Positions

_LEVELS = "/_"  # what stands between an article's id and that of a part of it


def walked(
    graph: CitationGraph,
    corpus: Corpus,
    pool: Sequence[tuple[int, float]],
    seeds: int,
    delta: float,
    most: int,
) -> dict[int, float]:
    """Return the score of each document of the pool and of those one step from its first `seeds`.

    `pool` holds positions and scores, best first. A neighbour gets `delta` times the seed's score;
    whatever is found more than once keeps the best of its scores, the pool's own among them. A
    score below 0 is passed on as it is: decay must not raise it. Of documents beyond the pool the
    `most` best come in, of equal ones those that stand first.
    """
    found = dict(pool)
    for position, score in pool[:seeds]:
        _, ends = graph.out.of(np.array([standing(graph, corpus, position)], dtype=np.int64))
        passed = min(delta * score, score)
        for end in ends.tolist():
            if end != position:
                found[end] = max(found.get(end, passed), passed)
    inside = {position for position, _ in pool}
    beyond = sorted(found.keys() - inside, key=lambda at: (-found[at], at))
    return {at: found[at] for at in (*inside, *beyond[:most])}


def standing(graph: CitationGraph, corpus: Corpus, position: int) -> int:
    """Return from where a seed walks: itself, or the document that it is a part of.

    Citations stand on articles. A part of an article that is a document of its own and has no
    links takes those of the nearest document whose id its own continues.
    """
    unit = corpus.ids[position]
    here = position
    while not graph.out.degrees[here]:
        cut = max(unit.rfind(level) for level in _LEVELS)
        if cut <= 0:
            return position
        unit = unit[:cut]
        here = corpus.positions.get(unit, here)
    return here


def ranked(scores: Scores, positions: Positions) -> Positions:
    """Return `positions` by falling score, equal ones ascending."""
    return positions[np.lexsort((positions, -scores))]
