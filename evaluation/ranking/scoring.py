"""Ranking measures, and evaluation of a run: one row per query, one figure per measure.

Rules: a ranking is an order, so it has no ties and no scores; scores are converted to a ranking
with ties by ascending unit id and NaN refused (`retrieval.core.model.best`,
`storage.export.trec`). A judged query that the run leaves out, or found nothing for, scores 0. One
without a relevant unit is unscored: it has no value and counts in no mean. So is every query by a
measure with a cut-off beyond the run's depth (`too_deep`): lower ranks are unknown.

Measures are values: a measure's repr is its key, and parsing the key gives it back.
The arithmetic is trec_eval's (through pytrec-eval-terrier). Its tie rule is not: it is given
distinct scores derived from the ranks, so the given ranking is measured. nDCG has
linear gains and the discount ``log2(rank + 1)``.

Of a query with several gold units, Recall is the share found; AnyGold and FullCov are whether one
is found and whether all are: the upper and the lower bound of counting a query once.
RR is the reciprocal rank of the first; its mean over queries is known as MRR, so both names are
accepted, and MRR is offered. FullRank, its lower bound, is the reciprocal rank of the
last gold unit.

Scores of a retrieval benchmark whose queries belong to groups, and its groups to categories:
queries of one group have the same targets, so they are no independent observations: a group counts
with the mean of its queries, and intervals are over groups.

Bounds of recall for inherited gold: any of it, all of it (Zheng et al. 2025, §5.2, App. H).

A question that was made of one option of another has all the gold of the other, not all of
which need concern that option. The recall of relevant gold lies between two figures: the share
of questions with all of their gold among the first k (lower), and with any of it (upper).

Questions made of one parent share their gold, so they are no independent observations: the figures
are means over questions, the intervals resample parents, each with all its questions (cluster
bootstrap).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from math import isfinite

import pytrec_eval

from corpus.extensions import MEASURES, Extension, usable
from corpus.run import Rankings, Run
from errors import UserError
from evaluation.figure import RESAMPLES, Figure, known_mean, mean_figure, ratio_figure
from messages import say
from normalization.grouping import grouped

_NAME = re.compile("[A-Za-z]+")
_KEY = re.compile(r"([A-Za-z]+)(?:@([1-9]\d{0,5}))?")


@dataclass(frozen=True, slots=True)
class _Kind:
    """trec_eval's names of a measure without and with a cut-off; None if there is none."""

    plain: str | None
    cut: str


_KINDS = {
    "Recall": _Kind(None, "recall"),
    "P": _Kind(None, "P"),
    "nDCG": _Kind("ndcg", "ndcg_cut"),
    "AP": _Kind("map", "map_cut"),
    "RR": _Kind("recip_rank", "recip_rank"),
    "MRR": _Kind("recip_rank", "recip_rank"),
    "FullRank": _Kind("recip_rank", "recip_rank"),
    "AnyGold": _Kind(None, "success"),
    "FullCov": _Kind(None, "recall"),
}
_RECIPROCAL = ("RR", "MRR", "FullRank")
_OTHER_NAMES = {
    **{
        "r": "Recall",
        "map": "AP",
        "success": "AnyGold",
        "allgold": "FullCov",
        "fullmrr": "FullRank",
    },
    "fullrr": "FullRank",
}
_SPELLINGS = {name.lower(): name for name in _KINDS} | _OTHER_NAMES


def own_measures() -> dict[str, Extension]:
    """Return the usable measures of installed packages by name, but for names of ours.

    Each is a function of a ranking, cut at the cut-off, and of the grades of the gold units, that
    returns a number, the higher the better.
    """
    own = usable(MEASURES)
    named = {name: each for name, each in own.items() if _NAME.fullmatch(name)}
    return {name: each for name, each in named.items() if name.lower() not in _SPELLINGS}


@dataclass(frozen=True, slots=True, repr=False, order=True)
class Measure:
    """A measure: `name` is a key of _KINDS; `cutoff` the last rank that counts."""

    name: str
    cutoff: int | None = None

    def __repr__(self) -> str:
        return self.name if self.cutoff is None else f"{self.name}@{self.cutoff}"

    @property
    def trec_request(self) -> str:
        """The name of its values: what to request from pytrec-eval for a measure of ours."""
        if self.name not in _KINDS:
            return repr(self)  # a package's, which `_trec_values` adds
        if self.cutoff is None or self.name in _RECIPROCAL:
            return _KINDS[self.name].plain or ""
        return f"{_KINDS[self.name].cut}.{self.cutoff}"

    def read(self, values: dict[str, float]) -> float:
        """Return this measure's value from pytrec-eval's values of one query."""
        request = "FullRank" if self.name == "FullRank" else self.trec_request
        value = values[request.replace(".", "_")]
        # trec_eval has no cut-off for the reciprocal rank: below it the value is 0.
        if self.name in _RECIPROCAL and self.cutoff is not None and value < 1 / self.cutoff:
            return 0.0
        if self.name == "FullCov":
            return 1.0 if value == 1 else 0.0
        return value


