"""Bounds of recall for inherited gold: any of it, all of it (Zheng et al. 2025, §5.2, App. H).

A question that was made of one option of another has all the gold of the other, not all of
which need concern that option. The recall of relevant gold lies between two figures: the share
of questions with all of their gold among the first k (lower), and with any of it (upper).

Questions made of one parent share their gold, so they are no independent observations: the figures
are means over questions, the intervals resample parents, each with all its questions (cluster
bootstrap).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from evaluation.figure import RESAMPLES, Array, Figure, bootstrap
from evaluation.ranking.scoring import Measure

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
        if query in parents and values[low] is not None and values[high] is not None
    ]
    groups: dict[str, list[tuple[float, float]]] = {}
    for parent, _, lower, upper in rows:
        groups.setdefault(parent, []).append((float(lower or 0), float(upper or 0)))
    return RecallBounds(
        lower=_figure(low, groups, 0, resamples),
        upper=_figure(high, groups, 1, resamples),
        parents=len(groups),
        several=sum(sizes.get(query, 0) > 1 for _, query, _, _ in rows),
    )


def _figure(
    name: str, groups: Mapping[str, list[tuple[float, float]]], at: int, resamples: int
) -> Figure:
    """Return the mean of a bound over questions, resampled by group."""
    sums = np.array([sum(pair[at] for pair in groups[each]) for each in sorted(groups)])
    counts = np.array([len(groups[each]) for each in sorted(groups)], dtype=np.float64)
    if not counts.size:
        return Figure(name, None, 0)

    def share(samples: Array) -> Array:
        drawn = samples.astype(np.int64)
        found: Array = sums[drawn].sum(axis=-1) / counts[drawn].sum(axis=-1)
        return found

    ends = (
        bootstrap(np.arange(counts.size, dtype=np.float64), share, resamples)
        if counts.size > 1
        else (None, None)
    )
    return Figure(name, float(sums.sum() / counts.sum()), int(counts.sum()), *ends)
