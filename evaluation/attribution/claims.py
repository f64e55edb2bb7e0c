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
"""Of each predicted claim the gold claims, by their place, that it matches, each with the label."""


class Pairing(StrEnum):
    """How claims are paired."""

    GREEDY = "greedy"  # matches before partial matches, in the order of the claims
    OPTIMAL = "optimal"  # the largest credit that a pairing can have


@dataclass(frozen=True, slots=True)
class Pair:
    """A predicted and a gold claim that are paired, by their places, and their label."""

    predicted: int
    gold: int
    label: str


def pair_greedily(relations: Relations) -> list[Pair]:
    """Return the pairs made in order: matches, then partials; by predicted, then gold claim."""
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
    """Return pairs with the largest credit (linear sum assignment); `gold` counts gold claims."""
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
    """Return the score of a question; None without gold claims, for then nothing can be right.

    An answer without any claim scores 0. Raises ValueError for a gold claim that is not there.
    """
    if any(not 0 <= place < gold for each in relations for place, _ in each):
        raise ValueError("a label names a gold claim that is not there")
    if not gold:
        return None
    pairs = (
        pair_greedily(relations) if pairing is Pairing.GREEDY else pair_optimally(relations, gold)
    )
    return Score.of(sum(CREDIT[each.label] for each in pairs), len(relations), gold)