def parse_measure(key: str) -> Measure:
    """Parse a measure key, e.g. ``Recall@10``, ``AP``, in any case; UserError if it is none.

    ``R@10``, ``MAP``, ``Success@10``, ``AllGold@10`` and ``FullMRR@10`` are read as Recall@10, AP,
    AnyGold@10, FullCov@10 and FullRank@10. Raises UserError for anything else.
    """
    found = _KEY.fullmatch(key.strip())
    own = next((name for name in own_measures() if found and name == found[1]), None)
    name = own or (_SPELLINGS.get(found[1].lower()) if found else None)
    no_cutoff = own is not None or (name is not None and _KINDS[name].plain is not None)
    if found is None or name is None or (found[2] is None and not no_cutoff):
        raise UserError("unknown_measure", name=key)
    return Measure(name, int(found[2]) if found[2] else None)


def too_deep(keys: Iterable[str], depth: int | None) -> tuple[str, ...]:
    """Return the measures with a cut-off beyond a run's `depth`; None: the depth is unknown.

    A run's depth is the number of units requested, not found. A measure without a
    cut-off uses all ranks.
    """
    cutoffs = ((key, parse_measure(key).cutoff) for key in keys)
    return tuple(key for key, cut in cutoffs if depth is not None and cut and cut > depth)


def too_deep_notes(
    keys: Sequence[str], depths: Iterable[int | None], language: str = "en"
) -> list[str]:
    """Return notes on blank figures of runs of these `depths`: a line for each depth."""
    counts = Counter(depth for depth in depths if depth is not None)
    return [
        say("measure.too_deep", language, measures=", ".join(blank), count=count, depth=depth)
        for depth, count in sorted(counts.items())
        if (blank := too_deep(keys, depth))
    ]


LEADERBOARD = (
    *(Measure("Recall", k) for k in (1, 5, 10, 20, 50, 100)),
    Measure("nDCG", 10),
    Measure("MRR", 10),
)

SHOWN = (*(Measure("Recall", k) for k in (1, 10, 100)), Measure("nDCG", 10), Measure("MRR", 10))
"""The default measures of the leaderboard."""

ORDERING = Measure("Recall", 10)
"""The default order of the leaderboard."""

OFFERED = (
    *LEADERBOARD,
    Measure("P", 5),
    Measure("AP"),
    *(Measure(name, k) for name in ("FullCov", "AnyGold") for k in (1, 10, 100, 1000)),
    Measure("FullRank", 10),
)
"""The measures of ours that the leaderboard offers."""


def offered() -> tuple[Measure, ...]:
    """Return the measures that the leaderboard offers, with those of installed packages."""
    own = (Measure(name, cutoff) for name in own_measures() for cutoff in (10, None))
    return (*OFFERED, *own)


# The relevance of units per query, above zero = gold.
Qrels = Mapping[str, Mapping[str, int]]


@dataclass(frozen=True)
class Evaluation:
    """The scores of a run by `measures`, which are their keys in the requested order.

    `table` holds query id → measure key → value, for every query of the judgements in ascending
    order; None if the query has no relevant unit. `missing` lists the
    judged queries that the run left out or answered with nothing: each counts as 0, for the method
    was asked and had no answer. `unjudged` lists queries of the run that have no judgements; they
    count nowhere. `depth` is the run's depth, None if unknown.
    """

    table: dict[str, dict[str, float | None]]
    measures: tuple[str, ...]
    missing: tuple[str, ...]
    unjudged: tuple[str, ...]
    depth: int | None = None

    def within(self, depth: int | None) -> Evaluation:
        """Return the evaluation for a run of `depth`, with values beyond it blank."""
        blank = dict.fromkeys(too_deep(self.measures, depth))
        table = {query: row | blank for query, row in self.table.items()} if blank else self.table
        return replace(self, table=table, depth=depth)

    def without(self, queries: Set[str]) -> Evaluation:
        """Return the evaluation without these queries: they have no rows and are not missing."""
        if not queries:
            return self
        table = {query: row for query, row in self.table.items() if query not in queries}
        missing = tuple(query for query in self.missing if query not in queries)
        return replace(self, table=table, missing=missing)

    @cached_property
    def figures(self) -> list[Figure]:
        """The means over scored queries with their intervals, in the order of the measures."""
        return self.figures_by(RESAMPLES)

    def figures_by(self, resamples: int) -> list[Figure]:
        """Return the figures with intervals from another number of resamples."""
        rows = self.table.values()
        return [mean_figure(key, [row[key] for row in rows], resamples) for key in self.measures]


