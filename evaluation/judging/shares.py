"""Shares of observations that may come in groups, with an interval that holds either way."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np

from evaluation.figure import Figure
from evaluation.proportion import wilson


def grouped_share(name: str, hits: Sequence[bool], groups: Sequence[Hashable]) -> Figure:
    """Return the share of `hits`; `groups` names the group of each.

    The interval is Wilson's over the effective number of trials: as many independent ones as have
    the variance that there is between groups (E. Korn & B. Graubard, Survey Methodology 24:193,
    1998). Where each group has one observation, that is their number. Without observations there
    is no value.
    """
    if not hits:
        return Figure(name, None, 0)
    value, trials = sum(hits) / len(hits), effective(hits, groups)
    return Figure(name, value, len(hits), *wilson(value * trials, trials))


def effective(hits: Sequence[bool], groups: Sequence[Hashable]) -> float:
    """Return how many independent trials tell as much: at most as many as there are.

    Where everything or nothing is a hit, the variance tells nothing: as many as there are groups.
    """
    number = {group: at for at, group in enumerate(dict.fromkeys(groups))}
    count, share = len(number), sum(hits) / len(hits)
    if count == len(hits):
        return float(count)
    if count == 1 or share in (0, 1):
        return float(count)
    at = [number[group] for group in groups]
    apart = np.bincount(at, weights=np.asarray(hits, dtype=np.float64) - share)
    variance = count / (count - 1) * float((apart**2).sum()) / len(hits) ** 2
    if variance == 0:  # every group has the same share: they tell no less than all trials
        return float(len(hits))
    return min(share * (1 - share) / variance, float(len(hits)))
