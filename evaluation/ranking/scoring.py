"""Score a run against relevance judgements: one row per query, one figure per measure.

Rules: a ranking is an order, so it has no ties and no scores; whoever makes one from scores breaks
ties by ascending unit id and refuses NaN (`retrieval.core.model.best`, `storage.export.trec`). A
judged query that the run leaves out, or found nothing for, scores MISSING_SCORE. One without a
relevant unit is unscored: it has no value and stands outside every mean.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import pytrec_eval

from evaluation.figure import Figure
from evaluation.interval import mean_figure
from evaluation.ranking.measures import LEADERBOARD, Measure

# Ranked unit ids per query, best first; and the relevance of units per query, above zero = gold.
Run = Mapping[str, Sequence[str]]
Qrels = Mapping[str, Mapping[str, int]]

# What a judged query scores when the run leaves it out or found nothing for it: the method was
# asked and had no answer. It is written beside every table.
MISSING_SCORE = 0.0


@dataclass(frozen=True)
class Evaluation:
    """What a run scored by `measures`, which are their keys in the order they were asked for.

    `table` holds query id → measure key → value, for every query of the judgements in ascending
    order; None where the query has no relevant unit, so nothing can be scored. `missing` lists the
    judged queries that the run left out or answered with nothing: each counts as MISSING_SCORE.
    `unjudged` lists queries of the run that have no judgements; they count nowhere.
    """

    table: dict[str, dict[str, float | None]]
    measures: tuple[str, ...]
    missing: tuple[str, ...]
    unjudged: tuple[str, ...]

    @cached_property
    def figures(self) -> list[Figure]:
        """The means over scored queries with their intervals, in the order of the measures."""
        rows = self.table.values()
        return [mean_figure(key, [row[key] for row in rows]) for key in self.measures]


def evaluate(run: Run, qrels: Qrels, measures: Sequence[Measure] = LEADERBOARD) -> Evaluation:
    """Score `run` against `qrels`. Raises ValueError when a ranking names one unit twice."""
    judged = {
        query: {unit: relevance for unit, relevance in units.items() if relevance > 0}
        for query, units in sorted(qrels.items())
    }
    scorable = {query: units for query, units in judged.items() if units}
    values = _trec_values(run, scorable, measures)
    table = {
        query: {
            repr(measure): measure.read(values[query]) if query in values else None
            for measure in measures
        }
        for query in judged
    }
    return Evaluation(
        table=table,
        measures=tuple(map(repr, measures)),
        missing=tuple(query for query in scorable if not run.get(query)),
        unjudged=tuple(sorted(set(run) - set(judged))),
    )


def _trec_values(
    run: Run, qrels: Qrels, measures: Sequence[Measure]
) -> dict[str, dict[str, float]]:
    if not qrels or not measures:
        return {}
    depth = _depth(measures)
    scores, judged = {}, {}
    for query, gold in qrels.items():
        # Every query is handed over, an unanswered one as empty: trec_eval would drop it silently.
        ranking = _looked_at(query, run.get(query, ()), depth)
        scores[query] = _scores_of_ranks(len(ranking))
        judged[query] = _by_rank(ranking, gold)
    requests = {measure.trec_request for measure in measures}
    evaluator = pytrec_eval.RelevanceEvaluator(judged, requests)
    values: dict[str, dict[str, float]] = evaluator.evaluate(scores)
    return values


def _depth(measures: Sequence[Measure]) -> int | None:
    """Return the last rank that any of the measures looks at; None where one looks at all."""
    cutoffs = [measure.cutoff for measure in measures if measure.cutoff is not None]
    return max(cutoffs) if len(cutoffs) == len(measures) else None


def _looked_at(query: str, ranking: Sequence[str], depth: int | None) -> Sequence[str]:
    if len(set(ranking)) != len(ranking):
        raise ValueError(f"query {query!r}: a unit stands twice in the ranking")
    return ranking[:depth]


def _by_rank(ranking: Sequence[str], gold: Mapping[str, int]) -> dict[str, int]:
    """Return the relevance of the gold units, each named by its rank.

    trec_eval sorts by name before anything else; it is done at once where names rise with ranks.
    """
    ranks = {unit: _name(rank) for rank, unit in enumerate(ranking) if unit in gold}
    return {ranks.get(unit, f"not found: {unit}"): relevance for unit, relevance in gold.items()}


@lru_cache(maxsize=8)
def _scores_of_ranks(count: int) -> Mapping[str, float]:
    """Return a falling score for each rank; rankings of one length share it."""
    # Whole numbers are exact in trec_eval's 32-bit floats up to 16 million.
    return {_name(rank): float(count - rank) for rank in range(count)}


def _name(rank: int) -> str:
    return f"{rank:08}"