def evaluate(
    run: Run | Rankings, qrels: Qrels, measures: Sequence[Measure] = LEADERBOARD
) -> Evaluation:
    """Score `run` against `qrels`. Raises ValueError when a ranking names one unit twice."""
    run = run.rankings if isinstance(run, Run) else run
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


def _own_value(measure: Measure, ranking: Sequence[str], gold: Mapping[str, int]) -> float:
    """Compute a package's measure for one question. Raises UserError if it returns no number."""
    own = own_measures()[measure.name]
    value = own.call(own.value, list(ranking[: measure.cutoff]), dict(gold))
    if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value):
        raise UserError("extension_no_number", name=own.name, value=str(value)[:40])
    return float(value)


def _trec_values(
    run: Rankings, qrels: Qrels, measures: Sequence[Measure]
) -> dict[str, dict[str, float]]:
    """Compute trec_eval's values and packages' measures by query; unanswered ones score 0."""
    if not qrels or not measures:
        return {}
    depth = _depth(measures)
    scores, judged = {}, {}
    for query, gold in qrels.items():
        # Unanswered queries are passed as empty: trec_eval would drop them silently.
        ranking = _cut_ranking(query, run.get(query, ()), depth)
        scores[query] = _scores_of_ranks(len(ranking))
        judged[query] = _by_rank(ranking, gold)
    requests = {measure.trec_request for measure in measures if measure.name in _KINDS}
    evaluator = pytrec_eval.RelevanceEvaluator(judged, requests)
    values: dict[str, dict[str, float]] = evaluator.evaluate(scores)
    for query, row in values.items():
        last = max(judged[query])  # a unit that is not found sorts after all ranks
        row["FullRank"] = 1 / (int(last) + 1) if last.isdecimal() else 0.0
        for measure in measures:
            if measure.name not in _KINDS:
                row[repr(measure)] = _own_value(measure, run.get(query, ()), qrels[query])
    return values


def _depth(measures: Sequence[Measure]) -> int | None:
    """Return the largest cut-off of the measures; None if one has no cut-off."""
    cutoffs = [measure.cutoff for measure in measures if measure.cutoff is not None]
    return max(cutoffs) if len(cutoffs) == len(measures) else None


def _cut_ranking(query: str, ranking: Sequence[str], depth: int | None) -> Sequence[str]:
    """Return a query's ranking cut at `depth`. Raises ValueError for a repeated unit."""
    if len(set(ranking)) != len(ranking):
        raise ValueError(f"query {query!r}: a unit stands twice in the ranking")
    return ranking[:depth]


def _by_rank(ranking: Sequence[str], gold: Mapping[str, int]) -> dict[str, int]:
    """Return the relevance of the gold units, each named by its rank.

    trec_eval sorts by name first, which is fast if names are sorted by rank.
    """
    ranks = {unit: _name(rank) for rank, unit in enumerate(ranking) if unit in gold}
    return {ranks.get(unit, f"not found: {unit}"): relevance for unit, relevance in gold.items()}


@lru_cache(maxsize=8)
def _scores_of_ranks(count: int) -> Mapping[str, float]:
    """Return a descending score for each rank's name, cached by length."""
    # Whole numbers are exact in trec_eval's 32-bit floats up to 16 million.
    return {_name(rank): float(count - rank) for rank in range(count)}


def _name(rank: int) -> str:
    """Return the name of a rank, sorted like it."""
    return f"{rank:08}"


GRADED = ("nDCG",)  # measures that use grades; others ask only whether a target is found


@dataclass(frozen=True, slots=True)
class GroupedQuery:
    """A query: its id, its own document (never a target), its group and category."""

    id: str
    document: str
    group: str
    category: str


@dataclass(frozen=True, slots=True)
class Scores:
    """The scores of a run on a grouped benchmark.

    `figures` are means over groups with their intervals, `by_category` the same of each category.
    `table` is query id → measure key → value, None where the query has no target. `missing` are
    queries with targets that the run leaves out, which score 0; `unknown` queries of the run that
    the benchmark lacks, which count nowhere.
    """

    figures: tuple[Figure, ...]
    by_category: Mapping[str, tuple[Figure, ...]]
    table: Mapping[str, Mapping[str, float | None]]
    missing: tuple[str, ...]
    unknown: tuple[str, ...]


