"""What every fusion has in common: its parts are asked for their best units, and these are fused.

Each part is asked for exactly `depth` units however many are wanted of the fusion, so that a longer
ranking begins with the shorter one. A unit that a part does not return gets nothing from it.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from errors import UserError
from retrieval.core.method import QUERY_CHARACTERS, Scoring
from retrieval.core.model import Corpus, Hit, Query, best
from retrieval.core.parameters import Parameter

OF = Parameter("of", "methods")
WEIGHTS_TOLERANCE = 1e-6  # 0.1 and 0.9 as a person writes them need not add up to the last bit

Rankings = Sequence[Sequence[Hit]]
"""The ranking of each part for one query, in the order of the parts."""


def depth(default: int = 100) -> Parameter:
    """Return the parameter that says how many units each part is asked for."""
    return Parameter("depth", "int", default, 1, 10_000)


def checked_weights(method: str, weights: Sequence[float], parts: int) -> tuple[float, ...]:
    """Return one weight per part; all equal where none are given.

    Raises UserError unless there are as many as parts, none is negative, and they sum to 1.
    """
    given = tuple(weights) or (1 / parts,) * parts
    if len(given) != parts or min(given) < 0 or abs(sum(given) - 1) > WEIGHTS_TOLERANCE:
        shown = ", ".join(f"{weight:g}" for weight in given)
        raise UserError("fusion_weights", method=method, weights=shown, parts=parts)
    return given


class Fused(Scoring):
    """A fusion of its parts; a subclass says how scores come from their rankings."""

    def score(self, query: Query, unit_ids: Sequence[str]) -> NDArray[np.float64]:
        """Return fused scores; 0 for a unit that no part ranks among its first `depth`."""
        known = self.corpus.positions
        for unit in unit_ids:
            known[unit]
        query = Query(query.id, query.text[:QUERY_CHARACTERS])
        if not query.text.strip():
            return np.zeros(len(unit_ids))
        fused = self.scored([query])[query.id]
        return np.array([fused.get(unit, 0.0) for unit in unit_ids], dtype=np.float64)

    @abstractmethod
    def fuse(self, rankings: Rankings) -> Mapping[str, float]:
        """Return the score of every unit that stands in one of the rankings."""

    def scored(self, queries: Sequence[Query]) -> dict[str, Mapping[str, float]]:
        """Return the fused score of every unit that the parts find, by query; others have 0.

        Every query has text.
        """
        runs = [part.search(queries, self.spec["depth"]) for part in self.parts]
        return {query.id: self.fuse([run[query.id] for run in runs]) for query in queries}

    def _fit(self, corpus: Corpus) -> None:
        """Have nothing to learn."""

    def _search(self, queries: Sequence[Query], k: int) -> Mapping[str, Sequence[Hit]]:
        return {query: best(scores, k) for query, scores in self.scored(queries).items()}
