"""Claim precision, recall and F1 from labels of predicted claims (RegOps-Bench 2026, §5.1, A.1).

Each predicted claim is labelled against every gold claim: a match counts 1, a partial match, which
lacks a condition, an exception or a number, 0.5. Claims are then paired one to one: greedily as
published, all matches before any partial match, or so that the credit is largest.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from scipy.optimize import linear_sum_assignment

from evaluation.attribution.scores import Score

MATCH, PARTIAL, NONE = "match", "partial", "none"
CREDIT = {MATCH: 1.0, PARTIAL: 0.5}
Relations = Sequence[Sequence[tuple[int, str]]]
"""For each predicted claim the indices of gold claims that it matches, with labels."""


class Pairing(StrEnum):
    """The method of pairing claims."""

    GREEDY = "greedy"  # matches before partial matches, in the order of the claims
    OPTIMAL = "optimal"  # the largest possible credit


@dataclass(frozen=True, slots=True)
class Pair:
    """A paired predicted and gold claim, by index, with their label."""

    predicted: int
    gold: int
    label: str


def pair_greedily(relations: Relations) -> list[Pair]:
    """Pair claims greedily: matches, then partials; by predicted, then gold claim."""
    wanted = [
        Pair(at, place, label)
        for at, each in enumerate(relations)
        for place, label in each
        if label in CREDIT
    ]
    wanted.sort(key=lambda each: (-CREDIT[each.label], each.predicted, each.gold))
    predicted: set[int] = set()
    gold: set[int] = set()
    found = []
    for each in wanted:
        if each.predicted not in predicted and each.gold not in gold:
            predicted.add(each.predicted)
            gold.add(each.gold)
            found.append(each)
    return sorted(found, key=lambda each: each.predicted)


def pair_optimally(relations: Relations, gold: int) -> list[Pair]:
    """Pair claims for the largest credit (linear sum assignment); `gold` counts gold claims."""
    if not relations or not gold:
        return []
    best: dict[tuple[int, int], str] = {}
    for at, each in enumerate(relations):
        for place, label in each:
            if CREDIT.get(label, 0.0) > CREDIT.get(best.get((at, place), NONE), 0.0):
                best[at, place] = label
    credit = np.zeros((len(relations), gold))
    for key, label in best.items():
        credit[key] = CREDIT[label]
    rows, columns = linear_sum_assignment(credit, maximize=True)
    chosen = zip(rows.tolist(), columns.tolist(), strict=True)
    return [Pair(*key, best[key]) for key in chosen if key in best]


def claim_score(relations: Relations, gold: int, pairing: Pairing = Pairing.GREEDY) -> Score | None:
    """Return the claim score of a question; None without gold claims.

    An answer without any claim scores 0. Raises ValueError for an unknown gold claim.
    """
    if any(not 0 <= place < gold for each in relations for place, _ in each):
        raise ValueError("a label names a gold claim that is not there")
    if not gold:
        return None
    pairs = (
        pair_greedily(relations) if pairing is Pairing.GREEDY else pair_optimally(relations, gold)
    )
    return Score.of(sum(CREDIT[each.label] for each in pairs), len(relations), gold)
