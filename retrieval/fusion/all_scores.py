"""The scores of a whole corpus for one query, of any method that can score units."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from errors import UserError
from retrieval.core.method import Dense, Method, Scoring
from retrieval.core.model import Query

Scores = NDArray[np.float64]
_DIGITS = 5


@runtime_checkable
class ScoresAll(Protocol):
    """A method that has the scores of all documents at once, cheaper than one by one."""

    def all_scores(self, query: Query) -> Scores:
        """Return the score of every document of the corpus, in its order."""
        ...


class Prior(Scoring):
    """A method whose scores are the same for every query: by itself it finds nothing."""


def all_scores(method: Method, query: Query) -> Scores:
    """Return the score of every document of the corpus of `method`, in its order.

    The query has text. Raises UserError for a method that cannot score units.
    """
    if isinstance(method, ScoresAll):
        return method.all_scores(query)
    if isinstance(method, Dense):
        return _products(method.vectors, method.encode([query])[0])
    if isinstance(method, Scoring):
        return method.score(query, method.corpus.ids)
    raise UserError("method_base_scoring", method="weighted", base=method.NAME)


def _products(vectors: NDArray[np.float32], query: NDArray[np.float32]) -> Scores:
    # The last digit of a product in single precision depends on where a row stands.
    found: Scores = np.asarray(vectors @ query, dtype=np.float64)
    return found.round(_DIGITS)