def score(
    run: Run | Rankings,
    queries: Sequence[GroupedQuery],
    qrels: Qrels,
    measures: Sequence[Measure],
    least: int = 1,
    depth: int | None = None,
) -> Scores:
    """Score `run` without each query's own document in its ranking; means also by category.

    A document of grade `least` or more is a target; nDCG counts all grades above zero. A measure
    with a cut-off beyond `depth`, the run's, has no value.
    """
    run = run.rankings if isinstance(run, Run) else run
    own = {query.id: query.document for query in queries}
    others = {
        query: [each for each in ranking if each != own.get(query)]
        for query, ranking in run.items()
    }
    judged = {query.id: qrels.get(query.id, {}) for query in queries}
    found, table = _table(others, judged, measures, least)
    names = [repr(measure) for measure in measures]
    blank = dict.fromkeys(too_deep(names, depth))
    table = {query: row | blank for query, row in table.items()}
    categories = dict.fromkeys(query.category for query in queries)
    return Scores(
        figures=_figures(queries, table, names),
        by_category={
            category: _figures((q for q in queries if q.category == category), table, names)
            for category in categories
        },
        table=table,
        missing=found.missing,
        unknown=found.unjudged,
    )


def _table(
    run: Rankings, qrels: Qrels, measures: Sequence[Measure], least: int
) -> tuple[Evaluation, dict[str, dict[str, float | None]]]:
    """Score a run: targets from grade `least` up, graded measures by all grades."""
    targets = {
        query: {unit: 1 for unit, grade in units.items() if grade >= least}
        for query, units in qrels.items()
    }
    # A query without targets is unscored by all measures, even if it has lower grades.
    grades = {query: units if targets[query] else {} for query, units in qrels.items()}
    plain = evaluate(run, targets, [measure for measure in measures if measure.name not in GRADED])
    graded = evaluate(run, grades, [measure for measure in measures if measure.name in GRADED])
    table = {query: plain.table[query] | graded.table[query] for query in plain.table}
    return plain, table


def _figures(
    queries: Iterable[GroupedQuery],
    table: Mapping[str, Mapping[str, float | None]],
    names: Sequence[str],
) -> tuple[Figure, ...]:
    """Return the mean of each measure, over queries grouped as they are resampled."""
    groups = grouped((query.group, query.id) for query in queries)
    return tuple(
        mean_figure(
            name, [known_mean(table[each][name] for each in ids) for ids in groups.values()]
        )
        for name in names
    )


LOWER, UPPER = "FullCov", "AnyGold"


@dataclass(frozen=True, slots=True)
class RecallBounds:
    """The bounds of recall at a cut-off; the figures' n counts questions, `parents` their parents.

    `several` counts the questions with more than one gold unit: without any, the bounds are equal.
    """

    lower: Figure
    upper: Figure
    parents: int
    several: int


def measures_of(k: int) -> tuple[Measure, Measure]:
    """Return the measures that bound recall among the first `k`: the lower, the upper."""
    return Measure(LOWER, k), Measure(UPPER, k)


def recall_bounds(
    table: Mapping[str, Mapping[str, float | None]],
    parents: Mapping[str, str],
    sizes: Mapping[str, int],
    k: int,
    resamples: int = RESAMPLES,
) -> RecallBounds:
    """Return the bounds over the questions that have a parent.

    `table` is query → measure key → value, as in `evaluation.ranking.scoring.Evaluation`; `parents`
    maps each question made of another to it, `sizes` a query to its number of gold
    units. Questions that are not scored are left out.
    """
    low, high = map(repr, measures_of(k))
    rows = [
        (parents[query], query, values[low], values[high])
        for query, values in sorted(table.items())
        if query in parents and values[low] is not None
    ]
    groups = grouped((row[0], (float(row[2] or 0), float(row[3] or 0))) for row in rows)
    return RecallBounds(
        lower=_figure(low, groups, 0, resamples),
        upper=_figure(high, groups, 1, resamples),
        parents=len(groups),
        several=sum(sizes.get(query, 0) > 1 for _, query, _, _ in rows),
    )


def _figure(
    name: str, groups: Mapping[str, list[tuple[float, float]]], at: int, resamples: int
) -> Figure:
    """Return the mean over questions of the bound at index `at` of a pair, resampled by group."""
    pairs = [(sum(pair[at] for pair in each), len(each)) for _, each in sorted(groups.items())]
    n = sum(count for _, count in pairs)
    return replace(ratio_figure(name, pairs, resamples), n=n)
