"""A run: the ranking of each question; returned by methods and read by measures.

It is one type for retrieval and for evaluation, which do not know one another. Callers with ids
alone (a stored run, a file without meaningful scores) pass plain `Rankings` to measures.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class Hit:
    """A unit found, with its score. Scores compare within one query of one method only."""

    unit_id: str
    score: float


Rankings = Mapping[str, Sequence[str]]
"""Query id → ids of units, best first, no unit twice."""


class Run(dict[str, tuple[Hit, ...]]):
    """Query id → hits, best first: falling scores, equal ones by ascending unit id, no unit twice.

    `name` is what tables and plots call it. `depth` is how many units were asked for of each query,
    whether or not as many were found; where nobody says, as many as its longest ranking has.
    """

    def __init__(
        self,
        hits: Mapping[str, Iterable[Hit]] | None = None,
        name: str = "",
        depth: int | None = None,
    ) -> None:
        """Take the hits of each query in their order."""
        super().__init__({query: tuple(found) for query, found in (hits or {}).items()})
        self.name = name
        self.depth = deepest(self) if depth is None else depth

    @property
    def rankings(self) -> dict[str, list[str]]:
        """The ids of the units found, by query, best first."""
        return {query: [hit.unit_id for hit in hits] for query, hits in self.items()}

    def to_frame(self) -> pd.DataFrame:
        """Return a data frame with a row for each hit: query, rank (from 1), unit, score."""
        import pandas as pd

        rows = [
            (query, rank, hit.unit_id, hit.score)
            for query, hits in self.items()
            for rank, hit in enumerate(hits, 1)
        ]
        return pd.DataFrame(rows, columns=["query", "rank", "unit", "score"])


def deepest(rankings: Mapping[str, Sequence[object]]) -> int | None:
    """Return the length of the longest ranking, None without any hit.

    It is the depth of a run without a stated one.
    """
    return max(map(len, rankings.values()), default=0) or None


def best(scores: Mapping[str, float], k: int) -> tuple[Hit, ...]:
    """Return the best `k` units of `scores` in the order of a run."""
    ordered = sorted(scores.items(), key=lambda each: (-each[1], each[0]))
    return tuple(Hit(unit, score) for unit, score in ordered[:k])


def continued(ranked: Sequence[Hit], below: Iterable[Hit], k: int) -> tuple[Hit, ...]:
    """Return the best `k` of a ranking continued by the units of `below`, in order.

    `ranked` is complete: its last unit has the lowest score. The scores after it fall strictly, by
    no more than the range of the ranking itself, so that scores scaled over all of it still
    separate its units.
    """
    if len(ranked) >= k:
        return tuple(ranked[:k])
    known = {hit.unit_id for hit in ranked}
    rest = [hit.unit_id for hit in below if hit.unit_id not in known][: k - len(ranked)]
    high, low = (ranked[0].score, ranked[-1].score) if ranked else (0.0, 0.0)
    width = high - low or 1.0
    after = (Hit(unit, low - width * at / (at + 1)) for at, unit in enumerate(rest, 1))
    return (*ranked, *after)
