"""Shares of observations that may come in groups, with an interval that holds either way."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np
from numpy.typing import NDArray

from evaluation.figure import Figure
from evaluation.interval import RESAMPLES, bootstrap
from evaluation.proportion import share_figure, wilson

_NO_WIDTH = 1e-12


def grouped_share(
    name: str,
    hits: Sequence[bool],
    groups: Sequence[Hashable],
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Figure:
    """Return the share of `hits`; `groups` names the group of each.

    Where every group has one observation the interval is Wilson's; else whole groups are drawn
    (see `evaluation.agreement.clusters`). Where all draws are alike, as when everything is a hit,
    drawing shows no width: the interval is then Wilson's over as many trials as there are groups.
    """
    if not hits or len(set(groups)) == len(hits):
        return share_figure(name, sum(hits), len(hits))
    value = sum(hits) / len(hits)
    low, high = _drawn(hits, groups, resamples, seed)
    if low is None or high is None or high - low <= _NO_WIDTH:
        trials = len(set(groups))
        low, high = wilson(round(value * trials), trials)
    return Figure(name, value, len(hits), min(low, value), max(high, value))


def _drawn(
    hits: Sequence[bool], groups: Sequence[Hashable], resamples: int, seed: int
) -> tuple[float, float] | tuple[None, None]:
    number = {group: at for at, group in enumerate(dict.fromkeys(groups))}
    at = [number[group] for group in groups]
    sizes = np.bincount(at).astype(np.float64)
    right = np.bincount(at, weights=np.asarray(hits, dtype=np.float64))

    def share(picked: NDArray[np.float64]) -> NDArray[np.float64]:
        rows = picked.astype(np.intp)
        found: NDArray[np.float64] = right[rows].sum(axis=1) / sizes[rows].sum(axis=1)
        return found

    return bootstrap(np.arange(len(sizes), dtype=np.float64), share, resamples, seed)
