"""Nearest rows of several vectors in one batched search."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from retrieval.baselines.text_vectors import Vectors
from retrieval.engines.local import FoundRows, LocalEngine


def all_nearest(
    engine: LocalEngine, vectors: Sequence[Vectors], k: int, least: float
) -> list[FoundRows]:
    """Return the rows of cosine `least` or more for each of `vectors`, independently of the others.

    They are at most `k`, best first, ties by ascending row.
    """
    if not vectors:
        return []
    return [
        FoundRows(found.rows[enough], found.scores[enough])
        for found in engine.search(np.stack(vectors), k)
        for enough in [found.scores >= least]
    ]
