"""Scores of a retrieval benchmark whose queries belong to groups, and its groups to categories.

Queries of one group have the same targets, so they are no independent observations: a group counts
with the mean of its queries, and intervals are over groups.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from evaluation.figure import Figure
from evaluation.interval import mean_figure
from evaluation.ranking.measures import Measure
from evaluation.ranking.scoring import Evaluation, Qrels, Run, evaluate

GRADED = ("nDCG",)  # measures that tell grades apart; others ask only whether a target is found


@dataclass(frozen=True, slots=True)
class GroupedQuery:
    """A query: its id, the document that it is (never a target), its group and category."""

    id: str
    document: str
    group: str
    category: str


@dataclass(frozen=True, slots=True)
class Scores:
    """What a run scored.

    `figures` are means over groups with their intervals, `by_category` the same of each category.
    `table` is query id → measure key → value, None where the query has no target. `missing` are
    queries with targets that the run leaves out, which score 0; `unknown` queries of the run that
    the benchmark has not, which count nowhere.
    """

    figures: tuple[Figure, ...]
    by_category: Mapping[str, tuple[Figure, ...]]
    table: Mapping[str, Mapping[str, float | None]]
    missing: tuple[str, ...]
    unknown: tuple[str, ...]


def score(
    run: Run,
    queries: Sequence[GroupedQuery],
    qrels: Qrels,
    measures: Sequence[Measure],
    least: int = 1,
) -> Scores:
    """Score `run`, from whose rankings each query's own document is taken out first.

    A document of grade `least` or more is a target; nDCG counts all grades above zero.
    """
    own = {query.id: query.document for query in queries}
    others = {
        query: [each for each in ranking if each != own.get(query)]
        for query, ranking in run.items()
    }
    judged = {query.id: qrels.get(query.id, {}) for query in queries}
    found, table = _table(others, judged, measures, least)
    names = [repr(measure) for measure in measures]
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
    run: Run, qrels: Qrels, measures: Sequence[Measure], least: int
) -> tuple[Evaluation, dict[str, dict[str, float | None]]]:
    targets = {
        query: {unit: 1 for unit, grade in units.items() if grade >= least}
        for query, units in qrels.items()
    }
    # A query without targets is scored by no measure, even where lower grades are left.
    grades = {query: units if targets[query] else {} for query, units in qrels.items()}
    plain = evaluate(run, targets, [each for each in measures if each.name not in GRADED])
    graded = evaluate(run, grades, [each for each in measures if each.name in GRADED])
    table = {query: plain.table[query] | graded.table[query] for query in plain.table}
    return plain, table


def _figures(
    queries: Iterable[GroupedQuery],
    table: Mapping[str, Mapping[str, float | None]],
    names: Sequence[str],
) -> tuple[Figure, ...]:
    groups: dict[str, list[str]] = {}
    for query in queries:
        groups.setdefault(query.group, []).append(query.id)
    return tuple(
        mean_figure(name, [_mean(table[each][name] for each in ids) for ids in groups.values()])
        for name in names
    )


def _mean(values: Iterable[float | None]) -> float | None:
    scored = [value for value in values if value is not None]
    return sum(scored) / len(scored) if scored else None
