"""Dense vectors of texts that are not units (entities, relations, questions).

They are compared by cosine whatever the dense method ranks by: rows are normalised to length one
where the method's own are not.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from corpus.progress import Progress
from errors import UserError
from retrieval.core.method import Dense, Method
from retrieval.core.model import Query
from retrieval.dense.vectors import unit_length
from retrieval.engines.local import FoundRows, LocalEngine

Vectors = NDArray[np.float32]
_AT_ONCE = 1_000  # texts: less than a second of a dense method that needs no model


def dense_base(method: str, parts: Sequence[Method]) -> Dense:
    """Return the one part of `method`. Raises UserError if it is not dense."""
    if not isinstance(parts[0], Dense):
        raise UserError("method_base_dense", method=method, base=parts[0].NAME)
    return parts[0]


def vectors_of(base: Dense, texts: Sequence[str], progress: Progress | None = None) -> Vectors:
    """Return one row of length one per text; zeros for a text without known terms.

    Equal texts are encoded once. `progress` is called with (texts done, texts to do).
    """
    different = list(dict.fromkeys(texts))
    found: list[Vectors] = []
    for start in range(0, len(different), _AT_ONCE):
        some = different[start : start + _AT_ONCE]
        found.append(
            unit_length(base.encode([Query(str(at), text) for at, text in enumerate(some)]))
        )
        if progress:
            progress(start + len(some), len(different))
    if not found:
        return np.zeros((0, base.vectors.shape[1]), np.float32)
    place = {text: at for at, text in enumerate(different)}
    rows: Vectors = np.concatenate(found)[[place[text] for text in texts]]
    return rows


def vector_of(base: Dense, text: str) -> Vectors:
    """Return the vector of one text, of length one or zero.

    It is encoded by itself, so that it does not depend on other texts.
    """
    row: Vectors = unit_length(base.encode([Query("q", text)]))[0]
    return row


def unit_vectors(base: Dense) -> Vectors:
    """Return the vectors of the units at length one, in corpus order."""
    return base.vectors if base.unit_length else unit_length(base.vectors)


def nearest(engine: LocalEngine, vector: Vectors, k: int, least: float) -> FoundRows:
    """Return the rows of cosine `least` or more, at most `k`, best first, ties by ascending row."""
    found = engine.search(vector[None, :], k)[0]
    enough = found.scores >= least
    return FoundRows(found.rows[enough], found.scores[enough])
