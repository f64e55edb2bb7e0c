"""A measure against how alike the words of a question and of its gold are, in buckets.

After the figure of Zheng et al. (2025, section 5.3): questions are put into buckets of equal width
by the TF-IDF cosine of question and gold, each bucket gets its mean and interval, and a line is
fitted. How steep it is says how far a method depends on shared words.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import floor

import numpy as np
from numpy.typing import NDArray

from evaluation.figure import Figure
from evaluation.interval import bootstrap, mean_figure

WIDTH = 0.1
_NO_SPREAD = 1e-12  # similarities no farther apart than their rounding bear no line
_ROUNDING = 1e-9  # 0.3 / 0.1 is 2.9999999999999996


@dataclass(frozen=True, slots=True)
class Bucket:
    """The questions with a similarity of at least `low` and below `high` (1 is in the last)."""

    low: float
    high: float
    figure: Figure


@dataclass(frozen=True, slots=True)
class Curve:
    """A measure over buckets of similarity; a bucket without a scored question is left out.

    `slope` is that of the least-squares line through the questions (not the buckets), `start` the
    line's value where the similarity is 0. Both are None for fewer than two different
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
    """Return how the `scores` of questions change with their `similarity`, which is 0 to 1.

    Questions without a score or without a similarity are not counted. Raises ValueError for a
    `width` that is not above 0 and at most 1.
    """
    if not 0 < width <= 1:
        raise ValueError("a bucket is wider than 0 and at most 1 wide")
    told = [
        (similarity[question], score)
        for question, score in sorted(scores.items())
        if score is not None and question in similarity
    ]
    held: dict[int, list[float]] = {}
    for alike, score in told:
        held.setdefault(_place(alike, width), []).append(score)
    buckets = tuple(
        Bucket(at * width, min((at + 1) * width, 1.0), mean_figure(name, values))
        for at, values in sorted(held.items())
    )
    return Curve(name, buckets, *_line(np.array(told, dtype=np.float64).reshape(-1, 2)))


def _place(alike: float, width: float) -> int:
    last = max(0, floor(1 / width - _ROUNDING))
    return min(floor(alike / width + _ROUNDING), last)


def _line(told: NDArray[np.float64]) -> tuple[Figure, float | None]:
    """Return slope and start of the least-squares line through (similarity, score)."""
    slope = float(_slopes(told[None])[0]) if len(told) else float("nan")
    if not np.isfinite(slope):
        return Figure("slope", None, len(told)), None
    low, high = bootstrap(
        np.arange(float(len(told))), lambda picks: _slopes(told[picks.astype(int)])
    )
    start = float(told[:, 1].mean() - slope * told[:, 0].mean())
    return Figure("slope", slope, len(told), low, high), start


def _slopes(samples: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the slope of each sample of pairs; NaN where all similarities are equal."""
    x, y = samples[..., 0], samples[..., 1]
    away = x - x.mean(axis=-1, keepdims=True)
    spread = (away**2).sum(axis=-1)
    known = np.where(spread > _NO_SPREAD, spread, np.nan)
    found: NDArray[np.float64] = (away * y).sum(axis=-1) / known
    return found
