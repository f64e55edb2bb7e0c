"""Bars of charts, curves of a measure over question–gold similarity, and 1-hop hit rates.

Curves follow the figure of Zheng et al. (2025, section 5.3): questions are put into buckets of
equal width by the TF-IDF cosine of question and gold, each bucket gets its mean and interval, and a
line is fitted. Its slope shows how much a method depends on shared words.

1-hop hit rate: how often one step along a graph leads from the results to missed gold. A
question's seeds are the best units of a ranking. An edge from a seed to a gold unit that is no seed
itself is a hit: the graph reaches what the ranking did not. SearchFireSafety compares its citation
graph with a graph of nearest neighbours this way, and prints one number for each without saying
which questions count; here both readings are given.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from math import floor

import numpy as np
from numpy.typing import NDArray

from evaluation.figure import Figure, bootstrap, mean_figure, share_of
from normalization.grouping import grouped


@dataclass(frozen=True, slots=True)
class Bar:
    """A figure under the label of its group, in the colour of its series."""

    group: str
    series: str
    figure: Figure


WIDTH = 0.1
_NO_SPREAD = 1e-12  # similarities this close do not define a line
_ROUNDING = 1e-9  # 0.3 / 0.1 is 2.9999999999999996


@dataclass(frozen=True, slots=True)
class Bucket:
    """The questions with a similarity of at least `low` and below `high` (the last includes 1)."""

    low: float
    high: float
    figure: Figure


@dataclass(frozen=True, slots=True)
class Curve:
    """A measure over buckets of similarity; a bucket without a scored question is left out.

    `slope` is that of the least-squares line through the questions (not the buckets), `start` its
    intercept at similarity 0. Both are None for fewer than two different
    similarities.
    """

    name: str
    buckets: tuple[Bucket, ...]
    slope: Figure
    start: float | None


def curve(
    name: str,
    similarity: Mapping[str, float],
    scores: Mapping[str, float | None],
    width: float = WIDTH,
) -> Curve:
    """Return the curve of the `scores` of questions over their `similarity`, from 0 to 1.

    Questions without a score or without a similarity are ignored. Raises ValueError for a
    `width` that is not above 0 and at most 1.
    """
    if not 0 < width <= 1:
        raise ValueError("a bucket is wider than 0 and at most 1 wide")
    told = [
        (similarity[question], score)
        for question, score in sorted(scores.items())
        if score is not None and question in similarity
    ]
    held = grouped((_place(alike, width), score) for alike, score in told)
    buckets = tuple(
        Bucket(at * width, min((at + 1) * width, 1.0), mean_figure(name, values))
        for at, values in sorted(held.items())
    )
    return Curve(name, buckets, *_fitted_line(np.array(told, dtype=np.float64).reshape(-1, 2)))


def _place(alike: float, width: float) -> int:
    """Return the number of the bucket that a similarity is in, from 0."""
    last = max(0, floor(1 / width - _ROUNDING))
    return min(floor(alike / width + _ROUNDING), last)


def _fitted_line(points: NDArray[np.float64]) -> tuple[Figure, float | None]:
    """Return slope and intercept of the least-squares line through (similarity, score)."""
    slope = float(_slopes(points[None])[0]) if len(points) else float("nan")
    if not np.isfinite(slope):
        return Figure("slope", None, len(points)), None
    low, high = bootstrap(
        np.arange(float(len(points))), lambda picks: _slopes(points[picks.astype(int)])
    )
    start = float(points[:, 1].mean() - slope * points[:, 0].mean())
    return Figure("slope", slope, len(points), low, high), start


def _slopes(samples: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the slope of each sample of pairs; NaN where all similarities are equal."""
    x, y = samples[..., 0], samples[..., 1]
    away = x - x.mean(axis=1, keepdims=True)
    spread = (away**2).sum(axis=1)
    known = np.where(spread > _NO_SPREAD, spread, np.nan)
    found: NDArray[np.float64] = (away * y).sum(axis=1) / known
    return found


Neighbours = Mapping[str, Collection[str]]
"""Unit → the units that its edges lead to; units without an edge may be absent."""


@dataclass(frozen=True, slots=True)
class QuestionHits:
    """A question with its seeds, best first, and its gold units."""

    id: str
    seeds: tuple[str, ...]
    gold: frozenset[str]


@dataclass(frozen=True, slots=True)
class HitRate:
    """The hit rates of one graph.

    `missed` is the share of questions with a hit among those that have a gold unit which is no
    seed; a question whose gold units are all seeds has nothing left to reach and is not counted.
    `linked` is the share of all questions with gold in which any edge leads from a seed to another
    unit that is gold, seed or not. `reached` is the mean number of units, seeds aside, that one
    step leads to: a graph that reaches more has more hits by chance.
    """

    graph: str
    missed: Figure
    linked: Figure
    reached: Figure


def hit_rate(graph: str, questions: Sequence[QuestionHits], neighbours: Neighbours) -> HitRate:
    """Return the hit rates of the graph whose edges are `neighbours`, over questions with gold."""
    known = [one for one in questions if one.gold]
    ends = [{seed: set(neighbours.get(seed, ())) - {seed} for seed in one.seeds} for one in known]
    reached = [set().union(*end.values()) for end in ends]
    new = [each - set(one.seeds) for each, one in zip(reached, known, strict=True)]
    missed = [_reaches_missed(one, each) for one, each in zip(known, new, strict=True)]
    linked = [float(bool(each & one.gold)) for each, one in zip(reached, known, strict=True)]
    return HitRate(
        graph,
        share_of("missed", missed),
        share_of("linked", linked),
        mean_figure("reached", [float(len(each)) for each in new]),
    )


def _reaches_missed(one: QuestionHits, new: Collection[str]) -> float | None:
    """Return 1 if new units have gold that the seeds miss, else 0; None if they miss none."""
    wanted = one.gold - set(one.seeds)
    return float(bool(wanted & set(new))) if wanted else None
