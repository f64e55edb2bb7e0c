"""Scores of any method brought to 0 … 1, for formulas that were made for cosines.

cosine  as they are
max     divided by the best score of the query; negative ones become 0, all where none is positive
minmax  lowest and highest of the pool become 0 and 1, what lies beyond is cut off there; where
        these two are equal, what is not lower gets 1
auto    cosine for a dense method, max for any other
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from retrieval.core.method import Dense, Method
from retrieval.core.parameters import Parameter

SCALES = ("auto", "cosine", "max", "minmax")
SCALE = Parameter("scale", "choice", "auto", choices=SCALES)
Scores = NDArray[np.float64]


def chosen_scale(scale: str, base: Method) -> str:
    """Return `scale`, "auto" replaced by what it means for `base`."""
    if scale != "auto":
        return scale
    return "cosine" if isinstance(base, Dense) else "max"


def scaled(scale: str, pool: Scores, scores: Scores) -> Scores:
    """Return `scores` by the rule `scale`; `pool` are the scores of the pool, falling."""
    if scale == "cosine":
        return scores
    if not len(pool):
        return np.zeros(len(scores))
    high, low = float(pool[0]), float(pool[-1])
    if scale == "max":
        return np.maximum(scores, 0) / high if high > 0 else np.zeros(len(scores))
    if high == low:
        return (scores >= low).astype(np.float64)
    stretched: Scores = np.clip((scores - low) / (high - low), 0, 1)
    return stretched
